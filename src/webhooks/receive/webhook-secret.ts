import { kindOf } from "../../checks/format-issues.js";
import { ConfigurationError } from "../../errors/argument-errors.js";

/** One secret, or several while one replaces another. Entries that are `undefined` or empty are skipped. */
export type WebhookSecret = string | undefined | readonly (string | undefined)[];

/** Trimmed: files often end in a line break. A blank secret is refused: anybody could sign with it. */
export function checkedSecret(caller: string, value: unknown): string {
  const secret = typeof value === "string" ? value.trim() : "";
  if (/\s/.test(secret)) {
    throw new ConfigurationError({
      message: `${caller}: expected no white space inside a secret; for several secrets, pass a list`,
    });
  }
  if (secret !== "") return secret;
  // Only the kind of the value is shown, because the value may be a secret.
  const received = typeof value === "string" && value !== "" ? "only white space" : kindOf(value);
  throw new ConfigurationError({ message: `${caller}: expected a string that is not blank, received ${received}` });
}

/** `undefined` where `secrets` has none, as of an environment variable that is not set. */
export function checkedSecrets(caller: string, secrets: unknown): (string | undefined)[] {
  const list: readonly unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  return list.map((secret) => (secret === undefined || secret === "" ? undefined : checkedSecret(caller, secret)));
}
