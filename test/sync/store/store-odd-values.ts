/** Values that a service may send, and that a store may trip over. */
import type { Meeting, MeetingStore, Transcript } from "notetaker-sdk";
import { expect, test } from "vitest";
import type { OpenedStore } from "./store-contract.js";
import { documentOf, itemOf, meetingOf, transcriptOf, write } from "./store-items.js";

export function describeOddValues(store: () => MeetingStore, read: OpenedStore["read"]): void {
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
    const document = { id: "doc_1", title: 7, format: "markdown", created_at: null } as never;
    expect(await write(store(), [itemOf("mtg_1", { meeting, transcript, documents: [document] })])).toEqual([]);
    const stored = await read("mtg_1");
    expect(sorted(stored?.meeting)).toEqual(sorted(meeting));
    expect(stored?.transcript).toEqual(transcript);
    expect(stored?.documents).toMatchObject([{ id: "doc_1", format: "markdown" }]);
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
