import * as z from "zod/mini";
import { custom, functionSchema, optionsSchema, positiveInteger } from "../../schemas/primitives.js";

/** The progress of a capture. It has counts only, no content of the account. */
export interface CaptureProgress {
  /** The kind of record that is being read. */
  step: "rooms" | "meetings" | "documents" | "account";
  /** How many records of this kind were read. */
  done: number;
  /** How many records of this kind exist; `undefined` while their list is being read. */
  total: number | undefined;
}

/** Options of `captureSeed`. */
export interface CaptureOptions {
  /**
   * The maximum number of rooms to read. With it, only the meetings in these rooms are read. Default: the whole
   * account.
   */
  rooms?: number | undefined;
  /**
   * Whether to replace every text, id, date and unknown number, so that the seed has no private content. With `false`,
   * the seed is as private as the account. Default: true.
   */
  anonymize?: boolean | undefined;
  /** Aborts the capture. */
  signal?: AbortSignal | undefined;
  /** Called after each step of the capture. */
  onProgress?: ((progress: CaptureProgress) => void) | undefined;
}

export const captureOptionsSchema = optionsSchema<CaptureOptions>()({
  rooms: z.optional(positiveInteger),
  anonymize: z.optional(z.boolean()),
  signal: z.optional(custom<AbortSignal>((value) => typeof value === "object" && value !== null, "an AbortSignal")),
  onProgress: z.optional(functionSchema),
});
