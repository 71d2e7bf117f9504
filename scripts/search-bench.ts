/**
 * `npm run bench:search -- [meetings] [postgres://…]` measures the search of an archive, by default of 5,000 meetings of an
 * hour in SQLite.
 */
import { openArchive, type PostgresPool, postgresStore, type SqliteDatabase, sqliteStore } from "../src/sql/index.js";
import { openSqlite } from "./open-sqlite.js";
import { meeting, queryFrom, random, SEGMENTS, VOCABULARY } from "./search-account.js";

const [count = "5000", url] = process.argv.slice(2);
const MEETINGS = Number(count);
const QUERIES = 300;

interface Opened {
  readonly database: SqliteDatabase | PostgresPool;
  size(): Promise<number>;
  close(): Promise<void> | void;
}

async function openedSqlite(): Promise<Opened> {
  const { database, close } = await openSqlite();
  const pragma = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).all()[0] ?? {})[0]);
  return { database, size: async () => pragma("page_count") * pragma("page_size"), close };
}

async function openPostgres(connectionString: string): Promise<Opened> {
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString });
  const size = async () => Number((await pool.query("SELECT pg_database_size(current_database()) AS n")).rows[0].n);
  return { database: pool, size, close: () => pool.end() };
}

const opened = url === undefined ? await openedSqlite() : await openPostgres(url);
const { database } = opened;
const store = "query" in database ? postgresStore(database) : sqliteStore(database);

const BATCH = 20;
let textLength = 0;
for (let from = 0; from < MEETINGS; from += BATCH) {
  const items = Array.from({ length: Math.min(BATCH, MEETINGS - from) }, (_, index) => meeting(from + index));
  textLength += items.reduce((sum, item) => sum + JSON.stringify(item.transcript).length, 0);
  await store.write({ items, removed: [] }, undefined);
}
const sizeBefore = await opened.size();
const archive = openArchive(database);
const begun = performance.now();
await archive.update({ onProgress: ({ indexed, total }) => process.stderr.write(`\r${indexed} of ${total} meetings`) });
const seconds = (performance.now() - begun) / 1000;
const indexSize = (await opened.size()) - sizeBefore;

const sample = async () => queryFrom(await archive.meetings.getTranscript(`mtg_${Math.floor(random() * MEETINGS)}`));

const times: number[] = [];
let found = 0;
for (let index = 0; index < QUERIES; index += 1) {
  const query = await sample();
  const start = performance.now();
  const hits = await archive.search(query);
  times.push(performance.now() - start);
  if (hits[0]?.exact === true) found += 1;
}
times.sort((a, b) => a - b);
const at = (share: number) => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(1)} ms`;

await store.write({ items: [meeting(MEETINGS)], removed: [] }, undefined);
const late = performance.now();
await archive.search(`${VOCABULARY[777]} ${VOCABULARY[778]}`);
const more = performance.now() - late;

console.log(`
meetings, segments            ${MEETINGS}, ${MEETINGS * SEGMENTS}
first index                   ${(MEETINGS / seconds).toFixed(0)} meetings a second
index / JSON of transcripts   ${(indexSize / textLength).toFixed(2)}
a query of 2 or 3 words       median ${at(0.5)}, 99 % ${at(0.99)}, ${found} of ${QUERIES} with all words
with one new meeting          ${more.toFixed(0)} ms`);
await opened.close();
