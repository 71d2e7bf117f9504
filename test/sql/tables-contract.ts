/** What the tables promise in each dialect, beyond what every store does. */
import { readFileSync } from "node:fs";
import { ConfigurationError, type Meeting, type MeetingStore, type StoreItem, type Transcript } from "notetaker-sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { documentOf, itemOf, locked, meetingOf, transcriptOf } from "../sync/store/store-items.js";
import type { OpenedDatabase } from "./databases.js";
import { describeLease, timeIn } from "./lease-contract.js";
import { readMeeting } from "./visible.js";

const write = (store: MeetingStore, ...items: StoreItem[]) => store.write({ items, removed: [] }, undefined);

/** The next item of `mtg_1`, without a new row. */
const next = (fields: Parameters<typeof itemOf>[1] = {}) =>
  itemOf("mtg_1", { before: itemOf("mtg_1").memory, meeting: undefined, ...fields });

/** A time that comes before each write. */
const EARLIER = "2026-01-01T00:00:00.000Z";

const gap = { meeting_id: "mtg_1", title: null, what: "x", reason: "failed", retryable: true, message: "" } as const;

export function tablesContract(name: string, open: () => Promise<OpenedDatabase>): void {
  describe(name, () => {
    let db: OpenedDatabase;
    beforeEach(async () => {
      db = await open();
    });
    afterEach(async () => {
      vi.useRealTimers();
      await db.close();
    });
    describeColumns(() => db);
    describeVersions(() => db);
    describeSchema(() => db);
    describeAccounts(() => db);
    describeViews(() => db);
    describeLease(() => db);
    describeTexts(() => db);
  });
}

function describeColumns(db: () => OpenedDatabase): void {
  test("a meeting's fields are columns, and its start is a time in UTC", async () => {
    const dueAt = new Date("2026-02-03T04:05:06.789Z");
    const started = (id: string, start_time: unknown, fields: object = {}) =>
      itemOf(id, { meeting: { ...meetingOf(id), start_time } as Meeting, ...fields });
    await write(
      db().store(),
      itemOf("mtg_1", { dueAt, missing: [{ ...gap, retryable: false }], hasRecording: true }),
      started("mtg_2", "2026-01-05T09:00:00", { missing: [gap], hasRecording: false }),
      started("mtg_3", "2026-01-05T09:00:00.1239-0530", { isGone: true }),
      started("mtg_4", "in the morning"),
      started("mtg_5", "+012026-01-05T09:00:00Z"),
      itemOf("mtg_6", { meeting: { id: "mtg_6", title: null, duration: null } as unknown as Meeting }),
    );
    await write(db().store(), next({ dueAt }));
    const rows = await db().query("SELECT * FROM notetaker_meetings ORDER BY id");
    expect(rows[0]).toMatchObject({ account: "", id: "mtg_1", title: "Title of mtg_1", status: "completed" });
    expect(rows[0]).toMatchObject({ source: "zoom", start_time: "2026-01-05T09:00:00+01:00", duration: 1_800 });
    expect(rows[5]).toMatchObject({ title: null, status: null, source: null, start_time: null, duration: null });
    const starts = ["2026-01-05T08:00:00.000Z", "2026-01-05T09:00:00.000Z", "2026-01-05T14:30:00.123Z"];
    expect(rows.map(({ started_at }) => timeIn(started_at))).toEqual([...starts, null, null, null]);
    expect(rows.map(({ complete }) => Number(complete))).toEqual([1, 0, 1, 1, 1, 1]);
    expect(rows.map(({ gone }) => Number(gone))).toEqual([0, 0, 1, 0, 0, 0]);
    expect(rows.map((row) => row.has_recording && Boolean(row.has_recording)).slice(0, 3)).toEqual([
      true,
      expect.toBeOneOf([0, false]),
      null,
    ]);
    const found = await db().query("SELECT id FROM notetaker_meetings WHERE started_at >= '2026-01-05T09:00:00.000Z'");
    expect(found.map(({ id }) => id).sort()).toEqual(["mtg_2", "mtg_3"]);
    const [remembered] = await db().query("SELECT * FROM notetaker_memory ORDER BY id");
    expect(remembered).toMatchObject({ account: "", id: "mtg_1", memory: itemOf("mtg_1").memory });
    expect(timeIn(remembered?.due_at)).toBe(dueAt.toISOString());
  });

  test("the account's row has the state, the time of the next run, and how the account is doing", async () => {
    const [nextAt, polledAt, failingSince] = [1, 2, 3].map((hour) => new Date(Date.UTC(2026, 1, 3, hour, 0, 0, 789)));
    const store = db().store("acme");
    const empty = { items: [], removed: [] };
    const health = { polledAt, failingSince, error: "503\0" };
    await store.write({ ...empty, state: "state", nextAt: nextAt as Date, health }, undefined);
    await store.write(empty, undefined);
    const row = async () => (await db().query("SELECT * FROM notetaker_accounts"))[0] ?? {};
    const { next_at, polled_at, failing_since, ...texts } = await row();
    expect(texts).toMatchObject({ account: "acme", state: "state", error: "503\ufffd" });
    expect([next_at, polled_at, failing_since].map(timeIn)).toEqual(
      [nextAt, polledAt, failingSince].map((time) => time?.toISOString()),
    );
    await store.write({ ...empty, health: { polledAt, failingSince: undefined, error: undefined } }, undefined);
    expect(await row()).toMatchObject({ state: "state", failing_since: null, error: null, polled_at });
  });
}

function describeVersions(db: () => OpenedDatabase): void {
  test("a row has the version of the write that last changed what users see of it", async () => {
    const store = db().store();
    /** The version of mtg_1 after a write, whether its `changed_at` is another, and the versions of its documents. */
    const after = async (...items: StoreItem[]) => {
      await write(store, ...items);
      const [row] = await db().query("SELECT version, changed_at FROM notetaker_meetings WHERE id = 'mtg_1'");
      const of = "FROM notetaker_documents WHERE meeting_id = 'mtg_1' ORDER BY id";
      const documents = await db().query(`SELECT version ${of}`);
      const isChanged = timeIn(row?.changed_at) !== EARLIER;
      await db().query(`UPDATE notetaker_meetings SET changed_at = '${EARLIER}' WHERE id = 'mtg_1'`);
      return [Number(row?.version), isChanged, ...documents.map(({ version }) => Number(version))];
    };
    const documents = [documentOf("doc_1"), documentOf("doc_2")];
    const documentKinds = new Map([["doc_2", "summary"] as const]);
    expect(await after(itemOf("mtg_1", { documents, documentKinds }), itemOf("mtg_2"))).toEqual([1, true, 1, 1]);
    const kinds = await db().query("SELECT kind FROM notetaker_documents ORDER BY id");
    expect(kinds.map(({ kind }) => kind)).toEqual([null, "summary"]);
    expect(await after(next({ dueAt: new Date() }), itemOf("mtg_3", { meeting: undefined }))).toEqual([1, false, 1, 1]);
    const changes: [StoreItem, ...unknown[]][] = [
      [next({ meeting: meetingOf("mtg_1") }), 1, false, 1, 1],
      [next({ documents: [documentOf("doc_2")] }), 4, true, 1, 4],
      [next({ documentsGone: ["doc_2"] }), 5, true, 1],
      [next({ transcript: transcriptOf("mtg_1", "Hello") }), 6, true, 1],
      [next({ meeting: meetingOf("mtg_1", "New") }), 7, true, 1],
      [next({ isGone: true }), 8, true, 1],
      [next({ isGone: true, missing: [gap] }), 9, true, 1],
      [next({ isGone: true, missing: [gap], hasRecording: true }), 10, true, 1],
      [next({ before: "another", documents: [documentOf("doc_3")] }), 10, false, 1],
    ];
    for (const [item, ...expected] of changes) expect(await after(item)).toEqual(expected);
    const [other] = await db().query("SELECT version FROM notetaker_meetings WHERE id = 'mtg_2'");
    expect(Number(other?.version)).toBe(1);
  });
}

function describeSchema(db: () => OpenedDatabase): void {
  test("stores that are used for the first time at once share the tables that one of them makes", async () => {
    const stores = Array.from({ length: 4 }, () => db().store());
    const refused = await Promise.all(stores.map((store, index) => write(store, itemOf(`mtg_${index}`))));
    expect(refused).toEqual([[], [], [], []]);
    expect(await stores[0]?.ids(undefined, 10)).toHaveLength(4);
  });

  test("tables with a lower number get what they lack at the first use, and keep what they have", async () => {
    await write(db().store("acme"), itemOf("mtg_1", { documents: [documentOf("doc_1")] }));
    await db().query("CREATE INDEX of_user ON notetaker_meetings (title)");
    const removed = ["DROP VIEW notetaker_participants", "DROP INDEX notetaker_memory_due"];
    const older = ["UPDATE notetaker_accounts SET schema = 0", "ALTER TABLE notetaker_documents DROP COLUMN kind"];
    for (const sql of [...removed, ...older]) await db().query(sql);
    const documentKinds = new Map([["doc_1", "action_items"] as const]);
    const documents = [documentOf("doc_1")];
    const items = [next({ documents, documentKinds })];
    const refused = await Promise.all([write(db().store("acme"), ...items), write(db().store("b"), itemOf("mtg_2"))]);
    expect(refused).toEqual([[], []]);
    expect(await db().query("SELECT kind FROM notetaker_documents")).toEqual([{ kind: "action_items" }]);
    expect(await db().query("SELECT DISTINCT schema FROM notetaker_accounts")).toEqual([{ schema: 1 }]);
    expect(await db().query("SELECT * FROM notetaker_participants")).toEqual([]);
    for (const name of ["notetaker_memory_due", "of_user"]) await db().query(`DROP INDEX ${name}`);
  });

  test("tables with a higher number are of a newer version, and nothing is written", async () => {
    await write(db().store(), itemOf("mtg_1"));
    await db().query("UPDATE notetaker_accounts SET schema = 2");
    await expect(write(db().store("b"), itemOf("mtg_2"))).rejects.toThrow(ConfigurationError);
    expect(await db().query("SELECT account FROM notetaker_accounts")).toEqual([{ account: "" }]);
  });
}

function describeAccounts(db: () => OpenedDatabase): void {
  test("accounts in one database do not see each other", async () => {
    const [one, two] = [db().store("one"), db().store("two' --")];
    const documents = [documentOf("doc_1")];
    await one.write({ state: "of one", items: [itemOf("mtg_1", { documents })], removed: [] }, undefined);
    expect(await two.readState()).toBeUndefined();
    expect(await two.ids(undefined, 5)).toEqual([]);
    expect(await two.readMemory(["mtg_1"])).toEqual(new Map());
    const meeting = meetingOf("mtg_1", "Of two");
    expect(await write(two, itemOf("mtg_1", { meeting, documents, memory: "two", dueAt: new Date(0) }))).toEqual([]);
    expect(await one.due(new Date(), 5)).toEqual([]);
    const lock = await locked(one);
    await (await locked(two)).release();
    await lock.release();
    expect(await two.write({ items: [], removed: [{ id: "mtg_1", before: "two" }] }, undefined)).toEqual([]);
    expect(await one.readMemory(["mtg_1"])).toEqual(new Map([["mtg_1", itemOf("mtg_1").memory]]));
    expect(await readMeeting(db().query, "mtg_1", "one")).toMatchObject({ meeting: meetingOf("mtg_1"), documents });
    expect(await readMeeting(db().query, "mtg_1", "two' --")).toBeUndefined();
  });

  test("deleted from the guide's tables in their order, an account is gone, and its run writes nothing more", async () => {
    const guide = readFileSync("docs/database.md", "utf8");
    const paragraph = /### Delete an account\n([^#]*)/.exec(guide)?.[1] ?? "";
    const tables = [...paragraph.matchAll(/`(notetaker_\w+)`/g)].map(([, table]) => table);
    for (const account of ["acme", "other"]) {
      await write(db().store(account), itemOf("mtg_1", { documents: [documentOf("doc_1")] }));
    }
    const acme = db().store("acme");
    const lock = await locked(acme);
    for (const table of tables) await db().query(`DELETE FROM ${table} WHERE account = 'acme'`);
    await expect(acme.write({ items: [itemOf("mtg_2")], removed: [] }, lock)).rejects.toThrow("another run");
    await lock.release();
    for (const table of ["accounts", "meetings", "documents", "memory"]) {
      expect(await db().query(`SELECT account FROM notetaker_${table}`), table).toEqual([{ account: "other" }]);
    }
  });
}

function describeViews(db: () => OpenedDatabase): void {
  const rows = async (view: string) => {
    const found = await db().query(`SELECT * FROM ${view} WHERE meeting_id = 'mtg_1' ORDER BY position`);
    return found.map(({ account, meeting_id, position, ...row }) => [Number(position), ...Object.values(row)]);
  };

  test("segments and participants are rows, with the names of the speakers, and what is odd is left out", async () => {
    const segment = (speaker_id: unknown, start_time: unknown, text: string) => ({ speaker_id, start_time, text });
    const transcript = {
      speakers: [{ id: "spk_1", name: "Ada" }, { id: "spk_2", name: "" }, null, { id: 'spk_"', name: "Quo'te" }],
      segments: [
        { ...segment("spk_1", 0.5, "one"), end_time: 9 },
        ...[segment("spk_2", 2, "two"), null, ["no segment"], segment("spk_3", null, "three")],
        ...[segment('spk_"', 4, ""), segment(null, 5, "nobody")],
      ],
    } as unknown as Transcript;
    const ada = { name: "Ada", email: "ada@example.com", title: "CTO", company: "Acme" };
    const meeting = { ...meetingOf("mtg_1"), participants: [ada, null, "Bob", {}] } as Meeting;
    await write(db().store(), itemOf("mtg_0"), itemOf("mtg_1", { meeting, transcript }));
    expect(await rows("notetaker_segments")).toEqual([
      [0, "Ada", 0.5, 9, "one"],
      [1, "spk_2", 2, null, "two"],
      [4, "spk_3", null, null, "three"],
      [5, "Quo'te", 4, null, ""],
      [6, null, 5, null, "nobody"],
    ]);
    expect(await rows("notetaker_participants")).toEqual([
      [0, ...Object.values(ada)],
      [3, null, null, null, null],
    ]);
  });

  test("what is no list, or nested too deeply, does not keep a view from being read", async () => {
    let deep: unknown = "end";
    for (let depth = 0; depth < 1_500; depth += 1) deep = [deep];
    const unreadable = [{ segments: "none" }, { segments: { a: {} } }, { speakers: {} }, { segments: [], deep }];
    const items = unreadable.map((one, index) => {
      const participants = ["none", { a: {} }, null, deep][index];
      const meeting = { ...meetingOf(`mtg_${index}`), participants } as unknown as Meeting;
      return itemOf(`mtg_${index}`, { meeting, transcript: one as unknown as Transcript });
    });
    await write(db().store(), ...items);
    for (const view of ["segments", "participants"]) expect(await rows(`notetaker_${view}`)).toEqual([]);
  });
}

function describeTexts(db: () => OpenedDatabase): void {
  test("U+0000 and half characters are replaced in columns", async () => {
    const odd = "a\0b\ud800c\udfff\\u0000";
    const item = itemOf("mtg_1", {
      meeting: meetingOf("mtg_1", odd),
      transcript: transcriptOf("mtg_1", odd),
      documents: [{ ...documentOf("doc_1"), title: odd, content: odd }],
      missing: [{ ...gap, title: odd, what: odd, message: odd }],
      memory: odd,
    });
    const store = db().store();
    expect(await store.write({ state: odd, items: [item], removed: [] }, undefined)).toEqual([]);
    const replaced = "a\ufffdb\ufffdc\ufffd\\u0000";
    expect(await db().query("SELECT title FROM notetaker_meetings")).toEqual([{ title: replaced }]);
    const documents = await db().query("SELECT title, content FROM notetaker_documents");
    expect(documents).toEqual([{ title: replaced, content: replaced }]);
    expect(await db().query("SELECT text FROM notetaker_segments")).toHaveLength(1);
    // Nobody decides on another memory than the one that was read.
    expect(await write(store, itemOf("mtg_1", { before: odd }))).toEqual([]);
  });

  test("an id that cannot be stored is refused, and has no memory", async () => {
    const store = db().store();
    for (const id of ["mtg_\0", "mtg_\ud800"]) {
      await expect(write(store, itemOf("mtg_1"), itemOf(id))).rejects.toThrow("cannot be stored");
      await expect(write(store, itemOf("mtg_1", { documents: [documentOf(id)] }))).rejects.toThrow("cannot be stored");
    }
    expect(await store.ids(undefined, 5)).toEqual([]);
    // They are not taken for the id that has U+FFFD.
    await write(store, itemOf("mtg_\ufffd"));
    expect(await store.readMemory(["mtg_\0", "mtg_\ud800"])).toEqual(new Map());
  });
}
