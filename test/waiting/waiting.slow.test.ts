/** The waiting methods: when they poll, what ends them, and with which error. */
import { InvalidArgumentError, MeetingFailedError, Notetaker, type PollReport, WaitTimeoutError } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it, vi } from "vitest";
import { lostConnection, never } from "../support/failures.js";
import { json, refusal, rejection, rejectionOf } from "../support/recorder.js";
import { ID, inTime, meeting, notFound, page, service, TRANSCRIPT, useFakeClock } from "./service.js";

useFakeClock();

describe("waitForTranscript", () => {
  it("waitForTranscript resolves at once if the meeting is completed", async () => {
    const { notetaker, seen } = service({ transcript: () => json(TRANSCRIPT), list: () => page(meeting("completed")) });
    const { value, at } = await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(value).toEqual(TRANSCRIPT);
    expect(at).toBe(0);
    expect(seen.map(({ path }) => path)).toEqual(["/meetings", `/meetings/${ID}/transcript`]);
  });

  it.each([
    ["scheduled", () => page(meeting("scheduled"))],
    ["processing", () => page(meeting("processing"))],
    ["completed", () => page(meeting("completed"))],
    ["an unknown status", () => page(meeting("diarizing"))],
    ["nothing", () => page()],
    ["a failure of its own", () => refusal(500, "internal_error")],
  ])("waitForTranscript requests the transcript at each poll while the list says: %s", async (_, list) => {
    const { notetaker, seen, times, counts } = service({
      transcript: (n) => (n < 3 ? notFound() : json(TRANSCRIPT)),
      list,
    });
    const { value, at } = await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(value).toEqual(TRANSCRIPT);
    expect([at, times]).toEqual([10_000, [0, 5_000, 10_000]]);
    expect(counts).toEqual({ transcript: 3, list: 3 });
    expect(seen).toHaveLength(6);
  });

  it("waitForTranscript rejects when the meeting has failed", async () => {
    const { notetaker } = service({ list: (n) => page(meeting(n < 3 ? "processing" : "failed")) });
    const { error, at } = await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(error).toBeInstanceOf(MeetingFailedError);
    expect(error).toMatchObject({ meetingId: ID, message: `The meeting ${ID} has failed` });
    expect(at).toBe(10_000);
  });

  it("waitForTranscript resolves to the transcript of a failed meeting that has one", async () => {
    const { notetaker } = service({ transcript: () => json(TRANSCRIPT), list: () => page(meeting("failed")) });
    expect((await inTime(notetaker.meetings.waitForTranscript(ID))).value).toEqual(TRANSCRIPT);
  });

  it("waitForTranscript requests the list for one meeting, and compares its id", async () => {
    const { notetaker, seen } = service({
      transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)),
      list: () => page(meeting("failed", "mtg_other")),
    });
    expect((await inTime(notetaker.meetings.waitForTranscript(ID))).value).toEqual(TRANSCRIPT);
    expect(seen[0]).toMatchObject({ path: "/meetings", query: [["id", ID]] });
  });
});

describe("waitForCompletion", () => {
  it("waitForCompletion resolves to the meeting when it is completed", async () => {
    const answers = [page(), page(meeting("processing")), page(meeting("diarizing"))];
    const { notetaker, times } = service({ list: () => answers.shift() ?? page(meeting("completed")) });
    const { value, at } = await inTime(notetaker.meetings.waitForCompletion(ID));
    expect(value).toMatchObject({ id: ID, status: "completed" });
    expect(at).toBe(15_000);
    // A second wait polls at once, without the pause of the first one.
    await inTime(notetaker.meetings.waitForCompletion(ID));
    expect(times).toEqual([0, 5_000, 10_000, 15_000, 15_000]);
  });

  it("waitForCompletion rejects when the meeting has failed", async () => {
    const { notetaker } = service({ list: () => page(meeting("failed")) });
    const { error } = await inTime(notetaker.meetings.waitForCompletion(ID));
    expect(error).toMatchObject({ name: "MeetingFailedError", meetingId: ID });
  });
});

describe("the pause between polls", () => {
  it("the pause between polls is pollMs, up to 20 % shorter or longer", async () => {
    for (const [random, expected] of [
      [0, 800],
      [0.5, 1_000],
      [0.999, 1_200],
    ] as const) {
      vi.mocked(Math.random).mockReturnValue(random);
      const { notetaker } = service({ transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)) });
      const began = Date.now();
      const { at } = await inTime(notetaker.meetings.waitForTranscript(ID, { pollMs: 1_000 }));
      expect(at - began).toBeCloseTo(expected, -1);
    }
  });

  it.each([
    ["Retry-After if that is longer than pollMs", refusal(429, "rate_limited", { "retry-after": "42" }), 42_000],
    ["pollMs if Retry-After is shorter", refusal(503, "unavailable", { "retry-after": "1" }), 5_000],
  ])("the pause between polls is %s", async (_, first, pauseMs) => {
    const { notetaker, times } = service({ transcript: (n) => [first, notFound()][n - 1] ?? json(TRANSCRIPT) });
    await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(times).toEqual([0, pauseMs, pauseMs + 5_000]);
  });

  it.each(["the list", "the transcript"])(
    "a Retry-After of %s beyond timeoutMs does not end the wait before timeoutMs",
    async (refused) => {
      const limited = () => refusal(429, "rate_limited", { "retry-after": "61" });
      const { notetaker, counts } = service({
        transcript: limited,
        list: () => (refused === "the list" ? limited() : page(meeting("completed"))),
      });
      const { error, at } = await inTime(notetaker.meetings.waitForTranscript(ID, { timeoutMs: 60_000 }));
      expect(error).toMatchObject({ name: "WaitTimeoutError", waitedMs: 60_000, cause: { retryAfterMs: 61_000 } });
      expect(at).toBe(60_000);
      expect(counts).toEqual(refused === "the list" ? { transcript: 0, list: 1 } : { transcript: 1, list: 1 });
    },
  );
});

describe("a poll that fails", () => {
  it.each([
    ["a 500", () => refusal(500, "internal_error")],
    ["a 502 of a proxy", () => new Response("<html>", { status: 502 })],
    ["a 429 without Retry-After", () => refusal(429, "rate_limited")],
    ["a lost connection", () => Promise.reject(lostConnection("ECONNRESET"))],
    ["a poll without a response", () => never()],
  ])("%s does not end the wait, and each poll sends its request once", async (_, answer) => {
    const reports: PollReport[] = [];
    const { notetaker, counts } = service({ transcript: (n) => (n < 3 ? answer() : json(TRANSCRIPT)) });
    const onPoll = (report: PollReport) => void reports.push(report);
    expect((await inTime(notetaker.meetings.waitForTranscript(ID, { onPoll }))).value).toEqual(TRANSCRIPT);
    expect(counts).toEqual({ transcript: 3, list: 3 });
    expect(reports.map(({ error }) => error?.retryable)).toEqual([true, true]);
  });

  it.each([
    ["a 401", 401, "unauthorized"],
    ["a 403", 403, "forbidden"],
    ["a 400", 400, "bad_request"],
  ])("%s ends the wait at once", async (_, status, code) => {
    const { notetaker } = service({ transcript: () => refusal(status, code) });
    const { error, at } = await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(error).toMatchObject({ status, code });
    expect(at).toBe(0);
  });

  it("a response that is not a transcript, and a 401 of the list, end the wait", async () => {
    const odd = service({ transcript: () => json({ meeting_id: ID }) }).notetaker.meetings;
    expect((await inTime(odd.waitForTranscript(ID))).error).toMatchObject({ name: "ResponseValidationError" });
    const { meetings } = service({ list: () => refusal(401, "unauthorized") }).notetaker;
    for (const wait of ["waitForTranscript", "waitForCompletion"] as const) {
      expect((await inTime<unknown>(meetings[wait](ID))).error).toMatchObject({ name: "UnauthorizedError" });
    }
  });
});

describe("timeoutMs", () => {
  it("timeoutMs is an hour by default", async () => {
    const { notetaker } = service({ list: () => page(meeting("processing")) });
    const { error, at } = await inTime(notetaker.meetings.waitForCompletion(ID, { pollMs: 60_000 }));
    expect(error).toMatchObject({ name: "WaitTimeoutError", meetingId: ID, waitedMs: 3_600_000 });
    expect(at).toBe(3_600_000);
  });

  it.each<[string, boolean, Parameters<typeof service>[0]]>([
    ["nothing of another bot if the meeting was listed", false, { list: () => page(meeting("processing")) }],
    ["nothing of another bot if the service never responded", false, { transcript: () => never() }],
    ["that another bot may be in the call if the meeting was never listed", true, {}],
    [
      "the same if the list can no longer be read",
      true,
      { list: (n) => (n === 1 ? page() : refusal(403, "forbidden")) },
    ],
  ])("the error at timeoutMs says %s", async (_, saysSecondBot, answers) => {
    vi.setSystemTime(1_000_000);
    const { notetaker } = service(answers);
    const { error } = await inTime(notetaker.meetings.waitForTranscript(ID, { timeoutMs: 12_000 }));
    expect(error).toMatchObject({ name: "WaitTimeoutError", meetingId: ID, waitedMs: 12_000, retryable: true });
    expect((error as Error).message.includes("another bot")).toBe(saysSecondBot);
    expect((error as Error).cause).toBeUndefined();
  });

  it("the error at timeoutMs says how long the wait was, and why the meeting may be missing", async () => {
    const { error } = await inTime(service().notetaker.meetings.waitForTranscript(ID, { timeoutMs: 12_000 }));
    expect((error as Error).message).toBe(
      `meetings.waitForTranscript: ${ID} was not ready after 12000 ms; if the id is from sendBot, another bot may be in the call, which the service keeps: find its meeting with meetings.list()`,
    );
  });

  it("the error at timeoutMs has the failure of the latest poll as its cause", async () => {
    const { notetaker } = service({ list: () => refusal(500, "internal_error") });
    const { error } = await inTime(notetaker.meetings.waitForCompletion(ID, { timeoutMs: 12_000 }));
    expect(error).toMatchObject({ name: "WaitTimeoutError", cause: { name: "ServerError", status: 500 } });
    expect((error as Error).message).toMatch(/: GET \/meetings /);
  });

  it("timeoutMs ends a poll without a response", async () => {
    const { notetaker } = service({ list: () => never() }, { timeoutMs: 600_000 });
    const { error, at } = await inTime(notetaker.meetings.waitForCompletion(ID, { timeoutMs: 7_000 }));
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(at).toBe(7_000);
  });
});

describe("notListedTimeoutMs", () => {
  const wait = async (list: (n: number) => Response, options: object) => {
    const { notetaker, times } = service({ list });
    return { ...(await inTime(notetaker.meetings.waitForCompletion(ID, options))), times };
  };

  it("notListedTimeoutMs ends a wait if a readable list does not contain its meeting", async () => {
    const { notetaker, counts } = service();
    const { error, at } = await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(error).toMatchObject({ name: "WaitTimeoutError", waitedMs: 300_000 });
    expect(at).toBe(300_000);
    expect(counts).toEqual({ transcript: 61, list: 61 });
  });

  it("notListedTimeoutMs may be shorter than pollMs", async () => {
    const { error, at } = await wait(() => page(), { notListedTimeoutMs: 700 });
    expect(error).toMatchObject({ name: "WaitTimeoutError", waitedMs: 700 });
    expect(at).toBe(700);
  });

  it("notListedTimeoutMs does not apply to a meeting that was listed before, or while the list cannot be read", async () => {
    const timeoutMs = 400_000;
    const vanished = await wait((n) => (n < 3 ? page(meeting("processing")) : page()), { timeoutMs });
    const unreadable = await wait(() => refusal(503, "unavailable"), { timeoutMs });
    const readOnce = await wait((n) => (n < 2 ? page() : refusal(503, "unavailable")), { timeoutMs });
    const rest = { next_cursor: "c1", has_more: true };
    const firstPage = { data: [meeting("processing", "mtg_other")], ...rest };
    const halfRead = await wait((n) => (n % 2 ? json(firstPage) : refusal(503, "unavailable")), { timeoutMs });
    for (const { error } of [vanished, unreadable, readOnce, halfRead]) {
      expect(error).toMatchObject({ name: "WaitTimeoutError", waitedMs: 400_000 });
    }
  });
});

describe("a change of the system clock", () => {
  it.each([
    ["six minutes forward", 360_000],
    ["an hour back", -3_600_000],
  ])("%s neither ends nor delays a wait", async (_, changeMs) => {
    vi.setSystemTime(10_000_000);
    const { notetaker, counts } = service({ list: (n) => (n < 5 ? page() : page(meeting("completed"))) });
    const waits = Promise.all([1, 2].map(() => notetaker.meetings.waitForCompletion(ID)));
    waits.catch(() => {});
    await vi.advanceTimersByTimeAsync(7_000);
    vi.setSystemTime(Date.now() + changeMs);
    await vi.advanceTimersByTimeAsync(13_100);
    expect(counts.list).toBe(5);
    expect((await waits).map(({ status }) => status)).toEqual(["completed", "completed"]);
  });
});

const odd = { id: "mtg_odd", status: "completed", duration: 1860.5, title: 5, start_time: null, participants: [null] };

describe("a list that is not as promised", () => {
  it.each([
    ["an invalid row", () => page(null, 5, { id: 7 }, odd)],
    ["no cursor to its next page", () => json({ data: [odd], next_cursor: null, has_more: true })],
    ["a page that is not a list", () => json({ data: {}, next_cursor: null, has_more: false })],
    ["a body that is not JSON", () => new Response("<html>")],
    ["a 400", () => refusal(400, "bad_request")],
    ["a 403", () => refusal(403, "forbidden")],
    ["a 404", () => notFound()],
  ])("does not end waitForTranscript: %s", async (_, list) => {
    for (const validation of ["strict", "off"] as const) {
      const { notetaker } = service(
        { transcript: (n) => (n < 3 ? notFound() : json(TRANSCRIPT)), list },
        { validation },
      );
      expect((await inTime(notetaker.meetings.waitForTranscript(ID))).value).toEqual(TRANSCRIPT);
    }
  });

  it("does not end waitForCompletion, which reads the valid fields of its own row", async () => {
    const { notetaker } = service({ list: () => page(null, odd, { id: "mtg_1", status: 5 }) });
    expect((await inTime(notetaker.meetings.waitForCompletion("mtg_odd"))).value).toEqual(odd);
    const { error } = await inTime(notetaker.meetings.waitForCompletion("mtg_1", { timeoutMs: 9_000 }));
    expect(error).toBeInstanceOf(WaitTimeoutError);
  });
});

it("a deeply nested unknown field does not end a wait, and stays in its result", async () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const row = JSON.stringify(meeting("completed")).replace("{", `{"__proto__":{"a":1},"deep":${deep},`);
  const { notetaker } = service({ list: () => new Response(`{"data":[${row}],"next_cursor":null,"has_more":false}`) });
  const { value } = await inTime(notetaker.meetings.waitForCompletion(ID));
  let depth = 0;
  for (let at = (value as unknown as { deep: unknown[] }).deep; at !== undefined; at = at[0] as unknown[]) depth += 1;
  expect(depth).toBe(200_000);
  expect(Object.keys(value ?? {})).toContain("__proto__");
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

describe("the attempts of an error", () => {
  it.each<[string, number, Parameters<typeof service>[0], object]>([
    ["two requests for each poll", 6, { list: () => page(meeting("processing")) }, { timeoutMs: 12_000 }],
    ["the request that is not answered", 1, { list: () => never() }, { timeoutMs: 12_000 }],
    ["requests that failed", 3, { list: () => refusal(429, "rate_limited") }, { timeoutMs: 12_000 }],
    ["those before the list lacked the meeting", 4, {}, { notListedTimeoutMs: 5_000 }],
    ["those before the meeting failed", 4, { list: (n) => page(meeting(n < 2 ? "processing" : "failed")) }, {}],
  ])("count the requests of the wait: %s", async (_, attempts, answers, options) => {
    const { notetaker, seen } = service(answers);
    const { error } = await inTime(notetaker.meetings.waitForTranscript(ID, options));
    expect(error).toMatchObject({ attempts });
    expect(seen).toHaveLength(attempts);
  });
});

describe("an abort", () => {
  const reason = new Error("the user has left");

  it.each([
    ["between polls", () => notFound(), 7_000],
    ["during a poll", () => never(), 1],
  ])("an abort %s rejects with its reason at once", async (_, transcript, atMs) => {
    const { notetaker } = service({ transcript });
    const controller = new AbortController();
    const call = notetaker.meetings.waitForTranscript(ID, { signal: controller.signal });
    const settled = rejection(call);
    await vi.advanceTimersByTimeAsync(atMs);
    controller.abort(reason);
    expect(await settled).toBe(reason);
    expect(Date.now()).toBe(atMs);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("an abort before the wait sends no request", async () => {
    const { notetaker, seen } = service();
    expect(await rejection(notetaker.meetings.waitForTranscript(ID, { signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect(seen).toEqual([]);
  });

  it("an abort inside onPoll ends the wait", async () => {
    const { notetaker, counts } = service();
    const controller = new AbortController();
    const onPoll = () => controller.abort(reason);
    const { error } = await inTime(notetaker.meetings.waitForTranscript(ID, { signal: controller.signal, onPoll }));
    expect(error).toBe(reason);
    expect(counts.transcript).toBe(1);
  });
});

describe("onPoll", () => {
  it("onPoll is called after each poll that did not end the wait", async () => {
    const { notetaker } = service({
      list: (n) =>
        [page(), refusal(500, "internal_error"), page(meeting("processing"))][n - 1] ?? page(meeting("completed")),
    });
    const reports: PollReport[] = [];
    await inTime(notetaker.meetings.waitForCompletion(ID, { onPoll: (report) => void reports.push(report) }));
    expect(reports).toEqual([
      { poll: 1, waitedMs: 0, status: undefined, error: undefined, nextPollMs: 5_000 },
      {
        poll: 2,
        waitedMs: 5_000,
        status: undefined,
        error: expect.objectContaining({ status: 500 }),
        nextPollMs: 5_000,
      },
      { poll: 3, waitedMs: 10_000, status: "processing", error: undefined, nextPollMs: 5_000 },
    ]);
  });

  it("onPoll gets the pause in whole milliseconds", async () => {
    vi.mocked(Math.random).mockReturnValue(0.123_456);
    const { notetaker } = service({ list: (n) => (n === 1 ? page() : page(meeting("completed"))) });
    const onPoll = vi.fn((_: PollReport) => {});
    await inTime(notetaker.meetings.waitForCompletion(ID, { onPoll }));
    expect(onPoll.mock.calls.map(([{ nextPollMs }]) => nextPollMs)).toEqual([4_247]);
  });

  it("an onPoll that rejects is logged once per poll, and does not end the wait", async () => {
    const records: unknown[] = [];
    const logger = (level: string, message: string, fields: object) =>
      void (message.includes("onPoll") && records.push([level, message, fields]));
    const { notetaker } = service({ transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)) }, { logger });
    const error = new Error("no more paper");
    const onPoll = async () => Promise.reject(error);
    expect((await inTime(notetaker.meetings.waitForTranscript(ID, { onPoll }))).value).toEqual(TRANSCRIPT);
    // An unhandled rejection would fail the run.
    vi.useRealTimers();
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(records).toEqual([["warn", "notetaker: onPoll rejected", { callback: "onPoll", error }]]);
  });

  it("an error of onPoll ends the wait", async () => {
    const { notetaker } = service();
    const onPoll = () => {
      throw new Error("no more paper");
    };
    const { error } = await inTime(notetaker.meetings.waitForTranscript(ID, { onPoll }));
    expect(error).toMatchObject({ message: "no more paper" });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the arguments of a wait", () => {
  it.each<[string, unknown, string]>([
    ...[0, -1, Number.NaN, 2 ** 40].map((value): [string, unknown, string] => ["timeoutMs", value, "milliseconds"]),
    ["timeoutMs", "5000", "milliseconds"],
    ["pollMs", 0, "milliseconds"],
    ["pollMs", null, "milliseconds"],
    ["notListedTimeoutMs", -1, "milliseconds"],
    ["signal", "stop", "an AbortSignal"],
    ["onPoll", "log", "a function"],
    ...[{}, { [Symbol.asyncIterator]: 5 }, null, "event"].map((value): [string, unknown, string] => [
      "wake",
      value,
      "an async iterable",
    ]),
  ])("a %s of %j is refused before a request is sent", async (path, value, expected) => {
    const { notetaker, seen } = service();
    for (const wait of ["waitForTranscript", "waitForCompletion", "waitForDocuments"] as const) {
      const error = await rejectionOf(InvalidArgumentError, notetaker.meetings[wait](ID, { [path]: value } as never));
      expect(error.issues).toMatchObject([{ path, message: expect.stringMatching(`^expected ${expected}`) }]);
      expect(error.message).toMatch(`meetings.${wait}: ${path}: `);
    }
    expect(seen).toEqual([]);
  });

  it.each<[what: string, path: string, options: unknown, id?: unknown]>([
    ...[[5], ["x-trace"], [[5, "1"]]].map((headers): [string, string, unknown] => ["headers", "headers", { headers }]),
    ...["pollEvery", "maxRetries", "deadlineMs", "query"].map((name): [string, string, unknown] => [
      "an unknown option",
      name,
      { [name]: 1 },
    ]),
    ["null as options", "", null],
    ...["room_1", "", undefined].map((id): [string, string, unknown, unknown] => ["an id", "meetingId", {}, id]),
  ])("%s is refused before a request is sent, and named: %j %j", async (_, path, options, ...ids) => {
    const { notetaker, seen } = service();
    const [id] = ids.length === 0 ? [ID] : ids;
    for (const wait of ["waitForTranscript", "waitForCompletion"] as const) {
      const call = notetaker.meetings[wait](id as string, options as never);
      const error = await rejectionOf(InvalidArgumentError, call);
      expect(error.issues).toMatchObject([{ path }]);
      expect(error.message).toMatch(`meetings.${wait}: `);
    }
    expect(seen).toEqual([]);
  });

  it("each request of a wait has the headers of the wait", async () => {
    const { notetaker, seen } = service({ transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)) });
    await inTime(notetaker.meetings.waitForTranscript(ID, { headers: { "x-trace": "1" } }));
    expect(seen.map(({ headers }) => headers["x-trace"])).toEqual(["1", "1", "1", "1"]);
  });
});

it("waitForTranscript waits for an upload to the emulator until its transcript is ready", async () => {
  const emulator = createEmulator();
  const notetaker = new Notetaker(emulator.clientOptions);
  const { id } = await notetaker.meetings.upload(new Uint8Array(1_000), { contentType: "audio/wav" });
  const statuses: (string | undefined)[] = [];
  const transcript = notetaker.meetings.waitForTranscript(id, {
    onPoll: ({ status }) => {
      statuses.push(status);
      if (statuses.length === 3) emulator.meetings.finish(id);
    },
  });
  const { value } = await inTime(transcript);
  expect(value).toMatchObject({ meeting_id: id });
  expect(statuses).toEqual(["processing", "processing", "processing"]);
});
