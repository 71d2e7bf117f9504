import * as z from "zod/mini";
import { WEBHOOK_SIGNATURE_HEADER } from "../../assumptions.js";
import { checkOptions } from "../../errors/check-arguments.js";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { bytesToBase64Url } from "../../json/base64url.js";
import { type Infer, nonEmptyString, requestObject, stringOf } from "../../schemas/primitives.js";
import { eventFromBody, readObject, type WebhookEvent } from "../event/event.js";
import { type RawBody, rawBytes } from "../http/body.js";
import { hmacSha256, sha256, verifyHmac, webCrypto } from "./sign.js";
import { checkedSecrets, type WebhookSecret } from "./webhook-secret.js";

/** The characters that HTTP allows in the name of a header: no delivery has another one. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

const eventFields = {
  /** The field that names the kind. Default `event` (observed). */
  kind: z.optional(nonEmptyString()),
  /** The field that holds the meeting id. Default `id` (documented), then `meeting_id` (observed). */
  meetingId: z.optional(nonEmptyString()),
};

/** The names of the body's fields. */
export interface EventFields extends Infer<typeof eventFields> {}

export const verifyOptions = {
  /** The names of the body's fields, if your service's names differ from the defaults. */
  assumptions: z.optional(requestObject<EventFields>(eventFields)),
  /** The header that carries the signature. Default `X-Webhook-Signature` (documented). */
  signatureHeader: z.optional(stringOf((name) => HEADER_NAME.test(name), "the name of a header")),
};

export interface VerifyOptions extends Infer<typeof verifyOptions> {}

const verifyOptionsSchema = z.strictObject(verifyOptions);

export interface VerifiedDelivery {
  event: WebhookEvent;
  body: Uint8Array<ArrayBuffer>;
  secret: string;
  secretIndex: number;
}

/** The source of the signature: `Headers`, Node's record of headers, or the value of the header itself. */
export type SignatureHeaders =
  | Pick<Headers, "get">
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | string
  | null
  | undefined;

/** The case of the name does not matter. Several values are joined into one invalid value. */
function headerValue(headers: SignatureHeaders, name: string): string {
  if (typeof headers !== "object" || headers === null) return headers ?? "";
  if (typeof headers.get === "function") return headers.get(name) ?? "";
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? [])
    .join();
}

function readSignature(headers: SignatureHeaders, name: string = WEBHOOK_SIGNATURE_HEADER): Uint8Array<ArrayBuffer> {
  const value = headerValue(headers, name);
  if (value === "")
    throw new WebhookVerificationError({ reason: "missing_signature", message: `the delivery has no ${name} header` });
  const hex = /^\s*sha256=([\da-f]{64})\s*$/i.exec(value)?.[1];
  if (hex === undefined) {
    throw new WebhookVerificationError({
      reason: "malformed_signature",
      message: `${name}: expected "sha256=" and 64 hexadecimal digits`,
    });
  }
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

/** Compares the digest with every secret: the time reveals nothing. Reads the body only for a well-formed one. */
export async function verifyDelivery(
  headers: SignatureHeaders,
  readBody: () => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>,
  secrets: readonly (string | undefined)[],
  options: VerifyOptions,
  whyMissing = secrets.length === 0 ? "the list of secrets is empty" : "is the environment variable set?",
): Promise<VerifiedDelivery> {
  if (secrets.every((secret) => secret === undefined)) {
    throw new WebhookVerificationError({
      reason: "missing_secret",
      message: `no secret to verify with: ${whyMissing}`,
    });
  }
  const digest = readSignature(headers, options.signatureHeader);
  const body = await readBody();
  const isSignedWith = async (secret: string | undefined) => secret !== undefined && verifyHmac(body, digest, secret);
  const secretIndex = (await Promise.all(secrets.map(isSignedWith))).indexOf(true);
  const secret = secrets[secretIndex];
  if (secret === undefined) {
    throw new WebhookVerificationError({
      reason: "wrong_signature",
      message: "signature mismatch: wrong secret, or the body was changed after signing",
    });
  }
  return { event: eventFromBody(readObject(body), options.assumptions), body, secret, secretIndex };
}

/**
 * Verifies that a delivery was signed with the webhook's secret, in constant time, and reads its event. An event of an
 * unknown kind is accepted: see {@link isMeetingEvent}.
 * @param rawBody - The body as it was sent, as a string or bytes. The result of a framework's body parser is refused.
 * @param secret - While a new secret replaces an old one, a list of both. White space around a secret is ignored.
 * @throws {WebhookVerificationError} whose `reason` is `parsed_body`,
 * `missing_secret`, `missing_signature`, `malformed_signature`, `wrong_signature` or `not_an_event`.
 * @throws {ConfigurationError} if a secret is not a string, is blank or has white space
 * inside, an option is unknown, or the runtime has no Web Crypto.
 * @example
 * const event = await verify(await request.text(), request.headers, process.env.WEBHOOK_SECRET);
 * if (isMeetingEvent(event)) console.log(event.kind, event.meetingId);
 */
export async function verify(
  rawBody: RawBody,
  headers: SignatureHeaders,
  secret: WebhookSecret,
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  checkOptions("verify", verifyOptionsSchema, options);
  webCrypto();
  const body = rawBytes(rawBody);
  const secrets = checkedSecrets("verify: secret", secret);
  const { event } = await verifyDelivery(headers, () => body, secrets, options);
  return event;
}

/** No body that the service signs begins with this, so a delivery key is never a valid signature. */
const LABEL = "notetaker-sdk delivery key";

/** A digest of kind, body and secret: the service sends no id (documented). Nobody can forge with it. */
export async function deliveryKeyOf({ event, body, secret }: VerifiedDelivery): Promise<string> {
  const message = new TextEncoder().encode(`${LABEL}\0${event.kind}\0${await sha256(body)}`);
  return bytesToBase64Url(await hmacSha256(message, secret));
}
