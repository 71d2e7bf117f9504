/** Turns a delivery's body into a verified event, for both `verify` and the receiver. */
import { eventFromBody, type ReadEventOptions, readObject, type WebhookEvent } from "../event/event.js";
import { matchSecret, readSignature, type SignatureHeaders } from "./signature.js";
import type { UsableSecret } from "./webhook-secret.js";

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
 * @throws {@link WebhookVerificationError} with reason `missing_signature`, `malformed_signature`, `wrong_signature` or
 * `not_an_event`, or what `readBody` throws.
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
