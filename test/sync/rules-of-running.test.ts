/** In which order a run works, how it passes through the list, and what ends it: rules 7, 8, 12 and 14. */
import { type MeetingChange, type MemoryStore, type SyncOptions, type SyncProgress, syncMeetings } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY, ended, HOUR, MINUTE, settle, simulatedTime } from "./support/simulated-time.js";
import { isList, isTranscript, json, refusal, type SmallService, smallAccount } from "./support/small-service.js";

beforeEach(() => simulatedTime());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const OVER = new Error("over");

/** Follows for a time. `events` are the ids that events name, each after its time. */
async function follow(
  service: SmallService,
  options: Omit<SyncOptions, "follow">,
  lastsMs: number,
  events: readonly [afterMs: number, id: string][] = [],
) {
  const controller = new AbortController();
  async function* wake() {
    const began = Date.now();
    for (const [afterMs, id] of events) {
      await new Promise((resolve) => setTimeout(resolve, began + afterMs - Date.now()));
      yield { meetingId: id };
    }
    await new Promise(() => {});
  }
  const { signal } = controller;
  const running = syncMeetings(service.notetaker, { ...options, follow: true, wake: wake(), signal });
  setTimeout(() => controller.abort(OVER), lastsMs);
  await expect(ended(running)).rejects.toBe(OVER);
}

/** An account with meetings of some days ago, a hundred a page. */
function longHistory(count: number) {
  const account = smallAccount();
  for (let index = 0; index < count; index += 1) account.service.add(`mtg_${index}`, { documents: [] }, 8_000 + index);
  return account;
}

describe("the order", () => {
  it("lets neither an event nor a meeting of today wait for the history", async () => {
    const { service, store } = longHistory(600);
    const written = new Map<string, number>();
    const began = Date.now();
    const onChange = ({ id }: MeetingChange) => void (written.has(id) || written.set(id, Date.now() - began));
    setTimeout(() => service.add("mtg_lost", {}, 0), 2 * MINUTE + 1);
    setTimeout(() => service.add("mtg_event", {}, 0), 5 * MINUTE);
    await follow(service, { into: store, onChange }, 12 * MINUTE, [[5 * MINUTE, "mtg_event"]]);
    expect(written.size).toBeLessThan(500);
    expect((written.get("mtg_event") ?? DAY) - 5 * MINUTE).toBeLessThan(20_000);
    expect((written.get("mtg_lost") ?? DAY) - 2 * MINUTE).toBeLessThan(2 * MINUTE);
  });

  it("handles an event within seconds, however many requests of the history wait for their turn", async () => {
    const { service, store } = longHistory(600);
    const events = Array.from({ length: 12 }, (_, index): [number, string] => [
      2 * MINUTE + index * 23_500,
      `mtg_event_${index}`,
    ]);
    for (const [afterMs, id] of events) setTimeout(() => service.add(id, {}, 0), afterMs - 1);
    const began = Date.now();
    const handled = new Map<string, number>();
    const onChange = ({ id }: MeetingChange) => void handled.set(id, Date.now() - began);
    await follow(service, { into: store, onChange, concurrency: 8 }, 7 * MINUTE, events);
    const delays = events.map(([afterMs, id]) => (handled.get(id) ?? DAY) - afterMs);
    expect(Math.max(...delays)).toBeLessThan(3_000);
  });

  it("spreads the requests of a pass over the minute, and leaves a third of them to others", async () => {
    const { service, store } = longHistory(400);
    await follow(service, { into: store }, 6 * MINUTE);
    const began = service.sent[0]?.at ?? 0;
    const isOfPass = (path: string) => path.endsWith("/transcript");
    for (let minute = 1; minute < 5; minute += 1) {
      const from = began + minute * MINUTE;
      const times = service.sent.filter(({ path, at }) => isOfPass(path) && at >= from && at < from + MINUTE - 1_000);
      expect(times.length).toBeLessThanOrEqual(27);
      expect(times.length).toBeGreaterThan(15);
      expect(new Set(times.map(({ at }) => Math.floor((at - from) / 10_000))).size).toBeGreaterThan(3);
    }
  });

  it("gives what is due no more than two thirds of a minute while a pass is open, so that the pass goes on", async () => {
    const { service, store, sync } = longHistory(300);
    service.answer = (sent) => (isTranscript(sent) ? refusal(404) : undefined);
    await sync({ requestsPerMinute: 100_000 });
    service.take();
    later(2 * HOUR);
    await follow(service, { into: store, since: "2020-01-01" }, 10 * MINUTE);
    const pages = service.sent.filter((sent) => isList(sent) && sent.query.get("start_date") === "2020-01-01");
    expect(pages.length).toBeGreaterThan(1);
  });
});

describe("a pass", () => {
  it("of the whole list comes once a day, and at once with another period or format", async () => {
    const { service, sync } = smallAccount("mtg_1");
    service.add("mtg_old", {}, 60 * 24 * 100);
    await sync();
    const pages = async (options: Partial<SyncOptions> = {}) => {
      service.take();
      await sync(options);
      return service.sent.filter((sent) => isList(sent) && !sent.query.has("start_date")).length;
    };
    expect(await pages()).toBe(0);
    later(DAY - 1);
    expect(await pages()).toBe(0);
    later(2);
    expect(await pages()).toBe(1);
    expect(await pages({ formats: { transcript: false } })).toBe(1);
    expect(await pages({ formats: { transcript: false } })).toBe(0);
  });

  it("goes on where a budget has ended it, so that small runs get through any account", async () => {
    const { service, store, sync } = longHistory(30);
    service.pageSize = 10;
    let runs = 0;
    for (let isDone = false; !isDone; runs += 1) {
      const { ended, requests } = await sync({ budget: { requests: 6 }, concurrency: 1 });
      expect(requests).toBeLessThanOrEqual(6);
      isDone = ended === "done";
      expect(runs).toBeLessThan(60);
    }
    expect(store.meetings.size).toBe(30);
    const firstPages = service.sent.filter(
      (sent) => isList(sent) && !sent.query.has("start_date") && !sent.query.has("cursor"),
    );
    expect(firstPages.length).toBeLessThanOrEqual(5);
    const transcripts = service.take().filter((path) => path.endsWith("/transcript"));
    expect(new Set(transcripts).size).toBe(30);
    expect(transcripts.length).toBe(30);
  });

  it("stores a meeting before the place after it, so that a kill at any write loses nothing", async () => {
    for (let kill = 0; kill < 12; kill += 1) {
      const { service, store, sync } = longHistory(6);
      service.pageSize = 2;
      const { write } = store;
      let writes = 0;
      store.write = async (...args) => {
        writes += 1;
        if (writes > kill) throw OVER;
        return write(...args);
      };
      await sync().catch(() => {});
      store.write = write;
      await sync();
      expect(store.meetings.size).toBe(6);
    }
  });
});

describe("a write", () => {
  it("has at most 8 MB of text, or one item", async () => {
    const { service, store, sync } = smallAccount();
    for (let index = 0; index < 8; index += 1) {
      service.add(`mtg_${index}`);
      service.transcripts.set(`mtg_${index}`, "x".repeat(index === 5 ? 9_000_000 : 3_000_000));
    }
    const sizes: [items: number, text: number][] = [];
    const { write } = store;
    store.write = async (batch, lock) => {
      const text = batch.items.map(({ transcript }) => transcript?.segments[0]?.text.length ?? 0);
      if (batch.items.length > 0) sizes.push([batch.items.length, text.reduce((sum, one) => sum + one, 0)]);
      // The next findings are ready when this write ends.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return write(batch, lock);
    };
    await sync({ concurrency: 8 });
    expect(sizes.filter(([items, text]) => items > 1 && text > 8_000_000)).toEqual([]);
    expect(Math.max(...sizes.map(([items]) => items))).toBe(2);
    expect(store.meetings.size).toBe(8);
  });
});

describe("the end", () => {
  it("by signal comes at once, between two writes, and a write is awaited", async () => {
    const { service, store } = smallAccount("mtg_1");
    const controller = new AbortController();
    let isWritten = false;
    const { write } = store;
    store.write = async (batch, lock) => {
      controller.abort(OVER);
      await new Promise((resolve) => setTimeout(resolve, MINUTE));
      isWritten = true;
      return write(batch, lock);
    };
    const running = syncMeetings(service.notetaker, { into: store, signal: controller.signal });
    await expect(ended(running)).rejects.toBe(OVER);
    expect(isWritten).toBe(true);
  });

  it("by a budget counts every attempt, and a meeting's pieces may be stored in parts", async () => {
    const { service, store, sync } = smallAccount();
    const documents = Array.from({ length: 8 }, (_, index) => ({
      id: `doc_${index}`,
      title: "T",
      created_at: "2026-01-01",
    }));
    service.add("mtg_1", { documents });
    for (const { id } of documents) service.documents.set(id, id);
    let isLost = false;
    service.answer = () => {
      isLost = !isLost;
      return isLost ? refusal(503, { "retry-after": "1" }) : undefined;
    };
    const stored: number[] = [];
    for (let run = 0; run < 20; run += 1) {
      const { requests, ended } = await sync({ budget: { requests: 6 } });
      expect(requests).toBeLessThanOrEqual(6);
      stored.push(store.meetings.get("mtg_1")?.documents.length ?? 0);
      if (ended === "done") break;
    }
    expect(stored.at(-1)).toBe(8);
    expect(new Set(stored).size).toBeGreaterThan(2);
  });

  it("reports what the run is doing", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    const phases: SyncProgress["phase"][] = [];
    const onProgress = ({ phase }: SyncProgress) => void phases.push(phase);
    await sync({ onProgress });
    expect(phases).toContain("history");
    expect(phases).toContain("poll");
    later(DAY);
    await follow(service, { into: store, onProgress }, 5 * MINUTE, [[MINUTE, "mtg_1"]]);
    expect(new Set(phases)).toEqual(new Set(["history", "poll", "pass", "idle", "event"]));
    expect(await settle(sync({ budget: { requests: 100 } }))).toMatchObject({ ended: "done" });
  });

  it("says what a run waits for, and how long", async () => {
    const { service, store, sync } = longHistory(20);
    const waits = new Map<SyncProgress["waitsFor"], number>();
    const onProgress = ({ phase, waitsFor, waitMs = 0 }: SyncProgress) => {
      expect(phase === "waiting").toBe(waitsFor !== undefined);
      if (!waits.has(waitsFor)) waits.set(waitsFor, waitMs);
    };
    const { lock } = store as Required<MemoryStore>;
    const heldUntil = new Date(Date.now() + 2 * MINUTE);
    store.lock = async () => (new Date() < heldUntil ? { heldUntil } : lock());
    await sync({ onProgress });
    expect(waits.get("store")).toBe(2 * MINUTE);
    waits.clear();
    later(DAY);
    service.add("mtg_late");
    await sync({ onProgress, requestsPerMinute: 2 });
    expect(Math.round((waits.get("rate_limit") ?? 0) / MINUTE)).toBe(1);
    expect([...waits.keys()]).not.toContain("service");
    waits.clear();
    let failures = 0;
    service.answer = () => {
      failures += 1;
      return failures < 5 ? refusal(503, { "retry-after": "90" }) : json(200, { data: "none" });
    };
    await expect(sync({ onProgress })).rejects.toThrow("not a page");
    expect(waits.get("service")).toBe(90_000);
    expect([...waits.keys()]).not.toContain("rate_limit");
    waits.clear();
    failures = 0;
    service.answer = () => {
      failures += 1;
      return failures === 1 ? json(200, { data: "none" }) : undefined;
    };
    await sync({ onProgress });
    expect(waits.get("service")).toBeGreaterThan(0);
  });
});
