/** Compares a store with the one in memory, over random batches. */
import fc from "fast-check";
import { type Document, type MeetingStore, memoryStore, type StoreItem } from "notetaker-sdk";
import { expect, test } from "vitest";
import { runs } from "../../support/property-seed.js";
import type { OpenedStore } from "./store-contract.js";
import { documentOf, itemOf, meetingOf, transcriptOf } from "./store-items.js";

const IDS = ["mtg_1", "mtg_2", "mtg_10", "mtg_😀", "mtg_￮"];
const rarely = fc.integer({ min: 0, max: 5 }).map((number) => number === 0);

const document = fc.record({
  id: fc.constantFrom("doc_1", "doc_2"),
  format: fc.constantFrom("markdown", "html"),
  content: fc.string({ maxLength: 5, unit: "binary" }),
});

/** What happens to one meeting. `isStale`: it was decided on a memory that is not the stored one, or on none. */
const change = fc.record({
  id: fc.constantFrom(...IDS),
  isStale: rarely,
  isRemoved: rarely,
  hasRow: fc.boolean(),
  hasTranscript: fc.boolean(),
  documents: fc.uniqueArray(document, { selector: ({ id, format }) => id + format, maxLength: 3 }),
  documentsGone: fc.uniqueArray(fc.constantFrom("doc_1", "doc_2"), { maxLength: 2 }),
  isMissing: fc.boolean(),
  isGone: fc.boolean(),
  dueMs: fc.option(fc.integer({ min: 0, max: 50 })),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const batch = fc.record({
  state: fc.option(fc.constantFrom("one", "two", "")),
  changes: fc.uniqueArray(change, { selector: ({ id }) => id, maxLength: 5 }),
});

function itemFor(made: Change, before: string | undefined, number: number): StoreItem {
  const { id, dueMs, isMissing, isGone, documentsGone } = made;
  const piece = { meeting_id: id, title: null, what: "transcript", reason: "failed", message: String(number) } as const;
  return itemOf(id, {
    meeting: made.hasRow ? meetingOf(id, `Title ${number}`) : undefined,
    ...(made.hasTranscript && { transcript: transcriptOf(id, `Text ${number}`) }),
    // Postgres cannot store U+0000.
    documents: made.documents.map((one) => ({
      ...documentOf(one.id, one.format),
      content: one.content.replaceAll("\0", ""),
    })),
    documentsGone: documentsGone.filter((gone) => made.documents.every((one) => one.id !== gone)),
    missing: isMissing ? [{ ...piece, retryable: number % 2 === 0 }] : [],
    isGone,
    memory: `memory ${number}`,
    before,
    // Times that are the same may be due in any order.
    dueAt: dueMs === null ? undefined : new Date(dueMs * 1_000 + IDS.indexOf(id)),
  });
}

/** All that can be read of a store. */
const contentOf = async (store: MeetingStore) => ({
  state: await store.readState(),
  ids: [...(await store.ids(undefined, 100))].sort(),
  memory: new Map([...(await store.readMemory(IDS))].sort()),
  due: await store.due(new Date(25_000), 100),
  firstDue: await store.due(new Date(1e6), 2),
});

/** With its documents in one order. */
const inOrder = <T extends { readonly documents: readonly Document[] }>(stored: T | undefined) =>
  stored && {
    ...stored,
    documents: [...stored.documents].sort((left, right) => (left.id + left.format < right.id + right.format ? -1 : 1)),
  };

export function describeModel(opened: () => OpenedStore): void {
  test("any batches have the same results as in memory", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 12 }), async (batches) => {
        const { store, another, read } = opened();
        await empty(store);
        const model = memoryStore();
        // The state cannot be removed, so it begins as a text.
        for (const one of [store, model]) await one.write({ state: "start", items: [], removed: [] }, undefined);
        for (const [number, { state, changes }] of batches.entries()) {
          const memory = await model.readMemory(IDS);
          const beforeOf = ({ id, isStale, isGone }: Change) => {
            if (isStale) return isGone ? "stale" : undefined;
            return memory.get(id);
          };
          const removed = changes.flatMap((made) => {
            const kept = made.isMissing ? { memory: `kept ${number}` } : {};
            return made.isRemoved ? { id: made.id, before: beforeOf(made), ...kept } : [];
          });
          const items = changes.flatMap((made) => (made.isRemoved ? [] : itemFor(made, beforeOf(made), number)));
          const written = { ...(state !== null && { state }), items, removed };
          const writer = number % 2 === 0 ? store : another();
          const refused = [...(await writer.write(written, undefined))].sort();
          // Of a meeting that was never stored, either answer is right: nothing is left of it.
          const isNoMatter = (id: string) =>
            removed.some((one) => one.id === id && one.before === undefined && !("memory" in one));
          const expected = [...(await model.write(written, undefined))].sort();
          expect(refused.filter((id) => !isNoMatter(id))).toEqual(expected.filter((id) => !isNoMatter(id)));
          expect(await contentOf(store)).toEqual(await contentOf(model));
        }
        for (const id of IDS) expect(inOrder(await read(id))).toEqual(inOrder(model.meetings.get(id)));
      }),
      { numRuns: runs(30) },
    );
  });
}

async function empty(store: MeetingStore): Promise<void> {
  const memory = await store.readMemory(await store.ids(undefined, 1_000));
  const removed = [...memory].map(([id, before]) => ({ id, before }));
  expect(await store.write({ items: [], removed }, undefined)).toEqual([]);
}
