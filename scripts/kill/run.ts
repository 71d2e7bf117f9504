/**
 * `npm run kill`: kills programs with SIGKILL.
 *
 *   npm run kill [-- --kills 200] [--only folder]
 *
 * Kills syncMeetings into a folder, SQLite and Postgres, saveRecording, a receiver with Redis and a relay with Redis at
 * random points. Prints each promise with its figures, and fails if one does not hold.
 */
import { parseArgs } from "node:util";
import { hasPostgres } from "../../test/postgres/support/postgres-server.js";
import { hasRedis } from "../../test/redis/support/redis-server.js";
import { hasSqlite } from "../../test/support/has-sqlite.js";
import { postgresDatabases, sqliteDatabases } from "./databases.js";
import type { Finding } from "./finding.js";
import { killDatabase } from "./kill-database.js";
import { killFolder } from "./kill-folder.js";
import { killReceiver } from "./kill-receiver.js";
import { killRecording } from "./kill-recording.js";
import { killRelay } from "./kill-relay.js";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    only: { type: "string", default: "" },
  },
});
const kills = Number(values.kills);
const PARTS: Record<string, () => Promise<Finding>> = {
  folder: () => killFolder(kills),
  sqlite: () => killDatabase("SQLite", sqliteDatabases, kills),
  postgres: () => killDatabase("Postgres", postgresDatabases, kills),
  recording: () => killRecording(kills),
  receiver: () => killReceiver(kills),
  relay: () => killRelay(kills),
};
const ABSENT: Record<string, string | false> = {
  sqlite: !hasSqlite && "node:sqlite needs Node 22.16",
  postgres: !hasPostgres && "Postgres is not installed",
  receiver: !hasRedis && "redis-server is not installed",
  relay: !hasRedis && "redis-server is not installed",
};
const MAX_PRINTED = 10;

let failures = 0;
for (const [name, part] of Object.entries(PARTS).filter(([name]) => name.includes(values.only))) {
  if (ABSENT[name]) {
    console.log(`absent ${name}: ${ABSENT[name]}`);
    continue;
  }
  const { promise, differences, figures } = await part();
  console.log(`${differences.length === 0 ? "holds " : "FAILS "} ${promise}: ${figures}`);
  for (const difference of differences.slice(0, MAX_PRINTED)) console.log(`         ${difference}`);
  if (differences.length > 0) failures += 1;
}
process.exitCode = failures === 0 ? 0 : 1;
