/** A valid plain request to each endpoint of the transcription, for the emulator's default account. */
import type { Emulator } from "notetaker-sdk/testing";
import type { Endpoint } from "./interface.js";
import { objectOf } from "./sample.js";

export interface PlainRequest {
  path: string;
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A request with the required fields only, and without query parameters. */
export function exampleRequest(service: Emulator, { path, body }: Endpoint): PlainRequest {
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
  const request = { path: path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!), query: new URLSearchParams() };
  if (body.kind === "none") return { ...request, headers: {}, body: undefined };
  if (body.kind === "binary") {
    const bytes = new TextEncoder().encode("the bytes of a file");
    return { ...request, headers: { "content-type": body.contentTypes[0]! }, body: bytes };
  }
  const fields = body.fields.filter(({ required }) => required || body.atLeastOne);
  const headers = { "content-type": "application/json" };
  return { ...request, headers, body: JSON.stringify(objectOf(fields)) };
}

/** The path of a request, with the id of the parameter `name` replaced. */
export function withId({ path: template }: Endpoint, path: string, name: string, id: string): string {
  const given = path.split("/");
  return template
    .split("/")
    .map((segment, index) => (segment === `{${name}}` ? id : given[index]!))
    .join("/");
}
