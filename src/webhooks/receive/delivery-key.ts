import type { WebhookEvent } from "../event/event.js";
import { hex } from "./sign.js";

/**
 * What is the same for each delivery of one event: its kind and the SHA-256 of its raw body. The service sends no id
 * of its own (level A).
 */
export async function deliveryKeyOf(event: WebhookEvent, body: Uint8Array<ArrayBuffer>): Promise<string> {
  return `${event.kind}:${hex(await crypto.subtle.digest("SHA-256", body))}`;
}
