/** Waiting polls with jitter, takes no for not yet, and tells the truth about what failed. */
import {
  InvalidArgumentError,
  MeetingFailedError,
  Notetaker,
  type PollReport,
  UnauthorizedError,
  WaitTimeoutError,
} from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { lostConnection, never } from "../support/failures.js";
import { clientOf, json, refusal, rejection, rejectionOf, type Seen } from "../support/recorder.js";

const ID = "mtg_wait1";
const TRANSCRIPT = { meeting_id: ID, language: "en", speakers: [], segments: [] };
const meeting = (status: string, id = ID) => ({
  id,
  status,
  source: "upload",
  start_time: "2025-06-02T09:00:00Z",
});
const page = (...data: unknown[]) => json({ data, next_cursor: null, has_more: false });
const notFound = () => refusal(404, "not_found");

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  // In the middle of the jitter: a pause of 5,000 ms takes 5,000 ms.
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A service at which the meeting gets on as time goes by. */
function service(
  {
    transcript = () => notFound(),
    list = () => page(),
  }: {
    transcript?: (n: number) => Response | Promise<Response>;
    list?: (n: number) => Response | Promise<Response>;
  } = {},
  options = {},
) {
  const times: number[] = [];
  const counts = { transcript: 0, list: 0 };
  const client = clientOf((seen: Seen) => {
    const kind = seen.path.endsWith("/transcript") ? "transcript" : "list";
    if (kind === "transcript" || !client.seen.some(({ path }) => path.endsWith("/transcript"))) times.push(Date.now());
    counts[kind] += 1;
    return kind === "transcript" ? transcript(counts[kind]) : list(counts[kind]);
  }, options);
  return { ...client, times, counts };
}

/** What a promise comes to while time passes, and when. */
async function inTime<T>(promise: Promise<T>) {
  let at = Number.NaN;
  const settled = promise.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  settled.then(() => {
    at = Date.now();
  });
  await vi.runAllTimersAsync();
  return { ...(await settled), at };
}

describe("waitForTranscript", () => {
  it("gives the transcript at once when it is there, and asks for nothing else", async () => {
    const { notetaker, seen } = service({ transcript: () => json(TRANSCRIPT) });
    const { value, at } = await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(value).toEqual(TRANSCRIPT);
    expect(at).toBe(0);
    expect(seen.map(({ path }) => path)).toEqual([`/meetings/${ID}/transcript`]);
  });

  it("takes not found for not yet", async () => {
    const { notetaker, times } = service({ transcript: (n) => (n < 4 ? notFound() : json(TRANSCRIPT)) });
    const { value, at } = await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(value).toEqual(TRANSCRIPT);
    expect(times).toEqual([0, 5_000, 10_000, 15_000]);
    expect(at).toBe(15_000);
  });

  it("ends when the meeting has failed", async () => {
    const { notetaker } = service({ list: (n) => page(meeting(n < 3 ? "processing" : "failed")) });
    const { error, at } = await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(error).toBeInstanceOf(MeetingFailedError);
    expect(error).toMatchObject({ meetingId: ID, message: `The meeting ${ID} has failed` });
    expect(at).toBe(10_000);
  });

  it("gives the transcript of a failed meeting that has one", async () => {
    const { notetaker } = service({ transcript: () => json(TRANSCRIPT), list: () => page(meeting("failed")) });
    expect((await inTime(notetaker.meetings.waitForTranscript(ID))).value).toEqual(TRANSCRIPT);
  });

  it("goes on where the service has no meeting list", async () => {
    const { notetaker } = service({
      transcript: (n) => (n < 3 ? notFound() : json(TRANSCRIPT)),
      list: (n) => (n === 1 ? notFound() : refusal(400, "bad_request")),
    });
    expect((await inTime(notetaker.meetings.waitForTranscript(ID))).value).toEqual(TRANSCRIPT);
  });

  it("asks the list for the one meeting, and goes by its id", async () => {
    const { notetaker, seen } = service({
      transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)),
      list: () => page(meeting("failed", "mtg_other")),
    });
    expect((await inTime(notetaker.meetings.waitForTranscript(ID))).value).toEqual(TRANSCRIPT);
    expect(seen[1]).toMatchObject({ path: "/meetings", query: [["id", ID]] });
  });
});

describe("waitForCompletion", () => {
  it("gives the meeting when it is completed", async () => {
    const { notetaker } = service({
      list: (n) => (n === 1 ? page() : page(meeting(n < 4 ? "processing" : "completed"))),
    });
    const { value, at } = await inTime(notetaker.meetings.waitForCompletion(ID));
    expect(value).toMatchObject({ id: ID, status: "completed" });
    expect(at).toBe(15_000);
  });

  it("never gives a failed meeting", async () => {
    const { notetaker } = service({ list: () => page(meeting("failed")) });
    const { error } = await inTime(notetaker.meetings.waitForCompletion(ID));
    expect(error).toBeInstanceOf(MeetingFailedError);
    expect(error).toMatchObject({ meetingId: ID });
  });

  it("takes a status that is not known for not yet", async () => {
    const { notetaker } = service({ list: (n) => page(meeting(n < 3 ? "diarizing" : "completed")) });
    expect((await inTime(notetaker.meetings.waitForCompletion(ID))).at).toBe(10_000);
  });
});

describe("the time between polls", () => {
  it("is pollMs, give or take a fifth", async () => {
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

  it("is what Retry-After asks for, where that is longer", async () => {
    const { notetaker, times } = service({
      transcript: (n) =>
        n === 1 ? refusal(429, "rate_limited", { "retry-after": "42" }) : n === 2 ? notFound() : json(TRANSCRIPT),
    });
    await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(times).toEqual([0, 42_000, 47_000]);
  });

  it("is pollMs, where Retry-After is shorter", async () => {
    const { notetaker, times } = service({
      transcript: (n) => (n === 1 ? refusal(503, "unavailable", { "retry-after": "1" }) : json(TRANSCRIPT)),
    });
    await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(times).toEqual([0, 5_000]);
  });

  it("does not go beyond the wait: a Retry-After that does is thrown at once", async () => {
    const { notetaker } = service({ transcript: () => refusal(429, "rate_limited", { "retry-after": "61" }) });
    const { error, at } = await inTime(notetaker.meetings.waitForTranscript(ID, { timeoutMs: 60_000 }));
    expect(error).toMatchObject({ name: "RateLimitedError", retryAfterMs: 61_000 });
    expect(at).toBe(0);
  });
});

describe("what a poll fails with", () => {
  it.each([
    ["a 500", () => refusal(500, "internal_error")],
    ["a 502 of a proxy", () => new Response("<html>", { status: 502 })],
    ["a 429 without a hint", () => refusal(429, "rate_limited")],
    ["a lost connection", () => Promise.reject(lostConnection("ECONNRESET"))],
    ["a poll without an answer", () => never()],
  ])("%s does not end the wait, and is sent once a poll", async (_, answer) => {
    const reports: PollReport[] = [];
    const { notetaker, counts } = service({ transcript: (n) => (n < 3 ? answer() : json(TRANSCRIPT)) });
    const onPoll = (report: PollReport) => void reports.push(report);
    expect((await inTime(notetaker.meetings.waitForTranscript(ID, { onPoll }))).value).toEqual(TRANSCRIPT);
    expect(counts).toEqual({ transcript: 3, list: 0 });
    expect(reports.map(({ error }) => error?.retryable)).toEqual([true, true]);
  });

  it.each([
    ["a 401", 401, "unauthorized"],
    ["a 403", 403, "forbidden"],
    ["a 400", 400, "bad_request"],
  ])("%s ends it at once", async (_, status, code) => {
    const { notetaker } = service({ transcript: () => refusal(status, code) });
    const { error, at } = await inTime(notetaker.meetings.waitForTranscript(ID));
    expect(error).toMatchObject({ status, code });
    expect(at).toBe(0);
  });

  it("an answer that is not a transcript ends it", async () => {
    const { notetaker } = service({ transcript: () => json({ meeting_id: ID }) });
    expect((await inTime(notetaker.meetings.waitForTranscript(ID))).error).toMatchObject({
      name: "ResponseValidationError",
    });
  });

  it("a 401 of the list ends waitForCompletion", async () => {
    const { notetaker } = service({ list: () => refusal(401, "unauthorized") });
    expect((await inTime(notetaker.meetings.waitForCompletion(ID))).error).toBeInstanceOf(UnauthorizedError);
  });
});

describe("timeoutMs", () => {
  it("is an hour by default", async () => {
    const { notetaker } = service();
    const { error, at } = await inTime(notetaker.meetings.waitForCompletion(ID));
    expect(error).toMatchObject({ name: "WaitTimeoutError", meetingId: ID, waitedMs: 3_600_000 });
    expect(at).toBe(3_600_000);
  });

  it("ends in an error with what it takes to go on", async () => {
    const { notetaker } = service({ list: () => page(meeting("processing")) });
    const { error } = await inTime(notetaker.meetings.waitForTranscript(ID, { timeoutMs: 12_000 }));
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toMatchObject({ meetingId: ID, waitedMs: 12_000, retryable: true });
    expect((error as Error).message).toBe(`meetings.waitForTranscript: ${ID} was not ready after 12000 ms`);
  });

  it("says nothing of another bot when the service never answered", async () => {
    const { notetaker } = service({ transcript: () => new Promise(() => {}) });
    const { error } = await inTime(notetaker.meetings.waitForTranscript(ID, { timeoutMs: 12_000 }));
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect((error as Error).message).toBe(`meetings.waitForTranscript: ${ID} was not ready after 12000 ms`);
  });

  it("ends so, too, when the time is up before its timer has said so", async () => {
    const { notetaker } = service({
      // The clock moves while a poll is under way; the timer has not had its turn.
      transcript: () => {
        vi.setSystemTime(Date.now() + 60_000);
        return notFound();
      },
    });
    const { error } = await inTime(notetaker.meetings.waitForTranscript(ID, { timeoutMs: 12_000 }));
    expect(error).toBeInstanceOf(WaitTimeoutError);
  });

  it("of a meeting that was never shown says that a second bot's id does not resolve", async () => {
    const { notetaker } = service();
    const { error } = await inTime(notetaker.meetings.waitForTranscript(ID, { timeoutMs: 12_000 }));
    expect((error as Error).message).toContain("a call keeps its first bot: look for its id in the meeting list");
  });

  it("carries the failure of the latest poll as its cause", async () => {
    const { notetaker } = service({ list: () => refusal(500, "internal_error") });
    const { error } = await inTime(notetaker.meetings.waitForCompletion(ID, { timeoutMs: 12_000 }));
    expect(error).toMatchObject({ name: "WaitTimeoutError", cause: { name: "ServerError", status: 500 } });
  });

  it("ends a poll that has no answer", async () => {
    const { notetaker } = service({ list: () => never() }, { timeoutMs: 600_000 });
    const { error, at } = await inTime(notetaker.meetings.waitForCompletion(ID, { timeoutMs: 7_000 }));
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(at).toBe(7_000);
  });
});

describe("an abort", () => {
  const reason = new Error("the user has left");

  it.each([
    ["between polls", () => notFound(), 7_000],
    ["during a poll", () => never(), 1],
  ])("%s rejects with its reason at once", async (_, transcript, atMs) => {
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

  it("that came before sends nothing", async () => {
    const { notetaker, seen } = service();
    expect(await rejection(notetaker.meetings.waitForTranscript(ID, { signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect(seen).toEqual([]);
  });

  it("from within onPoll ends the wait", async () => {
    const { notetaker, counts } = service();
    const controller = new AbortController();
    const onPoll = () => controller.abort(reason);
    const { error } = await inTime(notetaker.meetings.waitForTranscript(ID, { signal: controller.signal, onPoll }));
    expect(error).toBe(reason);
    expect(counts.transcript).toBe(1);
  });
});

describe("onPoll", () => {
  it("hears of each poll that did not end the wait", async () => {
    const { notetaker } = service({
      list: (n) =>
        n === 1
          ? page()
          : n === 2
            ? refusal(500, "internal_error")
            : page(meeting(n === 3 ? "processing" : "completed")),
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

  it("ends the wait with what it throws", async () => {
    const { notetaker } = service();
    const onPoll = () => {
      throw new Error("no more paper");
    };
    const { error } = await inTime(notetaker.meetings.waitForTranscript(ID, { onPoll }));
    expect(error).toMatchObject({ message: "no more paper" });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("wake", () => {
  /** Events that come when they are sent. */
  function channel() {
    const waiting: ((result: IteratorResult<unknown>) => void)[] = [];
    const state = { closed: false };
    const events: AsyncIterable<unknown> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<unknown>>((resolve) => waiting.push(resolve)),
        return: async () => {
          state.closed = true;
          return { done: true, value: undefined };
        },
      }),
    };
    return { events, state, send: (value: unknown) => waiting.shift()?.({ done: false, value }) };
  }
  const ready = (meetingId: string) => ({ kind: "meeting.transcript_ready", meetingId, payload: {} });

  it("an event of the meeting ends the pause", async () => {
    const { notetaker, times } = service({ transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)) });
    const { events, state, send } = channel();
    const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
    await vi.advanceTimersByTimeAsync(1_234);
    send(ready(ID));
    expect(await call).toEqual(TRANSCRIPT);
    expect(times).toEqual([0, 1_234]);
    expect(state.closed).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("an event of another meeting does not", async () => {
    const { notetaker, times } = service({ transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)) });
    const { events, send } = channel();
    const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
    await vi.advanceTimersByTimeAsync(1_000);
    send(ready("mtg_other"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(times).toEqual([0]);
    send(ready(ID));
    await call;
    expect(times).toEqual([0, 2_000]);
  });

  it("an event that names no meeting does", async () => {
    const { notetaker, times } = service({ transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)) });
    const { events, send } = channel();
    const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
    await vi.advanceTimersByTimeAsync(1_500);
    send("look");
    await call;
    expect(times).toEqual([0, 1_500]);
  });

  it("an event that comes while a poll is under way is not lost", async () => {
    const answers: ((response: Response) => void)[] = [];
    const { notetaker, times } = service({
      transcript: (n) => (n < 2 ? new Promise((resolve) => answers.push(resolve)) : json(TRANSCRIPT)),
    });
    const { events, send } = channel();
    const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
    await vi.advanceTimersByTimeAsync(100);
    send(ready(ID));
    await vi.advanceTimersByTimeAsync(100);
    answers[0]!(notFound());
    await vi.advanceTimersByTimeAsync(1_000);
    await call;
    expect(times).toEqual([0, 1_200]);
  });

  it("events without end bring one poll a second", async () => {
    const { notetaker, times } = service({ transcript: (n) => (n < 4 ? notFound() : json(TRANSCRIPT)) });
    async function* flood() {
      for (;;) yield ready(ID);
    }
    await inTime(notetaker.meetings.waitForTranscript(ID, { wake: flood() }));
    expect(times).toEqual([0, 1_000, 2_000, 3_000]);
  });

  it("does not shorten a wait that the service has asked for", async () => {
    const { notetaker, times } = service({
      transcript: (n) => (n < 2 ? refusal(429, "rate_limited", { "retry-after": "30" }) : json(TRANSCRIPT)),
    });
    const { events, send } = channel();
    const call = notetaker.meetings.waitForTranscript(ID, { wake: events });
    await vi.advanceTimersByTimeAsync(1_000);
    send(ready(ID));
    await vi.advanceTimersByTimeAsync(29_000);
    await call;
    expect(times).toEqual([0, 30_000]);
  });

  it.each([
    ["end", async function* () {}],
    [
      "fail",
      // biome-ignore lint/correctness/useYield: it fails before it gives anything
      async function* () {
        throw new Error("the relay is gone");
      },
    ],
  ])("events that %s leave the polls to go on alone", async (_, events) => {
    const { notetaker, times } = service({ transcript: (n) => (n < 3 ? notFound() : json(TRANSCRIPT)) });
    await inTime(notetaker.meetings.waitForTranscript(ID, { wake: events() }));
    expect(times).toEqual([0, 5_000, 10_000]);
  });
});

describe("arguments", () => {
  it.each([
    ["timeoutMs", 0],
    ["timeoutMs", -1],
    ["timeoutMs", Number.NaN],
    ["timeoutMs", "5000"],
    ["timeoutMs", 2 ** 40],
    ["pollMs", 0],
    ["pollMs", null],
  ])("%s of %j is refused before anything is sent", async (name, value) => {
    const { notetaker, seen } = service();
    const call = notetaker.meetings.waitForCompletion(ID, { [name]: value });
    const error = await rejectionOf(InvalidArgumentError, call);
    expect(error.issues).toEqual([{ path: name, message: expect.stringMatching(/^expected (milliseconds|a number)/) }]);
    expect(seen).toEqual([]);
  });

  it.each([
    ["null", null],
    ["a signal that is none", { signal: "stop" }],
    ["an onPoll that is no function", { onPoll: "log" }],
    ["a wake that cannot be walked", { wake: {} }],
    ["an option that does not exist", { pollEvery: 1 }],
    ["a count of retries: a waiter polls", { maxRetries: 1 }],
    ["a second limit beside timeoutMs", { deadlineMs: 1_000 }],
    ["a query", { query: { a: 1 } }],
  ])("%s is refused before anything is sent", async (_, options) => {
    const { notetaker, seen } = service();
    await rejectionOf(InvalidArgumentError, notetaker.meetings.waitForTranscript(ID, options as never));
    await rejectionOf(InvalidArgumentError, notetaker.meetings.waitForCompletion(ID, options as never));
    expect(seen).toEqual([]);
  });

  it.each(["room_1", "", undefined])("a meeting id of %j is refused before anything is sent", async (id) => {
    const { notetaker, seen } = service();
    for (const wait of ["waitForTranscript", "waitForCompletion"] as const) {
      const error = await rejectionOf(InvalidArgumentError, notetaker.meetings[wait](id as string));
      expect(error.message).toMatch(`meetings.${wait}: meetingId: expected an id of the form mtg_…`);
    }
    expect(seen).toEqual([]);
  });

  it("headers go with each request", async () => {
    const { notetaker, seen } = service({ transcript: (n) => (n < 2 ? notFound() : json(TRANSCRIPT)) });
    await inTime(notetaker.meetings.waitForTranscript(ID, { headers: { "x-trace": "1" } }));
    expect(seen.map(({ headers }) => headers["x-trace"])).toEqual(["1", "1", "1"]);
  });
});

it("an uploaded meeting of the emulator is waited for from the file to its transcript", async () => {
  const emulator = createEmulator();
  const notetaker = new Notetaker({ baseUrl: emulator.baseUrl, token: emulator.token, fetch: emulator.fetch });
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
