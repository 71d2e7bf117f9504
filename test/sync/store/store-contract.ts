/** What every store promises. Each store has a test file that calls `storeContract`. */
import type { Document, MeetingStore } from "notetaker-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { documentOf, itemOf, locked, meetingOf, write } from "./store-items.js";
import { describeModel } from "./store-model.js";
import { describeOddValues } from "./store-odd-values.js";

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

/**
 * @param open - opens a store with empty data; called for each test
 * @param options - `hasLock: false` for a store without `lock`; `isExclusive` for one whose writes all need the lock
 */
export function storeContract(
  name: string,
  open: () => Promise<OpenedStore>,
  { hasLock = true, isExclusive = false }: { hasLock?: boolean; isExclusive?: boolean } = {},
): void {
  describe(name, () => {
    let opened: OpenedStore;
    let store: MeetingStore;
    beforeEach(async () => {
      opened = await open();
      store = opened.store;
    });
    afterEach(() => opened.close?.());
    const read = (id: string) => opened.read(id);
    describeOrder(() => store);
    describeTwo(() => opened);
    if (hasLock) describeLock(() => opened, isExclusive);
    describeOddValues(() => store, read);
    describeModel(() => opened);
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

  test("ids come each once, a page after the other, in an order that stays", async () => {
    const ids = ["mtg_", "mtg_-", "mtg_10", "mtg_9", "mtg_Z", "mtg__proto__", "mtg_a", "mtg_b", "mtg_é", "mtg_￮"];
    ids.push("mtg_￯", "mtg_😀", "mtg_😀a");
    await write(
      store(),
      [...ids].reverse().map((id, index) => itemOf(id, index % 3 === 0 ? { meeting: undefined } : {})),
    );
    const all = await store().ids(undefined, 100);
    expect([...all].sort()).toEqual([...ids].sort());
    const read: string[] = [];
    for (let page = await store().ids(undefined, 3); page.length > 0; page = await store().ids(read.at(-1), 3)) {
      read.push(...page);
    }
    expect(read).toEqual(all);
    // The order stays, also after the id of the latest page was removed.
    const [first = "", second = "", ...rest] = all;
    await write(store(), [itemOf("mtg_5")], { removed: [{ id: second, before: itemOf(second).memory }] });
    expect((await store().ids(second, 100)).filter((id) => id !== "mtg_5")).toEqual(rest);
    expect(await store().ids(undefined, 100)).toContain(first);
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
}

function describeLock(opened: () => OpenedStore, isExclusive: boolean): void {
  test("one run holds the store, until it releases it", async () => {
    const { store } = opened();
    const lock = await locked(store);
    const held = await opened().another().lock?.();
    expect(held).toHaveProperty("heldUntil");
    expect((held as { heldUntil: Date }).heldUntil.getTime()).toBeGreaterThan(Date.now());
    expect(await store.write({ items: [itemOf("mtg_1")], removed: [] }, lock)).toEqual([]);
    await lock.release();
    const next = await locked(opened().another());
    await next.release();
  });

  test("a write with a lock that was released, or lost to another run, writes nothing", async () => {
    const { store } = opened();
    await write(store, [itemOf("mtg_2", { documents: [documentOf("doc_1")] })], { state: "old" });
    const lost = await locked(store);
    await lost.release();
    const batch = {
      state: "new",
      nextAt: LATER,
      items: [itemOf("mtg_1"), itemOf("mtg_3", { meeting: undefined })],
      removed: [{ id: "mtg_2", before: itemOf("mtg_2").memory }],
    };
    await expect(store.write(batch, lost)).rejects.toMatchObject({ name: "StoreLockLostError" });
    const next = await locked(opened().another());
    await expect(store.write(batch, lost)).rejects.toMatchObject({ name: "StoreLockLostError" });
    expect(await store.readState()).toBe("old");
    expect(await store.ids(undefined, 10)).toEqual(["mtg_2"]);
    expect(await opened().read("mtg_2")).toMatchObject({ documents: [documentOf("doc_1")] });
    await next.release();
  });

  test(`a write without a lock ${isExclusive ? "waits for" : "succeeds beside"} a run that holds the store`, async () => {
    const lock = await locked(opened().store);
    const writing = write(opened().another(), [itemOf("mtg_1")]);
    if (!isExclusive) await writing;
    expect(await opened().store.ids(undefined, 10)).toEqual(isExclusive ? [] : ["mtg_1"]);
    expect(await opened().store.write({ items: [itemOf("mtg_2")], removed: [] }, lock)).toEqual([]);
    await lock.release();
    expect(await writing).toEqual([]);
    expect(await opened().store.ids(undefined, 10)).toEqual(["mtg_1", "mtg_2"]);
  });
}
