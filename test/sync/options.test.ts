/** An invalid option or combination of `syncMeetings`: nothing is sent, and the store is not touched. */
import { InvalidArgumentError, type MemoryStore, memoryStore, type SyncOptions, syncMeetings } from "notetaker-sdk";
import { expect, it } from "vitest";
import { SmallService } from "./support/small-service.js";

/** A store that notes each call. */
function notedStore(calls: string[]): MemoryStore {
  const store = memoryStore();
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        calls.push(String(name));
        return Reflect.apply(value, target, args);
      };
    },
  });
}

const events = (async function* () {})();

const INVALID: readonly [Record<string, unknown>, string | RegExp][] = [
  [{ into: undefined }, "into: expected a store, such as sqliteStore(db)"],
  [{ into: "meetings" }, "into: expected a store, such as sqliteStore(db)"],
  [{ into: { readState() {}, readMemory() {}, due() {} } }, "into: expected a store, such as sqliteStore(db)"],
  [{ follow: "yes" }, "follow"],
  [{ folow: true }, "did you mean follow?"],
  [{ only: [] }, "only: expected at least 1 meeting id, received 0"],
  [{ only: "mtg_1" }, "only: expected a list of meeting ids"],
  [{ only: ["room_1"] }, "only[0]"],
  [{ only: ["mtg_1", "mtg_a/b"] }, "only[1]"],
  [{ only: ["mtg_1"], follow: true }, "only: cannot be combined with follow"],
  [{ only: ["mtg_1"], since: "2026-01-01" }, "since: cannot be combined with only"],
  [{ only: ["mtg_1"], until: "2026-01-01" }, "until: cannot be combined with only"],
  [{ budget: 45 }, "budget"],
  [{ budget: { requests: 0 } }, "budget.requests"],
  [{ budget: { requests: 1.5 } }, "budget.requests"],
  [{ budget: { ms: -1 } }, "budget.ms"],
  [{ budget: { minutes: 1 } }, "budget.minutes"],
  [{ budget: { requests: 45 }, follow: true }, "budget: cannot be combined with follow"],
  [{ wake: events }, "wake: is an option of follow"],
  [{ wake: {}, follow: true }, "wake: expected an async iterable of events"],
  [{ wake: async () => events, follow: true }, "wake: expected a function that returns an async iterable of events"],
  [{ wake: () => [], follow: true }, "wake: expected a function that returns an async iterable of events"],
  [{ formats: { transcripts: true } }, "did you mean transcript?"],
  [{ formats: { transcript: "json" } }, "formats.transcript"],
  [{ formats: { documents: ["pdf"] } }, "formats.documents[0]"],
  [{ formats: { recording: true } }, "formats.recording: this store keeps no recordings"],
  [{ prune: "some" }, 'prune: expected true, false or "all"'],
  [{ pollMs: 0 }, "pollMs"],
  [{ pollMs: 2 ** 31 }, "pollMs"],
  [{ settleMs: Number.NaN }, "settleMs"],
  [{ settleMs: 2 ** 31 }, "settleMs"],
  [{ concurrency: 0 }, "concurrency"],
  [{ requestsPerMinute: 0.5 }, "requestsPerMinute"],
  [{ since: "yesterday" }, "since"],
  [{ since: new Date(Number.NaN) }, "since"],
  [{ since: "2026-02-01", until: "2026-01-01" }, "until"],
  [{ onChange: true }, "onChange"],
  [{ onProgress: {} }, "onProgress"],
  [{ signal: {} }, "signal"],
];

it.each(INVALID)("%o is refused, and the message names it", async (options, message) => {
  const service = new SmallService();
  const calls: string[] = [];
  const promise = syncMeetings(service.notetaker, { into: notedStore(calls), ...options } as SyncOptions);
  const error: unknown = await promise.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InvalidArgumentError);
  expect((error as Error).message).toContain(message);
  expect([service.sent, calls]).toEqual([[], []]);
});

it.each<[string, object]>([
  ["an invalid option", { follow: true, pollMs: 0 }],
  ["a signal that has aborted already", { follow: true, signal: AbortSignal.abort() }],
])("%s closes the events", async (_, options) => {
  const { notetaker } = new SmallService();
  let isClosed = false;
  const iterator: AsyncIterator<unknown> = {
    next: () => new Promise(() => {}),
    return: async () => {
      isClosed = true;
      return { done: true, value: undefined };
    },
  };
  const wake = { [Symbol.asyncIterator]: () => iterator };
  await expect(syncMeetings(notetaker, { into: memoryStore(), wake, ...options })).rejects.toThrow();
  expect(isClosed).toBe(true);
});

it("options that are no object are refused with a promise, as everything else is", async () => {
  const { notetaker } = new SmallService();
  await expect(syncMeetings(notetaker, undefined as never)).rejects.toBeInstanceOf(InvalidArgumentError);
});

it("a signal that has aborted already rejects with its reason, and the store is not touched", async () => {
  const service = new SmallService();
  const calls: string[] = [];
  const reason = new Error("over");
  const options = { into: notedStore(calls), signal: AbortSignal.abort(reason) };
  await expect(syncMeetings(service.notetaker, options)).rejects.toBe(reason);
  expect([service.sent, calls]).toEqual([[], []]);
});
