/** Concurrent work: in order for a walk, in any order for an export. */
import { describe, expect, it } from "vitest";
import { forEachConcurrently } from "../../../src/node/export/for-each-concurrently.js";
import { inOrder } from "../../../src/node/walk/in-order.js";
import { rejection } from "../../support/recorder.js";

const ITEMS = [1, 2, 3, 4, 5];
const aTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when the test says so, and a list of the items whose work has started. */
function controlled() {
  const begun: number[] = [];
  const ends = new Map<number, { resolve: (value: string) => void; reject: (error: unknown) => void }>();
  const work = (item: number) => {
    begun.push(item);
    return new Promise<string>((resolve, reject) => ends.set(item, { resolve, reject }));
  };
  return { begun, work, end: (item: number) => ends.get(item)?.resolve(`done ${item}`), ends };
}

describe("ordered concurrent work", () => {
  it("yields each item with its result in the order of the items", async () => {
    const { work, end } = controlled();
    const all = (async () => {
      const yielded: unknown[] = [];
      for await (const { item, result } of inOrder([1, 2, 3], 3, work)) yielded.push([item, result]);
      return yielded;
    })();
    await aTurn();
    for (const item of [3, 1, 2]) end(item);
    expect(await all).toEqual([
      [1, "done 1"],
      [2, "done 2"],
      [3, "done 3"],
    ]);
  });

  it("runs for at most as many items as the limit, including the one that is being used", async () => {
    const { begun, work, end } = controlled();
    const walk = inOrder(ITEMS, 2, work);
    const first = walk.next();
    expect(begun).toEqual([1, 2]);
    end(1);
    end(2);
    await first;
    await aTurn();
    expect(begun).toEqual([1, 2]);
    await walk.next();
    expect(begun).toEqual([1, 2, 3]);
    await walk.return();
  });

  it("throws a failure when it is the item's turn", async () => {
    const { work, end, ends } = controlled();
    const walk = inOrder([1, 2], 2, work);
    const first = walk.next();
    ends.get(2)?.reject("broken");
    await aTurn();
    end(1);
    expect((await first).value).toEqual({ item: 1, result: "done 1" });
    expect(await rejection(walk.next())).toBe("broken");
  });

  it("yields nothing if there are no items", async () => {
    const { begun, work } = controlled();
    expect((await inOrder([], 2, work).next()).done).toBe(true);
    expect(begun).toEqual([]);
  });
});

describe("concurrent work", () => {
  const { signal } = new AbortController();

  it.each([1, 2, 5, 9])("is done once for each item, for at most %i items at a time", async (limit) => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    await forEachConcurrently(ITEMS, limit, signal, async (item) => {
      running += 1;
      most = Math.max(most, running);
      await aTurn();
      running -= 1;
      done.push(item);
    });
    expect(done.sort()).toEqual(ITEMS);
    expect(most).toBe(Math.min(limit, ITEMS.length));
  });

  it("ends with the first failure after the work under way has ended, and starts no more work", async () => {
    const begun: number[] = [];
    let reason: unknown;
    const all = forEachConcurrently(ITEMS, 2, signal, async (item, groupSignal) => {
      begun.push(item);
      if (item === 2) throw "first";
      await aTurn();
      await aTurn();
      reason = groupSignal.reason;
      throw "second";
    });
    expect(await rejection(all)).toBe("first");
    expect(begun).toEqual([1, 2]);
    expect(reason).toBe("first");
  });

  it("ends with a failure even if its reason is undefined", async () => {
    const failing = forEachConcurrently([1], 1, signal, () => Promise.reject(undefined));
    await expect(failing.then(() => "fine")).rejects.toBeUndefined();
  });

  it("ends with the signal's reason, and starts no more work", async () => {
    const controller = new AbortController();
    const begun: number[] = [];
    const all = forEachConcurrently(ITEMS, 2, controller.signal, async (item) => {
      begun.push(item);
      if (item === 2) controller.abort("enough");
      await aTurn();
    });
    expect(await rejection(all)).toBe("enough");
    expect(begun).toEqual([1, 2]);
    expect(await rejection(forEachConcurrently(ITEMS, 2, controller.signal, async () => {}))).toBe("enough");
  });

  it("ends at once if there are no items", async () => {
    await forEachConcurrently([], 4, signal, () => Promise.reject(new Error("there is none")));
  });
});
