/** `verify`: verifies one delivery without a receiver. */
import { checkOptions, nonEmptyText, type OptionChecks, objectValue, uncheckedHere } from "../check-options.js";
import type { WebhookEvent } from "../event/event.js";
import { type RawBody, rawBytes } from "../http/body.js";
import type { SignatureHeaders } from "./signature.js";
import { type VerifyOptions, verifyDelivery } from "./verify-delivery.js";
import { webCrypto } from "./web-crypto.js";
import { requireSecrets, type WebhookSecret } from "./webhook-secret.js";

export const VERIFY_CHECKS: OptionChecks<VerifyOptions> = {
  signatureHeader: nonEmptyText,
  kind: uncheckedHere,
  assumptions: objectValue,
};

/**
 * Verifies that a delivery was signed with the webhook's secret, and reads its event. Works in every runtime with Web
 * Crypto. The digest is compared with every secret's, in constant time.
 *
 * An event of an unknown kind is accepted: see {@link isMeetingEvent}. The payload is returned as received.
 *
 * @param rawBody - The body as it was sent, as a string or bytes. The result of a framework's body parser is refused.
 * @param headers - `Headers`, Node's `request.headers`, or the value of the signature header.
 * @param secret - The webhook's secret. While a new secret replaces an old one, a list of both.
 * @throws {@link WebhookVerificationError} whose `reason` is `parsed_body`, `missing_secret`, `missing_signature`,
 * `malformed_signature`, `wrong_signature` or `not_an_event`.
 * @throws {@link ConfigurationError} if a secret is not a string or is blank, an option is unknown, or the runtime has
 * no Web Crypto.
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
  checkOptions("verify", options, VERIFY_CHECKS);
  webCrypto();
  const body = rawBytes(rawBody);
  const secrets = requireSecrets("verify: secret", secret);
  const { event } = await verifyDelivery(headers, () => body, secrets, options);
  return event;
}
