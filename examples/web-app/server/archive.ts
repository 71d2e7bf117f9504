/**
 * Keeps all meetings in a database beside the server, where they are searched.
 * Until it has read all, it takes a share of the account's requests.
 */
import { type Notetaker, type SyncOptions, syncMeetings } from "notetaker-sdk";
import {
  type PGliteDatabase,
  type PostgresPool,
  postgresStore,
} from "notetaker-sdk/sql";

type Options = Pick<SyncOptions, "wake" | "requestsPerMinute">;

export function keepArchive(
  notetaker: Notetaker,
  database: PostgresPool | PGliteDatabase,
  options: Options,
) {
  const stop = new AbortController();
  const { signal } = stop;
  const into = postgresStore(database);
  const run = { ...options, into, follow: true, signal };
  const ended = syncMeetings(notetaker, run).catch((error) => {
    if (!signal.aborted) console.error("no new meetings are kept:", error);
  });
  return async () => {
    stop.abort();
    await ended;
  };
}
