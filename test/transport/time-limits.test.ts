/** `timeoutMs` limits one attempt, including its body. `deadlineMs` limits the whole call. */
import type { ClientOptions, Middleware, Notetaker } from "notetaker-sdk";
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
const after =
  <T>(ms: number, value: () => T) =>
  () =>
    later(ms, value);
const none = () => json([]);

/** What is called, what the service does, and the options of the client. */
type Setup = ClientOptions & { call?: Call; handler?: Handler };

/** How a call ends, after which time and how many requests, if the clock is advanced until it has ended. */
async function ended({ call = list, handler = () => never(), ...options }: Setup) {
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
const failed = (name: string) => ({ error: { name, outcome: "unknown", attempts: 1, retryable: false } });

const ONCE = { timeoutMs: 100, maxRetries: 0 };
const slowStep: Middleware = (request, next) => later(150, () => request).then(next);
const slowToken = after(60, () => TOKEN);
const noToken = () => never<string>();
const refused = () => stalledBody("<html>", 500);
/** A token function that hangs after the first call, and a service that refuses the first request: it did nothing. */
const limited = () => refusal(429, "rate_limited", { "retry-after": "0" });
const laterToken = () => {
  let asked = 0;
  return { call: bot, handler: limited, token: () => (++asked === 1 ? TOKEN : never<string>()) };
};

it.each<[what: string, Setup, ending: object, tookMs?: number]>([
  ["30 seconds by default, for each attempt", {}, timedOut(30_000, 3), 90_000],
  ["timeoutMs of token and request together", { ...ONCE, handler: after(60, none), token: slowToken }, timedOut(100)],
  ["timeoutMs of a request and its body", { ...ONCE, handler: after(60, () => stalledBody("[{")) }, timedOut(100)],
  ["timeoutMs of a middleware and the request", { ...ONCE, handler: none, middleware: [slowStep] }, timedOut(100)],
  ["timeoutMs of a refusal, which stays one", { call: bot, handler: refused, timeoutMs: 100 }, failed("ServerError")],
  ["timeoutMs of an upload without progress", { call: upload, fetch: never, timeoutMs: 100 }, failed("TimeoutError")],
  ["deadlineMs without a response", { deadlineMs: 250 }, timedOut(250)],
  ["deadlineMs in the body", { deadlineMs: 250, handler: () => stalledBody("[") }, timedOut(250)],
  ["deadlineMs of all attempts together", { deadlineMs: 250, timeoutMs: 100, maxRetries: 10 }, timedOut(250, 3)],
  ["timeoutMs in the token function", { call: bot, timeoutMs: 50, token: noToken }, timedOut(50, 0, "not_sent")],
  ["deadlineMs in the token function", { deadlineMs: 50, token: noToken }, timedOut(50, 0, "not_sent")],
  ["deadlineMs in a later token function", { deadlineMs: 50, ...laterToken() }, timedOut(50, 1, "rejected")],
  ["timeoutMs in a later token function", { timeoutMs: 50, ...laterToken() }, timedOut(50, 1, "rejected")],
])("a call ends after %s", async (_, setup, ending, tookMs = setup.deadlineMs ?? setup.timeoutMs) => {
  expect(await ended(setup)).toMatchObject({ ...ending, tookMs });
});

const throttle = { acquire: after(1_000, () => undefined), pause: () => {} };
const throttled = { token: after(30, () => TOKEN), throttle, ...ONCE };
const accepted = () => json({ meeting_id: "mtg_1", status: "scheduling" }, 202);
const webhook = (id: string, ms: number) => after(ms, () => json([{ ...samples.webhook, id }]));
const pages: Handler = (_, index) =>
  later(80, () => json(samples.page([samples.room], index < 2 ? `c${index}` : null)));
const rooms: Call = (notetaker) => notetaker.rooms.list({}, { deadlineMs: 100 }).toArray({ max: 10 });
const stalledThenAccepted = inTurn(() => stalledBody("{", 429), accepted);
const SECOND = { id: "whk_second" };
const lateThenSecond = inTurn(webhook("whk_late", 150), webhook("whk_second", 50));

it.each<[what: string, Setup, result: object]>([
  ["just before timeoutMs", { handler: after(99, none), timeoutMs: 100 }, { value: [], tookMs: 99 }],
  ["with the rest of timeoutMs after the throttle", { handler: after(69, none), ...throttled }, { tookMs: 1_099 }],
  ["after a 429 whose body stalls", { call: bot, handler: stalledThenAccepted, timeoutMs: 100 }, { requests: 2 }],
  ["with the second response, not a late one", { handler: lateThenSecond, timeoutMs: 100 }, { value: [SECOND] }],
  ["although three pages take longer than deadlineMs", { call: rooms, handler: pages }, { tookMs: 240, requests: 3 }],
])("a call succeeds %s", async (_, setup, result) => {
  expect(await ended(setup)).toMatchObject({ error: undefined, ...result });
});

it("timeoutMs goes on after the throttle's wait with the rest of its time", async () => {
  const late = { error: { name: "TimeoutError" }, tookMs: 1_100 };
  expect(await ended({ handler: after(71, none), ...throttled })).toMatchObject(late);
});

it("timeoutMs does not limit an upload in a browser, whose fetch does not report progress", async () => {
  vi.stubGlobal("Request", BrowserRequest);
  const fetch = () => later(500, () => json({ id: "mtg_1", status: "processing" }));
  expect(await ended({ call: upload, fetch, timeoutMs: 100 })).toMatchObject({ value: { id: "mtg_1" } });
});

it.each(["timeoutMs", "deadlineMs"])(
  "the %s of a call overrides the client's, unless it is undefined",
  async (name) => {
    for (const [ms, tookMs] of [
      [70, 70],
      [undefined, 100],
    ]) {
      const call: Call = ({ webhooks }) => webhooks.list({ [name]: ms });
      expect(await ended({ call, [name]: 100, maxRetries: 0 })).toMatchObject({ tookMs });
    }
  },
);

it.each([3_600_000, -3_600_000])("deadlineMs does not change if the system clock is set by %i ms", async (ms) => {
  const answers = inTurn(() => refusal(503, "unavailable", { "retry-after": "1" }), none);
  const handler: Handler = (seen, index) => {
    vi.setSystemTime(Date.now() + ms);
    return answers(seen, index);
  };
  expect(await ended({ handler, deadlineMs: 2_000 })).toMatchObject({ value: [], requests: 2 });
});

it.each([none, () => refusal(404, "not_found"), () => new Response("<html>")])(
  "a call leaves no timer, however it ends: %o",
  async (answer) => {
    const { notetaker } = clientOf(answer, { deadlineMs: 60_000 });
    await notetaker.webhooks.list().catch(() => {});
    expect(vi.getTimerCount()).toBe(0);
  },
);
