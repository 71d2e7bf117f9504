/** What a service, a store or a caller may do without anything of the account being held back, or done for ever. */
import {
  type MemoryStore,
  type RecordingDownload,
  type StoreBatch,
  type SyncOptions,
  syncMeetings,
} from "notetaker-sdk";
import { beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, settle, simulatedTime, wait } from "./support/simulated-time.js";
import {
  follow,
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

const html = (status = 200) =>
  new Response("<html>denied</html>", { status, headers: { "content-type": "text/html" } });
const stored = ({ store }: Account) => [...store.meetings.values()].filter(({ isGone }) => !isGone);

/** A store that refuses some batches. */
const refusing = (store: MemoryStore, isRefused: (batch: StoreBatch) => boolean): MemoryStore => ({
  ...store,
  async write(batch, lock) {
    if (isRefused(batch)) throw new Error("violates a constraint");
    return store.write(batch, lock);
  },
});

const LIMITED = () => refusal(429, { "retry-after": String(30 * 86_400) });

test.each<[what: string, minutes: number, transcripts: number, answer: (sent: Sent) => Response | undefined]>([
  [
    "documents alone that answer 429",
    360,
    5,
    (sent) => (isDocument(sent) ? refusal(429, { "retry-after": "60" }) : undefined),
  ],
  ["a Retry-After of 30 days", 10, 0, LIMITED],
  ["a page of HTML for requests by ids", 30, 5, (sent) => (isByIds(sent) ? html() : undefined)],
  ["a firewall's page with 403", 5, 0, () => html(403)],
  ["a firewall's page with 403 for each piece", 60, 0, (sent) => (isList(sent) ? undefined : html(403))],
  ["a list with 418", 5, 0, () => refusal(418)],
])(
  "%s, for %i minutes: the rest is stored meanwhile, and all of it at last",
  async (_, minutes, transcripts, answer) => {
    for (const isFollowing of [true, false]) {
      const account = smallAccount(...ids(5));
      account.service.answer = answer;
      const run = isFollowing ? follow(account, { requestsPerMinute: 1_000 }) : undefined;
      run?.event("mtg_1");
      const ending = setTimeout(() => Object.assign(account.service, { answer: () => undefined }), minutes * MINUTE);
      if (run === undefined) await account.sync({ requestsPerMinute: 1_000 }).catch(() => {});
      else await wait(minutes * MINUTE - 1);
      if (run !== undefined) expect(stored(account).filter(({ transcript }) => transcript)).toHaveLength(transcripts);
      await wait(2 * HOUR + minutes * MINUTE);
      clearTimeout(ending);
      if (run === undefined) await account.sync();
      await run?.stop();
      expect(stored(account).map(({ missing }) => missing)).toEqual([[], [], [], [], []]);
    }
  },
);

describe("prune", () => {
  const nothing = () => json(200, { data: [], next_cursor: null, has_more: false });

  test.each<[string, number, (account: Account) => Partial<SyncOptions> | undefined, removed: number, RegExp]>([
    ["one meeting is deleted", 20, ({ service }) => void service.remove("mtg_3"), 1, /^$/],
    ["eight of nine are", 9, ({ service }) => void service.rows.splice(1), 0, /8 of 9/],
    [
      "the token is that of a colleague, whose account is larger",
      40,
      ({ service }) => {
        service.rows.splice(1);
        for (let index = 0; index < 600; index += 1) service.add(`mtg_other_${index}`);
        return undefined;
      },
      0,
      /39/,
    ],
    [
      "the service answers requests for ids with nothing",
      5,
      ({ service }) => {
        service.remove("mtg_3");
        service.answer = (sent) => (isByIds(sent) ? nothing() : undefined);
        return { prune: "all" };
      },
      0,
      /by their ids/,
    ],
    [
      "the store refuses the removal of one of three",
      50,
      ({ service, store }) => {
        for (const id of ["mtg_6", "mtg_7", "mtg_8"]) service.remove(id);
        return { into: refusing(store, ({ removed }) => removed.some(({ id }) => id === "mtg_7")) };
      },
      2,
      /mtg_7/,
    ],
  ])("if %s", async (_, count, edit, removed, notRemoved) => {
    // The store begins with an empty account.
    const account = smallAccount();
    await account.sync({ prune: true });
    for (const id of ids(count)) account.service.add(id);
    await wait(DAY + HOUR);
    await account.sync({ prune: true, requestsPerMinute: 1_000 });
    const options = edit(account);
    let total = 0;
    for (let day = 0; day < 3; day += 1) {
      await wait(DAY + HOUR);
      const result = await account.sync({ prune: true, requestsPerMinute: 100_000, ...options });
      total += result.removed;
      if (removed === 0 || day === 0) expect(result).toMatchObject({ ended: "done" });
      if (removed === 0 || day === 0) expect(result.notRemoved ?? "").toMatch(notRemoved);
    }
    expect(total).toBe(removed);
    expect(ids(count).filter((id) => account.store.meetings.has(id))).toHaveLength(count - removed);
  });

  test("keeps what is marked as gone and lies outside the period of the run, which has not asked for it", async () => {
    const { service, sync, store } = smallAccount(...ids(30));
    service.add("mtg_old", {}, (40 * DAY) / MINUTE);
    await sync();
    service.remove("mtg_old");
    service.remove("mtg_5");
    await wait(DAY + HOUR);
    await sync();
    expect(store.meetings.get("mtg_old")?.isGone).toBe(true);
    await wait(DAY + HOUR);
    const since = new Date(Date.now() - 10 * DAY);
    expect(await sync({ prune: true, since })).toMatchObject({ removed: 1 });
    expect(store.meetings.has("mtg_old")).toBe(true);
  });

  test("measures by the meetings in the period of the run", async () => {
    const { service, sync } = smallAccount(...ids(5));
    for (let index = 0; index < 60; index += 1) service.add(`mtg_old_${index}`, {}, (40 * DAY) / MINUTE);
    await sync();
    for (const id of ids(5)) service.remove(id);
    service.add("mtg_other");
    await wait(DAY + HOUR);
    const result = await sync({ prune: true, since: new Date(Date.now() - 10 * DAY) });
    expect(result).toMatchObject({ removed: 0, notRemoved: expect.stringContaining("none of the 5 meetings") });
  });

  test("keeps a meeting that is marked as gone, and that the service returns by its id", async () => {
    const { service, sync, store } = smallAccount(...ids(30));
    await sync();
    const { rows } = service;
    service.remove("mtg_5");
    await wait(DAY + HOUR);
    await sync();
    expect(store.meetings.get("mtg_5")?.isGone).toBe(true);
    // The list does not show it, but the service has it again.
    service.answer = (sent) => {
      const asked = rows.filter((row) => sent.query.getAll("id").includes((row as Row).id));
      return isByIds(sent) ? json(200, { data: asked, next_cursor: null, has_more: false }) : undefined;
    };
    await wait(DAY + HOUR);
    expect(await sync({ prune: true })).toMatchObject({ removed: 0 });
    expect(store.meetings.get("mtg_5")?.isGone).toBe(false);
  });
});

describe("what fails holds nothing else back", () => {
  test("a recording of more than ten minutes, and then a 503", async () => {
    const account = smallAccount(...ids(3));
    let failsUntil = 0;
    const into = {
      ...account.store,
      async saveRecording(_: unknown, { stream }: RecordingDownload) {
        await stream.cancel();
        await new Promise<void>((resolve) => void setTimeout(resolve, 11 * MINUTE));
        failsUntil = Date.now() + 30_000;
      },
    };
    account.service.answer = ({ path }) => {
      if (path.endsWith("/recording"))
        return json(200, { meeting_id: "mtg_1", recording_url: "https://storage.test/r" });
      if (path === "/r") return new Response("video", { headers: { "content-type": "video/mp4" } });
      return Date.now() < failsUntil ? refusal(503) : undefined;
    };
    expect(await account.sync({ into, formats: { recording: true } })).toMatchObject({ ended: "done" });
  });

  test("a page of the list that always answers 500: events and polls have their turn", async () => {
    const account = smallAccount();
    const { service, textOf } = account;
    service.pageSize = 10;
    for (let index = 0; index < 40; index += 1) service.add(`mtg_old_${index}`, {}, (10 * DAY) / MINUTE + index);
    service.answer = (sent) =>
      isList(sent) && sent.query.get("cursor") === "20" && !sent.query.has("start_date") ? refusal(500) : undefined;
    const run = follow(account, { requestsPerMinute: 1_000 });
    await wait(20 * MINUTE);
    service.rows.unshift(service.add("mtg_event"));
    run.event("mtg_event");
    await wait(10_000);
    expect(textOf("mtg_event")).toBe("said in mtg_event");
    service.rows.unshift(service.add("mtg_polled"));
    await wait(3 * MINUTE);
    expect(textOf("mtg_polled")).toBe("said in mtg_polled");
    await run.stop();
  });

  test.each([
    ["that follows", { follow: true }],
    ["with a budget", { budget: { requests: 30, ms: 50_000 } }],
  ] as const)("the second page of each poll, which always answers 500, in a run %s", async (_, options) => {
    const account = smallAccount();
    const { service, store, textOf } = account;
    service.pageSize = 10;
    for (const id of ids(30)) service.add(id);
    service.answer = (sent) => (isList(sent) && sent.query.get("cursor") === "10" ? refusal(500) : undefined);
    const stopper = new AbortController();
    const ticks = async () => {
      while (!stopper.signal.aborted) {
        await syncMeetings(service.notetaker, { into: store, signal: stopper.signal, ...options });
        await new Promise<void>((resolve) => void setTimeout(resolve, MINUTE));
      }
    };
    const running = ticks().catch(() => {});
    for (const id of ["mtg_early", "mtg_late"]) {
      await wait(5 * HOUR);
      service.rows.unshift(service.add(id));
      service.rows.pop();
      await wait(4 * MINUTE);
      expect(textOf(id)).toBe(`said in ${id}`);
    }
    // The page that fails is asked for less and less often, and read when it is well.
    service.sent.length = 0;
    await wait(5 * HOUR);
    if ("follow" in options) expect(service.sent.filter(({ query }) => query.has("cursor")).length).toBeLessThan(40);
    service.answer = () => undefined;
    await wait(HOUR + MINUTE);
    expect(store.meetings.size).toBe(32);
    stopper.abort();
    await settle(running);
  });

  test.each([
    ["48 ids answers 504", 504, (asked: string[]) => asked.length >= 48],
    ["ids answers 500 because of one of them", 500, (asked: string[]) => asked.includes("mtg_20")],
    ["many ids answers 414", 414, (asked: string[]) => asked.length > 3],
  ])("a request for %s", async (_, status, isRefused) => {
    const { service, sync, textOf } = smallAccount();
    for (const id of ids(60)) service.add(id, {}, (10 * DAY) / MINUTE);
    service.answer = (sent) => (isTranscript(sent) ? refusal(404) : undefined);
    await sync({ requestsPerMinute: 10_000 });
    service.answer = (sent) => (isByIds(sent) && isRefused(sent.query.getAll("id")) ? refusal(status) : undefined);
    await wait(10 * MINUTE);
    service.take();
    await sync({ requestsPerMinute: 10_000 });
    expect(ids(60).filter((id) => textOf(id) === undefined && !isRefused([id]))).toEqual([]);
    expect(service.sent.filter(isByIds).length).toBeLessThan(60);
  });

  const READS = ["readState", "readMemory", "due", "ids"] as const;
  test.each([
    ["every call", [...READS, "write"]],
    ["every write", ["write"]],
    ["every read", READS],
  ] as const)("a store of which %s fails: for a while, for good, and until the run is cancelled", async (_, names) => {
    for (const [minutes, error, endsAfterMinutes] of [
      [2, undefined, 5],
      [Number.POSITIVE_INFINITY, "ENOSPC", 11],
      [Number.POSITIVE_INFINITY, "cancelled", 1],
    ] as const) {
      const { service, store, sync } = smallAccount("mtg_1", "mtg_2");
      await sync();
      await wait(DAY + HOUR);
      for (const id of ["mtg_1", "mtg_2"]) service.row(id).title = "new";
      const beganAt = Date.now();
      let calls = 0;
      const failing = names.map((name) => {
        const call = store[name] as (...args: unknown[]) => Promise<unknown>;
        const fail = async (...args: unknown[]) => {
          calls += 1;
          if ((calls <= 1 && name !== "write") || Date.now() >= beganAt + minutes * MINUTE) return call(...args);
          throw new Error("ENOSPC: no space left on device");
        };
        return [name, fail] as const;
      });
      const waits = new Set<unknown>();
      const killer = new AbortController();
      if (error === "cancelled") setTimeout(() => killer.abort(new Error(error)), MINUTE);
      const into = { ...store, ...Object.fromEntries(failing) };
      const running = sync({ into, signal: killer.signal, onProgress: ({ waitsFor }) => void waits.add(waitsFor) });
      if (error === undefined) expect(await running).toMatchObject({ ended: "done", missing: [] });
      else await expect(running).rejects.toThrow(error);
      expect(waits).toContain("store");
      expect(Date.now() - beganAt).toBeLessThanOrEqual(endsAfterMinutes * MINUTE);
    }
  });

  test("until, more than three days back", async () => {
    const { service, sync, store } = smallAccount("mtg_1");
    service.add("mtg_old", {}, (20 * DAY) / MINUTE);
    const until = new Date(Date.now() - 10 * DAY);
    service.answer = (sent) => {
      const [from, to] = [sent.query.get("start_date"), sent.query.get("end_date")];
      return from !== null && to !== null && from > to ? refusal(422) : undefined;
    };
    for (let run = 0; run < 2; run += 1) {
      expect(await sync({ until })).toMatchObject({ ended: "done" });
      await wait(MINUTE);
    }
    expect([...store.meetings.keys()]).toEqual(["mtg_old"]);
  });
});

describe("nothing is done for ever", () => {
  test("a row that the store has, after it has refused another one", async () => {
    const { service, store, sync } = smallAccount("mtg_1");
    const titles: unknown[] = [];
    const into = refusing(store, ({ items }) => {
      const isRefused = items.some(({ meeting }) => meeting?.title === "refused");
      if (!isRefused) titles.push(...items.flatMap(({ meeting }) => meeting?.title ?? []));
      return isRefused;
    });
    await sync({ into });
    service.row("mtg_1").title = "refused";
    await wait(2 * MINUTE);
    expect((await sync({ into })).missing).toMatchObject([{ what: "meeting", reason: "invalid" }]);
    service.row("mtg_1").title = "Title of mtg_1";
    await wait(2 * MINUTE);
    expect((await sync({ into })).missing).toEqual([]);
    expect(titles).toEqual(["Title of mtg_1"]);
  });

  test("a newer document that the store refuses, until it is given up and after, is named as missing", async () => {
    const account = smallAccount("mtg_1");
    const { service, store } = account;
    await account.sync();
    const isRefused = (batch: StoreBatch) => batch.items.some(({ documents }) => documents.length > 0);
    const refused = { into: refusing(store, isRefused), settleMs: HOUR };
    const documents = [{ id: "doc_of_mtg_1", title: "newer", created_at: "2026-03-01T11:00:00Z" }];
    Object.assign(service.row("mtg_1"), { documents });
    service.documents.set("doc_of_mtg_1", "# newer");
    const named = { what: "document doc_of_mtg_1 (markdown)", reason: "invalid" };
    const told: unknown[] = [];
    for (let hours = 0; hours < 8; hours += 1) {
      const { missing } = await account.sync(refused);
      expect([missing, store.meetings.get("mtg_1")?.missing]).toMatchObject([[named], [named]]);
      expect(missing[0]?.message).toMatch(/the store has refused it: violates a constraint/);
      told.push(missing[0]?.retryable);
      await wait(HOUR);
    }
    expect(told).toEqual([true, true, true, true, false, false, false, false]);
    // A change that was written when it was not wanted has not made it a stored one.
    service.row("mtg_1").title = "newer";
    await account.sync({ formats: { documents: [] } });
    expect((await account.sync()).missing).toEqual([]);
    expect(store.meetings.get("mtg_1")).toMatchObject({ missing: [], documents: [{ content: "# newer" }] });
  });

  test("a meeting that nobody joins costs a few requests in 30 days", async () => {
    const { service, sync } = smallAccount("mtg_1");
    Object.assign(service.row("mtg_1"), { status: "scheduled", documents: [] });
    service.transcripts.delete("mtg_1");
    for (let day = 0; day < 30; day += 1) {
      await sync();
      await wait(DAY);
    }
    expect(service.sent.filter((sent) => !isList(sent)).length).toBeLessThan(5);
  });

  test("a day on which nothing happens costs its polls and one reading of the list", async () => {
    const account = smallAccount(...ids(5));
    const { service } = account;
    const { stop } = follow(account, { pollMs: HOUR });
    await wait(DAY + HOUR);
    const before = service.sent.length;
    await wait(DAY);
    const sent = service.sent.slice(before);
    await stop();
    expect(sent.filter((one) => !isList(one))).toEqual([]);
    expect(sent.length).toBeGreaterThanOrEqual(24);
    expect(sent.length).toBeLessThan(30);
  });

  test("a store refuses everything of a meeting: the others are stored, and the run ends well", async () => {
    const account = smallAccount(...ids(5));
    const isRefused = ({ items }: StoreBatch) => items.some(({ id, meeting }) => id === "mtg_3" && meeting);
    const { ended, missing } = await account.sync({ into: refusing(account.store, (batch) => isRefused(batch)) });
    expect([ended, stored(account).length]).toEqual(["done", 4]);
    expect(missing[0]).toMatchObject({ meeting_id: "mtg_3", what: "meeting", reason: "invalid", retryable: true });
    expect(missing[0]?.message).toMatch(/violates a constraint/);
  });
});
