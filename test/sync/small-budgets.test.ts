/** Runs with few requests each, and a service whose pages are smaller than the question: together they finish. */
import type { SyncResult } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY, HOUR, simulatedTime } from "./support/simulated-time.js";
import { isTranscript, smallAccount } from "./support/small-service.js";

beforeEach(() => simulatedTime());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const COUNT = 24;
const IDS = Array.from({ length: COUNT }, (_, index) => `mtg_${index}`);

const CASES = [5, 9, 20].flatMap((requests) => [1, 5, 20].map((pageSize) => ({ requests, pageSize })));

describe.each(CASES)("with a budget of $requests and pages of $pageSize ids", ({ requests, pageSize }) => {
  async function account() {
    const all = smallAccount(...IDS);
    await all.sync({ requestsPerMinute: 100_000 });
    all.service.idsPageSize = pageSize;
    all.service.take();
    return all;
  }

  /** At the worst, a run polls, and requests one meeting and a piece of it. */
  async function untilDone(sync: ReturnType<typeof smallAccount>["sync"]): Promise<SyncResult> {
    for (let runs = 0; runs < 3 * COUNT; runs += 1) {
      const result = await sync({ budget: { requests }, requestsPerMinute: 100_000 });
      expect(result.requests).toBeLessThanOrEqual(requests);
      if (result.ended === "done") return result;
    }
    throw new Error("it has no end");
  }

  it("what changed is read by runs that each get further", async () => {
    const { service, sync, textOf } = await account();
    for (const id of IDS) {
      service.row(id).end_time = "2026-03-10T08:59:00Z";
      service.transcripts.set(id, "corrected");
    }
    await untilDone(sync);
    expect(IDS.map(textOf)).toEqual(IDS.map(() => "corrected"));
    expect(service.sent.filter(isTranscript)).toHaveLength(COUNT);
  });

  it("what is due is read by runs that each get further", async () => {
    const { service, sync, textOf } = smallAccount();
    const ids = IDS.map((id) => `${id}_late`);
    service.idsPageSize = pageSize;
    for (const id of ids) service.transcripts.delete(service.add(id).id);
    await sync({ requestsPerMinute: 100_000 });
    for (const id of ids) service.transcripts.set(id, "late");
    later(HOUR);
    await untilDone(sync);
    expect(ids.map(textOf)).toEqual(ids.map(() => "late"));
  });

  it("what `only` has named is read by it, and by the runs after it", async () => {
    const { service, store, sync, textOf } = await account();
    for (const id of [...IDS, "mtg_old", "mtg_new"]) service.transcripts.set(id, "corrected");
    service.add("mtg_old", {}, 100 * 24 * 60);
    service.transcripts.set("mtg_old", "corrected");
    const only = [...IDS, "mtg_old", "mtg_never"];
    const first = await sync({ only, budget: { requests }, requestsPerMinute: 100_000 });
    expect(first).toMatchObject({ ended: "paused" });
    expect(first.requests).toBeLessThanOrEqual(requests);
    expect(first.changed).toBeGreaterThan(0);
    await untilDone(sync);
    expect(IDS.map(textOf)).toEqual(IDS.map(() => "corrected"));
    expect(textOf("mtg_old")).toBe("corrected");
    expect(service.sent.filter(isTranscript)).toHaveLength(COUNT + 1);
    expect(store.meetings.has("mtg_never")).toBe(false);
  });

  it("what is gone is found by runs that each get further", async () => {
    const { service, store, sync } = smallAccount();
    for (const id of IDS) service.add(id, {}, 8_000);
    await sync({ requestsPerMinute: 100_000 });
    service.idsPageSize = pageSize;
    // A run sees a part of the list: what the others have seen is asked for by ids.
    service.pageSize = 5;
    for (const id of IDS.slice(0, 4)) service.remove(id);
    later(DAY);
    await untilDone(sync);
    expect([...store.meetings].filter(([, { isGone }]) => isGone).map(([id]) => id)).toEqual(IDS.slice(0, 4));
  });
});
