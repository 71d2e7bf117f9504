/** What a service, a store or a caller may do without anything of the account being lost, held back or done for ever. */
import {
  type MemoryStore,
  type RecordingDownload,
  type StoreBatch,
  type SyncOptions,
  syncMeetings,
} from "notetaker-sdk";
import { beforeEach, describe, expect, test } from "vitest";
import { DAY, HOUR, MINUTE, settle, simulatedTime } from "./support/simulated-time.js";
import {
  eventQueue,
  isByIds,
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

const isDocument = ({ path }: Sent) => path.startsWith("/documents/");
const ids = (count: number) => Array.from({ length: count }, (_, index) => `mtg_${index + 1}`);
const wait = (ms: number) => settle(new Promise<void>((resolve) => void setTimeout(resolve, ms)));
const html = (status = 200) =>
  new Response("<html>denied</html>", { status, headers: { "content-type": "text/html" } });
const stored = ({ store }: Account) => [...store.meetings.values()].filter(({ isGone }) => !isGone);

/** A run that follows, which a test stops. It fails the test if it ends by itself. */
function follow({ service, store }: Account, options: Partial<SyncOptions> = {}) {
  const killer = new AbortController();
  const { events, send } = eventQueue();
  const { signal } = killer;
  const running = syncMeetings(service.notetaker, { into: store, follow: true, wake: events, signal, ...options });
  running.catch(() => {});
  const stop = async () => {
    killer.abort(new Error("stopped"));
    await expect(settle(running)).rejects.toThrow("stopped");
  };
  return { event: send, stop };
}

/** A store that refuses some batches. */
function refusing(store: MemoryStore, isRefused: (batch: StoreBatch) => boolean): MemoryStore {
  const write: MemoryStore["write"] = async (batch, lock) => {
    if (isRefused(batch)) throw new Error("violates a constraint");
    return store.write(batch, lock);
  };
  return { ...store, write };
}

describe("what is stored", () => {
  test.each([
    ["an odd object", () => json(200, { unexpected: true })],
    ["a page of HTML", () => html()],
    ["segments that are not there", () => json(200, { meeting_id: "mtg_1", segments: [null], speakers: [] })],
  ])("stays if its transcript is requested again and the answer is %s", async (_, odd) => {
    const account = smallAccount("mtg_1");
    const { service, sync, textOf } = account;
    await sync();
    service.answer = (sent) => (isTranscript(sent) ? odd() : undefined);
    await sync({ only: ["mtg_1"] });
    expect(textOf("mtg_1")).toBe("said in mtg_1");
    expect(account.store.meetings.get("mtg_1")?.missing).toEqual([]);
    service.answer = () => undefined;
    service.transcripts.set("mtg_1", "corrected");
    await wait(HOUR);
    await sync();
    expect(textOf("mtg_1")).toBe("corrected");
  });

  test("stays if a document is requested again under a new title, and the answer is odd", async () => {
    const account = smallAccount("mtg_1");
    const { service, sync, store } = account;
    await sync();
    service.row("mtg_1").documents = [{ id: "doc_of_mtg_1", title: "Final", created_at: "2026-03-01T11:00:00Z" }];
    service.documents.set("doc_of_mtg_1", "# final");
    service.answer = (sent) => (isDocument(sent) ? json(200, {}) : undefined);
    await wait(2 * MINUTE);
    await sync();
    expect(store.meetings.get("mtg_1")?.documents).toMatchObject([{ content: "# mtg_1" }]);
    service.answer = () => undefined;
    await wait(HOUR);
    await sync();
    expect(store.meetings.get("mtg_1")?.documents).toMatchObject([{ content: "# final" }]);
  });
});

describe("prune", () => {
  test("removes what is deleted, in a store that began with an empty account", async () => {
    const account = smallAccount();
    const { service, sync } = account;
    await sync({ prune: true });
    for (const id of ids(20)) service.add(id);
    await wait(DAY + HOUR);
    await sync({ prune: true });
    service.remove("mtg_3");
    await wait(DAY + HOUR);
    expect(await sync({ prune: true })).toMatchObject({ removed: 1 });
    expect(stored(account)).toHaveLength(19);
  });

  test("removes nothing with the token of a colleague, whose account is larger, for days", async () => {
    const account = smallAccount(...ids(40));
    const { service, sync, store } = account;
    await sync({ prune: true });
    const own = service.rows;
    service.rows = own.slice(0, 1);
    for (let index = 0; index < 600; index += 1) service.add(`mtg_other_${index}`);
    for (let day = 0; day < 3; day += 1) {
      await wait(DAY + HOUR);
      const { removed, notRemoved } = await sync({ prune: true, requestsPerMinute: 100_000 });
      expect(removed).toBe(0);
      expect(notRemoved).toMatch(/39/);
    }
    for (const id of ids(40)) expect(store.meetings.has(id)).toBe(true);
  });

  test("removes no eight of nine meetings", async () => {
    const account = smallAccount(...ids(9));
    await account.sync({ prune: true });
    account.service.rows = account.service.rows.slice(0, 1);
    await wait(DAY + HOUR);
    const { removed, notRemoved } = await account.sync({ prune: true });
    expect([removed, typeof notRemoved]).toEqual([0, "string"]);
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

  test("marks nothing, and says so, if the service answers requests for ids with nothing", async () => {
    const { service, store, sync } = smallAccount(...ids(5));
    await sync();
    service.remove("mtg_3");
    const nothing = { data: [], next_cursor: null, has_more: false };
    service.answer = (sent) => (isByIds(sent) ? json(200, nothing) : undefined);
    await wait(DAY + HOUR);
    expect(await sync({ prune: "all" })).toMatchObject({
      removed: 0,
      notRemoved: expect.stringMatching(/by their ids/),
    });
    expect([...store.meetings.values()].filter(({ isGone }) => isGone)).toEqual([]);
  });

  test("goes on if the store refuses the removal of one meeting, and says so", async () => {
    const { service, store, sync } = smallAccount(...ids(50));
    await sync();
    const into = refusing(store, ({ removed }) => removed.some(({ id }) => id === "mtg_7"));
    for (const id of ["mtg_6", "mtg_7", "mtg_8"]) service.remove(id);
    await wait(DAY + HOUR);
    const { ended, removed, notRemoved } = await sync({ into, prune: true });
    expect([ended, removed]).toEqual(["done", 2]);
    expect(notRemoved).toMatch(/mtg_7/);
    expect(store.meetings.get("mtg_7")?.isGone).toBe(true);
  });
});

describe("what was missing is requested again", () => {
  test("after a run with a narrower since", async () => {
    const { service, sync, textOf } = smallAccount("mtg_1");
    service.add("mtg_old", {}, (5 * DAY) / MINUTE);
    service.answer = (sent) => (sent.path.includes("mtg_old/transcript") ? refusal(404) : undefined);
    await sync();
    service.answer = () => undefined;
    await wait(10 * MINUTE);
    await sync({ since: new Date(Date.now() - DAY) });
    await wait(10 * MINUTE);
    await sync();
    expect(textOf("mtg_old")).toBe("said in mtg_old");
  });

  test("after the meeting was marked as gone, and returns", async () => {
    const { service, sync, store, textOf } = smallAccount(...ids(5));
    service.answer = (sent) => (sent.path.includes("mtg_3/transcript") ? refusal(404) : undefined);
    await sync();
    const rows = service.rows;
    service.rows = rows.filter((row) => (row as { id: string }).id !== "mtg_3");
    await wait(DAY + HOUR);
    await sync();
    expect(store.meetings.get("mtg_3")?.isGone).toBe(true);
    service.rows = rows;
    service.answer = () => undefined;
    await wait(DAY + HOUR);
    await sync();
    expect(textOf("mtg_3")).toBe("said in mtg_3");
  });

  test.each([
    [
      "an empty transcript, and an hour later the text",
      (): Response | undefined => json(200, { meeting_id: "mtg_1", language: "en", speakers: [], segments: [] }),
    ],
    ["a 202 while it is made", () => json(202, { status: "processing" })],
    ["a 202 without a body while it is made", () => new Response(null, { status: 202 })],
    ["a firewall's page with 403 for an hour", () => html(403)],
  ])("after %s", async (_, early) => {
    const { service, sync, store, textOf } = smallAccount("mtg_1");
    service.answer = (sent) => (isTranscript(sent) ? early() : undefined);
    await sync();
    await wait(HOUR);
    await sync();
    service.answer = () => undefined;
    await wait(HOUR);
    await sync();
    expect(textOf("mtg_1")).toBe("said in mtg_1");
    expect(store.meetings.get("mtg_1")?.missing).toEqual([]);
  });

  test("of a row of which one document is odd: the readable ones are stored", async () => {
    const { service, sync, store } = smallAccount("mtg_1");
    service.row("mtg_1").documents = [null, { id: 7 }, { id: "doc_of_mtg_1", title: "Summary", created_at: null }];
    await sync();
    expect(store.meetings.get("mtg_1")?.documents).toMatchObject([{ id: "doc_of_mtg_1" }]);
  });
});

describe("what fails holds nothing else back", () => {
  test("a recording of more than ten minutes, and then a 503", async () => {
    const account = smallAccount(...ids(3));
    let isFailing = false;
    const into = {
      ...account.store,
      async saveRecording(_: unknown, { stream }: RecordingDownload) {
        await stream.cancel();
        await new Promise<void>((resolve) => void setTimeout(resolve, 11 * MINUTE));
        isFailing = true;
        setTimeout(() => {
          isFailing = false;
        }, 30_000);
      },
    };
    account.service.answer = ({ path }) => {
      if (path.endsWith("/recording"))
        return json(200, { meeting_id: "mtg_1", recording_url: "https://storage.test/r" });
      if (path === "/r") return new Response("video", { headers: { "content-type": "video/mp4" } });
      return isFailing ? refusal(503) : undefined;
    };
    const { ended } = await account.sync({ into, formats: { recording: true } });
    expect(ended).toBe("done");
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
    ["48 ids answers 504", (sent: Sent) => sent.query.getAll("id").length >= 48],
    ["ids answers 500 because of one of them", (sent: Sent) => sent.query.getAll("id").includes("mtg_20")],
    ["many ids answers 414", (sent: Sent) => sent.query.getAll("id").length > 3],
  ])("a request for %s", async (what, isRefused) => {
    const account = smallAccount();
    const { service, sync, textOf } = account;
    for (const id of ids(60)) service.add(id, {}, (10 * DAY) / MINUTE);
    service.answer = (sent) => (isTranscript(sent) ? refusal(404) : undefined);
    await sync({ requestsPerMinute: 10_000 });
    const status = what.includes("414") ? 414 : 500;
    service.answer = (sent) => (isByIds(sent) && isRefused(sent) ? refusal(status) : undefined);
    await wait(10 * MINUTE);
    service.take();
    await sync({ requestsPerMinute: 10_000 });
    const without = ids(60).filter((id) => textOf(id) === undefined);
    expect(without.filter((id) => id !== "mtg_20" || !what.includes("because"))).toEqual([]);
    expect(service.sent.filter(isByIds).length).toBeLessThan(60);
  });

  test("documents alone that answer 429", async () => {
    const account = smallAccount(...ids(60));
    account.service.answer = (sent) => (isDocument(sent) ? refusal(429, { "retry-after": "60" }) : undefined);
    const run = follow(account, { requestsPerMinute: 1_000 });
    await wait(DAY / 4);
    expect(stored(account).filter(({ transcript }) => transcript !== undefined)).toHaveLength(60);
    account.service.answer = () => undefined;
    await wait(2 * HOUR);
    expect(stored(account).filter(({ documents }) => documents.length > 0)).toHaveLength(60);
    await run.stop();
  });

  test("a Retry-After of 30 days", async () => {
    const account = smallAccount("mtg_1");
    let isLimited = true;
    account.service.answer = () => (isLimited ? refusal(429, { "retry-after": String(30 * 86_400) }) : undefined);
    const run = follow(account);
    await wait(10 * MINUTE);
    isLimited = false;
    await wait(2 * HOUR);
    expect(account.textOf("mtg_1")).toBe("said in mtg_1");
    await run.stop();
  });

  test("an answer by ids that cannot be read, in a run that follows", async () => {
    const account = smallAccount("mtg_1", "mtg_2");
    account.service.answer = (sent) => (isByIds(sent) ? html() : undefined);
    const run = follow(account);
    await wait(MINUTE);
    run.event("mtg_1");
    await wait(5 * MINUTE);
    account.service.answer = () => undefined;
    account.service.rows.unshift(account.service.add("mtg_3"));
    await wait(5 * MINUTE);
    expect(account.textOf("mtg_3")).toBe("said in mtg_3");
    await run.stop();
  });

  test.each([409, 410, 413, 418, 431])("a list that answers %i for a while, in a run that follows", async (status) => {
    const account = smallAccount("mtg_1");
    account.service.answer = () => refusal(status);
    const run = follow(account);
    await wait(5 * MINUTE);
    account.service.answer = () => undefined;
    await wait(30 * MINUTE);
    expect(account.textOf("mtg_1")).toBe("said in mtg_1");
    await run.stop();
  });

  test("a firewall that answers the list with 403 for five minutes", async () => {
    const account = smallAccount("mtg_1");
    account.service.answer = () => html(403);
    setTimeout(() => {
      account.service.answer = () => undefined;
    }, 5 * MINUTE);
    expect(await account.sync()).toMatchObject({ ended: "done" });
    expect(account.textOf("mtg_1")).toBe("said in mtg_1");
  });

  const READS = ["readState", "readMemory", "due", "ids"] as const;
  test.each([
    ["every call", [...READS, "write"]],
    ["every write", ["write"]],
    ["every read", READS],
  ] as const)(
    "a store of which %s fails for good: the run rejects, and at once if it is cancelled",
    async (_, names) => {
      for (const isCancelled of [false, true]) {
        const { store, sync } = smallAccount("mtg_1", "mtg_2");
        await sync();
        await wait(DAY + HOUR);
        let calls = 0;
        const failing = names.map((name) => {
          const call = store[name] as (...args: unknown[]) => Promise<unknown>;
          const fail = async (...args: unknown[]) => {
            calls += 1;
            if (calls <= 1 && name !== "write") return call(...args);
            throw new Error("ENOSPC: no space left on device");
          };
          return [name, fail] as const;
        });
        const killer = new AbortController();
        if (isCancelled) setTimeout(() => killer.abort(new Error("cancelled")), MINUTE);
        const beganAt = Date.now();
        const running = sync({ into: { ...store, ...Object.fromEntries(failing) }, signal: killer.signal });
        await expect(running).rejects.toThrow(isCancelled ? "cancelled" : "ENOSPC");
        expect(Date.now() - beganAt).toBeLessThanOrEqual(isCancelled ? MINUTE : 11 * MINUTE);
      }
    },
  );

  test("a store that is away for two seconds, in a run that follows", async () => {
    const account = smallAccount("mtg_1");
    const { store, service } = account;
    let awayUntil = 0;
    const phases: string[] = [];
    const away = new Proxy(store, {
      get: (_, name) => {
        const value = Reflect.get(store, name);
        if (typeof value !== "function" || name === "lock" || name === "readState") return value;
        return async (...args: unknown[]) => {
          if (Date.now() < awayUntil) throw new Error("connect ECONNREFUSED");
          return Reflect.apply(value, store, args);
        };
      },
    });
    const run = follow(account, { into: away, onProgress: ({ waitsFor }) => void phases.push(waitsFor ?? "") });
    await wait(5 * MINUTE);
    for (let second = 0; second < 60; second += 5) {
      awayUntil = Date.now() + 2_000;
      service.rows.unshift(service.add(`mtg_${second}_later`));
      run.event(`mtg_${second}_later`);
      await wait(30_000);
    }
    await wait(MINUTE);
    expect(stored(account)).toHaveLength(13);
    expect(stored(account).every(({ transcript, missing }) => transcript && missing.length === 0)).toBe(true);
    expect(phases).toContain("store");
    await run.stop();
  });

  test("until, more than three days back", async () => {
    const { service, sync, store } = smallAccount("mtg_1");
    service.add("mtg_old", {}, (20 * DAY) / MINUTE);
    const until = new Date(Date.now() - 10 * DAY);
    service.answer = (sent) => {
      const [from, to] = [sent.query.get("start_date"), sent.query.get("end_date")];
      return from !== null && to !== null && from > to ? refusal(422) : undefined;
    };
    expect(await sync({ until })).toMatchObject({ ended: "done" });
    await wait(MINUTE);
    expect(await sync({ until })).toMatchObject({ ended: "done" });
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

  test("the order of a meeting's documents is no news, nor the text of an error", async () => {
    const account = smallAccount("mtg_1");
    const { service } = account;
    const documents = [
      { id: "doc_of_mtg_1", title: "Summary", created_at: null },
      { id: "doc_2", title: "Notes", created_at: null },
    ];
    service.documents.set("doc_2", "# notes");
    let count = 0;
    service.answer = (sent) => {
      count += 1;
      service.row("mtg_1").documents = count % 2 === 0 ? documents : [...documents].reverse();
      if (!isTranscript(sent)) return undefined;
      return json(500, { error: { code: "internal_error", message: `request ${count}` } });
    };
    const changes: unknown[] = [];
    const run = follow(account, { onChange: (change) => void changes.push(change) });
    await wait(30 * MINUTE);
    expect(changes.length).toBeLessThanOrEqual(2);
    expect(service.sent.filter(isDocument)).toHaveLength(2);
    await run.stop();
  });

  test("a meeting that nobody joins costs a few requests in 30 days", async () => {
    const account = smallAccount("mtg_1");
    const { service } = account;
    Object.assign(service.row("mtg_1"), { status: "scheduled", documents: [] });
    service.transcripts.delete("mtg_1");
    for (let day = 0; day < 30; day += 1) {
      await account.sync();
      await wait(DAY);
    }
    const extra = service.sent.filter((sent) => !isList(sent));
    expect(extra.length).toBeLessThan(5);
  });

  test("a store refuses everything of a meeting: the others are stored, and the run ends well", async () => {
    const account = smallAccount(...ids(5));
    const into = refusing(account.store, ({ items }) =>
      items.some(({ id, meeting }) => id === "mtg_3" && meeting !== undefined),
    );
    const { ended, missing } = await account.sync({ into });
    expect([ended, stored(account).length]).toEqual(["done", 4]);
    expect(missing[0]).toMatchObject({ meeting_id: "mtg_3", what: "meeting", reason: "invalid", retryable: true });
    expect(missing[0]?.message).toMatch(/violates a constraint/);
  });
});
