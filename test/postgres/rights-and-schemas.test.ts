/** Schemas, the rights of users, what they add to the tables, and a server that restarts. */
import { Notetaker, syncMeetings } from "notetaker-sdk";
import { openArchive, postgresStore } from "notetaker-sdk/sql";
import { aDocument, aMeeting, createEmulator } from "notetaker-sdk/testing";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { codeBlocks } from "../support/code-blocks.js";
import { documentOf, itemOf, meetingOf, transcriptOf, write } from "../sync/store/store-items.js";
import { hasPostgres } from "./support/postgres-server.js";
import { serverWithSchemas } from "./support/schemas.js";

describe.skipIf(!hasPostgres)("with a real Postgres", () => {
  const database = serverWithSchemas();
  let pool: pg.Pool;
  let schema: string;
  let count = 0;
  beforeEach(async () => {
    ({ pool, schema, number: count } = await database.emptySchema());
  });
  afterEach(() => pool.end());

  /** A user of the database with these rights on the schema. */
  async function userWith(rights: string): Promise<pg.Pool> {
    await pool.query(`CREATE ROLE user_${count} LOGIN; GRANT USAGE ON SCHEMA ${schema} TO user_${count};
      GRANT ${rights} ON ALL TABLES IN SCHEMA ${schema} TO user_${count}`);
    return database.pool({ user: `user_${count}` });
  }

  test("a user of the database who may not make tables uses those that exist", async () => {
    await write(postgresStore(pool), [itemOf("mtg_1")]);
    const limited = await userWith("SELECT, INSERT, UPDATE, DELETE");
    expect(await write(postgresStore(limited), [itemOf("mtg_2")])).toEqual([]);
    expect(await postgresStore(pool).ids(undefined, 5)).toEqual(["mtg_1", "mtg_2"]);
    await limited.end();
  });

  test("tables that could not be made are made at the next use", async () => {
    await pool.query(`DROP SCHEMA ${schema}`);
    const store = postgresStore(pool);
    await expect(store.readState()).rejects.toThrow("no schema has been selected");
    await pool.query(`CREATE SCHEMA ${schema}`);
    expect(await store.readState()).toBeUndefined();
  });

  test("a schema with any name has its own tables, whatever the search path says", async () => {
    const name = `Odd "${count}" $1 ?.notetaker_meetings\\`;
    await pool.query(`CREATE SCHEMA ${pg.escapeIdentifier(name)}`);
    const store = postgresStore(pool, { schema: name });
    const documents = [documentOf("doc_1")];
    expect(await write(store, [itemOf("mtg_1", { documents, transcript: transcriptOf("mtg_1", "Hi") })])).toEqual([]);
    const lock = await store.lock?.();
    expect(lock).toHaveProperty("release");
    const { rows } = await pool.query(`SELECT text FROM ${pg.escapeIdentifier(name)}.notetaker_segments`);
    expect(rows).toEqual([{ text: "Hi" }]);
    expect((await pool.query("SELECT to_regclass('notetaker_meetings') AS found")).rows).toEqual([{ found: null }]);
    const removed = [{ id: "mtg_1", before: itemOf("mtg_1").memory }];
    expect(await store.write({ items: [], removed }, undefined)).toEqual([]);
    await (lock as { release(): Promise<void> }).release();
  });

  test("without a schema, the tables of a later one in the search path are not used", async () => {
    await write(postgresStore(pool), [itemOf("mtg_of_another")]);
    await pool.query(`CREATE SCHEMA first_${count}`);
    const both = database.server.pool(`first_${count},${schema}`);
    expect(await postgresStore(both).ids(undefined, 5)).toEqual([]);
    await both.end();
  });

  test("the views show a user the rows that the user may read, and the guide's lines hide the tables", async () => {
    const participants = [{ name: "Ada" }];
    for (const account of ["own", "other"]) {
      const meeting = { ...meetingOf("mtg_1"), participants };
      const transcript = transcriptOf("mtg_1", `said at ${account}`);
      await write(postgresStore(pool, { account }), [itemOf("mtg_1", { meeting, transcript })]);
    }
    await openArchive(pool, { account: "own" }).update();
    const reader = await userWith("SELECT");
    const lines = codeBlocks().find(({ code }) => code.includes("ENABLE ROW LEVEL SECURITY"))?.code ?? "";
    expect(lines.trim().split("\n")).toHaveLength(5);
    await pool.query(lines);
    const relations = ["accounts", "meetings", "documents", "memory", "segments", "participants", "passages"];
    const seen = async () => {
      const results = await Promise.all(relations.map((one) => reader.query(`SELECT account FROM notetaker_${one}`)));
      return results.map(({ rows }) => rows.map(({ account }) => account));
    };
    expect(await seen()).toEqual(relations.map(() => []));
    await pool.query(`CREATE POLICY own ON notetaker_meetings FOR SELECT USING (account = 'own')`);
    expect(await seen()).toEqual([[], ["own"], [], [], ["own"], ["own"], []]);
    await reader.end();
  });

  test("a removal that a foreign key of the user refuses changes nothing, and the next write succeeds", async () => {
    const store = postgresStore(pool);
    await write(store, [itemOf("mtg_1", { documents: [documentOf("doc_1")] }), itemOf("mtg_2")]);
    await pool.query(`CREATE TABLE notes (account text, id text,
      FOREIGN KEY (account, id) REFERENCES notetaker_meetings); INSERT INTO notes VALUES ('', 'mtg_1')`);
    const removed = ["mtg_1", "mtg_2"].map((id) => ({ id, before: itemOf(id).memory }));
    await expect(store.write({ items: [], removed }, undefined)).rejects.toMatchObject({ code: "23503" });
    expect((await pool.query("SELECT id FROM notetaker_documents")).rows).toEqual([{ id: "doc_1" }]);
    expect(await store.write({ items: [itemOf("mtg_3")], removed: removed.slice(1) }, undefined)).toEqual([]);
    expect(await store.ids(undefined, 5)).toEqual(["mtg_1", "mtg_3"]);
  });

  test("a server that is killed and started again ends no process, and has all that was written", async () => {
    // A bare pool: nobody listens to the errors of its idle connections.
    const bare = new pg.Pool({ ...pool.options });
    const store = postgresStore(bare);
    await store.write({ state: "state", items: [itemOf("mtg_1")], removed: [] }, undefined);
    await Promise.all([bare.query("SELECT pg_sleep(0.1)"), bare.query("SELECT pg_sleep(0.1)")]);
    await database.server.kill();
    await expect(write(store, [itemOf("mtg_2")])).rejects.toThrow();
    await database.server.start();
    expect(await store.readState()).toBe("state");
    expect(await write(store, [itemOf("mtg_2")])).toEqual([]);
    expect(await store.ids(undefined, 5)).toEqual(["mtg_1", "mtg_2"]);
    await bare.end();
  });

  test("a run that follows goes on after its database was away for two seconds", async () => {
    const start_time = new Date(Date.now() - 7_200_000).toISOString();
    const meeting = aMeeting({ id: "mtg_1", start_time, documents: [aDocument({ id: "doc_1" })] });
    const service = createEmulator({ seed: { meetings: [meeting] }, limits: "none", now: Date.now });
    const bare = new pg.Pool({ ...pool.options });
    const stop = new AbortController();
    const run = syncMeetings(new Notetaker(service.clientOptions), {
      ...{ into: postgresStore(bare), follow: true, pollMs: 200, signal: stop.signal },
      requestsPerMinute: 1_000,
    }).catch((error: unknown) => error);
    const ids = async () => {
      const found = await pool.query("SELECT id FROM notetaker_documents ORDER BY id").catch(() => undefined);
      return found?.rows.map(({ id }) => id);
    };
    await expect.poll(ids, { timeout: 60_000 }).toEqual(["doc_1"]);
    await database.server.kill();
    service.meetings.addDocument("mtg_1", aDocument({ id: "doc_2" }));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await database.server.start();
    await expect.poll(ids, { timeout: 60_000 }).toEqual(["doc_1", "doc_2"]);
    stop.abort(new Error("over"));
    expect(await run).toMatchObject({ message: "over" });
    await bare.end();
  });
});
