/** Makes one attempt at a delivery: its body, its signature, the request, and whether the service repeats it. */

import { ASSUMED_EVENT_FIELDS, DELIVERY_TIMEOUT_MS, WEBHOOK_SIGNATURE_HEADER } from "../../assumptions.js";
import { abortable } from "../../async/abort.js";
import { TimeLimit } from "../../async/time-limit.js";
import { isTemporaryStatus } from "../../errors/is-temporary.js";
import { textOf } from "../../json/text-of.js";
import type { EventKind } from "../../schemas/event.js";
import { sign } from "../../webhooks/receive/sign.js";
import type { Delivery, DeliveryAttempt, MeetingRecord } from "../state/records.js";
import { meetingToWire } from "../state/to-wire.js";

/** Handles a delivery like a web server, for example a receiver's `handle`. */
export type DeliveryHandler = (request: Request) => Response | Promise<Response>;

export interface SignedDelivery {
  headers: Record<string, string>;
  body: string;
}

export async function signDelivery(
  { body, corrupt }: Pick<Delivery, "body" | "corrupt">,
  secret: string,
): Promise<SignedDelivery> {
  const signature = await sign(body, secret);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    [WEBHOOK_SIGNATURE_HEADER]: corrupt === "signature" ? withOtherLastDigit(signature) : signature,
  };
  // A space at the end does not change the JSON, but it changes the text that was signed.
  return { headers, body: corrupt === "body" ? `${body} ` : body };
}

const withOtherLastDigit = (signature: string) => `${signature.slice(0, -1)}${signature.endsWith("0") ? "1" : "0"}`;

const noResponse = (ms: number) => new Error(`no response within ${ms} ms`);

/** Node puts the reason inside a `TypeError: fetch failed`: `fetch failed: connect ECONNREFUSED 127.0.0.1:3000`. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return textOf(error);
  const { message, cause } = error;
  return cause instanceof Error && cause.message !== "" ? `${message}: ${cause.message}` : message;
}

/** Sends the delivery to the URL, or to `handler`. A receiver works in real time, and so does the limit. */
export async function attemptDelivery(
  url: string,
  { headers, body }: SignedDelivery,
  parent: AbortSignal | undefined,
  {
    handler,
    timeoutMs = DELIVERY_TIMEOUT_MS,
  }: { handler?: DeliveryHandler | undefined; timeoutMs?: number | undefined },
): Promise<Omit<DeliveryAttempt, "at">> {
  const limit = new TimeLimit(parent, timeoutMs, noResponse);
  const { signal } = limit;
  const init: RequestInit = { method: "POST", headers, body, signal, redirect: "manual" };
  try {
    const responding = handler === undefined ? fetch(url, init) : Promise.resolve(handler(new Request(url, init)));
    const response = await abortable(responding, signal);
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    return { error: failureText(error) };
  } finally {
    limit.dispose();
  }
}

/** The body of a delivery (documented: a meeting as the list returns it; observed: the kind as `event`). */
export const eventPayload = (kind: EventKind, meeting: MeetingRecord): string =>
  eventBody(kind, meetingToWire(meeting));

export const eventBody = (kind: EventKind, row: object): string =>
  JSON.stringify({ ...row, [ASSUMED_EVENT_FIELDS.kind]: kind });

export const isRetried = ({ status }: Pick<DeliveryAttempt, "status">) =>
  status === undefined || isTemporaryStatus(status);

export const isSuccess = ({ status }: Pick<DeliveryAttempt, "status">) =>
  status !== undefined && status >= 200 && status < 300;
