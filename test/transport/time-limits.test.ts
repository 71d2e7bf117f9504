/** `timeoutMs` limits one attempt, including its body. `deadlineMs` limits the whole call. */
import type { ClientOptions, Notetaker } from "notetaker-sdk";
import { beforeEach, expect, it, vi } from "vitest";
import { BrowserRequest } from "../support/browser-request.js";
import { never, stalledBody } from "../support/failures.js";
import { clientOf, type Handler, inTurn, json, refusal, TOKEN } from "../support/recorder.js";
import * as samples from "../support/samples.js";

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  vi.spyOn(Math, "random").mockReturnValue(0);
});

type Call = (notetaker: Notetaker) => PromiseLike<unknown>;
const list: Call = ({ webhooks }) => webhooks.list();
const bot: Call = ({ meetings }) => meetings.sendBot({ meeting_url: "https://zoom.us/j/1" });
const upload: Call = ({ meetings }) => meetings.upload(samples.audio);

const later = <T>(ms: number, value: () => T) => new Promise<T>((resolve) => setTimeout(() => resolve(value()), ms));
const none = () => json([]);

/** How a call ends, after which time and how many requests, if the clock is advanced until it has ended. */
async function ended(call: Call, handler: Handler, options: ClientOptions = {}) {
  const { notetaker, seen } = clientOf(handler, options);
  const started = Date.now();
  let tookMs: number | undefined;
  const result = Promise.resolve(call(notetaker)).then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  void result.then(() => {
    tookMs = Date.now() - started;
  });
  await vi.runAllTimersAsync();
  expect(vi.getTimerCount()).toBe(0);
  return { ...(await result), tookMs, requests: seen.length };
}

const timedOut = (timeoutMs: number, attempts = 1, outcome = "unknown", retryable = true) => ({
  error: { name: "TimeoutError", timeoutMs, attempts, outcome, retryable },
});
const failed = (name: string, outcome: string) => ({ error: { name, outcome, attempts: 1, retryable: false } });

/** A token function that hangs after the first call, and a service that refuses the first request: it did nothing. */
const limited = () => refusal(429, "rate_limited", { "retry-after": "0" });
const tokenOnce = () => {
  let asked = 0;
  return () => (++asked === 1 ? TOKEN : never<string>());
};

it.each<[what: string, Call, Handler, ClientOptions, tookMs: number, ending: object]>([
  ["30 seconds by default, for each attempt", list, () => never(), {}, 90_000, timedOut(30_000, 3)],
  [
    "timeoutMs of token function and request together",
    list,
    () => later(60, none),
    { token: () => later(60, () => TOKEN), timeoutMs: 100, maxRetries: 0 },
    100,
    timedOut(100),
  ],
  [
    "timeoutMs of a request and its body",
    list,
    () => later(60, () => stalledBody('[{"id":')),
    { timeoutMs: 100, maxRetries: 0 },
    100,
    timedOut(100),
  ],
  [
    "timeoutMs of a middleware and the request",
    list,
    none,
    { timeoutMs: 100, maxRetries: 0, middleware: [(request, next) => later(150, () => request).then(next)] },
    100,
    timedOut(100),
  ],
  [
    "timeoutMs of an error response, which keeps its class",
    bot,
    () => stalledBody("<html>", 500),
    { timeoutMs: 100 },
    100,
    failed("ServerError", "unknown"),
  ],
  [
    "timeoutMs of an upload without progress",
    upload,
    () => never(),
    { timeoutMs: 100, fetch: () => never() },
    100,
    failed("TimeoutError", "unknown"),
  ],
  ["deadlineMs without a response", list, () => never(), { deadlineMs: 250 }, 250, timedOut(250)],
  ["deadlineMs in the body", list, () => stalledBody("["), { deadlineMs: 250 }, 250, timedOut(250)],
  [
    "deadlineMs of all attempts together",
    list,
    () => never(),
    { deadlineMs: 250, timeoutMs: 100, maxRetries: 10 },
    250,
    timedOut(250, 3),
  ],
  [
    "timeoutMs in the token function",
    bot,
    none,
    { timeoutMs: 50, token: () => never<string>() },
    50,
    timedOut(50, 0, "not_sent"),
  ],
  [
    "deadlineMs in the token function",
    list,
    none,
    { deadlineMs: 50, token: () => never<string>() },
    50,
    timedOut(50, 0, "not_sent"),
  ],
  [
    "deadlineMs in a later token function",
    bot,
    limited,
    { deadlineMs: 50, token: tokenOnce() },
    50,
    timedOut(50, 1, "rejected"),
  ],
  [
    "timeoutMs in a later token function",
    bot,
    limited,
    { timeoutMs: 50, token: tokenOnce() },
    50,
    timedOut(50, 1, "rejected"),
  ],
])("a call ends after %s", async (_, call, handler, options, tookMs, ending) => {
  expect(await ended(call, handler, options)).toMatchObject({ ...ending, tookMs });
});

const throttle = { acquire: () => later(1_000, () => undefined), pause: () => {} };
const slowToken = { token: () => later(30, () => TOKEN), throttle, timeoutMs: 100, maxRetries: 0 };
const accepted = () => json({ meeting_id: "mtg_1", status: "scheduling" }, 202);
const webhook = (id: string, ms: number) => () => later(ms, () => json([{ ...samples.webhook, id }]));
const pages: Handler = (_, index) =>
  later(80, () => json(samples.page([samples.room], index < 2 ? `c${index}` : null)));
const rooms: Call = (notetaker) => notetaker.rooms.list({}, { deadlineMs: 100 }).toArray({ max: 10 });

it.each<[what: string, Call, Handler, ClientOptions, result: object]>([
  ["just before timeoutMs", list, () => later(99, none), { timeoutMs: 100 }, { value: [], tookMs: 99 }],
  [
    "with the rest of timeoutMs after the throttle's wait",
    list,
    () => later(69, none),
    slowToken,
    { value: [], tookMs: 1_099 },
  ],
  [
    "after a 429 whose body stalls",
    bot,
    inTurn(() => stalledBody("{", 429), accepted),
    { timeoutMs: 100 },
    { requests: 2 },
  ],
  [
    "with the second response, not the late one of the first attempt",
    list,
    inTurn(webhook("whk_late", 150), webhook("whk_second", 50)),
    { timeoutMs: 100 },
    { value: [{ id: "whk_second" }] },
  ],
  ["although three pages take longer than deadlineMs: each is a call", rooms, pages, {}, { tookMs: 240, requests: 3 }],
])("a call succeeds %s", async (_, call, handler, options, result) => {
  expect(await ended(call, handler, options)).toMatchObject({ error: undefined, ...result });
});

it("timeoutMs goes on after the throttle's wait with the rest of its time", async () => {
  const late = { error: { name: "TimeoutError" }, tookMs: 1_100 };
  expect(await ended(list, () => later(71, none), slowToken)).toMatchObject(late);
});

it("timeoutMs does not limit an upload in a browser, whose fetch does not report progress", async () => {
  vi.stubGlobal("Request", BrowserRequest);
  const fetch = () => later(500, () => json({ id: "mtg_1", status: "processing" }));
  expect(await ended(upload, none, { fetch, timeoutMs: 100 })).toMatchObject({ value: { id: "mtg_1" } });
});

it.each(["timeoutMs", "deadlineMs"])(
  "the %s of a call overrides the client's, unless it is undefined",
  async (name) => {
    for (const [ms, tookMs] of [
      [70, 70],
      [undefined, 100],
    ]) {
      const call: Call = ({ webhooks }) => webhooks.list({ [name]: ms });
      expect(await ended(call, () => never(), { [name]: 100, maxRetries: 0 })).toMatchObject({ tookMs });
    }
  },
);

it.each([3_600_000, -3_600_000])("deadlineMs does not change if the system clock is set by %i ms", async (ms) => {
  const answers = inTurn(() => refusal(503, "unavailable", { "retry-after": "1" }), none);
  const handler: Handler = (seen, index) => {
    vi.setSystemTime(Date.now() + ms);
    return answers(seen, index);
  };
  expect(await ended(list, handler, { deadlineMs: 2_000 })).toMatchObject({ value: [], requests: 2 });
});

it.each([none, () => refusal(404, "not_found"), () => new Response("<html>")])(
  "a call leaves no timer, however it ends: %o",
  async (answer) => {
    const { notetaker } = clientOf(answer, { deadlineMs: 60_000 });
    await notetaker.webhooks.list().catch(() => {});
    expect(vi.getTimerCount()).toBe(0);
  },
);
