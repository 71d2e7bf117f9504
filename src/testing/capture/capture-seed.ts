import * as z from "zod/mini";
import { MINUTE_MS } from "../../async/timers.js";
import type { Notetaker } from "../../client.js";
import { functionSchema, optionsSchema, parseTimestamp, positiveInteger } from "../../schemas/primitives.js";
import { requestOptionsShape } from "../../transport/request-options.js";
import { checkValue } from "../emulator-error.js";
import type { Seed } from "../seed/seed.js";
import { anonymise } from "./anonymise.js";
import { type CaptureOptions, readAccount } from "./read-account.js";
import { UNKNOWN_START } from "./seed-parts.js";

/** A placeholder for the user: no response of the service names the user of the account. */
const CAPTURED_USER = { id: "usr_captured", name: "Captured User", email: "user@captured.example" };

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
 * @throws {EmulatorError} {@link EmulatorError} for an invalid option. Also throws the errors of the client's calls
 * and the reason of `signal`
 * @example
 * const seed = await captureSeed(notetaker, { rooms: 5 });
 * const service = createEmulator({ seed });
 */
export async function captureSeed(notetaker: Notetaker, options: CaptureOptions = {}): Promise<Seed> {
  checkValue("captureSeed", captureOptionsSchema, options, "option");
  const captured = await readAccount(notetaker, options);
  const seed = options.anonymize === false ? captured : anonymise(captured);
  const events = (seed.events ?? []).map((event) => ({ ...event, start_time: event.start_time ?? UNKNOWN_START }));
  const starts = events.map(({ start_time }) => parseTimestamp(start_time)).sort((a, b) => a - b);
  return {
    // A minute before the first upcoming event.
    ...(starts[0] === undefined ? {} : { now: new Date(starts[0] - MINUTE_MS).toISOString() }),
    ...seed,
    account: { user: CAPTURED_USER, ...seed.account },
    events,
  };
}
