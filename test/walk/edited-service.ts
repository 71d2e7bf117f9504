/** Clients of a service whose answers are changed on their way. */
import type { ClientOptions, Notetaker } from "notetaker-sdk";
import type { Emulator } from "notetaker-sdk/testing";
import { clientOf } from "../node/support/account.js";

/** A client that gets the service's JSON as changed by `edit`. */
export function clientOfEdited(
  service: Emulator,
  edit: (path: string, body: unknown) => unknown,
  options: ClientOptions = {},
): Notetaker {
  const fetch = async (...args: Parameters<typeof globalThis.fetch>) => {
    const response = await service.fetch(...args);
    const { pathname } = new URL(args[0] instanceof Request ? args[0].url : args[0]);
    if (!response.ok || !response.headers.get("content-type")?.includes("json")) return response;
    const body = edit(pathname, await response.json());
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    return new Response(JSON.stringify(body), { status: response.status, headers });
  };
  return clientOf(service, { fetch, ...options });
}

type Row = Record<string, unknown>;

/** An edit of the rows of each page of the meeting list, for `clientOfEdited`. */
export const editedRows =
  (edit: (rows: Row[]) => unknown[]) =>
  (path: string, body: unknown): unknown =>
    path.endsWith("/meetings") ? { ...(body as object), data: edit((body as { data: Row[] }).data) } : body;

/** Hides a meeting: its row of the list has no id. */
export const withoutId = (id: string) =>
  editedRows((rows) => rows.map((row) => (row.id === id ? { ...row, id: null } : row)));
