/** What a store keeps of a batch. */
import type { MeetingStore, StoreItem } from "notetaker-sdk";
import { expect, test } from "vitest";
import type { OpenedStore } from "./store-contract.js";
import { documentOf, itemOf, meetingOf, transcriptOf, write } from "./store-items.js";

const LATER = new Date("2026-03-01T00:00:00Z");
const documents = [documentOf("doc_1", "markdown"), documentOf("doc_1", "html"), documentOf("doc_2", "markdown")];
const whole = (id: string, fields: Partial<StoreItem> = {}) =>
  itemOf(id, { transcript: transcriptOf(id, "Hello"), documents, ...fields });

/** What is read of an item, with its documents in any order. */
const visible = ({ meeting, transcript, documents, missing, isGone }: StoreItem) => ({
  meeting,
  transcript,
  documents: documents.length === 0 ? [] : expect.arrayContaining([...documents]),
  missing,
  isGone,
});

export function describeData(store: () => MeetingStore, read: OpenedStore["read"]): void {
  test("an empty store has no state, no memory and no ids", async () => {
    expect(await store().readState()).toBeUndefined();
    expect(await store().readMemory(["mtg_1"])).toEqual(new Map());
    expect(await store().readMemory([])).toEqual(new Map());
    expect(await store().due(LATER, 10)).toEqual([]);
    expect(await store().ids(undefined, 10)).toEqual([]);
    expect(await read("mtg_1")).toBeUndefined();
  });

  test("a batch is written with its state, and read back", async () => {
    const [first, second] = [whole("mtg_1"), itemOf("mtg_2")];
    expect(await write(store(), [first, second], { state: "{}", nextAt: LATER })).toEqual([]);
    expect(await store().readState()).toBe("{}");
    const memory = await store().readMemory(["mtg_2", "mtg_3", "mtg_1"]);
    expect([...memory].sort()).toEqual([first, second].map((item) => [item.id, item.memory]));
    expect(await read("mtg_1")).toEqual(visible(first));
    expect(await read("mtg_2")).toEqual(visible({ ...second, transcript: undefined } as never));
  });

  test("what a batch and an item do not name stays as it is stored", async () => {
    const first = whole("mtg_1");
    await write(store(), [first], { state: "one" });
    const gap = { what: "recording", reason: "failed", retryable: true, message: "500" } as const;
    const missing = [{ meeting_id: "mtg_1", title: null, ...gap }];
    const second = itemOf("mtg_1", { meeting: undefined, before: first.memory, memory: "2", missing, isGone: true });
    expect(await write(store(), [second])).toEqual([]);
    expect(await store().readState()).toBe("one");
    expect(await store().readMemory(["mtg_1"])).toEqual(new Map([["mtg_1", "2"]]));
    expect(await read("mtg_1")).toEqual(visible({ ...first, missing, isGone: true }));
    const meeting = meetingOf("mtg_1", "New");
    await write(store(), [itemOf("mtg_1", { meeting, before: "2" })], { state: "" });
    expect(await store().readState()).toBe("");
    expect(await read("mtg_1")).toEqual(visible({ ...first, meeting }));
  });

  test("a document is replaced in its format, and goes in all formats", async () => {
    await write(store(), [itemOf("mtg_1", { documents }), itemOf("mtg_2", { documents })]);
    const before = itemOf("mtg_1").memory;
    const changed = { ...documentOf("doc_1", "html"), content: "<p>new</p>", title: "New" };
    await write(store(), [itemOf("mtg_1", { before, documents: [changed], documentsGone: ["doc_2", "doc_9"] })]);
    const stored = (await read("mtg_1"))?.documents;
    expect(stored).toHaveLength(2);
    expect(stored).toEqual(expect.arrayContaining([documents[0], changed]));
    await write(store(), [itemOf("mtg_1", { before, documentsGone: ["doc_1"] })]);
    expect((await read("mtg_1"))?.documents).toEqual([]);
    expect((await read("mtg_2"))?.documents).toHaveLength(3);
  });

  test("nothing is written of an item whose memory is not the one before, and its id is returned", async () => {
    const old = whole("mtg_1");
    await write(store(), [old]);
    const late = (before: string | undefined) =>
      itemOf("mtg_1", { meeting: meetingOf("mtg_1", "Late"), documentsGone: ["doc_1"], memory: "late", before });
    for (const before of [undefined, "another", ""]) {
      const refused = await write(store(), [late(before), itemOf("mtg_2", { before: "none" })], { state: "new" });
      expect([...refused].sort()).toEqual(["mtg_1", "mtg_2"]);
    }
    expect(await store().readState()).toBe("new");
    expect(await store().readMemory(["mtg_1", "mtg_2"])).toEqual(new Map([["mtg_1", old.memory]]));
    expect(await read("mtg_1")).toEqual(visible(old));
    expect(await read("mtg_2")).toBeUndefined();
    expect(await write(store(), [late(old.memory), itemOf("mtg_3")])).toEqual([]);
    expect(await read("mtg_1")).toMatchObject({ meeting: { title: "Late" }, documents: [documents[2]] });
  });

  test("an id without a row is pending, until a row of it is written", async () => {
    const pending = itemOf("mtg_1", { meeting: undefined, memory: "pending", dueAt: new Date(1_000) });
    expect(await write(store(), [pending])).toEqual([]);
    expect(await read("mtg_1")).toBeUndefined();
    expect(await store().ids(undefined, 10)).toEqual(["mtg_1"]);
    expect(await store().due(new Date(1_000), 10)).toEqual(["mtg_1"]);
    expect(await store().readMemory(["mtg_1"])).toEqual(new Map([["mtg_1", "pending"]]));
    expect(await write(store(), [itemOf("mtg_1")])).toEqual(["mtg_1"]);
    expect(await write(store(), [whole("mtg_1", { before: "pending" })])).toEqual([]);
    expect(await store().due(LATER, 10)).toEqual([]);
    expect(await read("mtg_1")).toEqual(visible(whole("mtg_1")));
  });
}

export function describeTombstones(store: () => MeetingStore, read: OpenedStore["read"]): void {
  test("a removed meeting goes with everything, if its memory is the one before", async () => {
    const [item, pending] = [whole("mtg_1"), itemOf("mtg_2", { meeting: undefined, memory: "pending" })];
    await write(store(), [item, pending, itemOf("mtg_3")]);
    const wrong = ["mtg_1", "mtg_2", "mtg_4"].map((id) => ({ id, before: "wrong" }));
    expect([...(await write(store(), [], { removed: wrong }))].sort()).toEqual(["mtg_1", "mtg_2", "mtg_4"]);
    expect(await read("mtg_1")).toEqual(visible(item));
    const removed = [item, pending].map(({ id, memory }) => ({ id, before: memory }));
    expect(await write(store(), [], { removed })).toEqual([]);
    expect(await read("mtg_1")).toBeUndefined();
    expect(await store().ids(undefined, 10)).toEqual(["mtg_3"]);
    // Nothing is left of it that a new meeting with this id would have.
    expect(await write(store(), [itemOf("mtg_1")])).toEqual([]);
    expect(await read("mtg_1")).toMatchObject({ transcript: undefined, documents: [] });
  });

  test("a removed meeting keeps the memory that is to stay, and is not due", async () => {
    const item = whole("mtg_1", { dueAt: LATER });
    await write(store(), [item]);
    const removed = ["mtg_1", "mtg_2", "mtg_3"].map((id) => ({ id, before: "other", memory: "forgotten" }));
    Object.assign(removed[0] ?? {}, { before: item.memory });
    Object.assign(removed[1] ?? {}, { before: undefined });
    expect(await write(store(), [], { removed })).toEqual(["mtg_3"]);
    for (const id of ["mtg_1", "mtg_2"]) expect(await read(id)).toBeUndefined();
    const memory = [...(await store().readMemory(["mtg_1", "mtg_2", "mtg_3"]))].sort();
    expect(memory).toEqual(["mtg_1", "mtg_2"].map((id) => [id, "forgotten"]));
    expect([...(await store().ids(undefined, 10))].sort()).toEqual(["mtg_1", "mtg_2"]);
    expect(await store().due(LATER, 10)).toEqual([]);
    expect(await write(store(), [itemOf("mtg_1", { before: "forgotten" })])).toEqual([]);
    expect(await read("mtg_1")).toMatchObject({ documents: [] });
  });
}
