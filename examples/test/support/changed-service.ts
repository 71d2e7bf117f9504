/** A service with some records that do not match the API specification: a server between a program and the emulator. */
import { httpServer } from "../../../test/support/servers.js";

/** The fields that differ, by the id of a record, or by `transcript of ` and the id of its meeting. */
export type Changes = Readonly<Record<string, object>>;

/** The base URL of a service that responds to each GET like the one at `baseUrl`, with these changes. */
export async function changedService(baseUrl: string, changes: Changes): Promise<string> {
  const { origin, pathname } = new URL(baseUrl);
  const changed = (record: { id?: string; meeting_id?: string; segments?: unknown }) => {
    const key = record.segments === undefined ? record.id : `transcript of ${record.meeting_id}`;
    return { ...record, ...changes[key ?? ""] };
  };
  const own = await httpServer(async (request, response) => {
    const { authorization = "" } = request.headers;
    const received = await fetch(`${origin}${request.url}`, { headers: { authorization } });
    const body = await received.json();
    const rows = body.data === undefined ? {} : { data: body.data.map(changed) };
    response.writeHead(received.status, { "content-type": "application/json" });
    response.end(JSON.stringify(Array.isArray(body) ? body.map(changed) : { ...changed(body), ...rows }));
  });
  return `${own}${pathname}`;
}
