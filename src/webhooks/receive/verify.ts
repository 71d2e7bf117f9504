import { rejectUnknownOptions } from "../check-options.js";
import { eventFromBody, type ReadEventOptions, readObject, type WebhookEvent } from "../event/event.js";
import { type RawBody, rawBytes } from "../http/raw-body.js";
import {
  checkSignature,
  readSignature,
  type SignatureHeaders,
  usableSecrets,
  type WebhookSecret,
} from "./signature.js";

/** What {@link verify} can be told of deliveries that differ from the defaults. */
export interface VerifyOptions extends ReadEventOptions {
  /** The header that carries the signature. Default `X-Webhook-Signature` (level A). */
  signatureHeader?: string | undefined;
}

/**
 * Checks that a delivery was signed with the webhook's secret, and reads the event in it. Works in every runtime that
 * has Web Crypto. The digest is compared in constant time, against every secret given.
 *
 * An event of an unknown kind passes: see {@link isMeetingEvent}. The payload is handed on as received.
 *
 * @param rawBody - The body as it was sent, string or bytes: not what a framework parsed out of it.
 * @param headers - `Headers`, Node's `request.headers`, or the value of the signature header.
 * @param secret - The webhook's secret; while it is being replaced, the new one and the old one.
 * @throws {@link WebhookVerificationError} whose `reason` is `parsed_body`, `missing_secret`, `missing_signature`,
 * `malformed_signature`, `wrong_signature` or `not_an_event`.
 * @example
 * const event = await verify(await request.text(), request.headers, process.env.WEBHOOK_SECRET);
 * if (isMeetingEvent(event)) console.log(event.kind, event.meetingId);
 */
export async function verify(
  rawBody: RawBody,
  headers: SignatureHeaders,
  secret: WebhookSecret,
  { signatureHeader, kind, unshown, ...others }: VerifyOptions = {},
): Promise<WebhookEvent> {
  rejectUnknownOptions("verify", others);
  const body = rawBytes(rawBody);
  const secrets = usableSecrets(secret);
  await checkSignature(body, readSignature(headers, signatureHeader), secrets);
  return eventFromBody(readObject(body), { kind, unshown });
}
