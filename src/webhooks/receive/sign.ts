/** The signature of a delivery (level A): `sha256=<hex HMAC-SHA256 of the raw body, keyed by the webhook's secret>`. */

const encoder = new TextEncoder();

const hmacKey = (secret: string) =>
  crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);

/** Bytes as lower-case hexadecimal. */
export const hex = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The value of the `X-Webhook-Signature` header for a raw body: what the service sends, for tests.
 *
 * @example
 * const body = JSON.stringify({ event: "meeting.transcript_ready", id: "mtg_1" });
 * const headers = { "X-Webhook-Signature": await sign(body, secret) };
 */
export async function sign(body: string | Uint8Array, secret: string): Promise<string> {
  const bytes = typeof body === "string" ? encoder.encode(body) : (body as Uint8Array<ArrayBuffer>);
  return `sha256=${hex(await crypto.subtle.sign("HMAC", await hmacKey(secret), bytes))}`;
}

/** Whether `digest` is that of `body` under `secret`. Web Crypto compares in constant time. */
export const isSigned = async (body: Uint8Array<ArrayBuffer>, digest: Uint8Array<ArrayBuffer>, secret: string) =>
  crypto.subtle.verify("HMAC", await hmacKey(secret), digest, body);
