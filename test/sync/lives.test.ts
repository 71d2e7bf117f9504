/** One run of `syncMeetings`: what ends it, what it resolves to, and other runs beside it. */
import {
  type MeetingChange,
  type MemoryStore,
  memoryStore,
  type StoreBatch,
  StoreLockLostError,
  syncMeetings,
} from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY, ended, HOUR, MINUTE, settle, simulatedTime } from "./support/simulated-time.js";
import { healthOf, isByIds, isList, isTranscript, json, refusal, smallAccount } from "./support/small-service.js";

beforeEach(() => simulatedTime());

const REFUSED = { "retry-after": "60", "x-request-id": "req_7" };
const OVER = new Error("over");
const METHODS = ["lock", "readState", "readMemory", "due", "ids", "write"] as const;

/** A store that calls `before` with the number of each of its calls. */
function counted(store: MemoryStore, before: (count: number) => void): MemoryStore {
  let count = 0;
  const others = METHODS.map((name) => {
    const method = store[name] as (...args: unknown[]) => Promise<unknown>;
    const wrapped = async (...args: unknown[]) => {
      count += 1;
      before(count);
      return method(...args);
    };
    return [name, wrapped];
  });
  return { ...store, ...Object.fromEntries(others) };
}

describe("cancelling", () => {
  it("at any call of the store or request rejects with the signal's reason, and the next run completes", async () => {
    let isComplete = false;
    for (let at = 1; !isComplete; at += 1) {
      const { service, store, sync, textOf } = smallAccount("mtg_1", "mtg_2");
      const controller = new AbortController();
      let steps = 0;
      const step = () => {
        steps += 1;
        if (steps === at) controller.abort(OVER);
      };
      service.answer = () => void step();
      const options = { into: counted(store, step), signal: controller.signal };
      const outcome = await settle(syncMeetings(service.notetaker, options)).catch((error: unknown) => error);
      isComplete = steps < at;
      // The last calls of a run have nothing left to cancel.
      if (outcome !== OVER) expect(outcome).toMatchObject({ ended: "done" });
      if (isComplete) expect(at).toBeGreaterThan(15);
      service.answer = () => undefined;
      expect(await sync()).toMatchObject({ ended: "done" });
      expect([textOf("mtg_1"), textOf("mtg_2")]).toEqual(["said in mtg_1", "said in mtg_2"]);
    }
  });

  it("does not wait for onChange, and what it told of is stored", async () => {
    const { sync, store } = smallAccount("mtg_1");
    const controller = new AbortController();
    const onChange = () => {
      controller.abort(OVER);
      return new Promise<never>(() => {});
    };
    await expect(sync({ onChange, signal: controller.signal })).rejects.toBe(OVER);
    expect(store.meetings.size).toBe(1);
    // The store is free again.
    expect(await sync()).toMatchObject({ ended: "done" });
  });
});

describe.each(["onChange", "onProgress"])("what %s throws", (name) => {
  it.each([
    [
      "at once",
      () => {
        throw OVER;
      },
    ],
    ["later", () => Promise.reject(OVER)],
  ])("%s ends the run with that very error, and the store is free again", async (_, fail) => {
    const { store, sync } = smallAccount("mtg_1");
    await expect(sync({ [name]: fail })).rejects.toBe(OVER);
    // It is told of after the write.
    if (name === "onChange") expect(store.meetings.size).toBe(1);
    expect(await sync()).toMatchObject({ ended: "done" });
  });
});

describe("another run", () => {
  it("that lives makes a run end busy, with the end of its lease, and nothing is sent", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    let heldUntil = Date.now() + MINUTE;
    setInterval(() => {
      heldUntil += MINUTE;
    }, MINUTE / 2);
    store.lock = async () => ({ heldUntil: new Date(heldUntil) });
    const { ended, nextAt } = await sync();
    expect([ended, nextAt.getTime()]).toEqual(["busy", heldUntil]);
    expect(service.sent).toEqual([]);
    expect(store.meetings.size).toBe(0);
  });

  it("that was killed is waited for, at most as long as its lease, but not with a budget", async () => {
    const { store, sync } = smallAccount("mtg_1");
    const { lock } = store as Required<MemoryStore>;
    const heldUntil = new Date(Date.now() + 2 * MINUTE);
    store.lock = async () => (new Date() < heldUntil ? { heldUntil } : lock());
    expect(await sync({ budget: { requests: 45 } })).toMatchObject({ ended: "busy", requests: 0 });
    expect(Date.now()).toBeLessThan(heldUntil.getTime());
    expect(await sync()).toMatchObject({ ended: "done", changed: 1 });
    expect(Date.now() - heldUntil.getTime()).toBeLessThan(10_000);
  });

  it.each<[string, (batch: StoreBatch) => Error]>([
    ["makes a run end busy", () => new StoreLockLostError("lost")],
    [
      "while it was away does so, too",
      ({ items }) => (items.length > 0 ? new Error("away") : new StoreLockLostError("lost")),
    ],
  ])("that has taken the store over %s: it writes nothing more", async (_, failure) => {
    const { store, sync } = smallAccount("mtg_1", "mtg_2");
    store.write = async (batch) => {
      throw failure(batch);
    };
    expect(await sync({ concurrency: 1 })).toMatchObject({ ended: "busy", changed: 0 });
    expect(store.meetings.size).toBe(0);
  });

  it("that has taken the store over is waited for by a run that follows", async () => {
    const { service, store } = smallAccount("mtg_1");
    const { write } = store;
    let isLost = true;
    store.write = async (batch, held) => {
      if (isLost) {
        isLost = false;
        // A copy of the library may have thrown it.
        throw Object.assign(new Error("lost"), { name: "StoreLockLostError" });
      }
      return write(batch, held);
    };
    const controller = new AbortController();
    const onChange = () => controller.abort(OVER);
    const options = { into: store, follow: true, onChange, signal: controller.signal };
    await expect(ended(syncMeetings(service.notetaker, options))).rejects.toBe(OVER);
    expect(store.meetings.size).toBe(1);
  });

  it("that writes a meeting in between has it read anew, and neither is lost", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    let isBetween = true;
    service.answer = (sent) => {
      if (!isTranscript(sent) || !isBetween) return undefined;
      isBetween = false;
      service.row("mtg_1").title = "Between";
      return syncMeetings(service.notetaker, { into: store, only: ["mtg_1"] }).then(() => service.served(sent));
    };
    await sync();
    expect(store.meetings.get("mtg_1")).toMatchObject({ meeting: { title: "Between" }, missing: [] });
    expect(await sync()).toMatchObject({ changed: 0 });
  });
});

it("a page that fails for good ends a run that does not follow after ten minutes, though polls succeed", async () => {
  const { service, sync, textOf } = smallAccount(...Array.from({ length: 4 }, (_, day) => `mtg_${day}`));
  service.pageSize = 2;
  service.answer = (sent) =>
    isList(sent) && !sent.query.has("start_date") && sent.query.has("cursor") ? refusal(500) : undefined;
  const beganAt = Date.now();
  await expect(sync({ pollMs: 5 * MINUTE })).rejects.toMatchObject({ status: 500 });
  expect(Date.now() - beganAt).toBeLessThan(HOUR);
  expect(textOf("mtg_0")).toBe("said in mtg_0");
});

it("a store whose write resolves to nothing is told what is expected of it", async () => {
  const { store, sync } = smallAccount("mtg_1");
  store.write = async () => undefined as never;
  await expect(sync()).rejects.toThrow("into.write: expected it to resolve to the ids that were not written");
});

it("searches once a week for what is gone if a pass takes several budgets: each search asks for every stored id", async () => {
  const { service, sync } = smallAccount(...Array.from({ length: 40 }, (_, index) => `mtg_${index}`));
  service.pageSize = 5;
  const formats = { transcript: false, documents: [] };
  const searches: number[] = [];
  for (let day = 0; day < 14; day += 1) {
    while ((await sync({ formats, budget: { requests: 6 } })).ended !== "done") vi.setSystemTime(Date.now() + MINUTE);
    searches.push(service.sent.splice(0).filter(isByIds).length);
    vi.setSystemTime(Date.now() + DAY);
  }
  expect(searches.map((count, day) => (count > 0 ? day : -1)).filter((day) => day >= 0)).toEqual([0, 7]);
});

it("does not read the list again to go on with the search of another run", async () => {
  const { service, sync } = smallAccount(...Array.from({ length: 30 }, (_, index) => `mtg_${index}`));
  service.pageSize = 3;
  const formats = { transcript: false, documents: [] };
  while ((await sync({ formats, budget: { requests: 7 } })).ended !== "done") vi.setSystemTime(Date.now() + MINUTE);
  expect(service.sent.filter(isByIds).length).toBeGreaterThan(5);
  // Without a date, it is the pass that reads it.
  expect(service.sent.filter((sent) => isList(sent) && !sent.query.has("start_date"))).toHaveLength(10);
});

describe("a store that reports every meeting as written by another run", () => {
  it("has a meeting read six times, and then the run reports it as missing and ends", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    store.write = async ({ items }) => items.map(({ id }) => id);
    const { ended, missing } = await sync();
    expect([ended, missing]).toMatchObject(["done", [{ meeting_id: "mtg_1", what: "meeting", retryable: true }]]);
    expect(missing[0]?.message).toContain("again and again");
    // The pass begins anew.
    expect(service.sent.filter(isTranscript).length).toBeLessThanOrEqual(12);
  });
});

describe("only", () => {
  it("reads these meetings alone, without the lock, whatever their date: a request, and their pieces", async () => {
    const { service, store, sync } = smallAccount("mtg_1", "mtg_2");
    service.add("mtg_old", {}, 60 * 24 * 400);
    const lock = await store.lock?.();
    const { ended, requests, changed } = await sync({ only: ["mtg_old", "mtg_1", "mtg_old"] });
    expect([ended, requests, changed]).toEqual(["done", 5, 2]);
    expect(service.take()[0]).toBe("/meetings of mtg_old mtg_1");
    expect([...store.meetings.keys()].sort()).toEqual(["mtg_1", "mtg_old"]);
    expect(lock).toBeDefined();
  });

  it("ends also while the search of another run for what is gone is not done", async () => {
    const { service, store, sync } = smallAccount("mtg_1", "mtg_2");
    await sync();
    service.remove("mtg_2");
    vi.setSystemTime(Date.now() + DAY);
    service.answer = (sent) => (isByIds(sent) ? refusal(500) : undefined);
    const killer = new AbortController();
    setTimeout(() => killer.abort(OVER), MINUTE / 2);
    await expect(sync({ signal: killer.signal })).rejects.toBe(OVER);
    expect(await store.readState()).toContain('"after"');
    service.answer = () => undefined;
    expect(await sync({ only: ["mtg_1"] })).toMatchObject({ ended: "done" });
  });

  it("reads all of them, however many they are, 48 with each request", async () => {
    const { service, store, sync } = smallAccount();
    const ids = Array.from({ length: 480 }, (_, index) => `mtg_${index}`);
    for (const id of ids.slice(-100)) service.add(id);
    await sync({ only: ids, formats: { transcript: false, documents: [] }, requestsPerMinute: 100_000 });
    expect(store.meetings.size).toBe(100);
    expect(service.sent.slice(0, -1).every(({ query }) => query.getAll("id").length === 48)).toBe(true);
  });
});

it("ends also if each poll is followed by the next one, because the store is slower than pollMs", async () => {
  const { service, store } = smallAccount("mtg_1", "mtg_2");
  const due: MemoryStore["due"] = async (until, max) => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return store.due(until, max);
  };
  const running = syncMeetings(service.notetaker, { into: { ...store, due }, pollMs: 1 });
  expect(await settle(running, Date.now() + HOUR)).toMatchObject({ ended: "done" });
});

describe("the result", () => {
  it("says when the next run has something to do: after a poll's pause, or when something is due", async () => {
    const { service, sync } = smallAccount("mtg_1");
    const minutesTo = ({ nextAt }: { nextAt: Date }) => (nextAt.getTime() - Date.now()) / MINUTE;
    const polled = minutesTo(await sync({ pollMs: 10 * MINUTE }));
    expect(polled).toBeGreaterThanOrEqual(8);
    expect(polled).toBeLessThanOrEqual(12);
    service.add("mtg_2");
    service.transcripts.delete("mtg_2");
    expect(minutesTo(await sync({ pollMs: 10 * MINUTE }))).toBeLessThanOrEqual(10);
    service.add("mtg_3");
    expect(await sync({ budget: { requests: 1 } })).toMatchObject({ ended: "paused", nextAt: new Date() });
  });

  it("uses up its minute at once if it has a budget, and does not sleep for the next one", async () => {
    const { sync } = smallAccount(...Array.from({ length: 60 }, (_, n) => `mtg_${n}`));
    const beganAt = Date.now();
    const { ended, nextAt, requests } = await sync({ budget: { requests: 45 } });
    expect([ended, requests, Date.now() - beganAt]).toEqual(["paused", 40, 0]);
    expect(nextAt.getTime() - beganAt).toBe(MINUTE);
  });

  it.each([undefined, ["mtg_1"]])("ends as paused at a pause of a minute for transcripts (only: %j)", async (only) => {
    const { service, sync, textOf } = smallAccount("mtg_1");
    const options = { budget: { requests: 45 }, only };
    service.answer = (sent) => (isTranscript(sent) ? refusal(429, { "retry-after": "20" }) : undefined);
    const { ended, nextAt } = await sync(options);
    expect([ended, nextAt.getTime() - Date.now()]).toEqual(["paused", 20_000]);
    service.answer = () => undefined;
    vi.setSystemTime(nextAt);
    expect(await sync(options)).toMatchObject({ ended: "done" });
    expect(textOf("mtg_1")).toBe("said in mtg_1");
  });

  it("polls before it requests what is missing, which may use up the budgets of several runs", async () => {
    const { service, sync, textOf } = smallAccount();
    for (let day = 10; day < 70; day += 1) service.add(`mtg_${day}`, {}, (day * DAY) / MINUTE);
    service.answer = (sent) => (isList(sent) || isByIds(sent) ? undefined : refusal(503));
    await sync({ requestsPerMinute: 100_000 });
    service.answer = () => undefined;
    vi.setSystemTime(Date.now() + HOUR);
    service.add("mtg_new", {}, 5);
    expect(await sync({ budget: { requests: 45 } })).toMatchObject({ ended: "paused" });
    expect(textOf("mtg_new")).toBe("said in mtg_new");
  });

  it("has the time of the next run that the store has been told last", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    let told: Date | undefined;
    const { write } = store;
    store.write = (batch, lock) => {
      told = batch.nextAt ?? told;
      return write(batch, lock);
    };
    for (const budget of [{}, {}, { requests: 1 }]) {
      const { ended, nextAt } = await sync({ budget });
      expect([ended, told]).toEqual([budget.requests === undefined ? "done" : "paused", nextAt]);
      vi.setSystemTime(Date.now() + DAY);
      service.row("mtg_1").title = "changed";
    }
  });

  it.each([
    [503, true],
    [429, false],
  ])("tells the store why the list cannot be read after a %i, and whether it fails: %s", async (status, fails) => {
    const { service, store, sync } = smallAccount("mtg_1");
    const told = healthOf(store);
    service.answer = (sent) => (isList(sent) ? refusal(status, REFUSED) : undefined);
    await sync({ budget: { ms: 30_000 } });
    expect(told.health?.error).toMatch(new RegExp(`answer ${status}.*, request req_7$`));
    expect(told.health?.failingSince !== undefined).toBe(fails);
    // The poll that succeeds after an outage has not read what was listed before it began.
    await vi.advanceTimersByTimeAsync(HOUR);
    service.answer = () => undefined;
    const mendedAt = Date.now();
    await sync({ budget: { ms: 30_000 } });
    expect(told.health).toMatchObject({ failingSince: undefined, error: undefined });
    expect(told.health?.polledAt?.getTime()).toBeGreaterThanOrEqual(mendedAt);
  });

  it("tells the store of a page that fails until it is read, also while the polls succeed", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    service.pageSize = 5;
    for (let index = 0; index < 20; index += 1) service.add(`mtg_old_${index}`, {}, (10 * DAY) / MINUTE + index);
    const told = healthOf(store);
    let fails = true;
    service.answer = ({ query }) => (fails && query.get("cursor") === "10" ? refusal(503) : undefined);
    let beganAt: Date | undefined;
    for (let tick = 0; tick < 5; tick += 1) {
      const askedAt = Date.now();
      await sync({ budget: { ms: 50_000 } });
      expect(told.health?.error).toMatch(/answer 503/);
      expect(told.health?.polledAt?.getTime()).toBeGreaterThanOrEqual(askedAt);
      beganAt ??= told.health?.failingSince;
      expect(told.health?.failingSince).toEqual(beganAt);
      vi.setSystemTime(Date.now() + 2 * MINUTE);
    }
    fails = false;
    await sync({ budget: { ms: 50_000 } });
    expect(told.health).toMatchObject({ failingSince: undefined, error: undefined });
  });

  it("tells the store that the list hangs if the budget is used up before the third attempt", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    const told = healthOf(store);
    service.answer = () => new Promise(() => {});
    for (const budget of [{ ms: 50_000 }, { ms: 20_000 }]) {
      told.health = undefined;
      expect(await sync({ budget })).toMatchObject({ ended: "paused" });
      expect(told.health).toMatchObject({
        failingSince: expect.any(Date),
        error: expect.stringMatching(/timed out after 30000 ms/),
      });
    }
  });

  it("counts of this run what was read, changed, is missing, and was sent", async () => {
    const { service, sync } = smallAccount("mtg_1", "mtg_2");
    service.transcripts.delete("mtg_2");
    const changes: MeetingChange[] = [];
    const first = await sync({ onChange: (change) => void changes.push(change) });
    expect(first).toMatchObject({ meetings: 2, changed: 2, removed: 0, missingCount: 1 });
    expect(first.requests).toBe(service.take().length);
    expect(changes).toMatchObject([
      { id: "mtg_1", isNew: true, changed: ["meeting", "transcript", { document: "doc_of_mtg_1" }], missing: [] },
      {
        id: "mtg_2",
        isNew: true,
        changed: ["meeting", { document: "doc_of_mtg_2" }],
        missing: [{ what: "transcript" }],
      },
    ]);
    vi.setSystemTime(Date.now() + MINUTE);
    expect(await sync()).toMatchObject({ meetings: 1, changed: 0, missingCount: 1 });
  });

  it("says of a piece that the service is still making that it is not ready", async () => {
    const { service, sync } = smallAccount("mtg_1");
    service.answer = (sent) => (isTranscript(sent) ? json(202, { status: "processing" }) : undefined);
    expect((await sync()).missing).toMatchObject([{ what: "transcript", reason: "not_ready", status: 202 }]);
  });

  it("is the same with a fake of the client, whose calls are counted", async () => {
    const { service } = smallAccount("mtg_1");
    const { meetings, documents } = service.notetaker;
    const store = memoryStore();
    const fake = { meetings, documents };
    expect(await ended(syncMeetings(fake, { into: store }))).toMatchObject({ changed: 1, requests: 4 });
    expect(store.meetings.get("mtg_1")?.documents).toHaveLength(1);
  });
});
