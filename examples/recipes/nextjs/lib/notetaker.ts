/**
 * A Next.js 16 app (app router) for one account: its rooms, its meetings, and a
 * webhook that keeps the cached rooms up to date.
 *
 *   NOTETAKER_BASE_URL=… NOTETAKER_TOKEN=… NOTETAKER_WEBHOOK_SECRET=… npm start
 *
 * This file creates the client, at the first request: `next build` loads every
 * module, also on a machine that has no token.
 */
import { Notetaker } from "notetaker-sdk";

let client: Notetaker | undefined;

export function notetaker(): Notetaker {
  client ??= new Notetaker();
  return client;
}

/**
 * Options for reads that may be a minute old. Next.js caches such a read for a
 * minute, or until the webhook revalidates the tag. Do not set them for the
 * client as a whole: a wait whose polls are cached would never end.
 */
export const cached = {
  fetchOptions: { next: { revalidate: 60, tags: ["rooms"] } },
};
