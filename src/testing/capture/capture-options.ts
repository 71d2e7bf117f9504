import * as z from "zod/mini";
import { custom, numberOf } from "../../schemas/primitives.js";
import { closedObject } from "../check-value.js";

/** What the capture is reading: counts only, nothing of the account. */
export interface CaptureProgress {
  /** What is being read. */
  step: "rooms" | "meetings" | "documents" | "account";
  /** How many of them are read. */
  done: number;
  /** How many there are; `undefined` while the list is read. */
  total: number | undefined;
}

/** Options of `captureSeed`. */
export interface CaptureOptions {
  /** Reads at most this many rooms, and only their meetings. Default: the whole account. */
  rooms?: number | undefined;
  /**
   * True replaces every name, title, URL, spoken text, document, digit, id and date, so that the seed contains nothing
   * of the account. False keeps them: the seed is then as private as the account. Default: true.
   */
  anonymize?: boolean | undefined;
  /** Aborts the capture. */
  signal?: AbortSignal | undefined;
  /** Called as the capture advances. */
  onProgress?: ((progress: CaptureProgress) => void) | undefined;
}

const isPositiveInteger = (value: number) => Number.isInteger(value) && value >= 1;

export const captureOptionsSchema = closedObject<CaptureOptions>("option")({
  rooms: z.optional(numberOf(isPositiveInteger, "an integer from 1 up")),
  anonymize: z.optional(z.boolean()),
  signal: z.optional(custom<AbortSignal>((value) => typeof value === "object" && value !== null, "an AbortSignal")),
  onProgress: z.optional(custom<never>((value) => typeof value === "function", "a function")),
});
