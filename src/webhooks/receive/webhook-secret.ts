/**
 * Checks webhook secrets. A secret is a string that is not blank: with a blank secret, anybody could sign a delivery.
 */
import { ConfigurationError } from "../../errors/argument-errors.js";
import { kindOf } from "../../schemas/format-issues.js";

/** One secret, or several while one replaces another. Entries that are `undefined` or empty are skipped. */
export type WebhookSecret = string | undefined | readonly (string | undefined)[];

/** A secret that can sign. */
export interface UsableSecret {
  secret: string;
  /** Its index in the list that was passed; 0 for a single secret. */
  index: number;
}

/** Whether `value` comes from an environment variable that is not set. */
const isUnset = (value: unknown): boolean => value === undefined || value === "";

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
 * The entries of `secrets` that are set; an empty list if none is.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if an entry that is set is not a string or is blank. One
 * invalid entry rejects the whole list.
 */
export function usableSecrets(owner: string, secrets: unknown): UsableSecret[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const usable: UsableSecret[] = [];
  for (const [index, secret] of list.entries()) {
    if (isUnset(secret)) continue;
    checkSecret(owner, secret);
    usable.push({ secret, index });
  }
  return usable;
}
