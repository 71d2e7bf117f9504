import { Notetaker } from "notetaker-sdk";

let client: Notetaker | undefined;

/**
 * The client, created at the first request: `next build` loads every module,
 * also on a machine that has no token. A page does not wait for a minute: a
 * longer pause becomes an error with its time.
 */
export function notetaker(): Notetaker {
  client ??= new Notetaker({ maxRetryDelayMs: 5_000 });
  return client;
}
