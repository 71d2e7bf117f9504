/**
 * A Next.js 16 app (app router) for one account: its rooms, its meetings, and a webhook that keeps both fresh.
 *
 *   NOTETAKER_BASE_URL=… NOTETAKER_TOKEN=… NOTETAKER_WEBHOOK_SECRET=… npm start
 *
 * This file: the client. It is made at the first request, because `next build` loads every module, also on a machine
 * that has no token.
 */
import { Notetaker } from "notetaker-sdk";

let client: Notetaker | undefined;

export function notetaker(): Notetaker {
  client ??= new Notetaker();
  return client;
}

/**
 * For reads that may be a minute old: Next.js caches them until then, or until the webhook says that there is something
 * new. Not for the client as a whole: a wait whose polls are cached waits for ever.
 */
export const cached = { fetchOptions: { next: { revalidate: 60, tags: ["rooms"] } } };
