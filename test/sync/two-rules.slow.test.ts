/** Where two rules of the engine meet, nothing is lost, held back, requested for ever or told wrongly. */
import { type MemoryStore, type SyncOptions, syncMeetings } from "notetaker-sdk";
import { beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, simulatedTime, wait } from "./support/simulated-time.js";
import {
  follow,
  healthOf,
  ids,
  isByIds,
  isDocument,
  isList,
  isTranscript,
  json,
  type Row,
  refusal,
  type Sent,
  smallAccount,
} from "./support/small-service.js";

type Account = ReturnType<typeof smallAccount>;

beforeEach(() => simulatedTime());

const ROWS_ALONE = { transcript: false, documents: [] } as const;
/** No poll reads a meeting that began so many minutes ago. */
const TEN_DAYS = (10 * DAY) / MINUTE;

/** A run each minute, as a queue starts them. */
async function ticks(account: Account, count: number, options: Partial<SyncOptions>): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) {
    await account.sync(options);
    await wait(MINUTE);
  }
}

/** How many minutes pass, with a run every ten, until something is so. */
async function minutesUntil(account: Account, isSo: () => boolean): Promise<number> {
  let minutes = 0;
  for (; minutes < 1_600 && !isSo(); minutes += 10) {
    await wait(10 * MINUTE);
    await account.sync();
  }
  return minutes;
}

describe("what is stored stays", () => {
  test.each(["only", "an event"])(
    "if %s has read a newer row than a request by ids that is still examined",
    async (how) => {
      const account = smallAccount();
      const { service, store } = account;
      for (const id of ids(30)) service.add(id, {}, TEN_DAYS);
      service.answer = (sent) => (isTranscript(sent) ? refusal(500) : undefined);
      await account.sync({ requestsPerMinute: 10_000 });
      await wait(HOUR);
      let target = "";
      let transcripts = 0;
      const run = follow(account, { pollMs: how === "only" ? MINUTE : 10_000 });
      service.answer = (sent) => {
        if (isByIds(sent) && target === "") target = sent.query.getAll("id").at(-1) ?? "";
        if (!isTranscript(sent) || target === "") return undefined;
        transcripts += 1;
        if (transcripts !== (how === "only" ? 2 : 15)) return undefined;
        const row = service.row(target);
        const documents = [...(row.documents as Row[]), { id: "doc_new", title: "Notes" }];
        service.rows = service.rows.map((one) => (one === row ? { ...row, title: "new", documents } : one));
        service.documents.set("doc_new", "# new");
        if (how === "only") {
          const only = syncMeetings(service.notetaker, { into: store, only: [target] });
          return only.then(() => service.served(sent));
        }
        run.event(target);
        return undefined;
      };
      await wait(6 * HOUR);
      await run.stop();
      expect(store.meetings.get(target)?.meeting.title).toBe("new");
      expect(store.meetings.get(target)?.documents.map(({ id }) => id)).toContain("doc_new");
    },
  );

  test("of a document, if an answer is empty, and an empty one is asked for again", async () => {
    const account = smallAccount("mtg_1");
    const { service, store } = account;
    const content = () => store.meetings.get("mtg_1")?.documents[0]?.content;
    service.documents.set("doc_of_mtg_1", "");
    await account.sync();
    service.documents.set("doc_of_mtg_1", "# text");
    expect(await minutesUntil(account, () => content() === "# text")).toBe(10);
    service.documents.set("doc_of_mtg_1", "");
    service.row("mtg_1").documents = [{ id: "doc_of_mtg_1", title: "renamed", created_at: "2026-03-01T11:00:00Z" }];
    await wait(2 * MINUTE);
    await account.sync();
    expect(content()).toBe("# text");
  });

  test("of a document with an odd field, and of a transcript with odd segments, if less of it comes", async () => {
    const account = smallAccount("mtg_1");
    const { service, store } = account;
    let isLess = false;
    service.answer = (sent) => {
      if (isDocument(sent))
        return json(200, { format: "markdown", content: isLess ? null : "# text", created_at: null });
      if (!isTranscript(sent)) return undefined;
      const segment = { speaker_id: "spk_1", start_time: "0", end_time: 1, text: "said" };
      const segments = isLess ? [{}] : [segment, segment, segment];
      return json(200, { meeting_id: "mtg_1", language: "en", speakers: [], segments });
    };
    for (const form of ["first", "first", "newer"]) {
      service.row("mtg_1").documents = [{ id: "doc_of_mtg_1", title: form, created_at: "2026-03-01T11:00:00Z" }];
      await account.sync();
      isLess = true;
      await wait(2 * MINUTE);
      const { documents, transcript } = store.meetings.get("mtg_1") ?? {};
      expect([documents?.[0]?.content, transcript?.segments.length]).toEqual(["# text", 3]);
    }
  });

  test("in the whole account, if a run with a narrow since finds nothing to doubt", async () => {
    const account = smallAccount();
    const { service, store } = account;
    for (const id of ids(40)) service.add(id, {}, 2 * TEN_DAYS);
    const options = { prune: true, requestsPerMinute: 100_000 };
    await account.sync(options);
    // Another account's.
    service.rows = [];
    for (let index = 0; index < 600; index += 1) service.add(`mtg_other_${index}`, {}, 2 * TEN_DAYS);
    service.add("mtg_recent");
    for (const days of [undefined, 7, undefined]) {
      await wait(DAY + HOUR);
      const since = days && new Date(Date.now() - days * DAY);
      await account.sync({ ...options, ...(since && { since }) });
    }
    expect(ids(40).filter((id) => store.meetings.has(id))).toHaveLength(40);
  });

  test.each([
    ["its request by id fails", 0],
    ["it begins outside the period", 3],
  ])("of a meeting that was marked as gone, if the list shows it again, and %s", async (_, hoursOutside) => {
    const account = smallAccount(...ids(30));
    const { service, store } = account;
    await account.sync();
    const row = service.row("mtg_5");
    service.remove("mtg_5");
    await wait(DAY + HOUR);
    await account.sync();
    expect(store.meetings.get("mtg_5")?.isGone).toBe(true);
    const since = new Date(Date.now() - 2 * DAY);
    const start = new Date(since.getTime() - hoursOutside * HOUR).toISOString();
    service.rows.push(hoursOutside === 0 ? row : { ...row, start_time: start });
    const isAsked = (sent: Sent) => sent.query.getAll("id").includes("mtg_5");
    service.answer = (sent) => (isByIds(sent) && isAsked(sent) ? refusal(500) : undefined);
    if (hoursOutside > 0) await wait(2 * HOUR);
    expect(await account.sync({ prune: true, ...(hoursOutside > 0 && { since }) })).toMatchObject({ removed: 0 });
    expect(store.meetings.has("mtg_5")).toBe(true);
  });
});

describe("nothing is held back", () => {
  test("by one empty answer to a request by ids", async () => {
    const account = smallAccount();
    const { service, textOf } = account;
    for (const id of ids(20)) service.add(id, {}, TEN_DAYS);
    service.answer = (sent) => (isTranscript(sent) ? refusal(503) : undefined);
    await account.sync({ requestsPerMinute: 10_000 });
    await wait(10 * MINUTE);
    service.answer = (sent) =>
      isByIds(sent) ? json(200, { data: [], next_cursor: null, has_more: false }) : undefined;
    await account.sync();
    service.answer = () => undefined;
    expect(await minutesUntil(account, () => textOf("mtg_3") !== undefined)).toBeLessThan(90);
  });

  test("by a run with `only` that wants fewer formats", async () => {
    const account = smallAccount();
    const { service, store } = account;
    const stored = () => store.meetings.get("mtg_1");
    service.add("mtg_1", {}, TEN_DAYS);
    service.answer = (sent) => (isDocument(sent) ? refusal(503) : undefined);
    await account.sync();
    service.answer = () => undefined;
    await account.sync({ only: ["mtg_1"], formats: { documents: [] } });
    expect(stored()?.missing).toMatchObject([{ what: "document doc_of_mtg_1 (markdown)" }]);
    expect(await minutesUntil(account, () => stored()?.documents.length === 1)).toBe(10);
  });

  test("of an event whose meeting was just read because it was due", async () => {
    const account = smallAccount("mtg_0");
    const { service, textOf } = account;
    const run = follow(account, { pollMs: HOUR });
    await wait(10 * MINUTE);
    service.rows.unshift(service.add("mtg_1", {}, TEN_DAYS));
    service.rows.pop();
    service.transcripts.delete("mtg_1");
    run.event("mtg_1");
    await wait(2 * MINUTE);
    service.sent.length = 0;
    while (!service.sent.some(isByIds)) await wait(MINUTE);
    service.transcripts.set("mtg_1", "said");
    run.event("mtg_1");
    await wait(5 * MINUTE);
    expect(textOf("mtg_1")).toBe("said");
    await run.stop();
  });

  test.each([
    [1, 10],
    [3, 15],
    [12, 45],
  ])("by %i ids that answer 500, in runs with a budget of %i", async (bad, requests) => {
    const account = smallAccount();
    const { service, textOf } = account;
    for (const id of ids(50)) service.add(id, {}, TEN_DAYS);
    service.answer = (sent) => (isTranscript(sent) ? refusal(404) : undefined);
    await account.sync({ requestsPerMinute: 10_000 });
    const isBad = (id: string) => Number(id.slice("mtg_".length)) <= bad;
    service.answer = (sent) => (isByIds(sent) && sent.query.getAll("id").some(isBad) ? refusal(500) : undefined);
    await wait(HOUR);
    await ticks(account, 60, { budget: { requests, ms: 50_000 } });
    expect(ids(50).filter((id) => textOf(id) === undefined && !isBad(id))).toEqual([]);
  });

  test("by a poll that an earlier run has begun", async () => {
    const account = smallAccount();
    const { service, store } = account;
    for (const id of ids(250)) service.add(id, { documents: [] }, 60);
    await account.sync({ formats: ROWS_ALONE, requestsPerMinute: 10_000 });
    await wait(HOUR);
    await account.sync({ formats: ROWS_ALONE, budget: { requests: 2 } });
    await wait(6 * HOUR);
    service.rows.unshift(service.add("mtg_new", {}, 5));
    service.rows.pop();
    expect(await account.sync({ formats: ROWS_ALONE })).toMatchObject({ ended: "done" });
    expect(store.meetings.has("mtg_new")).toBe(true);
  });
});

test.each([
  ["failed", true],
  ["processing", true],
  ["failed", false],
])(
  "a document that is due, of a meeting that goes back to %s, is not requested for ever; follow: %s",
  async (status, follows) => {
    const account = smallAccount("mtg_1");
    const { service } = account;
    service.answer = (sent) => (isDocument(sent) ? refusal(404) : undefined);
    await account.sync();
    service.row("mtg_1").status = status;
    await wait(10 * MINUTE);
    const run = follows ? follow(account) : undefined;
    await wait(2 * DAY);
    service.sent.length = 0;
    if (run === undefined) await ticks(account, 20, { budget: { requests: 45 } });
    else await wait(2 * HOUR);
    expect(service.sent.filter(isByIds).length).toBeLessThan(5);
    await run?.stop();
  },
);

describe("what is told is so", () => {
  test("onChange, if the answer to a write was lost", async () => {
    const { store, sync } = smallAccount("mtg_1");
    let isLost = false;
    const told: string[] = [];
    const into: MemoryStore = {
      ...store,
      async write(batch, lock) {
        const result = await store.write(batch, lock);
        if (batch.items.length === 0 || isLost) return result;
        isLost = true;
        throw new Error("the connection was lost after the commit");
      },
    };
    expect(await sync({ into, onChange: ({ id }) => void told.push(id) })).toMatchObject({ changed: 1, missing: [] });
    expect(told).toEqual(["mtg_1"]);
  });

  test("that the list is well, if nothing is polled any more", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    const told = healthOf(store);
    await sync();
    await wait(HOUR);
    service.answer = (sent) => (isList(sent) ? refusal(503) : undefined);
    await sync({ budget: { ms: 30_000 } });
    expect(told.health?.failingSince).toBeDefined();
    service.answer = () => undefined;
    const until = new Date(Date.now() - 10 * DAY);
    await wait(DAY + HOUR);
    await sync({ until });
    expect(told.health?.failingSince).toBeUndefined();
  });

  test("that the list is well, if it ends before the page that failed", async () => {
    const account = smallAccount();
    const { service, store } = account;
    service.pageSize = 5;
    for (const id of ids(40)) service.add(id, { documents: [] }, TEN_DAYS);
    const options = { formats: ROWS_ALONE, budget: { requests: 7, ms: 50_000 } };
    const told = healthOf(store);
    await ticks(account, 30, options);
    await wait(DAY);
    service.answer = (sent) => (isList(sent) && sent.query.get("cursor") === "35" ? refusal(503) : undefined);
    await ticks(account, 20, options);
    expect(told.health?.failingSince).toBeDefined();
    service.answer = () => undefined;
    service.rows.splice(0, 6);
    await ticks(account, 10, { ...options, since: "2026-01-01" });
    expect(told.health?.failingSince).toBeUndefined();
  });
});
