/**
 * The signature of a delivery (documented): `sha256=<hex HMAC-SHA256 of the raw body, keyed by the webhook's secret>`.
 */
import { WEBHOOK_SIGNATURE_HEADER } from "../../assumptions.js";
import { ConfigurationError } from "../../errors/argument-errors.js";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { checkSecret, type UsableSecret } from "./webhook-secret.js";

const MISSING =
  "this runtime has no Web Crypto (crypto.subtle), needed to sign and verify webhooks: " +
  "receive them on a server. A page has it only over https:.";

/**
 * `SubtleCrypto` is a name of the DOM library, which not every project with these types has. The types of Workers have
 * the name `crypto`, but not as a member of `globalThis`.
 */
type WebCrypto = typeof crypto.subtle;

/**
 * Web Crypto, looked up when it is needed.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if the runtime has none, like React Native.
 */
export function webCrypto(): WebCrypto {
  const subtle: WebCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) throw new ConfigurationError(MISSING);
  return subtle;
}

const importKey = (secret: string) =>
  webCrypto().importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);

/** The HMAC-SHA256 of `bytes` under `secret`. */
export const hmacSha256 = async (bytes: Uint8Array<ArrayBuffer>, secret: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await webCrypto().sign("HMAC", await importKey(secret), bytes));

const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The URL-safe alphabet of base64, without padding. */
export const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/**
 * The value of the `X-Webhook-Signature` header for a raw body, as the service sends it. For tests.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if `secret` is not a string or is blank, or the runtime has
 * no Web Crypto.
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
const isSigned = async (
  body: Uint8Array<ArrayBuffer>,
  digest: Uint8Array<ArrayBuffer>,
  secret: string,
): Promise<boolean> => webCrypto().verify("HMAC", await importKey(secret), digest, body);

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
 * @throws {WebhookVerificationError} {@link WebhookVerificationError} `missing_signature`, or `malformed_signature` if
 * the value is not `sha256=` and 64 hexadecimal digits.
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
 * @throws {WebhookVerificationError} {@link WebhookVerificationError} `wrong_signature`
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
