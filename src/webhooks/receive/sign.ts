/**
 * The signature of a delivery (documented): `sha256=<hex HMAC-SHA256 of the raw body, keyed by the webhook's secret>`.
 */
import { webCrypto } from "./web-crypto.js";
import { checkSecret } from "./webhook-secret.js";

const importKey = (secret: string) =>
  webCrypto().importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);

/** The HMAC-SHA256 of `bytes` under `secret`. */
export const hmacSha256 = async (bytes: Uint8Array<ArrayBuffer>, secret: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await webCrypto().sign("HMAC", await importKey(secret), bytes));

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The value of the `X-Webhook-Signature` header for a raw body, as the service sends it. For tests.
 *
 * @throws {@link ConfigurationError} if `secret` is not a string or is blank, or the runtime has no Web Crypto.
 * @example
 * const body = JSON.stringify({ event: "meeting.transcript_ready", id: "mtg_1" });
 * const headers = { "X-Webhook-Signature": await sign(body, secret) };
 */
export async function sign(body: string | Uint8Array, secret: string): Promise<string> {
  checkSecret("sign: secret", secret);
  // Web Crypto is checked first: a runtime without it may lack TextEncoder, too.
  webCrypto();
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : (body as Uint8Array<ArrayBuffer>);
  return `sha256=${toHex(await hmacSha256(bytes, secret))}`;
}

/** Whether `digest` is the HMAC-SHA256 of `body` under `secret`. Web Crypto compares in constant time. */
export const isSigned = async (
  body: Uint8Array<ArrayBuffer>,
  digest: Uint8Array<ArrayBuffer>,
  secret: string,
): Promise<boolean> => webCrypto().verify("HMAC", await importKey(secret), digest, body);
