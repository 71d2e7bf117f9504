/**
 * The stores that are filled: SQLite and Postgres (PGlite, in this process), each empty at first. A folder waits for its
 * lock file in real time: `npm run kill` has it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresStore, sqliteStore } from "notetaker-sdk/sql";

const COLUMNS = "SELECT id, status, title, transcript, gone FROM notetaker_meetings";
const DOCUMENTS = "SELECT meeting_id, id, title, content FROM notetaker_documents";

/** Each meeting as a text that can be compared: status, title, transcript and documents. */
export const comparable = (status, title, transcript, documents) =>
  JSON.stringify([status, title, transcript && sorted(transcript), documents.sort()]);

/** `jsonb` has an order of its own. */
const sorted = (value) =>
  Array.isArray(value)
    ? value.map(sorted)
    : value !== null && typeof value === "object"
      ? Object.entries(value)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, part]) => [name, sorted(part)])
      : value;

async function rowsOf(query) {
  const documents = Map.groupBy(await query(DOCUMENTS), ({ meeting_id }) => meeting_id);
  const rows = new Map();
  for (const { id, status, title, transcript, gone } of await query(COLUMNS)) {
    const read = typeof transcript === "string" ? JSON.parse(transcript) : transcript;
    const texts = (documents.get(id) ?? []).map(({ id, title, content }) => [id, title, content]);
    rows.set(id, { text: comparable(status, title, read, texts), isGone: Boolean(gone) });
  }
  return rows;
}

/** `open` makes the store of a new process. */
export const STORES = {
  async sqlite() {
    const folder = await mkdtemp(join(tmpdir(), "soak-sqlite-"));
    const path = join(folder, "meetings.sqlite");
    const { DatabaseSync } = await import("node:sqlite");
    const open = () => new DatabaseSync(path);
    const db = open();
    return {
      open: () => sqliteStore(open()),
      rows: () => rowsOf((sql) => db.prepare(sql).all()),
      close: () => rm(folder, { recursive: true, force: true }),
    };
  },
  async postgres() {
    const { PGlite } = await import("@electric-sql/pglite");
    const db = await PGlite.create();
    return {
      open: () => postgresStore(db),
      rows: () => rowsOf(async (sql) => (await db.query(sql)).rows),
      close: () => db.close(),
    };
  },
};
