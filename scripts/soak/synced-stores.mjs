/** The stores that are filled, each empty at first: SQLite, Postgres, and a folder. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { folderStore } from "notetaker-sdk/node";
import { postgresStore, sqliteStore } from "notetaker-sdk/sql";
import { tsImport } from "tsx/esm/api";

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
  return (await query(COLUMNS)).map(({ id, status, title, transcript, gone }) => {
    const read = typeof transcript === "string" ? JSON.parse(transcript) : transcript;
    const texts = (documents.get(id) ?? []).map(({ id, title, content }) => [id, title, content]);
    return { id, text: comparable(status, title, read, texts), isGone: Boolean(gone) };
  });
}

/** What the folder has, as index.json lists it. A folder that the index does not list is a meeting that is doubled. */
async function rowsIn(folder) {
  const read = (path) => readFile(join(folder, path), "utf8");
  const index = Map.groupBy(JSON.parse(await read("index.json")), ({ file }) => file.split("/")[0]);
  const folders = (await readdir(folder)).filter((name) => name !== ".notetaker" && name !== "index.json");
  return Promise.all(
    folders.map(async (name) => {
      const { id, status, title, notetaker_gone } = JSON.parse(await read(`${name}/meeting.json`));
      const entries = index.get(name) ?? [];
      const transcript = entries.find(({ file }) => basename(file) === "transcript.json");
      const documents = entries.filter(({ file }) => basename(dirname(file)) === "documents");
      const texts = await Promise.all(documents.map(async ({ id, title, file }) => [id, title, await read(file)]));
      const text = comparable(status, title, transcript ? JSON.parse(await read(transcript.file)) : null, texts);
      return { id, text, isGone: notetaker_gone === true };
    }),
  );
}

const temporaryFolder = () => mkdtemp(join(tmpdir(), "soak-"));
const remove = (folder) => rm(folder, { recursive: true, force: true });

/** `open` makes the store of a new process. */
export const STORES = {
  async sqlite() {
    const folder = await temporaryFolder();
    const path = join(folder, "meetings.sqlite");
    const { DatabaseSync } = await import("node:sqlite");
    const open = () => new DatabaseSync(path);
    const db = open();
    const [{ version }] = db.prepare("SELECT sqlite_version() AS version").all();
    return {
      name: `SQLite ${version}`,
      isDatabase: true,
      open: () => sqliteStore(open()),
      rows: () => rowsOf((sql) => db.prepare(sql).all()),
      close: () => remove(folder),
    };
  },
  async postgres() {
    const server = await tsImport("../../test/postgres/support/postgres-server.ts", import.meta.url);
    if (!server.hasPostgres) throw new Error("Postgres is not installed: leave it out with --only sqlite,folder");
    const { pool, close } = await server.startPostgres();
    const db = pool();
    const { rows } = await db.query("SHOW server_version");
    return {
      name: `Postgres ${rows[0].server_version} (a server)`,
      isDatabase: true,
      open: () => postgresStore(pool()),
      rows: () => rowsOf(async (sql) => (await db.query(sql)).rows),
      close,
    };
  },
  async folder() {
    const folder = await temporaryFolder();
    return {
      name: "a folder",
      isDatabase: false,
      open: () => folderStore(folder),
      rows: () => rowsIn(folder),
      close: () => remove(folder),
    };
  },
};
