/** What the tables promise in each dialect, beyond what every store does. */
import type { Meeting, MeetingStore, StoreItem, Transcript } from "notetaker-sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { documentOf, itemOf, locked, meetingOf, transcriptOf } from "../sync/store/store-items.js";
import { describeDeletion } from "./deletion-contract.js";
import { describeLease, timeIn } from "./lease-contract.js";
import { type Query, readMeeting } from "./visible.js";

export interface OpenedDatabase {
  /** A store of this account over the same, at first empty, database. */
  store(account?: string): MeetingStore;
  readonly query: Query;
  /** Moves the end of the lease by so many seconds, as if the clock of the database had moved the other way. */
  moveLease(seconds: number): Promise<unknown>;
  close?(): Promise<void>;
}

const write = (store: MeetingStore, ...items: StoreItem[]) => store.write({ items, removed: [] }, undefined);

export function tablesContract(name: string, open: () => Promise<OpenedDatabase>): void {
  describe(name, () => {
    let db: OpenedDatabase;
    beforeEach(async () => {
      db = await open();
    });
    afterEach(async () => {
      vi.useRealTimers();
      await db.close?.();
    });
    describeColumns(() => db);
    describeVersions(() => db);
    describeAccounts(() => db);
    describeDeletion(() => db);
    describeSegments(() => db);
    describeLease(() => db);
    describeTexts(() => db);
  });
}

function describeColumns(db: () => OpenedDatabase): void {
  test("a meeting's fields are columns, and its start is a time in UTC", async () => {
    const piece = { meeting_id: "mtg_1", title: null, what: "recording", message: "" } as const;
    const final = { ...piece, reason: "forbidden", retryable: false } as const;
    const later = { ...piece, reason: "failed", retryable: true } as const;
    const started = (id: string, start_time: unknown) =>
      itemOf(id, { meeting: { ...meetingOf(id), start_time } as Meeting });
    await write(
      db().store(),
      itemOf("mtg_1", { dueAt: new Date("2026-02-03T04:05:06.789Z"), missing: [final] }),
      { ...started("mtg_2", "2026-01-05T09:00:00"), missing: [final, later] },
      { ...started("mtg_3", "2026-01-05T09:00:00.1239-0530"), isGone: true },
      started("mtg_4", "in the morning"),
      started("mtg_5", undefined),
      started("mtg_6", "+012026-01-05T09:00:00Z"),
      itemOf("mtg_7", { meeting: { id: "mtg_7", title: null, duration: null } as unknown as Meeting }),
    );
    const rows = await db().query("SELECT * FROM notetaker_meetings ORDER BY id");
    expect(rows[0]).toMatchObject({
      account: "",
      id: "mtg_1",
      title: "Title of mtg_1",
      status: "completed",
      source: "zoom",
      start_time: "2026-01-05T09:00:00+01:00",
      duration: 1_800,
    });
    expect(timeIn(rows[0]?.due_at)).toBe("2026-02-03T04:05:06.789Z");
    expect(rows.map(({ started_at }) => timeIn(started_at))).toEqual([
      "2026-01-05T08:00:00.000Z",
      "2026-01-05T09:00:00.000Z",
      "2026-01-05T14:30:00.123Z",
      null,
      null,
      null,
      null,
    ]);
    expect(rows.map(({ complete }) => Number(complete))).toEqual([1, 0, 1, 1, 1, 1, 1]);
    expect(rows.map(({ gone }) => Number(gone))).toEqual([0, 0, 1, 0, 0, 0, 0]);
    expect(rows[6]).toMatchObject({ title: null, status: null, source: null, start_time: null, duration: null });
    const found = await db().query("SELECT id FROM notetaker_meetings WHERE started_at >= '2026-01-05T09:00:00.000Z'");
    expect(found.map(({ id }) => id).sort()).toEqual(["mtg_2", "mtg_3"]);
  });

  test("the account's row has the state and the time of the next run", async () => {
    const nextAt = new Date("2026-02-03T04:05:06.789Z");
    await db().store("acme").write({ state: "state", nextAt, items: [], removed: [] }, undefined);
    await db().store("acme").write({ items: [], removed: [] }, undefined);
    const [row] = await db().query("SELECT * FROM notetaker_accounts");
    expect(row).toMatchObject({ account: "acme", state: "state" });
    expect(timeIn(row?.next_at)).toBe("2026-02-03T04:05:06.789Z");
  });

  test("two stores that are used for the first time at once share the tables that one of them makes", async () => {
    const stores = Array.from({ length: 4 }, () => db().store());
    const refused = await Promise.all(stores.map((store, index) => write(store, itemOf(`mtg_${index}`))));
    expect(refused).toEqual([[], [], [], []]);
    expect(await stores[0]?.ids(undefined, 10)).toHaveLength(4);
  });
}

function describeVersions(db: () => OpenedDatabase): void {
  const versions = async () =>
    Object.fromEntries(
      (await db().query("SELECT id, version FROM notetaker_meetings")).map((row) => [row.id, Number(row.version)]),
    );
  const ofDocuments = async () =>
    (await db().query("SELECT id, version FROM notetaker_documents ORDER BY id")).map(({ version }) => Number(version));

  test("a row has the version of the write that last changed what users see of it", async () => {
    const store = db().store();
    const next = (fields: Parameters<typeof itemOf>[1]) =>
      itemOf("mtg_1", { before: itemOf("mtg_1").memory, meeting: undefined, ...fields });
    await write(store, itemOf("mtg_1", { documents: [documentOf("doc_1"), documentOf("doc_2")] }), itemOf("mtg_2"));
    expect(await versions()).toEqual({ mtg_1: 1, mtg_2: 1 });
    expect(await ofDocuments()).toEqual([1, 1]);
    await write(store, next({ dueAt: new Date() }), itemOf("mtg_3", { meeting: undefined }));
    await write(store, next({ meeting: meetingOf("mtg_1") }));
    expect(await versions()).toEqual({ mtg_1: 1, mtg_2: 1 });
    await write(store, next({ documents: [documentOf("doc_2")] }));
    expect(await versions()).toEqual({ mtg_1: 4, mtg_2: 1 });
    expect(await ofDocuments()).toEqual([1, 4]);
    await write(store, next({ documentsGone: ["doc_2"] }));
    expect(await versions()).toEqual({ mtg_1: 5, mtg_2: 1 });
    await write(store, next({ transcript: transcriptOf("mtg_1", "Hello") }));
    await write(store, next({ meeting: meetingOf("mtg_1", "New") }));
    expect(await versions()).toEqual({ mtg_1: 7, mtg_2: 1 });
    await write(store, next({ isGone: true }));
    const missing = [
      { meeting_id: "mtg_1", title: null, what: "x", reason: "failed", retryable: true, message: "" } as const,
    ];
    await write(store, next({ isGone: true, missing }));
    expect(await versions()).toEqual({ mtg_1: 9, mtg_2: 1 });
    await write(store, itemOf("mtg_1", { before: "another", documents: [documentOf("doc_3")] }));
    expect(await versions()).toEqual({ mtg_1: 9, mtg_2: 1 });
    expect(await ofDocuments()).toEqual([1]);
  });

  test("documents of a meeting that was not written stay as they are, beside one that was", async () => {
    const store = db().store();
    const documents = [documentOf("doc_1")];
    await write(store, itemOf("mtg_1", { documents }), itemOf("mtg_2", { documents }));
    const changed = [{ ...documentOf("doc_1"), content: "changed" }];
    const fields = { documents: changed, documentsGone: [] };
    await write(
      store,
      itemOf("mtg_1", { ...fields, before: "another" }),
      itemOf("mtg_2", { ...fields, before: itemOf("mtg_2").memory }),
    );
    const rows = await db().query("SELECT meeting_id, content FROM notetaker_documents ORDER BY meeting_id");
    expect(rows.map(({ content }) => content)).toEqual([documents[0]?.content, "changed"]);
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
    const item = itemOf("mtg_1", {
      meeting: meetingOf("mtg_1", "Of two"),
      documents,
      memory: "two",
      dueAt: new Date(0),
    });
    expect(await write(two, item)).toEqual([]);
    expect(await one.due(new Date(), 5)).toEqual([]);
    expect(await one.readMemory(["mtg_1"])).toEqual(new Map([["mtg_1", itemOf("mtg_1").memory]]));
    const lock = await locked(one);
    await (await locked(two)).release();
    await lock.release();
    expect(await two.write({ items: [], removed: [{ id: "mtg_1", before: "two" }] }, undefined)).toEqual([]);
    expect(await readMeeting(db().query, "mtg_1", "one")).toMatchObject({ meeting: meetingOf("mtg_1"), documents });
    expect(await readMeeting(db().query, "mtg_1", "two' --")).toBeUndefined();
  });
}

function describeSegments(db: () => OpenedDatabase): void {
  test("the segments of all transcripts are rows, with the names of their speakers", async () => {
    const segment = (speaker_id: unknown, start_time: unknown, text: unknown) => ({
      speaker_id,
      start_time,
      end_time: 9,
      text,
    });
    const transcript = {
      ...transcriptOf("mtg_1", ""),
      speakers: [
        { id: "spk_1", name: "Ada" },
        { id: "spk_2", name: "" },
        null,
        "spk_3",
        { id: 'spk_"', name: "Quo'te" },
      ],
      segments: [
        segment("spk_1", 0.5, "one"),
        segment("spk_2", 2, "two"),
        null,
        ["no segment"],
        segment("spk_3", null, "three"),
        segment('spk_"', 4, ""),
        segment(null, 5, "nobody"),
      ],
    } as unknown as Transcript;
    let deep: unknown = "end";
    for (let depth = 0; depth < 1_500; depth += 1) deep = [deep];
    const unreadable = [{ segments: "none" }, { segments: { a: {} } }, { speakers: {} }, { segments: [], deep }];
    await write(
      db().store(),
      itemOf("mtg_0"),
      itemOf("mtg_1", { transcript }),
      ...unreadable.map((one, index) => itemOf(`mtg_odd${index}`, { transcript: one as unknown as Transcript })),
    );
    const rows = await db().query("SELECT * FROM notetaker_segments ORDER BY position");
    expect(rows.map((row) => ({ ...row, position: Number(row.position) }))).toEqual(
      [
        { position: 0, speaker: "Ada", start_time: 0.5, end_time: 9, text: "one" },
        { position: 1, speaker: "spk_2", start_time: 2, end_time: 9, text: "two" },
        { position: 4, speaker: "spk_3", start_time: null, end_time: 9, text: "three" },
        { position: 5, speaker: "Quo'te", start_time: 4, end_time: 9, text: "" },
        { position: 6, speaker: null, start_time: 5, end_time: 9, text: "nobody" },
      ].map((row) => ({ account: "", meeting_id: "mtg_1", ...row })),
    );
  });
}

function describeTexts(db: () => OpenedDatabase): void {
  test("U+0000 and half characters are replaced in columns", async () => {
    const odd = "a\0b\ud800c\udfff\\u0000";
    const documents = [{ ...documentOf("doc_1"), title: odd, content: odd }];
    const missing = [
      { meeting_id: "mtg_1", title: odd, what: odd, reason: "failed", retryable: true, message: odd } as const,
    ];
    const item = itemOf("mtg_1", {
      meeting: meetingOf("mtg_1", odd),
      transcript: transcriptOf("mtg_1", odd),
      documents,
      missing,
    });
    expect(
      await db()
        .store()
        .write({ state: odd, items: [{ ...item, memory: odd }], removed: [] }, undefined),
    ).toEqual([]);
    const replaced = "a\ufffdb\ufffdc\ufffd\\u0000";
    expect(await db().query("SELECT title FROM notetaker_meetings")).toEqual([{ title: replaced }]);
    expect(await db().query("SELECT title, content FROM notetaker_documents")).toEqual([
      { title: replaced, content: replaced },
    ]);
    expect(await db().query("SELECT text FROM notetaker_segments")).toHaveLength(1);
    // Nobody decides on another memory than the one that was read.
    expect(await write(db().store(), itemOf("mtg_1", { before: odd }))).toEqual([]);
  });

  test("an id that cannot be stored is refused, and has no memory", async () => {
    const store = db().store();
    for (const id of ["mtg_\0", "mtg_\ud800"]) {
      await expect(write(store, itemOf("mtg_1"), itemOf(id))).rejects.toThrow("cannot be stored");
      await expect(write(store, itemOf("mtg_1", { documents: [documentOf(id)] }))).rejects.toThrow("cannot be stored");
      expect(await store.readMemory([id, "mtg_1"])).toEqual(new Map());
    }
    expect(await store.ids(undefined, 5)).toEqual([]);
    // They are not taken for the id that has U+FFFD.
    await write(store, itemOf("mtg_\ufffd"));
    expect(await store.readMemory(["mtg_\0", "mtg_\ud800"])).toEqual(new Map());
  });
}
