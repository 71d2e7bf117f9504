import { hmacSha256 } from "./sign.js";
import type { VerifiedDelivery } from "./verify-delivery.js";

/** Keeps a key apart from every signature: no body that the service signs begins like this. */
const LABEL = "notetaker-sdk delivery key";

/** The URL-safe alphabet of base64, without padding. */
const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/**
 * The same text for each delivery of one event to one webhook, because the service sends no id of its own (level A):
 * one digest of kind, body and the secret that matched. Two webhooks that receive the same event have different keys.
 *
 * It is an HMAC, so that it tells nothing of the secret; and it is neither the signature nor a hash of the body, so
 * that nobody who reads it in a log can use it to deliver.
 */
export async function deliveryKeyOf({ event, body, secret }: VerifiedDelivery): Promise<string> {
  const bodyHash = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  const prefix = new TextEncoder().encode(`${LABEL}\0${event.kind}\0`);
  const message = new Uint8Array(prefix.byteLength + bodyHash.byteLength);
  message.set(prefix);
  message.set(bodyHash, prefix.byteLength);
  return toBase64Url(await hmacSha256(message, secret.secret));
}
