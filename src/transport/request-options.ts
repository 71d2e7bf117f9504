import * as z from "zod/mini";
import { MAX_TIMER_MS } from "../async/timers.js";
import { isRecord } from "../json/is-record.js";
import { abortSignal, custom, type Infer, numberOf } from "../schemas/primitives.js";
import { fetchOptionsSchema, headersOptionSchema } from "./fetch.js";

const milliseconds = numberOf(
  (value) => value > 0 && value <= MAX_TIMER_MS,
  `milliseconds, above 0 and up to ${MAX_TIMER_MS}`,
  [Number.MIN_VALUE, MAX_TIMER_MS],
);

const SCALARS = ["string", "number", "boolean", "undefined"];
const isQueryValue = (value: unknown) =>
  (Array.isArray(value) ? value : [value]).every((item) => SCALARS.includes(typeof item));

/** A `URLSearchParams` or a `Map` is refused: it has no fields of its own, so nothing of it would be sent. */
const isQuery = (value: unknown) =>
  isRecord(value) && !(Symbol.iterator in value) && Object.values(value).every(isQueryValue);

export const requestOptionsShape = {
  /** Aborts the call at once, also between two attempts. The call then rejects with `signal.reason` itself. */
  signal: z.optional(abortSignal()),
  /** The limit of one attempt, in ms; for uploads and downloads, without progress. Default: the client's. */
  timeoutMs: z.optional(milliseconds),
  /** The time that the whole call may take, in milliseconds. Default: the client's. */
  deadlineMs: z.optional(milliseconds),
  /** The maximum number of retries. Default: the client's. */
  maxRetries: z.optional(numberOf((value) => Number.isInteger(value) && value >= 0, "an integer of 0 or more", [0])),
  /** Headers of this call. Each replaces the client's header of the same name; `null` removes the header. */
  headers: headersOptionSchema,
  /** Extra query parameters, by their names on the wire. They override the method's own parameters of the same name. */
  query: z.optional(
    custom<Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[] | undefined>>>(
      isQuery,
      "an object of plain values and arrays",
    ),
  ),
  /** Further members of the init that `fetch` gets; each overrides the client's. See {@link FetchOptions}. */
  fetchOptions: fetchOptionsSchema,
};

export interface RequestOptions extends Infer<typeof requestOptionsShape> {}

export const requestOptionsSchema = z.strictObject(requestOptionsShape);

/** The options of a call that has none. They need no check. */
export const NO_OPTIONS: RequestOptions = /* @__PURE__ */ Object.freeze({});
