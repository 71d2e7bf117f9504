/** The key by which repeated deliveries of an event are recognised. */
import { bytesToBase64Url } from "../../json/base64url.js";
import { hmacSha256, sha256 } from "./sign.js";
import type { VerifiedDelivery } from "./verify.js";

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
  const message = new TextEncoder().encode(`${LABEL}\0${event.kind}\0${await sha256(body)}`);
  return bytesToBase64Url(await hmacSha256(message, secret));
}
