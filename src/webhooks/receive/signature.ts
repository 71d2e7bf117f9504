/** Reads a delivery's signature, and finds the secret that made it. sign.ts makes signatures. */

import { WEBHOOK_SIGNATURE_HEADER } from "../../assumptions.js";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { isSigned } from "./sign.js";
import type { UsableSecret } from "./webhook-secret.js";

/** The source of the signature: `Headers`, Node's record of headers, or the value of the header itself. */
export type SignatureHeaders =
  | Pick<Headers, "get">
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | string
  | null
  | undefined;

/** The header's value. The case of the name does not matter. Several values are joined into one invalid value. */
function headerValue(headers: SignatureHeaders, name: string): string {
  if (typeof headers !== "object" || headers === null) return headers ?? "";
  if (typeof headers.get === "function") return headers.get(name) ?? "";
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? [])
    .join();
}

/** The length of an HMAC-SHA256 in bytes. */
const DIGEST_BYTES = 32;

/**
 * The digest in the signature header.
 *
 * @throws {@link WebhookVerificationError} `missing_signature`, or `malformed_signature` if the value is not `sha256=`
 * and 64 hexadecimal digits.
 */
export function readSignature(
  headers: SignatureHeaders,
  name: string = WEBHOOK_SIGNATURE_HEADER,
): Uint8Array<ArrayBuffer> {
  const value = headerValue(headers, name);
  if (value === "") throw new WebhookVerificationError("missing_signature", `the delivery has no ${name} header`);
  const hex = /^\s*sha256=([\da-f]{64})\s*$/i.exec(value)?.[1];
  if (hex === undefined) {
    throw new WebhookVerificationError("malformed_signature", `${name}: expected "sha256=" and 64 hexadecimal digits`);
  }
  return Uint8Array.from({ length: DIGEST_BYTES }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
}

/**
 * Finds the secret that signed `body`. Compares the digest with every secret, also after a match, so that the time
 * taken reveals nothing.
 *
 * @throws {@link WebhookVerificationError} `wrong_signature`
 */
export async function matchSecret(
  body: Uint8Array<ArrayBuffer>,
  digest: Uint8Array<ArrayBuffer>,
  secrets: readonly UsableSecret[],
): Promise<UsableSecret> {
  const matches = await Promise.all(secrets.map(({ secret }) => isSigned(body, digest, secret)));
  const match = secrets[matches.indexOf(true)];
  if (match !== undefined) return match;
  throw new WebhookVerificationError(
    "wrong_signature",
    "signature mismatch: wrong secret, or the body was changed after signing",
  );
}
