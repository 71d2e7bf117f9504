/** What every store promises. Each store has a test file that calls `storeContract`. */
import type { Document, Meeting, MeetingStore, StoreBatch, StoreItem, StoreLock, Transcript } from "notetaker-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { documentOf, itemOf, meetingOf, transcriptOf } from "./store-items.js";
import { describeModel } from "./store-model.js";

/** What a user reads of a meeting. */
export interface VisibleMeeting {
  readonly meeting: unknown;
  readonly transcript: unknown;
  /** In any order. */
  readonly documents: readonly Document[];
  readonly missing: readonly unknown[];
  readonly isGone: boolean;
}

/** A store with empty data of its own. */
export interface OpenedStore {
  readonly store: MeetingStore;
  /** Another store over the same data, as another process would have it. */
  another(): MeetingStore;
  /** What a user reads; `undefined` if there is no such meeting. */
  read(id: string): Promise<VisibleMeeting | undefined>;
  close?(): Promise<void>;
}

const LATER = new Date("2026-03-01T00:00:00Z");

/** Writes without a lock. */
const write = (store: MeetingStore, items: readonly StoreItem[], rest: Partial<StoreBatch> = {}) =>
  store.write({ items, removed: [], ...rest }, undefined);

const lockOf = async (store: MeetingStore): Promise<StoreLock> => {
  const lock = await store.lock?.();
  if (lock === undefined || !("release" in lock)) throw new Error("the store is held");
  return lock;
};

/** @param open - opens a store with empty data; called for each test */
export function storeContract(name: string, open: () => Promise<OpenedStore>): void {
  describe(name, () => {
    let opened: OpenedStore;
    let store: MeetingStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close?.());
    const read = (id: string) => opened.read(id);
    describeData(() => store, read);
    describeOrder(() => store);
    describeTwo(() => opened);
    describeLock(() => opened);
    describeOddValues(() => store, read);
    describeModel(() => opened);
  });
}

function describeData(store: () => MeetingStore, read: OpenedStore["read"]): void {
  test("an empty store has no state, no memory and no ids", async () => {
    expect(await store().readState()).toBeUndefined();
    expect(await store().readMemory(["mtg_1"])).toEqual(new Map());
    expect(await store().readMemory([])).toEqual(new Map());
    expect(await store().due(LATER, 10)).toEqual([]);
    expect(await store().ids(undefined, 10)).toEqual([]);
    expect(await read("mtg_1")).toBeUndefined();
  });

  test("a batch is written with its state, and read back", async () => {
    const documents = [documentOf("doc_1", "markdown"), documentOf("doc_1", "html"), documentOf("doc_2", "markdown")];
    const item = itemOf("mtg_1", { transcript: transcriptOf("mtg_1", "Hello"), documents });
    expect(await write(store(), [item, itemOf("mtg_2")], { state: "{}", nextAt: LATER })).toEqual([]);
    expect(await store().readState()).toBe("{}");
    expect(await store().readMemory(["mtg_2", "mtg_3", "mtg_1"])).toEqual(
      new Map([
        ["mtg_1", item.memory],
        ["mtg_2", itemOf("mtg_2").memory],
      ]),
    );
    const stored = await read("mtg_1");
    expect(stored).toMatchObject({ meeting: item.meeting, transcript: item.transcript, missing: [], isGone: false });
    expect(stored?.documents).toHaveLength(3);
    expect(stored?.documents).toEqual(expect.arrayContaining(documents));
    expect(await read("mtg_2")).toEqual({
      meeting: meetingOf("mtg_2"),
      transcript: undefined,
      documents: [],
      missing: [],
      isGone: false,
    });
  });

  test("what a batch and an item do not name stays as it is stored", async () => {
    const first = itemOf("mtg_1", { transcript: transcriptOf("mtg_1", "Hello"), documents: [documentOf("doc_1")] });
    await write(store(), [first], { state: "one" });
    const missing = [
      {
        meeting_id: "mtg_1",
        title: null,
        what: "recording",
        reason: "failed",
        retryable: true,
        message: "500",
      } as const,
    ];
    const second = itemOf("mtg_1", {
      meeting: undefined,
      before: first.memory,
      memory: "second",
      missing,
      isGone: true,
    });
    expect(await write(store(), [second])).toEqual([]);
    expect(await store().readState()).toBe("one");
    expect(await store().readMemory(["mtg_1"])).toEqual(new Map([["mtg_1", "second"]]));
    expect(await read("mtg_1")).toEqual({
      meeting: first.meeting,
      transcript: first.transcript,
      documents: first.documents,
      missing,
      isGone: true,
    });
    await write(store(), [itemOf("mtg_1", { meeting: meetingOf("mtg_1", "New"), before: "second" })], { state: "" });
    expect(await store().readState()).toBe("");
    expect(await read("mtg_1")).toEqual({
      meeting: meetingOf("mtg_1", "New"),
      transcript: first.transcript,
      documents: first.documents,
      missing: [],
      isGone: false,
    });
  });

  test("a document is replaced in its format, and goes in all formats", async () => {
    const documents = [documentOf("doc_1", "markdown"), documentOf("doc_1", "html"), documentOf("doc_2", "markdown")];
    await write(store(), [itemOf("mtg_1", { documents }), itemOf("mtg_2", { documents })]);
    const { memory } = itemOf("mtg_1");
    const changed = { ...documentOf("doc_1", "html"), content: "<p>new</p>", title: "New" };
    await write(store(), [
      itemOf("mtg_1", { before: memory, documents: [changed], documentsGone: ["doc_2", "doc_9"] }),
    ]);
    const stored = (await read("mtg_1"))?.documents;
    expect(stored).toHaveLength(2);
    expect(stored).toEqual(expect.arrayContaining([documents[0], changed]));
    await write(store(), [itemOf("mtg_1", { before: memory, documentsGone: ["doc_1"] })]);
    expect((await read("mtg_1"))?.documents).toEqual([]);
    expect((await read("mtg_2"))?.documents).toHaveLength(3);
  });

  test("nothing is written of an item whose memory is not the one before, and its id is returned", async () => {
    const old = itemOf("mtg_1", { documents: [documentOf("doc_1")] });
    await write(store(), [old]);
    const late = (before: string | undefined) =>
      itemOf("mtg_1", {
        meeting: meetingOf("mtg_1", "Late"),
        transcript: transcriptOf("mtg_1", "Late"),
        documents: [documentOf("doc_2")],
        documentsGone: ["doc_1"],
        memory: "late",
        isGone: true,
        before,
      });
    for (const before of [undefined, "another", ""]) {
      expect(await write(store(), [late(before), itemOf("mtg_2", { before: "none" })], { state: "new" })).toEqual(
        expect.arrayContaining(["mtg_1", "mtg_2"]),
      );
    }
    expect(await store().readState()).toBe("new");
    expect(await store().readMemory(["mtg_1", "mtg_2"])).toEqual(new Map([["mtg_1", old.memory]]));
    expect(await read("mtg_1")).toEqual({
      meeting: old.meeting,
      transcript: undefined,
      documents: old.documents,
      missing: [],
      isGone: false,
    });
    expect(await read("mtg_2")).toBeUndefined();
    expect(await write(store(), [late(old.memory), itemOf("mtg_3")])).toEqual([]);
    expect(await read("mtg_1")).toMatchObject({ documents: [documentOf("doc_2")], isGone: true });
  });

  test("an id without a row is pending, until a row of it is written", async () => {
    const pending = itemOf("mtg_1", { meeting: undefined, memory: "pending", dueAt: new Date(1_000) });
    expect(await write(store(), [pending])).toEqual([]);
    expect(await read("mtg_1")).toBeUndefined();
    expect(await store().ids(undefined, 10)).toEqual(["mtg_1"]);
    expect(await store().due(new Date(1_000), 10)).toEqual(["mtg_1"]);
    expect(await store().readMemory(["mtg_1"])).toEqual(new Map([["mtg_1", "pending"]]));
    expect(await write(store(), [{ ...pending, memory: "wrong" }, itemOf("mtg_2")])).toEqual(["mtg_1"]);
    expect(await write(store(), [itemOf("mtg_1")])).toEqual(["mtg_1"]);
    const again = { ...pending, before: "pending", memory: "again", dueAt: undefined };
    expect(await write(store(), [again])).toEqual([]);
    expect(await store().due(LATER, 10)).toEqual([]);
    const listed = itemOf("mtg_1", { before: "again", memory: "listed", documents: [documentOf("doc_1")] });
    expect(await write(store(), [listed])).toEqual([]);
    expect(await read("mtg_1")).toMatchObject({ meeting: listed.meeting, documents: listed.documents });
    expect(await store().ids(undefined, 10)).toEqual(["mtg_1", "mtg_2"]);
    expect(await store().readMemory(["mtg_1"])).toEqual(new Map([["mtg_1", "listed"]]));
    expect(await write(store(), [], { removed: [{ id: "mtg_1", before: "listed" }] })).toEqual([]);
    expect(await store().ids(undefined, 10)).toEqual(["mtg_2"]);
  });

  test("a removed meeting goes with everything, if its memory is the one before", async () => {
    const item = itemOf("mtg_1", { transcript: transcriptOf("mtg_1", "Hello"), documents: [documentOf("doc_1")] });
    const pending = itemOf("mtg_2", { meeting: undefined, memory: "pending" });
    await write(store(), [item, pending, itemOf("mtg_3")]);
    const wrong = ["mtg_1", "mtg_2", "mtg_4"].map((id) => ({ id, before: "wrong" }));
    expect([...(await write(store(), [], { removed: wrong }))].sort()).toEqual(["mtg_1", "mtg_2", "mtg_4"]);
    expect(await read("mtg_1")).toMatchObject({ documents: item.documents });
    const removed = [item, pending].map(({ id, memory }) => ({ id, before: memory }));
    expect(await write(store(), [], { removed })).toEqual([]);
    expect(await read("mtg_1")).toBeUndefined();
    expect(await store().ids(undefined, 10)).toEqual(["mtg_3"]);
    // Nothing is left of it that a new meeting with this id would have.
    expect(await write(store(), [itemOf("mtg_1")])).toEqual([]);
    expect(await read("mtg_1")).toMatchObject({ transcript: undefined, documents: [] });
  });
}

function describeOrder(store: () => MeetingStore): void {
  test("due ids come with the earliest first, the time itself included", async () => {
    const at = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);
    const items = [30, 10, 20, 40].map((ms) => itemOf(`mtg_${ms}`, { dueAt: at(ms) }));
    const pending = itemOf("mtg_15", { meeting: undefined, dueAt: at(15) });
    await write(store(), [...items, pending, itemOf("mtg_never")]);
    expect(await store().due(at(9), 10)).toEqual([]);
    expect(await store().due(at(30), 10)).toEqual(["mtg_10", "mtg_15", "mtg_20", "mtg_30"]);
    expect(await store().due(at(1_000), 3)).toEqual(["mtg_10", "mtg_15", "mtg_20"]);
    await write(store(), [itemOf("mtg_10", { before: itemOf("mtg_10").memory, dueAt: undefined })]);
    expect(await store().due(at(1_000), 2)).toEqual(["mtg_15", "mtg_20"]);
  });

  test("ids come in the order of their bytes, a page after the other", async () => {
    // In UTF-16 the last but one would come before the two before it, and no language would sort them like this.
    const ids = ["mtg_", "mtg_-", "mtg_10", "mtg_9", "mtg_Z", "mtg__proto__", "mtg_a", "mtg_b", "mtg_é", "mtg_￮"];
    ids.push("mtg_￯", "mtg_😀", "mtg_😀a");
    await write(
      store(),
      [...ids].reverse().map((id, index) => itemOf(id, index % 3 === 0 ? { meeting: undefined } : {})),
    );
    expect(await store().ids(undefined, 100)).toEqual(ids);
    expect(await store().ids("mtg_Y", 2)).toEqual(["mtg_Z", "mtg__proto__"]);
    const read: string[] = [];
    for (let page = await store().ids(undefined, 3); page.length > 0; page = await store().ids(read.at(-1), 3)) {
      read.push(...page);
    }
    expect(read).toEqual(ids);
  });

  test("memories of 10,000 ids are read at once", async () => {
    await write(
      store(),
      Array.from({ length: 60 }, (_, index) => itemOf(`mtg_${index}`)),
    );
    const ids = Array.from({ length: 10_000 }, (_, index) => `mtg_${index + 10}`);
    expect((await store().readMemory(ids)).size).toBe(50);
  });
}

function describeTwo(opened: () => OpenedStore): void {
  test("of writers that decided on the same memory, one is right", async () => {
    const stores = [opened().store, opened().another(), opened().another()];
    for (let round = 0; round < 5; round += 1) {
      const before = round === 0 ? undefined : `round ${round - 1}`;
      const titles = stores.map((_, index) => `${round}.${index}`);
      const refused = await Promise.all(
        stores.map((store, index) =>
          write(store, [
            itemOf("mtg_1", { before, memory: `round ${round}`, meeting: meetingOf("mtg_1", titles[index]) }),
          ]),
        ),
      );
      expect(refused.flat()).toEqual(["mtg_1", "mtg_1"]);
      const winner = refused.findIndex((ids) => ids.length === 0);
      expect((await opened().read("mtg_1"))?.meeting).toMatchObject({ title: titles[winner] });
    }
  });

  test("another store over the same data reads what was written", async () => {
    await write(opened().store, [itemOf("mtg_1")], { state: "state" });
    const other = opened().another();
    expect(await other.readState()).toBe("state");
    expect(await other.ids(undefined, 5)).toEqual(["mtg_1"]);
    expect(await write(other, [itemOf("mtg_2")])).toEqual([]);
    expect(await opened().store.ids(undefined, 5)).toEqual(["mtg_1", "mtg_2"]);
  });
}

function describeLock(opened: () => OpenedStore): void {
  test("one run holds the store, until it releases it", async () => {
    const { store } = opened();
    const lock = await lockOf(store);
    const held = await opened().another().lock?.();
    expect(held).toHaveProperty("heldUntil");
    expect((held as { heldUntil: Date }).heldUntil.getTime()).toBeGreaterThan(Date.now());
    expect(await store.write({ items: [itemOf("mtg_1")], removed: [] }, lock)).toEqual([]);
    await lock.release();
    const next = await lockOf(opened().another());
    await next.release();
  });

  test("a write with a lock that was lost writes nothing", async () => {
    const { store } = opened();
    await write(store, [itemOf("mtg_2", { documents: [documentOf("doc_1")] })], { state: "old" });
    const lost = await lockOf(store);
    await lost.release();
    const next = await lockOf(opened().another());
    const batch = {
      state: "new",
      nextAt: LATER,
      items: [itemOf("mtg_1"), itemOf("mtg_3", { meeting: undefined })],
      removed: [{ id: "mtg_2", before: itemOf("mtg_2").memory }],
    };
    await expect(store.write(batch, lost)).rejects.toMatchObject({ name: "StoreLockLostError" });
    expect(await store.readState()).toBe("old");
    expect(await store.ids(undefined, 10)).toEqual(["mtg_2"]);
    expect(await opened().read("mtg_2")).toMatchObject({ documents: [documentOf("doc_1")] });
    await next.release();
  });

  test("a write without a lock succeeds while another run holds the store", async () => {
    const lock = await lockOf(opened().store);
    expect(await write(opened().another(), [itemOf("mtg_1")])).toEqual([]);
    expect(await opened().store.ids(undefined, 10)).toEqual(["mtg_1"]);
    expect(await opened().store.write({ items: [itemOf("mtg_2")], removed: [] }, lock)).toEqual([]);
    await lock.release();
  });
}

function describeOddValues(store: () => MeetingStore, read: OpenedStore["read"]): void {
  test("odd texts are stored as they are", async () => {
    const odd = `'";-- \\ \\u0000 \\\\ud800 %s $1 ? {{}} \r\n\t\u2028 😀 \u0001`;
    const memory = JSON.stringify({ odd, nul: "\0", half: "\ud800" });
    const items = [
      itemOf("mtg_'\"?$1", {
        meeting: { ...meetingOf("mtg_'\"?$1", odd), [odd]: [odd], host: { name: odd } } as Meeting,
        transcript: transcriptOf("mtg_1", odd),
        documents: [{ ...documentOf("doc_'1"), title: odd, content: odd }],
        memory,
      }),
    ];
    expect(await write(store(), items, { state: memory })).toEqual([]);
    expect(await store().readState()).toBe(memory);
    expect(await store().ids(undefined, 5)).toEqual(["mtg_'\"?$1"]);
    expect(await store().readMemory(["mtg_'\"?$1"])).toEqual(new Map([["mtg_'\"?$1", memory]]));
    expect(await read("mtg_'\"?$1")).toMatchObject({
      meeting: items[0]?.meeting,
      transcript: items[0]?.transcript,
      documents: items[0]?.documents,
    });
    expect(await write(store(), [itemOf("mtg_'\"?$1", { before: memory })])).toEqual([]);
  });

  test("a million characters and deep JSON are stored", async () => {
    let deep: unknown = "end";
    for (let depth = 0; depth < 1_500; depth += 1) deep = depth % 2 === 0 ? [deep] : { deep };
    const long = "“Long” 😀 ".repeat(100_000);
    const item = itemOf("mtg_1", {
      meeting: { ...meetingOf("mtg_1", long), deep } as Meeting,
      transcript: { ...transcriptOf("mtg_1", long), deep } as Transcript,
      documents: [{ ...documentOf("doc_1"), content: long }],
      memory: long,
    });
    expect(await write(store(), [item, itemOf("mtg_2")], { state: long })).toEqual([]);
    const stored = await read("mtg_1");
    expect(sorted(stored?.meeting)).toEqual(sorted(item.meeting));
    expect(sorted(stored?.transcript)).toEqual(sorted(item.transcript));
    expect(stored?.documents[0]?.content === long).toBe(true);
    expect((await store().readMemory(["mtg_1"])).get("mtg_1") === long).toBe(true);
    expect((await store().readState()) === long).toBe(true);
  });

  test("what does not match the API specification is stored as it was received", async () => {
    const meeting = JSON.parse(
      '{"id":"mtg_1","title":7,"status":null,"source":{"a":1},"start_time":"soon","duration":"1 h","__proto__":{"x":1}}',
    );
    const transcript = { meeting_id: "mtg_1", segments: "none", speakers: [null, 1], language: null } as never;
    expect(await write(store(), [itemOf("mtg_1", { meeting, transcript })])).toEqual([]);
    const stored = await read("mtg_1");
    expect(sorted(stored?.meeting)).toEqual(sorted(meeting));
    expect(stored?.transcript).toEqual(transcript);
  });

  test("times at the ends of what a Date can hold are due in their order", async () => {
    const items = [8.64e15, 1e15, 0, -1e15].map((ms, index) => itemOf(`mtg_${index}`, { dueAt: new Date(ms) }));
    await write(store(), items, { nextAt: new Date(8.64e15) });
    expect(await store().due(new Date(1), 10)).toEqual(["mtg_3", "mtg_2"]);
    expect(await store().due(new Date(8.64e15), 10)).toHaveLength(4);
  });
}

/** The keys and values of a JSON value, with the keys of each object sorted: jsonb has an order of its own. */
function sorted(value: unknown): unknown[] {
  const parts: unknown[] = [];
  const open = [value];
  while (open.length > 0) {
    const current = open.pop();
    const isNested = typeof current === "object" && current !== null;
    const fields = isNested ? Object.entries(current).sort(([left], [right]) => (left < right ? -1 : 1)) : [];
    parts.push(isNested ? fields.map(([key]) => key) : current);
    open.push(...fields.map(([, field]) => field));
  }
  return parts;
}
