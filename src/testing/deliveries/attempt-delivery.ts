/** Makes one attempt at a delivery: over the network, or to a handler in this process. */

import { WEBHOOK_SIGNATURE_HEADER } from "../../unshown.js";
import { sign } from "../../webhooks/receive/sign.js";
import type { Delivery, DeliveryAttempt } from "../state/records.js";
import { untilAborted } from "../until-aborted.js";

/** Takes a delivery as a web server would: a receiver's `handle`, for example. */
export type DeliveryHandler = (request: Request) => Response | Promise<Response>;

/** The headers and the body of an attempt, spoiled where the delivery says so. */
export async function signDelivery(delivery: Delivery, secret: string) {
  const signature = await sign(delivery.body, secret);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    [WEBHOOK_SIGNATURE_HEADER]: delivery.corrupt === "signature" ? otherDigit(signature) : signature,
  };
  // A space after the whole is still the same JSON, and no longer what was signed.
  const body = delivery.corrupt === "body" ? `${delivery.body} ` : delivery.body;
  return { headers, body };
}

const otherDigit = (signature: string) => `${signature.slice(0, -1)}${signature.endsWith("0") ? "1" : "0"}`;

/** Sends, and tells the outcome. Never rejects. */
export async function attempt(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
  handler: DeliveryHandler | undefined,
  signal: AbortSignal,
): Promise<Omit<DeliveryAttempt, "at">> {
  const init: RequestInit = { method: "POST", headers, body, signal, redirect: "manual" };
  try {
    const response = await untilAborted(
      handler === undefined ? fetch(url, init) : Promise.resolve(handler(new Request(url, init))),
      signal,
    );
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
