/**
 * Checks webhook secrets. A secret is a string that is not blank: with a blank secret, anybody could sign a delivery.
 */
import { ConfigurationError } from "../../errors/argument-errors.js";
import { kindOf } from "../../schemas/format-issues.js";

/** One secret, or several while one replaces another. Entries that are `undefined` or empty are skipped. */
export type WebhookSecret = string | undefined | readonly (string | undefined)[];

/**
 * @throws {ConfigurationError} {@link ConfigurationError} if `value` is not a string or is blank. The secret is never
 * shown.
 */
export function checkSecret(owner: string, value: unknown): asserts value is string {
  if (typeof value === "string" && value.trim() !== "") return;
  // Only the kind of the value is shown, because the value may be a secret.
  const received = typeof value === "string" && value !== "" ? "only white space" : kindOf(value);
  throw new ConfigurationError(`${owner}: expected a string that is not blank, received ${received}`);
}

/**
 * The list of secrets, without a value where `secrets` has none, as of an environment variable that is not set.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if an entry that is set is not a string or is blank. One
 * invalid entry rejects the whole list.
 */
export function checkedSecrets(owner: string, secrets: unknown): (string | undefined)[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  return list.map((secret) => {
    if (secret === undefined || secret === "") return undefined;
    checkSecret(owner, secret);
    return secret;
  });
}
