/** Calls that count for two limits, among calls that count for one, compared with a simple model of both limits. */
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type LimitName, limitsCounting } from "../../src/endpoints/limits.js";
import { localThrottle } from "../../src/throttle/local-throttle.js";
import type { ThrottleRequest } from "../../src/throttle/throttle.js";

beforeEach(() => void vi.useFakeTimers());

const SECOND = 1_000;
/** A minute, and a margin for requests that take different times. */
const APART = 60_300;

const CREATE = "webhooks.create";
const LIST = "webhooks.list";
type Operation = typeof CREATE | typeof LIST;
type Limits = { readonly createWebhook: number; readonly other: number };

/** A throttle, with the operation and the time of each call that was sent, in the order of the calls. */
function throttleOf(limits: Limits) {
  const start = performance.now();
  const throttle = localThrottle({
    createWebhook: { perMinute: limits.createWebhook },
    other: { perMinute: limits.other },
  });
  const calls: { operation: Operation; at: number | undefined }[] = [];
  const arrive = (operation: Operation, options: Partial<ThrottleRequest> = {}) => {
    const call: (typeof calls)[number] = { operation, at: undefined };
    calls.push(call);
    const request: ThrottleRequest = { operation, token: "token", signal: undefined, onWait: () => {}, ...options };
    return throttle.acquire(request).then(
      () => {
        call.at = performance.now() - start;
      },
      () => {},
    );
  };
  return { throttle, calls, arrive, times: () => calls.map(({ at }) => at) };
}

/** When each call would be sent if none were sent before an earlier one. */
function timesInOrder(limits: Limits, calls: readonly { operation: Operation; at: number }[]): number[] {
  const taken: Record<"createWebhook" | "other", number[]> = { createWebhook: [], other: [] };
  let latest = 0;
  return calls.map(({ operation, at }) => {
    const names = limitsCounting(operation) as (keyof Limits)[];
    const starts = names.map((name) => (taken[name].at(-limits[name]) ?? Number.NEGATIVE_INFINITY) + APART);
    latest = Math.max(at, latest, ...starts);
    for (const name of names) taken[name].push(latest);
    return latest;
  });
}

/** The largest number of calls within any minute that count for a limit. */
function most(name: LimitName, calls: readonly { operation: Operation; at: number | undefined }[]): number {
  const times = calls.flatMap(({ operation, at }) =>
    at !== undefined && limitsCounting(operation).includes(name) ? [at] : [],
  );
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));
}

const limitsArbitrary = fc.record({
  createWebhook: fc.integer({ min: 1, max: 3 }),
  other: fc.integer({ min: 1, max: 4 }),
});
const operationArbitrary = fc.constantFrom<Operation>(CREATE, LIST);
/** The time since the previous call: mostly zero, so that many calls become due at the same moment. */
const gapArbitrary = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 70 }).map((seconds) => seconds * SECOND) },
  { weight: 1, arbitrary: fc.constant(APART) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_500 }) },
);

describe("a call that counts for two limits", () => {
  it("keeps its place under one limit while the other is held back", async () => {
    const { throttle, arrive, times } = throttleOf({ createWebhook: 1, other: 2 });
    void arrive(LIST);
    throttle.pause({ operation: LIST, token: "token", limit: undefined, pauseMs: 61_000 });
    void arrive(CREATE);
    void arrive(CREATE);
    await vi.advanceTimersByTimeAsync(10 * APART);
    expect(times()).toEqual([0, 61_000, 61_000 + APART]);
  });

  it("is sent in its turn: not later than in strict order, after those like it, and no minute exceeds a limit", async () => {
    const arrivals = fc.array(fc.record({ operation: operationArbitrary, gap: gapArbitrary }), { maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(limitsArbitrary, arrivals, async (limits, arriving) => {
        const { calls, arrive, times } = throttleOf(limits);
        const planned: { operation: Operation; at: number }[] = [];
        let now = 0;
        for (const { operation, gap } of arriving) {
          await vi.advanceTimersByTimeAsync(gap);
          now += gap;
          planned.push({ operation, at: now });
          void arrive(operation);
        }
        await vi.advanceTimersByTimeAsync(20 * APART);
        const inOrder = timesInOrder(limits, planned);
        for (const [index, at] of times().entries()) expect(at, `call ${index}`).toBeLessThanOrEqual(inOrder[index]!);
        for (const one of [CREATE, LIST]) {
          const alike = calls.flatMap(({ operation, at }) => (operation === one ? [at] : []));
          expect(alike).toEqual([...alike].sort((a, b) => Number(a) - Number(b)));
        }
        expect(most("createWebhook", calls)).toBeLessThanOrEqual(limits.createWebhook);
        expect(most("other", calls)).toBeLessThanOrEqual(limits.other);
        expect(vi.getTimerCount()).toBe(0);
      }),
    );
  });

  it("never exceeds a limit and never waits for ever, whatever is cancelled, late or held back", async () => {
    const step = fc.oneof(
      fc.record({
        what: fc.constant("call" as const),
        operation: operationArbitrary,
        deadline: fc.option(fc.integer({ min: 1, max: 200 })),
      }),
      fc.record({ what: fc.constant("abort" as const), index: fc.nat(14) }),
      fc.record({
        what: fc.constant("pause" as const),
        operation: operationArbitrary,
        seconds: fc.integer({ min: 1, max: 90 }),
      }),
      fc.record({ what: fc.constant("wait" as const), gap: gapArbitrary }),
    );
    await fc.assert(
      fc.asyncProperty(limitsArbitrary, fc.array(step, { maxLength: 24 }), async (limits, steps) => {
        const { throttle, calls, arrive } = throttleOf(limits);
        const controllers: AbortController[] = [];
        let ended = 0;
        for (const one of steps) {
          if (one.what === "wait") await vi.advanceTimersByTimeAsync(one.gap);
          if (one.what === "abort") controllers[one.index]?.abort();
          if (one.what === "pause") {
            const pauseMs = one.seconds * SECOND;
            throttle.pause({ operation: one.operation, token: "token", limit: undefined, pauseMs });
          }
          if (one.what !== "call") continue;
          const controller = new AbortController();
          controllers.push(controller);
          const latest = performance.now() + (one.deadline ?? Number.POSITIVE_INFINITY) * SECOND;
          void arrive(one.operation, {
            signal: controller.signal,
            onWait(waitMs) {
              if (performance.now() + waitMs > latest) throw new Error("too late");
            },
          }).then(() => {
            ended += 1;
          });
        }
        await vi.advanceTimersByTimeAsync(40 * APART);
        expect(ended).toBe(calls.length);
        expect(most("createWebhook", calls)).toBeLessThanOrEqual(limits.createWebhook);
        expect(most("other", calls)).toBeLessThanOrEqual(limits.other);
        expect(vi.getTimerCount()).toBe(0);
      }),
    );
  });
});
