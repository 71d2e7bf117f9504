/** The follower: what it yields, when, and what it asks for. */
import { type Middleware, ServerError, type WalkOptions, walkMeetings } from "notetaker-sdk";
import { aDocument, aMeeting, type Emulator } from "notetaker-sdk/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clientOf, UNLIMITED } from "../node/support/account.js";
import { collect } from "../support/pages.js";
import {
  DAY,
  events,
  fakeTime,
  following,
  HOUR,
  MINUTE,
  NOW,
  pass,
  serviceOf,
  started,
  until,
} from "./support/following.js";

beforeEach(() => void fakeTime());
afterEach(() => void vi.useRealTimers());

const at = (ms: number) => new Date(NOW + ms).toISOString();
const meeting = (id: string, startMs: number, fields: object = {}) =>
  aMeeting({ id, start_time: at(startMs), documents: [], ...fields });

describe("the history and the polls", () => {
  it("yields every meeting once, and a quiet poll is the pages of the list alone", async () => {
    const seeds = Array.from({ length: 130 }, (_, index) => meeting(`mtg_${index}`, -index * 4 * HOUR));
    const service = serviceOf({ meetings: seeds });
    const run = started(service);
    await until(() => run.checkpoint?.includes('"history"') === false);
    expect(new Set(run.ids)).toEqual(new Set(seeds.map(({ id }) => id)));
    expect(run.ids).toHaveLength(130);
    const before = service.requests.length;
    await pass(10 * MINUTE);
    const after = service.requests.slice(before);
    expect(after.length).toBeGreaterThanOrEqual(8);
    expect(after.length).toBeLessThanOrEqual(14);
    expect(after.every(({ path }) => path === "/meetings")).toBe(true);
    expect(run.ids).toHaveLength(130);
  });

  it("yields a meeting again when its title changes, and not when nothing does", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR), meeting("mtg_2", -HOUR)] });
    const run = started(service);
    await pass(3 * MINUTE);
    edit(service, "mtg_1", { title: "Renamed" });
    await pass(3 * MINUTE);
    expect(run.ids.sort()).toEqual(["mtg_1", "mtg_1", "mtg_2"]);
    expect(run.stored.get("mtg_1")).toMatchObject({ meeting: { title: "Renamed" }, transcript: {} });
  });
});

/** Changes a record of the emulator, for what it has no control for. */
const edit = (service: Emulator, id: string, fields: object) =>
  Object.assign(service.meetings.get(id) as object, fields);

describe("what is missing", () => {
  it("asks for a late transcript ever more rarely, and yields the meeting again when it is there", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR)] });
    const missing = service.faults;
    missing.next("GET /meetings/:id/transcript", { status: 404, times: 9 });
    const run = started(service, { since: "2026-03-01" });
    await pass(DAY / 2, MINUTE);
    expect(run.items.map(({ transcript }) => transcript !== undefined)).toEqual([false, true]);
    expect(run.items[0]?.missing).toMatchObject([
      { what: "transcript", reason: "not_ready", status: 404, retryable: true },
    ]);
    const times = service.requests.filter(({ path }) => path.endsWith("/transcript")).map(({ at }) => Number(at));
    expect(times).toHaveLength(10);
  });

  it("gives up a piece after settleMs, and yields the item a last time", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR)] });
    service.faults.next("GET /meetings/:id/transcript", { status: 404, times: 1_000 });
    const run = started(service);
    await pass(30 * HOUR, 5 * MINUTE);
    expect(run.items.map(({ missing }) => missing.map(({ reason, retryable }) => [reason, retryable]))).toEqual([
      [["not_ready", true]],
      [["not_found", false]],
    ]);
    const before = service.requests.length;
    await pass(DAY, 10 * MINUTE);
    expect(service.requests.slice(before).every(({ path }) => path === "/meetings")).toBe(true);
  });

  it("costs nothing after the last item of a failed meeting, and of one that never gets a transcript", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR), meeting("mtg_2", -HOUR, { status: "failed" })] });
    service.faults.next("GET /meetings/:id/transcript", { status: 404, times: 1_000 });
    const run = started(service, { pollMs: 10 * MINUTE, wants: (...row) => run.wants(...row) });
    await pass(2 * DAY, 30 * MINUTE);
    expect([...run.stored.values()].map(({ meeting, missing }) => [meeting.id, missing])).toEqual([
      ["mtg_1", [expect.objectContaining({ reason: "not_found", retryable: false })]],
      ["mtg_2", [expect.objectContaining({ reason: "meeting_failed", retryable: false })]],
    ]);
    const before = service.requests.length;
    // Full readings, and in the end one without a checkpoint.
    await pass(4 * DAY, HOUR);
    run.kill();
    run.checkpoint = undefined;
    run.start();
    await pass(HOUR, MINUTE);
    expect(service.requests.slice(before).every(({ path }) => path === "/meetings")).toBe(true);
  });

  it("yields a new item for a summary that arrives the next day", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR)] });
    const run = started(service);
    await pass(20 * HOUR, 10 * MINUTE);
    service.meetings.addDocument("mtg_1", aDocument({ title: "Summary" }));
    await pass(3 * MINUTE);
    expect(run.items.map(({ documents, transcript }) => [documents.length, transcript !== undefined])).toEqual([
      [0, true],
      [1, true],
    ]);
  });

  it("keeps a failed request of a past meeting, and takes a 404 of it as final", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -30 * DAY), meeting("mtg_2", -31 * DAY)] });
    const run = following(service, { concurrency: 1 });
    service.faults.next("GET /meetings/:id/transcript", { status: 404 });
    service.faults.next("GET /meetings/:id/transcript", { status: 500, times: 5 });
    run.start();
    await pass(10 * MINUTE);
    const reasons = run.items.map(({ meeting, missing }) => [meeting.id, ...missing.map(({ reason }) => reason)]);
    expect(reasons).toEqual([["mtg_1", "not_found"], ["mtg_2", "failed"], ["mtg_2"]]);
  });

  it("holds back a change while a piece fails that the database has", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR)] });
    const run = started(service);
    await pass(2 * MINUTE);
    edit(service, "mtg_1", { title: "Renamed" });
    service.faults.next("GET /meetings/:id/transcript", { status: 500, times: 12 });
    await pass(20 * MINUTE, 10_000);
    expect(run.items.map(({ meeting, transcript }) => [meeting.title, transcript !== undefined])).toEqual([
      [expect.any(String), true],
      ["Renamed", true],
    ]);
  });
});

const asked = (service: Emulator, id: string) =>
  service.requests.filter(({ query }) => query.getAll("id").includes(id)).length;

describe("events", () => {
  it("asks again for an id that the list does not have yet, and stops after settleMs", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -400 * DAY)] });
    const { wake, send } = events();
    const run = started(service, { wake });
    await pass(5_000);
    expect(run.ids).toEqual(["mtg_1"]);
    send("mtg_2");
    await pass(2_000);
    expect(asked(service, "mtg_2")).toBe(1);
    await pass(26 * HOUR, 5 * MINUTE);
    const times = asked(service, "mtg_2");
    expect(times).toBeGreaterThan(10);
    expect(times).toBeLessThan(60);
    await pass(5 * HOUR, 10 * MINUTE);
    expect(asked(service, "mtg_2")).toBe(times);
  });

  it("come before the backlog, within a second, also while the history is read", async () => {
    const seeds = Array.from({ length: 60 }, (_, index) => meeting(`mtg_${index}`, -index * 30 * DAY));
    const service = serviceOf({ meetings: seeds });
    const { wake, send } = events();
    const fetch: typeof service.fetch = async (...request) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return service.fetch(...request);
    };
    const run = started(service, { wake, concurrency: 1 }, { fetch });
    await pass(10_000, 500);
    send("mtg_59");
    await pass(3_000, 500);
    expect(run.ids).toContain("mtg_59");
    expect(run.ids.length).toBeLessThan(30);
    await pass(3 * MINUTE);
    expect(run.ids.filter((id) => id === "mtg_59")).toHaveLength(1);
    expect(new Set(run.ids).size).toBe(60);
  });

  it("that end or fail do not end the loop, and leaving the loop closes them", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR)] });
    async function* failing(): AsyncGenerator<unknown> {
      yield { meetingId: "mtg_/../x" };
      throw new Error("lost");
    }
    const run = started(service, { wake: failing() });
    await pass(5 * MINUTE);
    expect(run.error).toBeUndefined();
    expect(service.requests.length).toBeGreaterThan(4);
    run.kill();

    let isClosed = false;
    const hanging: AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          isClosed = true;
          return { done: true, value: undefined };
        },
      }),
    };
    for await (const _ of walkMeetings(clientOf(service), { follow: true, wake: hanging, ...UNLIMITED })) break;
    await pass(0, 1);
    expect(isClosed).toBe(true);
  });
});

describe("wants, known and the full reading", () => {
  it("asks wants once for each meeting, and leaves out what it refuses, whatever changes", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR), meeting("mtg_2", -HOUR)] });
    const calls: [string, boolean][] = [];
    const run = following(service, {
      wants: ({ id }, { event }) => {
        calls.push([id, event]);
        return id === "mtg_1" ? false : { transcript: false };
      },
    });
    run.start();
    await pass(3 * MINUTE);
    edit(service, "mtg_1", { title: "Renamed" });
    edit(service, "mtg_2", { title: "Renamed" });
    await pass(3 * MINUTE);
    run.kill();
    run.start();
    await pass(3 * MINUTE);
    expect(calls.sort()).toEqual([
      ["mtg_1", false],
      ["mtg_2", false],
    ]);
    expect(run.items.map(({ meeting, transcript }) => [meeting.title, transcript])).toEqual([
      [expect.any(String), undefined],
      ["Renamed", undefined],
    ]);
  });

  it("finds an old meeting whose event was lost within a day, and reports what is gone", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR), meeting("mtg_2", -50 * DAY)] });
    const gone: string[] = [];
    const run = following(service, {
      wants: ({ id }) => id !== "mtg_2" || isShared,
      known: async function* () {
        yield* ["mtg_1", "mtg_9"];
      },
      onGone: (id) => void gone.push(id),
    });
    let isShared = false;
    run.start();
    await pass(HOUR, MINUTE);
    expect(run.ids).toEqual(["mtg_1"]);
    isShared = true;
    await pass(DAY, 10 * MINUTE);
    expect(run.ids).toEqual(["mtg_1", "mtg_2"]);
    expect(gone).toEqual(["mtg_9"]);
    await pass(DAY, 10 * MINUTE);
    expect(run.ids).toEqual(["mtg_1", "mtg_2"]);
    expect(gone).toEqual(["mtg_9", "mtg_9"]);
  });

  it("reads no meeting a second time because the program's database still calls it recent", async () => {
    const seeds = Array.from({ length: 16 }, (_, index) => meeting(`mtg_${index}`, -index * 5 * HOUR));
    const service = serviceOf({ meetings: seeds });
    const run = following(service, { pollMs: HOUR });
    run.start({ wants: run.wants });
    await pass(7 * DAY, 10 * MINUTE);
    expect(run.ids.sort()).toEqual(seeds.map(({ id }) => id).sort());
  });
});

describe("resume", () => {
  it("continues after a stop of three weeks, and yields only what is new", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR)] });
    const run = started(service);
    await pass(5 * MINUTE);
    run.kill();
    await pass(DAY, DAY);
    const { id } = await clientOf(service).meetings.upload(new Uint8Array(8), { contentType: "audio/wav" });
    await service.meetings.transcribe(id);
    await pass(20 * DAY, DAY);
    run.start();
    await pass(5 * MINUTE);
    expect(run.ids).toEqual(["mtg_1", id]);
  });

  it("takes the checkpoint of a walk; a walk refuses that of a follower", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR), meeting("mtg_2", -30 * DAY)] });
    const [first] = await collect(walkMeetings(clientOf(service), UNLIMITED));
    const run = started(service, { resume: first?.checkpoint });
    await pass(2 * MINUTE);
    expect(run.ids).toContain("mtg_2");
    run.kill();
    await expect(collect(walkMeetings(clientOf(service), { resume: run.checkpoint }))).rejects.toThrow(
      /resume: expected the checkpoint of a walk; this one needs follow/,
    );
  });

  it("reads the history from its first page if the service does not accept its cursor any more", async () => {
    const seeds = Array.from({ length: 60 }, (_, index) => meeting(`mtg_${index}`, -index * 30 * DAY));
    const service = serviceOf({ meetings: seeds });
    const run = started(service, { requestsPerMinute: 60, concurrency: 1 });
    await until(() => run.ids.length >= 55);
    run.kill();
    service.faults.next("GET /meetings", { status: 400 });
    run.start({ requestsPerMinute: 1e6 });
    await pass(5 * MINUTE);
    expect(run.error).toBeUndefined();
    expect(new Set(run.ids).size).toBe(60);
  });

  it("ends with the service's error if the service refuses every cursor that it has just sent", async () => {
    const service = serviceOf({
      meetings: Array.from({ length: 60 }, (_, index) => meeting(`mtg_${index}`, -60 * DAY)),
    });
    let refusals = 0;
    const refuseCursors: Middleware = async (request, next) => {
      if (!new URL(request.url).searchParams.has("cursor")) return next(request);
      refusals += 1;
      return Response.json({ error: { code: "bad_request", message: "unknown cursor" } }, { status: 400 });
    };
    const run = started(service, {}, { middleware: [refuseCursors] });
    await until(() => run.error !== undefined || refusals > 5);
    expect(run.error).toMatchObject({ status: 400, message: expect.stringContaining("unknown cursor") });
    expect(refusals).toBe(2);
  });

  it("has a checkpoint below 64 KB for 1,000 meetings in the window", async () => {
    const seeds = Array.from({ length: 1_000 }, (_, index) =>
      meeting(`mtg_01jabcdefghjkmnpqrstvw${index}`, -index * 4 * MINUTE, { transcript: null }),
    );
    const run = started(serviceOf({ meetings: seeds }));
    await until(() => run.ids.length === 1_000, MINUTE);
    await pass(2 * MINUTE);
    expect(run.checkpoint?.length).toBeLessThan(64_000);
  });
});

describe('follow: "once"', () => {
  it("ends when it has caught up, and the next run yields only what is new", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR), meeting("mtg_2", -30 * DAY)] });
    const run = started(service, { follow: "once" });
    await pass(1_000);
    await run.ended;
    expect(run.ids).toEqual(["mtg_1", "mtg_2"]);
    service.meetings.addDocument("mtg_1", aDocument({ title: "Summary" }));
    await pass(HOUR, HOUR);
    run.start();
    await pass(1_000);
    await run.ended;
    expect(run.ids).toEqual(["mtg_1", "mtg_2", "mtg_1"]);
  });

  it("rejects after ten minutes of failures", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR)] });
    service.faults.next("*", { status: 503, times: 10_000 });
    const run = started(service, { follow: "once" });
    await pass(9 * MINUTE, 10_000);
    expect(run.error).toBeUndefined();
    await pass(2 * MINUTE, 10_000);
    expect(run.error).toMatchObject({ name: "ServerError" });
  });
});

describe("errors", () => {
  it.each([
    ["a 401", { status: 401 }, "UnauthorizedError"],
    ["a 403", { status: 403 }, "ForbiddenError"],
    ["a 404 of the list", { status: 404 }, "NotFoundError"],
    ["a fifth page that cannot be read", { kind: "malformed" }, "ResponseValidationError"],
  ] as const)("%s ends the loop", async (_, fault, name) => {
    const service = serviceOf({ meetings: [] });
    service.faults.next("GET /meetings", { ...fault, times: 5 });
    const run = started(service);
    await pass(10 * MINUTE);
    expect(run.error).toMatchObject({ name });
    if (name === "ResponseValidationError") expect(service.requests).toHaveLength(5);
  });

  it.each([
    ["a 429", { status: 429, retryAfterSeconds: 30 }],
    ["a 503", { status: 503 }],
    ["a lost connection", "drop"],
  ] as const)("%s does not end the loop", async (_, fault) => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR)] });
    service.faults.next("*", typeof fault === "string" ? fault : { ...fault, times: 20 });
    const run = started(service);
    await pass(30 * MINUTE, 10_000);
    expect(run.error).toBeUndefined();
    expect(run.ids).toEqual(["mtg_1"]);
  });

  it("a piece at which the connection always breaks does not stop the other meetings", async () => {
    const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR), meeting("mtg_2", -2 * HOUR)] });
    const fetch: typeof service.fetch = (url, init) =>
      String(url).includes("mtg_1/transcript") ? Promise.reject(new TypeError("cut")) : service.fetch(url, init);
    const run = started(service, {}, { fetch });
    await pass(20 * MINUTE, 10_000);
    expect(run.ids.sort()).toEqual(["mtg_1", "mtg_2"]);
  });

  it.each(["wants", "onIdle", "onGone", "known"] as const)(
    "what %s throws ends the loop, whatever it is",
    async (name) => {
      const service = serviceOf({ meetings: [meeting("mtg_1", -HOUR)] });
      const failure = new ServerError({ status: 503 });
      const fails = () => {
        throw failure;
      };
      const run = following(service, { wants: () => true, known: () => ["mtg_9"], onGone: () => {}, [name]: fails });
      run.start();
      await pass(25 * HOUR, 10 * MINUTE);
      expect(run.error).toBe(failure);
    },
  );

  it("the reason of the signal is thrown", async () => {
    const reason = new Error("stop");
    const stop = new AbortController();
    const walk = walkMeetings(clientOf(serviceOf()), { follow: true, signal: stop.signal, ...UNLIMITED });
    const ended = expect(collect(walk)).rejects.toBe(reason);
    await pass(1_000);
    stop.abort(reason);
    await ended;
  });
});

describe("options", () => {
  it.each([
    [{ follow: true, until: "2026-01-01" }, "until: has no meaning with follow"],
    [{ follow: "twice" }, 'follow: expected true, false or "once", received'],
    [{ follow: true, known: ["mtg_1"] }, "known: expected a function"],
    [{ follow: true, onGone: () => {} }, "known: expected the ids"],
    [{ follow: true, wake: {} }, "wake: expected an async iterable"],
    [{ follow: true, pollMs: 0 }, "pollMs: expected milliseconds, more than 0"],
    [{ follow: true, resume: "{}" }, "resume: expected a checkpoint"],
    [{ pollMs: 1_000 }, "pollMs: is an option of follow"],
    [{ known: () => [] }, "known: expected an iterable"],
  ])("%j is refused before any request", async (options, message) => {
    const service = serviceOf();
    const walk = walkMeetings(clientOf(service), options as unknown as WalkOptions);
    await expect(collect(walk)).rejects.toThrow(message);
    expect(service.requests).toEqual([]);
  });
});
