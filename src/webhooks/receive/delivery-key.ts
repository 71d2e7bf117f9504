import { bytesToBase64Url } from "../../json/base64url.js";
import { hmacSha256, sha256 } from "./sign.js";
import type { VerifiedDelivery } from "./verify.js";

/** No body that the service signs begins with this, so a delivery key is never a valid signature. */
const LABEL = "notetaker-sdk delivery key";

/**
 * The same for each delivery of one event to one webhook: a digest of the kind, the body and the secret that matched,
 * because the service sends no delivery id (documented). It is neither the signature nor a hash of the body, so nobody
 * who reads it in a log can forge a delivery with it.
 */
export async function deliveryKeyOf({ event, body, secret }: VerifiedDelivery): Promise<string> {
  const message = new TextEncoder().encode(`${LABEL}\0${event.kind}\0${await sha256(body)}`);
  return bytesToBase64Url(await hmacSha256(message, secret));
}
