/**
 * `npm run kill`: kills programs with SIGKILL.
 *
 *   npm run kill [-- --kills 200] [--only folder]
 *
 * Kills syncMeetings into a folder, SQLite and Postgres, saveRecording and a relay with Redis at random points. Prints
 * each promise with its figures, and fails if one does not hold.
 */
import { parseArgs } from "node:util";
import { hasPostgres } from "../../test/postgres/support/postgres-server.js";
import { hasRedis } from "../../test/redis/support/redis-server.js";
import { hasSqlite } from "../../test/support/has-sqlite.js";
import { killRecording } from "./kill-recording.js";
import { killRelay } from "./kill-relay.js";
import { killStore } from "./kill-store.js";
import type { Finding } from "./program.js";
import { folders, postgresSchemas, sqliteFiles } from "./stores.js";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "200" }, only: { type: "string", default: "" } },
});
const kills = Number(values.kills);
const PARTS: Record<string, readonly [needs: string | undefined, part: () => Promise<Finding>]> = {
  folder: [undefined, () => killStore("a folder", folders, kills)],
  sqlite: [hasSqlite ? undefined : "Node 22.16", () => killStore("SQLite", sqliteFiles, kills)],
  postgres: [hasPostgres ? undefined : "Postgres", () => killStore("Postgres", postgresSchemas, kills)],
  recording: [undefined, () => killRecording(kills)],
  relay: [hasRedis ? undefined : "redis-server", () => killRelay(kills)],
};
const MAX_PRINTED = 10;

for (const [name, [needs, part]] of Object.entries(PARTS).filter(([name]) => name.includes(values.only))) {
  if (needs !== undefined) {
    console.log(`absent ${name}: it needs ${needs}`);
    continue;
  }
  const { promise, differences, figures } = await part();
  console.log(`${differences.length === 0 ? "holds " : "FAILS "} ${promise}: ${figures}`);
  for (const difference of differences.slice(0, MAX_PRINTED)) console.log(`         ${difference}`);
  if (differences.length > 0) process.exitCode = 1;
}
