/** The waiting methods: when they poll, what ends them, and with which error. */
import { InvalidArgumentError, Notetaker, type PollReport } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it, vi } from "vitest";
import { lostConnection, never } from "../support/failures.js";
import { json, refusal, rejection, rejectionOf } from "../support/recorder.js";
import { ID, inTime, meeting, notFound, page, service, TRANSCRIPT, useFakeClock } from "./service.js";

useFakeClock();

type Answer = () => Response | Promise<Response>;

/** Answers the n-th request with the n-th of these, and each later one with the last. */
const inOrder =
  (...answers: Answer[]) =>
  (n: number) =>
    answers[Math.min(n, answers.length) - 1]!();

const found = () => json(TRANSCRIPT);
const listed =
  (status: string, id = ID) =>
  () =>
    page(meeting(status, id));
const [processing, completed, failed] = ["processing", "completed", "failed"].map((status) => listed(status)) as [
  Answer,
  Answer,
  Answer,
];
const empty = () => page();
const limited = (seconds: number) => () => refusal(429, "rate_limited", { "retry-after": String(seconds) });
const refused =
  (status: number, code = "x") =>
  () =>
    refusal(status, code);
const html = (status: number) => () => new Response("<html>Sign in</html>", { status });
const odd = { id: ID, status: "completed", duration: 1860.5, title: 5, start_time: null, participants: [null] };

/** How a wait ends with these answers to its requests, and when it polled. */
async function ended(
  wait: "waitForTranscript" | "waitForCompletion",
  { transcript = [notFound], list = [empty] }: { transcript?: Answer[]; list?: Answer[] },
  options: object = {},
  client: object = {},
) {
  const answers = { transcript: inOrder(...transcript), list: inOrder(...list) };
  const { notetaker, times, counts } = service(answers, client);
  const { value, error, at } = await inTime<unknown>(notetaker.meetings[wait](ID, options));
  expect(vi.getTimerCount()).toBe(0);
  return { value, error: error as Error | undefined, at, times, ...counts };
}

const THIRD = { value: TRANSCRIPT, at: 10_000, times: [0, 5_000, 10_000], transcript: 3, list: 3 };

it.each([completed, failed])("waitForTranscript resolves at once if there is a transcript: %#", async (list) => {
  const result = { value: TRANSCRIPT, at: 0, transcript: 1, list: 1 };
  expect(await ended("waitForTranscript", { transcript: [found], list: [list] })).toMatchObject(result);
});

it.each<[string, Answer]>([
  ["scheduled", listed("scheduled")],
  ["processing", processing],
  ["completed", completed],
  ["an unknown status", listed("diarizing")],
  ["that another meeting has failed", listed("failed", "mtg_other")],
  ["nothing", empty],
  ["a failure", refused(500)],
  ["an invalid row", () => page(null, 5, { id: 7 }, { ...odd, id: "mtg_odd" })],
  ["no cursor to its next page", () => json({ data: [], next_cursor: null, has_more: true })],
  ["a page that is not a list", () => json({ data: {}, next_cursor: null, has_more: false })],
  ["a body that is not JSON", html(200)],
  ["a 400", refused(400)],
  ["a 403", refused(403)],
  ["a 404", notFound],
])("waitForTranscript requests the transcript at each poll while the list says: %s", async (_, list) => {
  for (const validation of ["strict", "off"] as const) {
    const answers = { transcript: [notFound, notFound, found], list: [list] };
    expect(await ended("waitForTranscript", answers, {}, { validation })).toMatchObject(THIRD);
    vi.setSystemTime(0);
  }
});

it.each<[string, Answer, retryable?: boolean]>([
  ["a 500", refused(500)],
  ["a 502 of a proxy", html(502)],
  ["a 429 without Retry-After", refused(429, "rate_limited")],
  ["a lost connection", () => Promise.reject(lostConnection("ECONNRESET"))],
  ["a firewall's page", html(403), false],
  ["a proxy that asks for a password", html(401), false],
])(
  "a failure of the transcript does not end the wait, and is requested once a poll: %s",
  async (_, answer, retryable = true) => {
    const errors: unknown[] = [];
    const onPoll = ({ error }: PollReport) => void errors.push(error?.retryable);
    const answers = { transcript: [answer, answer, found] };
    expect(await ended("waitForTranscript", answers, { onPoll })).toMatchObject(THIRD);
    expect(errors).toEqual([retryable, retryable]);
  },
);

it.each<[string, Answer, Answer, object]>([
  ["a 401", refused(401, "unauthorized"), empty, { name: "UnauthorizedError" }],
  ["a 403", refused(403, "forbidden"), empty, { name: "ForbiddenError" }],
  ["a 400", refused(400, "bad_request"), empty, { name: "BadRequestError" }],
  ["no transcript", () => json({ meeting_id: ID }), empty, { name: "ResponseValidationError" }],
  ["a 401 of the list", found, refused(401), { name: "UnauthorizedError" }],
  ["a failed meeting", notFound, failed, { name: "MeetingFailedError", meetingId: ID, attempts: 2 }],
])("waitForTranscript ends at once with %s", async (_, transcript, list, error) => {
  expect(await ended("waitForTranscript", { transcript: [transcript], list: [list] })).toMatchObject({ error, at: 0 });
});

it.each<[string, Answer[], object]>([
  [
    "a meeting that becomes completed",
    [empty, processing, listed("diarizing"), html(401), html(200), completed],
    { value: { id: ID, status: "completed" }, at: 25_000 },
  ],
  ["a completed meeting with odd fields", [() => page(null, odd)], { value: odd, at: 0 }],
  ["a meeting that fails", [processing, failed], { error: { name: "MeetingFailedError", attempts: 2 }, at: 5_000 }],
  ["a refused token", [refused(401)], { error: { name: "UnauthorizedError" }, at: 0 }],
  ["a refused list", [refused(403)], { error: { name: "ForbiddenError" }, at: 0 }],
  ["a response that is not a page", [() => json({})], { error: { name: "ResponseValidationError" }, at: 0 }],
])("waitForCompletion ends with %s", async (_, list, result) => {
  expect(await ended("waitForCompletion", { list })).toMatchObject(result);
});

it.each<[string, Answer, pauseMs: number]>([
  ["pollMs if the Retry-After is shorter", () => refusal(503, "x", { "retry-after": "1" }), 5_000],
  ["the Retry-After if it is longer than pollMs", limited(42), 42_000],
])("the pause after a failure is %s", async (_, answer, pauseMs) => {
  const { times } = await ended("waitForTranscript", { transcript: [answer, notFound, found] });
  expect(times).toEqual([0, pauseMs, pauseMs + 5_000]);
});

it.each<[string, object, { transcript?: Answer[]; list?: Answer[] }, waitedMs: number, facts?: object]>([
  ["an hour", { pollMs: 60_000 }, { list: [processing] }, 3_600_000, { attempts: 120 }],
  ["timeoutMs after a failure", { timeoutMs: 12_000 }, { list: [refused(500)] }, 12_000, { cause: { status: 500 } }],
  ["timeoutMs without a response", { timeoutMs: 7_000 }, { list: [() => never()] }, 7_000, { attempts: 1 }],
  ["timeoutMs in a pause", { timeoutMs: 60_000 }, { list: [limited(61)] }, 60_000, { attempts: 1 }],
  [
    "timeoutMs in a pause after the transcript",
    { timeoutMs: 60_000 },
    { transcript: [limited(61)], list: [completed] },
    60_000,
    { attempts: 2, cause: { retryAfterMs: 61_000 } },
  ],
  ["five minutes without the meeting in the list", {}, {}, 300_000, { attempts: 122 }],
  ["a notListedTimeoutMs below pollMs", { notListedTimeoutMs: 700 }, {}, 700, { attempts: 4 }],
  // A meeting that was listed before, or a list that cannot be read, ends no wait.
  ["timeoutMs alone after it was listed", { timeoutMs: 400_000 }, { list: [processing, empty] }, 400_000],
  ["timeoutMs alone if the list fails", { timeoutMs: 400_000 }, { list: [refused(503)] }, 400_000],
  ["timeoutMs alone if the list then fails", { timeoutMs: 400_000 }, { list: [empty, refused(503)] }, 400_000],
])("a wait ends with a WaitTimeoutError after %s", async (_, options, answers, waitedMs, facts = {}) => {
  const { error, at } = await ended("waitForTranscript", answers, options);
  expect(error).toMatchObject({ name: "WaitTimeoutError", meetingId: ID, waitedMs, retryable: true, ...facts });
  expect(at).toBe(waitedMs);
});

it("waitForTranscript requests the list for its meeting alone, then the transcript, with its headers", async () => {
  const { notetaker, seen } = service({ transcript: inOrder(found) });
  await inTime(notetaker.meetings.waitForTranscript(ID, { headers: { "x-trace": "1" } }));
  expect(seen.map(({ path, query }) => [path, query])).toEqual([
    ["/meetings", [["id", ID]]],
    [`/meetings/${ID}/transcript`, []],
  ]);
  expect(seen.map(({ headers }) => headers["x-trace"])).toEqual(["1", "1"]);
});

it.each<[isHinted: boolean, string, { transcript?: Answer[]; list?: Answer[] }]>([
  [false, "the meeting was listed", { list: [processing] }],
  [false, "the service never responded", { transcript: [() => never()] }],
  [true, "the meeting was never listed", {}],
  [true, "the list can no longer be read", { list: [empty, refused(403)] }],
])("the error at timeoutMs says that another bot may be in the call: %s, if %s", async (isHinted, _, answers) => {
  const { error } = await ended("waitForTranscript", answers, { timeoutMs: 12_000 });
  expect(error?.message.includes("another bot")).toBe(isHinted);
  expect(error?.cause).toBeUndefined();
});

it.each([
  [0, 800],
  [0.5, 1_000],
  [0.123_456, 850],
  [0.999, 1_200],
])(
  "the pause between polls is pollMs, up to 20 %% shorter or longer, in whole milliseconds: %d",
  async (random, ms) => {
    vi.mocked(Math.random).mockReturnValue(random);
    const { notetaker, times } = service({ transcript: inOrder(notFound, found) });
    const onPoll = vi.fn((_: PollReport) => {});
    await inTime(notetaker.meetings.waitForTranscript(ID, { pollMs: 1_000, onPoll }));
    expect(times[1]).toBe(ms);
    expect(onPoll.mock.calls.map(([{ nextPollMs }]) => nextPollMs)).toEqual([ms]);
  },
);

it.each([
  ["six minutes forward", 360_000],
  ["an hour back", -3_600_000],
])("a change of the system clock neither ends nor delays a wait: %s", async (_, changeMs) => {
  vi.setSystemTime(10_000_000);
  const { notetaker, counts } = service({ list: inOrder(empty, empty, empty, empty, completed) });
  const waits = Promise.all([1, 2].map(() => notetaker.meetings.waitForCompletion(ID)));
  await vi.advanceTimersByTimeAsync(7_000);
  vi.setSystemTime(Date.now() + changeMs);
  await vi.advanceTimersByTimeAsync(13_000);
  expect(counts.list).toBe(5);
  expect((await waits).map(({ status }) => status)).toEqual(["completed", "completed"]);
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

describe("an abort", () => {
  const reason = new Error("the user has left");

  it.each([
    ["between polls", notFound, 7_000],
    ["during a poll", () => never(), 1],
  ])("%s rejects with its reason at once", async (_, transcript, atMs) => {
    const controller = new AbortController();
    const call = rejection(
      service({ transcript }).notetaker.meetings.waitForTranscript(ID, { signal: controller.signal }),
    );
    await vi.advanceTimersByTimeAsync(atMs);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(Date.now()).toBe(atMs);
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("before the wait sends no request, and inside onPoll ends it", async () => {
    const { notetaker, counts } = service();
    const aborted = notetaker.meetings.waitForTranscript(ID, { signal: AbortSignal.abort(reason) });
    expect(await rejection(aborted)).toBe(reason);
    const controller = new AbortController();
    const onPoll = () => controller.abort(reason);
    const { error } = await inTime(notetaker.meetings.waitForTranscript(ID, { signal: controller.signal, onPoll }));
    expect(error).toBe(reason);
    expect(counts).toEqual({ transcript: 1, list: 1 });
  });
});

describe("onPoll", () => {
  it("is called after each poll that did not end the wait", async () => {
    const { notetaker } = service({ list: inOrder(empty, refused(500), processing, completed) });
    const reports: PollReport[] = [];
    await inTime(notetaker.meetings.waitForCompletion(ID, { onPoll: (report) => void reports.push(report) }));
    const error = expect.objectContaining({ status: 500, retryable: true });
    expect(reports).toEqual([
      { poll: 1, waitedMs: 0, status: undefined, error: undefined, nextPollMs: 5_000 },
      { poll: 2, waitedMs: 5_000, status: undefined, error, nextPollMs: 5_000 },
      { poll: 3, waitedMs: 10_000, status: "processing", error: undefined, nextPollMs: 5_000 },
    ]);
  });

  it("that rejects is logged once per poll, and one that throws ends the wait", async () => {
    const error = new Error("no more paper");
    const logger = vi.fn();
    const { notetaker } = service({ transcript: inOrder(notFound, found) }, { logger });
    const rejecting = async () => Promise.reject(error);
    expect((await inTime(notetaker.meetings.waitForTranscript(ID, { onPoll: rejecting }))).value).toEqual(TRANSCRIPT);
    const records = logger.mock.calls.filter(([, message]) => message.includes("onPoll"));
    expect(records).toEqual([["warn", "notetaker: onPoll rejected", { callback: "onPoll", error }]]);
    const throwing = () => {
      throw error;
    };
    const ended = await inTime(service().notetaker.meetings.waitForTranscript(ID, { onPoll: throwing }));
    expect(ended.error).toBe(error);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the arguments of a wait", () => {
  const INVALID: Record<string, unknown[]> = {
    timeoutMs: [0, -1, Number.NaN, 2 ** 40, "5000"],
    pollMs: [0, null],
    notListedTimeoutMs: [-1],
    signal: ["stop"],
    onPoll: ["log"],
    wake: [{}, { [Symbol.asyncIterator]: 5 }, null, "event"],
    headers: [5, "x-trace", [[5, "1"]]],
    pollEvery: [1],
    maxRetries: [1],
    deadlineMs: [1],
    query: [1],
    "": [null],
    meetingId: ["room_1", "", undefined],
  };
  it.each(Object.entries(INVALID))("are refused before a request is sent, and named: %s", async (path, values) => {
    const { notetaker, seen } = service();
    for (const value of values) {
      const options = path === "" ? value : path === "meetingId" ? {} : { [path]: value };
      for (const wait of ["waitForTranscript", "waitForCompletion", "waitForDocuments"] as const) {
        const call = notetaker.meetings[wait]((path === "meetingId" ? value : ID) as string, options as never);
        const error = await rejectionOf(InvalidArgumentError, call);
        expect(error.issues).toMatchObject([{ path }]);
        expect(error.message).toMatch(`meetings.${wait}: `);
      }
    }
    expect(seen).toEqual([]);
  });
});

it("waitForTranscript waits for an upload to the emulator until its transcript is ready", async () => {
  const emulator = createEmulator();
  const notetaker = new Notetaker(emulator.clientOptions);
  const { id } = await notetaker.meetings.upload(new Uint8Array(1_000), { contentType: "audio/wav" });
  const statuses: (string | undefined)[] = [];
  const onPoll = ({ status }: PollReport) => {
    statuses.push(status);
    if (statuses.length === 3) emulator.meetings.finish(id);
  };
  const { value } = await inTime(notetaker.meetings.waitForTranscript(id, { onPoll }));
  expect(value).toMatchObject({ meeting_id: id });
  expect(statuses).toEqual(["processing", "processing", "processing"]);
});
