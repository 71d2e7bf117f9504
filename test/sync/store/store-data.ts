/** What a store keeps of a batch. */
import type { MeetingStore } from "notetaker-sdk";
import { expect, test } from "vitest";
import type { OpenedStore } from "./store-contract.js";
import { documentOf, itemOf, meetingOf, transcriptOf, write } from "./store-items.js";

const LATER = new Date("2026-03-01T00:00:00Z");

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

export function describeTombstones(store: () => MeetingStore, read: OpenedStore["read"]): void {
  test("a removed meeting keeps the memory that is to stay, and is not due", async () => {
    const item = itemOf("mtg_1", { documents: [documentOf("doc_1")], dueAt: LATER });
    await write(store(), [item]);
    const removed = [
      { id: "mtg_1", before: item.memory, memory: "forgotten" },
      { id: "mtg_2", before: undefined, memory: "forgotten" },
      { id: "mtg_3", before: "other", memory: "forgotten" },
    ];
    expect(await write(store(), [], { removed })).toEqual(["mtg_3"]);
    for (const id of ["mtg_1", "mtg_2"]) expect(await read(id)).toBeUndefined();
    const memory = await store().readMemory(["mtg_1", "mtg_2", "mtg_3"]);
    expect([...memory].sort()).toEqual([
      ["mtg_1", "forgotten"],
      ["mtg_2", "forgotten"],
    ]);
    expect([...(await store().ids(undefined, 10))].sort()).toEqual(["mtg_1", "mtg_2"]);
    expect(await store().due(LATER, 10)).toEqual([]);
    expect(await write(store(), [itemOf("mtg_1", { before: "forgotten" })])).toEqual([]);
    expect(await read("mtg_1")).toMatchObject({ documents: [] });
  });
}
