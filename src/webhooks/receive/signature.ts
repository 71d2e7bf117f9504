/** Whether a delivery's signature is one that a secret of ours makes. How it is made is in sign.ts. */
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { WEBHOOK_SIGNATURE_HEADER } from "../../unshown.js";
import { isSigned } from "./sign.js";

/** Where the signature is looked for: `Headers`, Node's record of headers, or the value of the header itself. */
export type SignatureHeaders =
  | Pick<Headers, "get">
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | string
  | null
  | undefined;

/** One secret, or several while one replaces another. Entries that are `undefined` or empty are passed over. */
export type WebhookSecret = string | undefined | readonly (string | undefined)[];

/** The header's value, whatever its case; several values as one that no signature looks like. */
function headerValue(headers: SignatureHeaders, name: string): string {
  if (typeof headers !== "object" || headers === null) return headers ?? "";
  if (typeof headers.get === "function") return headers.get(name) ?? "";
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? [])
    .join();
}

/**
 * The digest that the signature header carries.
 *
 * @throws {@link WebhookVerificationError} `missing_signature`, or `malformed_signature` for anything but exactly one
 * `sha256=` and 64 hexadecimal digits.
 */
export function readSignature(
  headers: SignatureHeaders,
  name: string = WEBHOOK_SIGNATURE_HEADER,
): Uint8Array<ArrayBuffer> {
  const value = headerValue(headers, name);
  if (value === "") throw new WebhookVerificationError("missing_signature", `no ${name} header`);
  const hex = /^\s*sha256=([\da-f]{64})\s*$/i.exec(value)?.[1];
  if (hex === undefined) {
    throw new WebhookVerificationError("malformed_signature", `${name}: expected "sha256=" and 64 hexadecimal digits`);
  }
  return Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}

/**
 * The secrets that can sign something.
 *
 * @throws {@link WebhookVerificationError} `missing_secret`: an empty key would let anybody sign.
 */
export function usableSecrets(secret: WebhookSecret): string[] {
  const usable = [secret].flat().filter((one) => !!one) as string[];
  if (usable.length > 0) return usable;
  throw new WebhookVerificationError("missing_secret", "no secret to verify with: is the environment variable set?");
}

/**
 * Holds the digest against every secret, and does not stop at the one that matches: the time it takes tells nothing.
 *
 * @throws {@link WebhookVerificationError} `wrong_signature`
 */
export async function checkSignature(
  body: Uint8Array<ArrayBuffer>,
  digest: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<void> {
  const matches = await Promise.all(secrets.map((secret) => isSigned(body, digest, secret)));
  if (matches.includes(true)) return;
  throw new WebhookVerificationError(
    "wrong_signature",
    "the secret is another webhook's, or the body is not byte for byte what was sent",
  );
}
