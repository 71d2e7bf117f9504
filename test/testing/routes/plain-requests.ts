/**
 * Requests that are derived from the API specification as data and sent with plain `fetch`, without the SDK's client.
 */
import { createEmulator, type Emulator, type EmulatorOptions } from "notetaker-sdk/testing";
import { onTestFinished } from "vitest";
import { ENDPOINTS, type Endpoint, type FieldType, type OperationName } from "../../interface/interface.js";

export interface PlainRequest {
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
}

export interface Answered {
  status: number;
  headers: Headers;
  /** The JSON body; `undefined` if there is none. */
  body: unknown;
}

export const endpoint = (operation: OperationName): Endpoint => ENDPOINTS.find((one) => one.operation === operation)!;

/** An emulator behind loopback HTTP until the test ends. By default it has no rate limits. */
export async function listening(options: EmulatorOptions = {}) {
  const service = createEmulator({ limits: "none", ...options });
  const { url, close } = await service.listen();
  onTestFinished(close);

  const send = async (method: string, request: PlainRequest): Promise<Answered> => {
    const query = request.query.size === 0 ? "" : `?${request.query}`;
    const response = await fetch(`${url}${request.path}${query}`, {
      method,
      headers: { authorization: `Bearer ${service.token}`, ...request.headers },
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  };
  return { service, url, send };
}

/** A valid value for each type of field. */
export function goodValues(type: FieldType): string[] {
  switch (type.kind) {
    case "enum":
      return [...type.values];
    case "integer":
      return [String(type.min), String(type.max)];
    case "text":
      // Each character counts as one, even if it takes two UTF-16 units.
      return ["", "a", "x".repeat(type.max), "🎙".repeat(type.max)];
    case "id":
      return [`${type.prefix}abc123`];
    case "date":
      return ["2025-05-31", "2024-02-29"];
    default:
      return ["weekly", "日本", ""];
  }
}

/** Invalid values for each type of field. */
export function badValues(type: FieldType): string[] {
  switch (type.kind) {
    case "enum":
      return type.open ? [] : ["", "none-of-them", `${type.values[0]} `, type.values[0]!.toUpperCase().concat("X")];
    case "integer":
      return [String(type.min! - 1), String(type.max! + 1), "", "ten", "1.5", "1e1", " 1"];
    case "text":
      return ["x".repeat(type.max + 1), "🎙".repeat(type.max + 1)];
    case "id":
      return ["", "abc123", type.prefix, `${type.prefix}a,${type.prefix}b`, `other_${type.prefix}1`];
    case "date":
      return ["", "31.05.2025", "2025-02-30", "2025-5-1", "2025-05-31T00:00:00Z"];
    default:
      return [];
  }
}

/** A valid request to the endpoint, with ids of the default account. */
export function rightRequest(service: Emulator, { operation, path, body }: Endpoint): PlainRequest {
  const meeting = service.meetings
    .list()
    .find(({ owned, transcript, permissions }) => owned && transcript && permissions.length > 0)!;
  const ids: Record<string, string> = {
    meeting_id: meeting.id,
    event_id: service.bots.list()[0]!.eventId!,
    document_id: meeting.documents[0]!,
    webhook_id: service.webhooks.list()[0]!.id,
    permission_id: meeting.permissions[0]!.id,
  };
  const bodies: Partial<Record<OperationName, unknown>> = {
    sendBot: { meeting_url: "https://zoom.us/j/1234567890" },
    setNotetakerAutomation: { automation: "MANUAL" },
    setPermission: { recipient: { type: "anyone" }, role: "read" },
    createWebhook: { url: "https://hooks.example.com/notetaker", events: ["meeting.transcript_ready"] },
    updateWebhook: { enabled: false },
  };
  return {
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!),
    query: new URLSearchParams(),
    headers:
      body.kind === "none" ? {} : { "content-type": body.kind === "json" ? "application/json" : body.contentTypes[0]! },
    body:
      body.kind === "none"
        ? undefined
        : body.kind === "json"
          ? JSON.stringify(bodies[operation])
          : new TextEncoder().encode("the bytes of a file"),
  };
}
