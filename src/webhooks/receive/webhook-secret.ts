/**
 * What a webhook's secret may be: a string that is not blank. With any other secret, anybody could sign a delivery.
 */
import { ConfigurationError } from "../../errors/configuration-error.js";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { kindOf } from "../../schemas/received-value.js";

/** One secret, or several while one replaces another. Entries that are `undefined` or empty are skipped. */
export type WebhookSecret = string | undefined | readonly (string | undefined)[];

/** A secret that can sign. */
export interface UsableSecret {
  secret: string;
  /** Its place in the list that was passed; 0 for a single secret. */
  index: number;
}

/** A variable that is not set. */
const isUnset = (value: unknown): boolean => value === undefined || value === "";

/** @throws {@link ConfigurationError} if `value` is not a string or is blank. The secret is never shown. */
export function checkSecret(owner: string, value: unknown): asserts value is string {
  if (typeof value === "string" && value.trim() !== "") return;
  // A secret by its kind: its text must not reach a message.
  const received = typeof value === "string" && value !== "" ? "only white space" : kindOf(value);
  throw new ConfigurationError(`${owner}: expected a string that is not blank, received ${received}`);
}

/**
 * The secrets in `secrets` that can sign; none if no variable is set.
 *
 * @throws {@link ConfigurationError} if one that is set is not a string or is blank: a list with one bad
 * secret signs nothing.
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

/**
 * As {@link usableSecrets}, but at least one.
 *
 * @throws {@link WebhookVerificationError} `missing_secret`
 */
export function requireSecrets(owner: string, secrets: unknown): UsableSecret[] {
  const usable = usableSecrets(owner, secrets);
  if (usable.length > 0) return usable;
  throw new WebhookVerificationError("missing_secret", "no secret to verify with: is the environment variable set?");
}
