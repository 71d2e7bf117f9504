import * as z from "zod/mini";
import { enumOf, functionOf, type Infer, positiveNumber, stringOf } from "../schemas/primitives.js";
import { sha256 } from "../webhooks/receive/sign.js";

/** Braces would change the hash tag. Then a Cluster could store the keys of one operation on different servers. */
const isPrefix = (value: string) => value.trim() !== "" && !/[{}]/.test(value);

export const redisOptionsShape = {
  /** The beginning of every key. Default `notetaker:`. */
  prefix: z.optional(stringOf(isPrefix, "a non-empty string without { and }")),
  /** The wait for an answer, in ms; after three late ones, Redis is asked only every two seconds. Default 3,000. */
  timeoutMs: z.optional(positiveNumber),
  /**
   * What happens while Redis cannot be reached:
   * - `"closed"` (default): the operation fails with a `ConnectionError`, at the latest 2 seconds after `timeoutMs`
   * - `"open"`: the operation continues without Redis, and the outage is reported once to `onUnavailable`
   */
  onError: z.optional(enumOf(["open", "closed"])),
  /** With `onError: "open"`, called with the first error of each outage. Default `console.error`. */
  onUnavailable: z.optional(functionOf<(error: unknown) => void>()),
};

export interface RedisOptions extends Infer<typeof redisOptionsShape> {}

/** The hash of a token or an id, which the keys in Redis contain instead of it. */
export const hashOf = (text: string): Promise<string> => sha256(new TextEncoder().encode(text));
