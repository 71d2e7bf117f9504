/** Deliveries as the service sends them, signed with node:crypto instead of the code under test. */
import { createHmac } from "node:crypto";
import { createReceiver } from "../../src/webhooks/receive/receiver.js";
import type { ReceiverErrorContext, ReceiverOptions } from "../../src/webhooks/receive/receiver-options.js";

export const SECRET = "whsec_5f2b8c0d9e";

/** The value of the signature header, computed by `node:crypto`. */
export const nodeSign = (body: string | Uint8Array, secret = SECRET) =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

/** The body of a delivery about a meeting (documented: the fields of a meeting, and the kind in `event`). */
export const meetingBody = (fields: Record<string, unknown> = {}) =>
  JSON.stringify({
    event: "meeting.transcript_ready",
    id: "mtg_1",
    title: "Weekly — “Größe”",
    status: "completed",
    source: "zoom",
    start_time: "2025-03-01T09:00:00Z",
    duration: 1800,
    ...fields,
  });

export const delivery = (
  body: string | Uint8Array = meetingBody(),
  { signature = nodeSign(body), ...init }: RequestInit & { signature?: string } = {},
) =>
  new Request("https://example.com/hooks/notetaker", {
    method: "POST",
    body: body as BodyInit,
    ...init,
    headers: { "Content-Type": "application/json", "X-Webhook-Signature": signature, ...init.headers },
  });

export const streamedDelivery = (body: ReadableStream, signature = nodeSign("x")) =>
  delivery("x", { body, duplex: "half", signature } as RequestInit);

/** A receiver that records its errors. `send` returns the status and the code of the response. */
export function recordingReceiver(options: Partial<ReceiverOptions> = {}) {
  const errors: { error: unknown; context: ReceiverErrorContext }[] = [];
  const receiver = createReceiver({
    secrets: SECRET,
    onError: (error, context) => errors.push({ error, context }),
    ...options,
  });
  const send = async (request: unknown = delivery(), context?: unknown): Promise<string> => {
    const response = await receiver.handle(request as Request, context);
    const body = (await response.json()) as { status?: string; error?: { code: string } };
    return `${response.status} ${body.status ?? body.error?.code}`;
  };
  return { receiver, errors, send };
}
