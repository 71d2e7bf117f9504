/** The signature of a delivery (documented): `sha256=` and the hex HMAC-SHA256 of the raw body under the secret. */
import { ConfigurationError } from "../../errors/argument-errors.js";
import { bytesToBase64Url } from "../../json/base64url.js";
import { rawBytes } from "../http/body.js";
import { checkedSecret } from "./webhook-secret.js";

const MISSING =
  "this runtime has no Web Crypto (crypto.subtle), needed to sign and verify webhooks: " +
  "receive them on a server. A page has it only over https:.";

/** Not every project has the DOM's `SubtleCrypto`; the types of Workers lack `globalThis.crypto`. */
type WebCrypto = typeof crypto.subtle;

export function webCrypto(): WebCrypto {
  const subtle: WebCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) throw new ConfigurationError({ message: MISSING });
  return subtle;
}

const importKey = (secret: string) =>
  webCrypto().importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);

export const hmacSha256 = async (bytes: Uint8Array<ArrayBuffer>, secret: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await webCrypto().sign("HMAC", await importKey(secret), bytes));

/** Web Crypto compares in constant time. */
export const verifyHmac = async (
  bytes: Uint8Array<ArrayBuffer>,
  digest: Uint8Array<ArrayBuffer>,
  secret: string,
): Promise<boolean> => webCrypto().verify("HMAC", await importKey(secret), digest, bytes);

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The SHA-256 of `bytes`: 43 characters of URL-safe base64. */
export const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  bytesToBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

/**
 * The value of the `X-Webhook-Signature` header for a raw body, as the service sends it. For tests.
 * @throws {ConfigurationError} if `secret` is not a secret, or the runtime has no Web Crypto.
 * @throws {WebhookVerificationError} `parsed_body` if `body` is neither text nor bytes.
 * @example
 * const body = JSON.stringify({ event: "meeting.transcript_ready", id: "mtg_1" });
 * const headers = { "X-Webhook-Signature": await sign(body, secret) };
 */
export async function sign(body: string | Uint8Array, secret: string): Promise<string> {
  const key = checkedSecret("sign: secret", secret);
  // Web Crypto is checked first: a runtime without it may lack TextEncoder, too.
  webCrypto();
  return `sha256=${toHex(await hmacSha256(rawBytes(body), key))}`;
}
