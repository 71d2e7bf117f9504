import type { Notetaker } from "../../client.js";
import { checkValue } from "../emulator-error.js";
import type { Seed } from "../seed/seed.js";
import { anonymise } from "./anonymise.js";
import { type CapturedAccount, writable } from "./captured-account.js";
import { type CaptureOptions, captureOptionsSchema, readAccount } from "./read-account.js";
import { toSeed } from "./to-seed.js";

/**
 * Reads a live account and returns a seed with the same structure. Counts, states, `null`s, absent and unknown fields,
 * ownership, recordings, permissions, webhooks and the times between segments stay the same, and so do `status`,
 * `source`, `role`, a recipient's `type`, `format`, `language` and kinds of events. Unless `anonymize` is false, every
 * other text, and every field name that no schema has, is replaced by made-up words of about the same number, every id
 * by another one; all dates are moved together. Two captures of an unchanged account are the same.
 *
 * It sends GET requests only, and waits after a 429. A record that the service refuses to show (403, 404) is left out.
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
