import { Notetaker } from "notetaker-sdk";
import { createReceiver } from "notetaker-sdk/webhooks";

/** Full types: `@types/aws-lambda`. */
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

// #region handler
export async function handler(event: GatewayEvent): Promise<GatewayResult> {
  const { domainName = "lambda", http } = event.requestContext;
  const method = http?.method ?? event.httpMethod ?? "POST";
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers ?? {}))
    if (value !== undefined) headers.set(name, value);

  const body = Buffer.from(
    event.body ?? "",
    event.isBase64Encoded ? "base64" : "utf8",
  );
  const url = `https://${domainName}${event.rawPath ?? event.path ?? "/"}`;
  const hasBody = method !== "GET" && method !== "HEAD";
  const request = new Request(url, {
    method,
    headers,
    body: hasBody ? body : null,
  });

  const response = await receiver.handle(request);
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}
// #endregion
