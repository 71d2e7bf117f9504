/** A caller's signal ends a call at once, at every stage, with the signal's own reason. */
import { type ClientOptions, ConnectionError, type RequestOptions } from "notetaker-sdk";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { CALLS } from "../support/calls.js";
import { never, stalledBody } from "../support/failures.js";
import { clientOf, type Handler, json, refusal, rejection, TOKEN } from "../support/recorder.js";
import * as samples from "../support/samples.js";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));

/** Turns of the event loop, while the clock stands still. */
const turns = () => vi.advanceTimersByTimeAsync(0);

const silent = () => never();

const STAGES: Record<string, { handler: Handler; options?: ClientOptions; requests: number }> = {
  "while the token function runs": { handler: () => json([]), options: { token: () => never<string>() }, requests: 0 },
  "while a fetch that ignores signals runs": { handler: () => never(), requests: 1 },
  "while the body is read": { handler: () => stalledBody("["), requests: 1 },
  "while the body of a refusal is read": { handler: () => stalledBody("[", 500), requests: 1 },
  "between two attempts": { handler: () => refusal(429, "rate_limited", { "retry-after": "30" }), requests: 1 },
  "in a middleware, before it has sent": { handler: () => json([]), options: { middleware: [silent] }, requests: 0 },
  "in a middleware, after the response": {
    handler: () => json([]),
    options: { middleware: [(request, next) => next(request).then(() => never())] },
    requests: 1,
  },
};

describe.each(Object.entries(STAGES))("a call that is cancelled %s", (_, { handler, options, requests }) => {
  it.each([
    ["an error of the caller", new Error("the user left")],
    ["an error of this library", new ConnectionError({ message: "of another call", attempts: 7, outcome: "not_sent" })],
    ["a string", "stop"],
    ["null", null],
    ["an object", { why: "closed" }],
    ["an AbortError, if there is no other reason", undefined],
  ])("rejects with the reason itself: %s", async (_name, reason) => {
    const { notetaker, seen } = clientOf(handler, options);
    const controller = new AbortController();
    const promise = rejection(notetaker.webhooks.list({ signal: controller.signal, deadlineMs: 40_000 }));
    await turns();
    expect(seen).toHaveLength(requests);
    controller.abort(reason);
    // The clock stands still: a call that waits for a timer would not end.
    const error = await promise;
    expect(error).toBe(controller.signal.reason);
    if (reason === undefined) expect(error).toMatchObject({ name: "AbortError" });
    else expect(error).toBe(reason);
    if (error instanceof ConnectionError) expect(error).toMatchObject({ attempts: 7, outcome: "not_sent" });
    await turns();
    expect(vi.getTimerCount()).toBe(0);
    expect(seen).toHaveLength(requests);
  });
});

describe("a signal that has already aborted", () => {
  it.each(CALLS)("makes $operation reject with its reason before a request is sent", async (call) => {
    const token = vi.fn(() => TOKEN);
    const { notetaker, seen } = clientOf(() => json({}), { token });
    const reason = new Error("too late");
    expect(await rejection(call.make(notetaker, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(seen).toEqual([]);
    expect(token).not.toHaveBeenCalled();
  });

  it("does not hide the error for an invalid argument", async () => {
    const { notetaker } = clientOf(() => json({}));
    const call = notetaker.documents.get("x", {}, { signal: AbortSignal.abort() });
    expect(await rejection(call)).toMatchObject({ name: "InvalidArgumentError" });
  });
});

describe("a 401 whose body is still being read", () => {
  it("causes no second call of the token function after the caller has aborted", async () => {
    const token = vi.fn(() => TOKEN);
    const { notetaker } = clientOf(() => stalledBody("{", 401), { token });
    const controller = new AbortController();
    const call = rejection(notetaker.webhooks.list({ signal: controller.signal }));
    await turns();
    controller.abort("mine");
    expect(await call).toBe("mine");
    await vi.runAllTimersAsync();
    expect(token).toHaveBeenCalledTimes(1);
  });
});

it.each<[string, RequestOptions]>([
  ["the caller", {}],
  ["timeoutMs", { timeoutMs: 100 }],
  ["deadlineMs", { deadlineMs: 100 }],
])("the signal of fetch aborts if %s cancels the attempt", async (who, options) => {
  const { notetaker, seen } = clientOf(() => never(), { maxRetries: 0 });
  const controller = new AbortController();
  const call = rejection(notetaker.webhooks.list({ signal: controller.signal, ...options }));
  await turns();
  if (who === "the caller") controller.abort("mine");
  await vi.advanceTimersByTimeAsync(200);
  const { signal } = seen[0]!.request;
  expect(signal.aborted).toBe(true);
  expect(signal.reason).toBe(await call);
});

describe("a signal that many calls share", () => {
  it("causes no warning, and ends all calls", async () => {
    const warnings: string[] = [];
    const warned = ({ message }: Error) => warnings.push(message);
    process.on("warning", warned);
    const { notetaker, seen } = clientOf(() => never());
    const controller = new AbortController();
    const calls = Array.from({ length: 40 }, () => rejection(notetaker.webhooks.list({ signal: controller.signal })));
    await turns();
    expect(seen).toHaveLength(40);
    controller.abort("all");
    expect(new Set(await Promise.all(calls))).toEqual(new Set(["all"]));
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", warned);
    expect(warnings).toEqual([]);
  });

  it("changes nothing if it aborts after the response", async () => {
    const controller = new AbortController();
    const { notetaker } = clientOf(() => json([]));
    const promise = notetaker.webhooks.list({ signal: controller.signal });
    expect(await promise).toEqual([]);
    controller.abort();
    expect((await promise.withResponse()).data).toEqual([]);
  });
});

it("an iteration whose signal aborts ends at its next page", async () => {
  const { notetaker } = clientOf((_, index) => json(samples.page([samples.room], `c${index}`)));
  const controller = new AbortController();
  let items = 0;
  const walk = async () => {
    for await (const _ of notetaker.rooms.list({}, { signal: controller.signal })) {
      if (++items === 3) controller.abort("enough");
    }
  };
  expect(await rejection(walk())).toBe("enough");
  expect(items).toBe(3);
});

it("a signal of AbortSignal.timeout rejects the call with its TimeoutError, which is not the client's", async () => {
  vi.useRealTimers();
  const call = clientOf(() => never()).notetaker.webhooks.list({ signal: AbortSignal.timeout(5) });
  expect(await rejection(call)).toBeInstanceOf(DOMException);
});
