/** What a run reads of the list, what counts as news, what is requested and what is stored: rules 1 to 6. */
import { syncMeetings } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { DAY, ended, HOUR, MINUTE, simulatedTime } from "./support/simulated-time.js";
import { isByIds, isList, isTranscript, json, refusal, smallAccount } from "./support/small-service.js";

beforeEach(() => simulatedTime());

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe("the list", () => {
  it("begins at its first page again after a cursor is refused, and every meeting is stored once", async () => {
    const { service, store, sync } = smallAccount("mtg_1", "mtg_2", "mtg_3");
    service.pageSize = 1;
    let refusals = 1;
    service.answer = ({ query }) => (query.has("cursor") && refusals-- > 0 ? refusal(400) : undefined);
    expect(await sync()).toMatchObject({ ended: "done", changed: 3 });
    expect([...store.meetings.keys()]).toEqual(["mtg_1", "mtg_2", "mtg_3"]);
  });

  it("ends the run if its cursor is refused without progress, and the next run begins anew", async () => {
    const { service, store, sync } = smallAccount("mtg_1", "mtg_2");
    service.pageSize = 1;
    service.answer = ({ query }) => (query.has("cursor") ? refusal(422) : undefined);
    await expect(sync()).rejects.toMatchObject({ status: 422 });
    service.answer = () => undefined;
    service.take();
    expect(await sync()).toMatchObject({ ended: "done" });
    expect(service.sent.find(isList)?.query.has("cursor")).toBe(false);
    expect(store.meetings.size).toBe(2);
  });

  it("is read to its end past a page that fails, that cannot be read four times, and rows that are no meetings", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    service.rows.push(null, 5, { title: "no id" });
    service.add("mtg_2");
    let count = 0;
    service.answer = (sent) => {
      if (!isList(sent)) return undefined;
      count += 1;
      if (count === 1) return refusal(503);
      return count < 6 ? json(200, { data: "none" }) : undefined;
    };
    const { missing, missingCount } = await sync();
    expect([...store.meetings.keys()]).toEqual(["mtg_1", "mtg_2"]);
    // The poll and the pass show the same rows.
    const rows = [2, 3, 4].map((row) => [`meeting (page 1, row ${row})`, "invalid"]);
    expect(missing.map(({ what, reason }) => [what, reason])).toEqual(rows);
    expect(missingCount).toBe(3);
  });

  it("ends the run after a page that cannot be read five times in a row", async () => {
    const { service, sync } = smallAccount("mtg_1");
    service.answer = (sent) => (isList(sent) ? json(200, { data: "none" }) : undefined);
    await expect(sync()).rejects.toThrow("not a page");
    // The pass and the poll each count for themselves.
    expect(service.take().length).toBeLessThanOrEqual(10);
  });
});

describe("what is missing", () => {
  it("is counted once, however often a run that follows reads a row without an id", async () => {
    const { service, store } = smallAccount("mtg_1");
    service.rows.push(null);
    const counts = new Set<number>();
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("over")), 3 * DAY);
    const running = syncMeetings(service.notetaker, {
      into: store,
      follow: true,
      pollMs: HOUR,
      signal: controller.signal,
      onProgress: ({ missing }) => void counts.add(missing),
    });
    await expect(ended(running)).rejects.toThrow("over");
    expect(counts).toEqual(new Set([0, 1]));
  });

  it("is named as far as it is requested again if it is more than 1,000 pieces", async () => {
    const { service, sync } = smallAccount();
    for (let index = 0; index < 1_010; index += 1) service.add(`mtg_${index}`, { documents: [] });
    service.answer = (sent) => {
      if (!isTranscript(sent)) return undefined;
      return refusal(/mtg_100\d/.test(sent.path) ? 404 : 403);
    };
    const { missing, missingCount } = await sync({ requestsPerMinute: 100_000 });
    expect([missing.length, missingCount]).toEqual([1_000, 1_010]);
    expect(missing.filter(({ retryable }) => retryable)).toHaveLength(10);
  });
});

describe("news", () => {
  it("of what is stored and unchanged there is none: no request but the list, and no write", async () => {
    const { service, store, sync } = smallAccount("mtg_1", "mtg_2");
    await sync();
    service.take();
    const before = new Map(store.meetings);
    later(HOUR);
    expect(await sync()).toMatchObject({ changed: 0, requests: 1 });
    expect(service.take()).toEqual(["/meetings"]);
    expect(new Map(store.meetings)).toEqual(before);
  });

  it("is decided on the row that its id returns, so that a page of the list never brings back what an event replaced", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    await sync();
    const old = JSON.stringify([{ ...service.row("mtg_1"), title: "Between" }]);
    service.row("mtg_1").title = "New";
    service.answer = (sent) =>
      isList(sent) ? json(200, { data: JSON.parse(old), next_cursor: null, has_more: false }) : undefined;
    service.take();
    await sync();
    expect(service.take()).toContain("/meetings of mtg_1");
    expect(store.meetings.get("mtg_1")?.meeting.title).toBe("New");
  });

  it("is a piece that a new option names", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    await sync();
    service.take();
    await sync({ formats: { documents: ["markdown", "html"] } });
    expect(store.meetings.get("mtg_1")?.documents.map(({ format }) => format)).toEqual(["markdown", "html"]);
    expect(service.take().filter((path) => /transcript|documents/.test(path))).toEqual(["/documents/doc_of_mtg_1"]);
  });
});

describe("what is requested", () => {
  it("is the transcript again after its meeting's time changed, and not after its title changed", async () => {
    const { service, sync, textOf } = smallAccount("mtg_1");
    await sync();
    service.take();
    service.row("mtg_1").title = "New";
    await sync();
    expect(service.take()).not.toContain("/meetings/mtg_1/transcript");
    service.row("mtg_1").end_time = new Date().toISOString();
    service.transcripts.set("mtg_1", "corrected");
    await sync();
    expect(textOf("mtg_1")).toBe("corrected");
  });

  it("is a document again after its title changed", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    await sync();
    service.take();
    service.row("mtg_1").documents = [{ id: "doc_of_mtg_1", title: "Final", created_at: "2026-03-01T11:00:00Z" }];
    service.documents.set("doc_of_mtg_1", "final");
    await sync();
    expect(service.take().filter((path) => path !== "/meetings")).toEqual([
      "/meetings of mtg_1",
      "/documents/doc_of_mtg_1",
    ]);
    expect(store.meetings.get("mtg_1")?.documents[0]?.content).toBe("final");
  });

  it("is nothing of a meeting that failed or has not begun, but its row is stored", async () => {
    const { service, store, sync } = smallAccount();
    service.add("mtg_failed", { status: "failed" });
    service.add("mtg_next", { status: "scheduled", documents: [] }, -60);
    await sync();
    expect(service.take()).toEqual(["/meetings", "/meetings"]);
    const reasons = [...store.meetings.values()].map(({ missing }) => missing.map(({ reason }) => reason));
    expect(reasons).toEqual([["meeting_failed", "meeting_failed"], ["not_ready"]]);
  });
});

describe("what is stored", () => {
  it("stays when it can no longer be read, and a new title arrives with it", async () => {
    for (const status of [403, 404, 500]) {
      const { service, store, sync, textOf } = smallAccount("mtg_1");
      await sync();
      Object.assign(service.row("mtg_1"), { title: "New", end_time: new Date().toISOString() });
      service.answer = (sent) => (isTranscript(sent) ? refusal(status) : undefined);
      await sync();
      expect(textOf("mtg_1")).toBe("said in mtg_1");
      const stored = store.meetings.get("mtg_1");
      expect(stored?.meeting.title).toBe("New");
      expect(stored?.missing).toMatchObject([{ what: "transcript", retryable: status !== 403 }]);
    }
  });

  it("loses a document only when the row lists its documents and lacks it", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    await sync();
    const documents = () => store.meetings.get("mtg_1")?.documents.length;
    for (const without of [undefined, null, "none", [{ title: "no id" }]]) {
      Object.assign(service.row("mtg_1"), { title: `Title ${String(without)}`, documents: without });
      await sync({ only: ["mtg_1"] });
      expect([without, documents()]).toEqual([without, 1]);
    }
    service.row("mtg_1").documents = [];
    await sync({ only: ["mtg_1"] });
    expect(documents()).toBe(0);
  });
});

describe("what is not there yet", () => {
  const EARLY: readonly [string, () => Response][] = [
    ["404", () => refusal(404)],
    ["408", () => refusal(408)],
    ["425", () => refusal(425)],
    ["500", () => refusal(500)],
    ["null", () => json(200, null)],
    ["an empty answer", () => new Response("", { headers: { "content-type": "application/json" } })],
    ["HTML", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
    ["half a JSON text", () => new Response('{"a":', { headers: { "content-type": "application/json" } })],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://a.test" } })],
  ];

  it.each(EARLY)("is requested again until it has come: %s", async (_, early) => {
    const { service, sync, textOf } = smallAccount("mtg_1");
    service.answer = (sent) => (isTranscript(sent) ? early() : undefined);
    expect((await sync()).missing).toMatchObject([{ what: "transcript", retryable: true }]);
    service.answer = () => undefined;
    later(DAY / 2);
    await sync();
    expect(textOf("mtg_1")).toBe("said in mtg_1");
  });

  it("is requested ever more rarely, given up after a day, and not requested any more", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    service.transcripts.delete("mtg_1");
    const tries: number[] = [];
    const began = Date.now();
    for (let minutes = 0; minutes <= 26 * 60; minutes += minutes < 180 ? 1 : 10) {
      vi.setSystemTime(began + minutes * MINUTE);
      service.take();
      await sync();
      if (service.take().some((path) => path.endsWith("transcript"))) tries.push(minutes);
      if (minutes === 23 * 60) expect(store.meetings.get("mtg_1")?.missing[0]?.retryable).toBe(true);
    }
    // After 1, 2, 4 … minutes, and then each hour.
    expect(tries.slice(0, 8)).toEqual([0, 1, 3, 7, 15, 31, 63, 123]);
    expect(tries.at(-1)).toBeGreaterThanOrEqual(24 * 60);
    expect(tries.at(-1)).toBeLessThanOrEqual(24 * 60 + 10);
    expect(store.meetings.get("mtg_1")?.missing).toMatchObject([{ reason: "not_found", retryable: false }]);
  });

  it("is requested once more after a stop of a month", async () => {
    const { service, sync, textOf } = smallAccount("mtg_1");
    service.transcripts.delete("mtg_1");
    await sync();
    service.transcripts.set("mtg_1", "late");
    later(30 * DAY);
    await sync();
    expect(textOf("mtg_1")).toBe("late");
  });

  it("is final at once if it is forbidden, or not as specified: what can be read is stored", async () => {
    const { service, store, sync } = smallAccount("mtg_1", "mtg_2");
    service.answer = ({ path }) => {
      if (path === "/meetings/mtg_1/transcript") return refusal(403);
      if (path === "/documents/doc_of_mtg_1") return json(200, { format: "markdown" });
      return path === "/meetings/mtg_2/transcript" ? json(200, { segments: [{ text: "readable" }] }) : undefined;
    };
    const { missing } = await sync();
    expect(missing.map(({ what, reason, retryable }) => [what, reason, retryable]).sort()).toEqual([
      ["document doc_of_mtg_1 (markdown)", "invalid", false],
      ["transcript", "forbidden", false],
      ["transcript", "invalid", false],
    ]);
    expect(store.meetings.get("mtg_1")?.documents).toEqual([{ id: "doc_of_mtg_1", format: "markdown" }]);
    expect(store.meetings.get("mtg_2")?.transcript?.segments[0]?.text).toBe("readable");
  });
});

describe("an id that an event or `only` names", () => {
  it("is missing and no change until the list has it, and forgotten after a day", async () => {
    const { service, store, sync, textOf } = smallAccount("mtg_1");
    const changes: string[] = [];
    const onChange = ({ id }: { id: string }) => void changes.push(id);
    const first = await sync({ only: ["mtg_new", "mtg_never"], onChange });
    const lacks = { what: "meeting", reason: "not_ready", retryable: true };
    expect(first).toMatchObject({ ended: "done", changed: 0, missing: [lacks, lacks], missingCount: 2 });
    expect([store.meetings.size, changes]).toEqual([0, []]);
    service.add("mtg_new");
    later(10 * MINUTE);
    await sync();
    expect(textOf("mtg_new")).toBe("said in mtg_new");
    for (let hours = 0; hours < 27; hours += 1) {
      later(HOUR);
      await sync();
    }
    expect(await store.ids(undefined, 10)).toEqual(["mtg_1", "mtg_new"]);
  });

  it("is asked for alone if the service refuses a batch, and on every page of the answer", async () => {
    const { service, store, sync } = smallAccount("mtg_1", "mtg_2", "mtg_3");
    service.pageSize = 1;
    const only = ["mtg_1", "mtg_2", "mtg_3"];
    await sync({ only });
    expect(store.meetings.size).toBe(3);
    service.answer = (sent) => (isByIds(sent) && sent.query.getAll("id").length > 1 ? refusal(422) : undefined);
    for (const id of only) service.row(id).title = "New";
    await sync({ only });
    expect([...store.meetings.values()].map(({ meeting }) => meeting.title)).toEqual(["New", "New", "New"]);
  });

  it("is in missing, with what it lacks, also if nothing changes, or the service does not answer for it", async () => {
    const { service, sync } = smallAccount("mtg_1");
    service.answer = (sent) => (isTranscript(sent) ? refusal(403) : undefined);
    const forbidden = { meeting_id: "mtg_1", title: "Title of mtg_1", what: "transcript", reason: "forbidden" };
    for (let run = 0; run < 3; run += 1) {
      expect(await sync({ only: ["mtg_1"] })).toMatchObject({ changed: run === 0 ? 1 : 0, missing: [forbidden] });
    }
    service.answer = (sent) => (isByIds(sent) ? refusal(422) : undefined);
    const unanswered = { ...forbidden, what: "meeting", reason: "failed", retryable: true };
    expect(await sync({ only: ["mtg_1"] })).toMatchObject({ changed: 0, missing: [unanswered, forbidden] });
  });

  it("that the client would refuse to send is odd: its row is stored, and its pieces are invalid", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    service.add("mtg_a/b");
    expect(await sync()).toMatchObject({ ended: "done" });
    expect(store.meetings.get("mtg_a/b")?.missing.map(({ reason }) => reason)).toEqual(["invalid", "invalid"]);
    expect(service.take().filter((path) => path.includes("a%2Fb") || path.includes("a/b"))).toEqual([]);
  });

  it("outside since and until is ignored once, and not asked for again", async () => {
    const { service, store } = smallAccount("mtg_1");
    service.add("mtg_old", {}, 60 * 24 * 400);
    const controller = new AbortController();
    async function* wake() {
      yield { meetingId: "mtg_old" };
      await new Promise(() => {});
    }
    const since = new Date(Date.now() - DAY);
    const options = { into: store, since, follow: true, wake: wake(), signal: controller.signal };
    const running = syncMeetings(service.notetaker, options);
    setTimeout(() => controller.abort(new Error("over")), HOUR);
    await expect(ended(running)).rejects.toThrow("over");
    expect([...store.meetings.keys()]).toEqual(["mtg_1"]);
    expect(service.take().filter((path) => path.includes("mtg_old"))).toEqual(["/meetings of mtg_old"]);
  });
});
