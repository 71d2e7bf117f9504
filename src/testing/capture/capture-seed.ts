import type { Notetaker } from "../../client.js";
import { checkValue } from "../check-value.js";
import type { Seed } from "../seed/seed.js";
import { anonymise } from "./anonymise.js";
import { type CaptureOptions, captureOptionsSchema } from "./capture-options.js";
import type { CapturedAccount } from "./captured-account.js";
import { limitDepth } from "./limit-depth.js";
import { readAccount } from "./read-account.js";
import { toSeed } from "./to-seed.js";

/**
 * Reads a live account and returns a seed with the same structure. Counts, states, `null`s, absent and unknown fields,
 * ownership, recordings, permissions, webhooks and the times between segments stay the same. Unless `anonymize` is
 * false, every name, title, URL, spoken text, document, digit, id and date is replaced. Two captures of an unchanged
 * account have the same replacements.
 *
 * It sends GET requests only, and waits after a 429. A record that the service refuses to show (403, 404) is left out.
 *
 * @throws {EmulatorError} for an invalid option. The errors of the client's calls and the reason of `signal` are
 * thrown, too
 * @example
 * const seed = await captureSeed(notetaker, { rooms: 5 });
 * const service = createEmulator({ seed });
 */
export async function captureSeed(notetaker: Notetaker, options: CaptureOptions = {}): Promise<Seed> {
  checkValue("captureSeed", captureOptionsSchema, options);
  const account = await readAccount(notetaker, options);
  return toSeed(options.anonymize === false ? (limitDepth(account) as CapturedAccount) : anonymise(account));
}
