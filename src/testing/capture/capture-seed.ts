import * as z from "zod/mini";
import type { Notetaker } from "../../client.js";
import { isRecord } from "../../json/is-record.js";
import { functionSchema, optionsSchema, positiveInteger } from "../../schemas/primitives.js";
import { requestOptionsShape } from "../../transport/request-options.js";
import { checkValue } from "../emulator-error.js";
import type { Seed } from "../seed/seed.js";
import { anonymise } from "./anonymise.js";
import { type CapturedAccount, type CaptureOptions, readAccount } from "./read-account.js";
import { toSeed } from "./to-seed.js";

const captureOptionsSchema = optionsSchema<CaptureOptions>()({
  rooms: z.optional(positiveInteger),
  anonymize: z.optional(z.boolean()),
  signal: requestOptionsShape.signal,
  onProgress: z.optional(functionSchema),
});

/**
 * Reads a live account and returns a seed with the same structure: counts, states, `null`s, absent and unknown fields.
 * Unless `anonymize` is false, texts are replaced by made-up words of about the same number, ids by others, and all
 * dates are moved together. It sends GET requests only. Guide: docs/emulator.md#a-captured-account.
 *
 * @throws {EmulatorError} {@link EmulatorError} for an invalid option. The errors of the client's calls and the reason
 * of `signal` are thrown, too
 * @example
 * const seed = await captureSeed(notetaker, { rooms: 5 });
 * const service = createEmulator({ seed });
 */
export async function captureSeed(notetaker: Notetaker, options: CaptureOptions = {}): Promise<Seed> {
  checkValue("captureSeed", captureOptionsSchema, options, "option");
  const account = writable(await readAccount(notetaker, options)) as CapturedAccount;
  return toSeed(options.anonymize === false ? account : anonymise(account));
}

/** The deepest nesting that is kept. No real account has deeper values. */
const MAX_DEPTH = 60;

/**
 * A copy that a file can hold: hostile JSON may be nested to any depth, and have halves of characters, which UTF-8
 * cannot represent.
 */
function writable(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => writable(item, depth + 1));
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [wellFormed(name), writable(field, depth + 1)]);
  return Object.fromEntries(fields);
}

const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\ufffd");
