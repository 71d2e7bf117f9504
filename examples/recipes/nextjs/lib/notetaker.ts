import { Notetaker } from "notetaker-sdk";
import type { Tenant } from "./tenants";

const UNUSED_MS = 600_000;

interface Kept {
  token: string;
  client: Notetaker;
  timer: NodeJS.Timeout;
}
const clients = new Map<string, Kept>();

/** The client of a tenant: a new one for a new token, and dropped when unused. */
export function notetakerOf({ id, token }: Tenant): Notetaker {
  const known = clients.get(id);
  clearTimeout(known?.timer);
  // A page does not wait for a minute: a longer pause is an error with its time.
  const client =
    known?.token === token
      ? known.client
      : new Notetaker({ token, maxRetryDelayMs: 5_000 });
  const timer = setTimeout(() => clients.delete(id), UNUSED_MS);
  timer.unref();
  clients.set(id, { token, client, timer });
  return client;
}
