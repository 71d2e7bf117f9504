/**
 * A webhook receiver on AWS Lambda, behind API Gateway (HTTP API or REST API)
 * or a function URL, with payload format 1.0 or 2.0.
 *
 * Each instance remembers only the deliveries that it has handled itself. If
 * several instances run, share the handled deliveries with the option `dedupe`
 * (`redisDedupe` of `notetaker-sdk/redis`), or use `deliveryKey` to make the
 * work idempotent.
 */
import { Notetaker } from "notetaker-sdk";
import { createReceiver } from "notetaker-sdk/webhooks";

/**
 * The fields of an event and of a result that this file uses. The package
 * `@types/aws-lambda` has the full types.
 */
export interface GatewayEvent {
  /** Format 2.0. */
  rawPath?: string;
  /** Format 1.0. */
  path?: string;
  httpMethod?: string;
  headers: Record<string, string | undefined> | null;
  body?: string | null;
  isBase64Encoded: boolean;
  requestContext: { domainName?: string; http?: { method: string } };
}
export interface GatewayResult {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

// Outside of the handler: created once for each instance, not for each event.
const notetaker = new Notetaker();
const receiver = createReceiver({
  secrets: process.env.NOTETAKER_WEBHOOK_SECRET,
});

receiver.on(
  "meeting.transcript_ready",
  async ({ meetingId }, { deliveryKey, signal }) => {
    const { segments } = await notetaker.meetings.getTranscript(meetingId, {
      signal,
    });
    console.log(
      JSON.stringify({ meetingId, deliveryKey, segments: segments.length }),
    );
  },
);

export async function handler(event: GatewayEvent): Promise<GatewayResult> {
  const { domainName = "lambda", http } = event.requestContext;
  const method = http?.method ?? event.httpMethod ?? "POST";
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers ?? {}))
    if (value !== undefined) headers.set(name, value);

  // The signature covers the bytes that were sent. API Gateway passes some
  // bodies on as base64.
  const body = Buffer.from(
    event.body ?? "",
    event.isBase64Encoded ? "base64" : "utf8",
  );
  const hasBody = method !== "GET" && method !== "HEAD";
  const request = new Request(
    `https://${domainName}${event.rawPath ?? event.path ?? "/"}`,
    {
      method,
      headers,
      body: hasBody ? body : null,
    },
  );

  const response = await receiver.handle(request);
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}
