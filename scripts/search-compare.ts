/**
 * `npm run bench:search -- compare`: the same 500 queries in SQLite, PGlite and Postgres (if it is installed). Prints in how
 * many the hits with all words differ, and fails if there is one.
 */
import { PGlite } from "@electric-sql/pglite";
import type { MeetingStore } from "../src/index.js";
import { type Archive, openArchive, postgresStore, sqliteStore } from "../src/sql/index.js";
import { hasPostgres, startPostgres } from "../test/postgres/support/postgres-server.js";
import { openSqlite } from "./open-sqlite.js";
import { meeting, queryFrom, random, VOCABULARY } from "./search-account.js";

const MEETINGS = 100;
const QUERIES = 500;

const sqlite = await openSqlite();
const pglite = await PGlite.create();
const server = hasPostgres ? await startPostgres() : undefined;
const pool = server?.pool();
const databases: [name: string, store: MeetingStore, archive: Archive][] = [
  ["SQLite", sqliteStore(sqlite.database), openArchive(sqlite.database)],
  ["PGlite", postgresStore(pglite), openArchive(pglite)],
];
if (pool !== undefined) databases.push(["Postgres", postgresStore(pool), openArchive(pool)]);

const items = Array.from({ length: MEETINGS }, (_, number) => meeting(number, 60));
for (const [, store] of databases) await store.write({ items, removed: [] }, undefined);

/** Words that were said together, as a phrase, the beginnings of them, with a speaker or without another word. */
function query(): [text: string, options: object] {
  const said = queryFrom(items[Math.floor(random() * MEETINGS)]?.transcript ?? { segments: [] });
  const [first = "", second = ""] = said.split(" ");
  const kinds: [string, object][] = [
    [said, {}],
    [`"${said}"`, {}],
    [`${first} ${second.slice(0, 4)}*`, {}],
    [first, { speaker: VOCABULARY[999] }],
    [`${first} -${second}`, {}],
  ];
  return kinds[Math.floor(random() * kinds.length)] ?? [said, {}];
}

const found: Record<string, number> = {};
let differences = 0;
for (let index = 0; index < QUERIES; index += 1) {
  const [text, options] = query();
  const answers: string[] = [];
  for (const [name, , archive] of databases) {
    const hits = (await archive.search(text, { ...options, limit: 200, perMeeting: 200 })).filter(({ exact }) => exact);
    found[name] = (found[name] ?? 0) + hits.length;
    // Of more hits than the limit, each database has the best ones by a score of its own.
    if (hits.length < 200) answers.push(JSON.stringify(hits.map((hit) => [hit.meeting.id, hit.start_time]).sort()));
  }
  if (new Set(answers).size > 1) {
    differences += 1;
    console.log("differs:", text, options);
  }
}
console.log(`${QUERIES} queries, hits with all words: ${JSON.stringify(found)}; ${differences} queries differ`);
sqlite.close();
await pglite.close();
await pool?.end();
await server?.close();
process.exitCode = differences > 0 ? 1 : 0;
