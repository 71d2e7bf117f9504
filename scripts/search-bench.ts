/**
 * Measures the search of an archive: `npx tsx scripts/search-bench.ts [meetings] [postgres://…]`, by default 5,000 meetings
 * of an hour in SQLite (of `node:sqlite`, or as WebAssembly in Node 20, which is slower).
 */
import type { StoreItem } from "../src/index.js";
import { openArchive, type PostgresPool, postgresStore, type SqliteDatabase, sqliteStore } from "../src/sql/index.js";
import { openSqlite } from "./open-sqlite.js";

const [count = "5000", url] = process.argv.slice(2);
const MEETINGS = Number(count);
const SEGMENTS = 600;
const QUERIES = 300;

/** Repeatable, so that two runs compare the same. */
let seed = 1;
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

const SYLLABLES = "ka lo mi ren su tor ven al be chi dro fen gus hal ist jor".split(" ");
const VOCABULARY = Array.from({ length: 30_000 }, (_, index) =>
  [...index.toString(16)].map((digit) => SYLLABLES[Number.parseInt(digit, 16)]).join(""),
);
/** As in a language, a few words are in most sentences. */
const word = () => VOCABULARY[Math.floor(VOCABULARY.length ** random()) - 1] ?? "a";

function meeting(number: number): StoreItem {
  const id = `mtg_${number}` as const;
  let speaker = 1;
  const segments = Array.from({ length: SEGMENTS }, (_, index) => {
    if (random() < 0.4) speaker = 1 + Math.floor(random() * 4);
    const text = Array.from({ length: 10 }, word).join(" ");
    return { speaker_id: `spk_${speaker}` as const, start_time: index * 6, end_time: index * 6 + 5, text: `${text}.` };
  });
  const speakers = [1, 2, 3, 4].map((one) => ({ id: `spk_${one}` as const, name: `Person ${VOCABULARY[one * 999]}` }));
  const start_time = new Date(Date.UTC(2024, 0, 1) + number * 3_600_000).toISOString();
  return {
    ...{ id, documents: [], documentKinds: new Map(), documentsGone: [], missing: [], isGone: false, memory: "m" },
    meeting: { id, title: `${word()} ${word()}`, status: "completed", source: "zoom", start_time },
    transcript: { meeting_id: id, language: "en", speakers, segments },
  } as unknown as StoreItem;
}

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
await archive.update({
  onProgress: ({ indexed, total }) => process.stderr.write(`\r${indexed} of ${total} meetings`),
});
const seconds = (performance.now() - begun) / 1000;
const indexSize = (await opened.size()) - sizeBefore;

/** Two or three words that somebody said together, neither the most common ones. */
async function sample(): Promise<string> {
  const { segments } = await archive.meetings.getTranscript(`mtg_${Math.floor(random() * MEETINGS)}`);
  const words = (segments[Math.floor(random() * segments.length)]?.text ?? "a").replace(".", "").split(" ");
  return words
    .sort((a, b) => b.length - a.length)
    .slice(0, random() < 0.5 ? 2 : 3)
    .join(" ");
}

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
