import { Notetaker } from "notetaker-sdk";

let client: Notetaker | undefined;

/**
 * Created at the first request: `next build` loads this module without a token.
 * A page does not wait for a minute: a longer pause becomes an error.
 */
export function notetaker(): Notetaker {
  client ??= new Notetaker({ maxRetryDelayMs: 5_000 });
  return client;
}
