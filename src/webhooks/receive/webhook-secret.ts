/**
 * Checks webhook secrets. A secret is a string that is not blank: with a blank secret, anybody could sign a delivery.
 * White space around a secret is not part of it: files and pasted variables often end in a line break.
 */

import { kindOf } from "../../checks/format-issues.js";
import { ConfigurationError } from "../../errors/argument-errors.js";

/** One secret, or several while one replaces another. Entries that are `undefined` or empty are skipped. */
export type WebhookSecret = string | undefined | readonly (string | undefined)[];

/**
 * The secret without the white space around it.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if `value` is not a string, is blank, or has white space
 * inside. The secret is never shown.
 */
export function checkedSecret(owner: string, value: unknown): string {
  const secret = typeof value === "string" ? value.trim() : "";
  if (/\s/.test(secret)) {
    throw new ConfigurationError({
      message: `${owner}: expected no white space inside a secret; for several secrets, pass a list`,
    });
  }
  if (secret !== "") return secret;
  // Only the kind of the value is shown, because the value may be a secret.
  const received = typeof value === "string" && value !== "" ? "only white space" : kindOf(value);
  throw new ConfigurationError({ message: `${owner}: expected a string that is not blank, received ${received}` });
}

/**
 * The list of secrets, without a value where `secrets` has none, as of an environment variable that is not set.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if an entry that is set is not a secret. One invalid entry
 * rejects the whole list.
 */
export function checkedSecrets(owner: string, secrets: unknown): (string | undefined)[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  return list.map((secret) => (secret === undefined || secret === "" ? undefined : checkedSecret(owner, secret)));
}
