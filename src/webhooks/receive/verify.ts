/**
 * Turns a delivery's body into a verified event, for both `verify` and the receiver, and makes the key by which
 * repeated deliveries of the event are recognised.
 */
import * as z from "zod/mini";
import { checkOptions } from "../../errors/argument-errors.js";
import { nonEmptyString, optionsSchema, stringOf } from "../../schemas/primitives.js";
import {
  type EventFields,
  eventFromBody,
  type ReadEventOptions,
  readObject,
  type WebhookEvent,
} from "../event/event.js";
import { type RawBody, rawBytes } from "../http/body.js";
import { hmacSha256, matchSecret, readSignature, type SignatureHeaders, toBase64Url, webCrypto } from "./signature.js";
import { requireSecrets, type UsableSecret, type WebhookSecret } from "./webhook-secret.js";

/** The options of {@link verify}. */
export interface VerifyOptions extends ReadEventOptions {
  /** The header that carries the signature. Default `X-Webhook-Signature` (documented). */
  signatureHeader?: string | undefined;
}

export interface VerifiedDelivery {
  event: WebhookEvent;
  body: Uint8Array<ArrayBuffer>;
  /** The secret that signed the delivery. */
  secret: UsableSecret;
}

/**
 * Verifies a delivery and reads its event.
 *
 * @param readBody - Called only if the delivery has a well-formed signature.
 * @throws {WebhookVerificationError} {@link WebhookVerificationError} with reason `missing_signature`,
 * `malformed_signature`, `wrong_signature` or `not_an_event`, or what `readBody` throws.
 */
export async function verifyDelivery(
  headers: SignatureHeaders,
  readBody: () => Uint8Array<ArrayBuffer> | Promise<Uint8Array<ArrayBuffer>>,
  secrets: readonly UsableSecret[],
  options: VerifyOptions,
): Promise<VerifiedDelivery> {
  const digest = readSignature(headers, options.signatureHeader);
  const body = await readBody();
  const secret = await matchSecret(body, digest, secrets);
  const event = eventFromBody(readObject(body), options);
  return { event, body, secret };
}

const fieldName = z.optional(nonEmptyString());

/** The schemas of {@link VerifyOptions}. */
export const verifyOptionsShape = {
  signatureHeader: z.optional(stringOf((name) => name.trim() !== "", "a non-empty string")),
  kind: z.optional(z.unknown()),
  assumptions: z.optional(optionsSchema<EventFields>()({ kind: fieldName, meetingId: fieldName })),
};

const verifyOptionsSchema = optionsSchema<VerifyOptions>()(verifyOptionsShape);

/**
 * Verifies that a delivery was signed with the webhook's secret, and reads its event. Works in every runtime with Web
 * Crypto. The digest is compared with every secret's, in constant time.
 *
 * An event of an unknown kind is accepted: see {@link isMeetingEvent}. The payload is returned as received.
 *
 * @param rawBody - The body as it was sent, as a string or bytes. The result of a framework's body parser is refused.
 * @param headers - `Headers`, Node's `request.headers`, or the value of the signature header.
 * @param secret - The webhook's secret. While a new secret replaces an old one, a list of both.
 * @throws {WebhookVerificationError} {@link WebhookVerificationError} whose `reason` is `parsed_body`,
 * `missing_secret`, `missing_signature`, `malformed_signature`, `wrong_signature` or `not_an_event`.
 * @throws {ConfigurationError} {@link ConfigurationError} if a secret is not a string or is blank, an option is
 * unknown, or the runtime has no Web Crypto.
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
  const secrets = requireSecrets("verify: secret", secret);
  const { event } = await verifyDelivery(headers, () => body, secrets, options);
  return event;
}

/**
 * The beginning of the text whose HMAC is the delivery key. No body that the service signs begins with it, so a
 * delivery key is never a valid signature.
 */
const LABEL = "notetaker-sdk delivery key";

/**
 * The delivery key: the same for each delivery of one event to one webhook. It is a digest of the kind, the body and
 * the secret that matched, because the service sends no delivery id (documented). Two webhooks that receive the same
 * event have different keys.
 *
 * The key is an HMAC, so it reveals nothing about the secret. It is neither the signature nor a hash of the body, so
 * nobody who reads it in a log can forge a delivery with it.
 */
export async function deliveryKeyOf({ event, body, secret }: VerifiedDelivery): Promise<string> {
  const bodyHash = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const prefix = new TextEncoder().encode(`${LABEL}\0${event.kind}\0`);
  const message = new Uint8Array(prefix.byteLength + bodyHash.byteLength);
  message.set(prefix);
  message.set(bodyHash, prefix.byteLength);
  return toBase64Url(await hmacSha256(message, secret.secret));
}
