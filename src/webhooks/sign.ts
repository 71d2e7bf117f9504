/** The signature of a delivery (level A): `sha256=<hex HMAC-SHA256 of the raw body, keyed by the webhook's secret>`. */

const encoder = new TextEncoder();

/** The HMAC-SHA256 of `body` under `secret`, as bytes. */
export async function hmac(body: string | Uint8Array, secret: string): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes as Uint8Array<ArrayBuffer>));
}

/** Bytes as lower-case hexadecimal. */
export const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The value of the `X-Webhook-Signature` header for a raw body: what the service sends, for tests.
 *
 * @example
 * const body = JSON.stringify({ event: "meeting.transcript_ready", id: "mtg_1" });
 * const headers = { "X-Webhook-Signature": await sign(body, secret) };
 */
export async function sign(body: string | Uint8Array, secret: string): Promise<string> {
  return `sha256=${hex(await hmac(body, secret))}`;
}
