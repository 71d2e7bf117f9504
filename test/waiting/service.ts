/** A service with one meeting to wait for, and the clock of these tests. */
import { beforeEach, vi } from "vitest";
import { clientOf, json, refusal, type Seen } from "../support/recorder.js";

export const ID = "mtg_wait1";
export const TRANSCRIPT = { meeting_id: ID, language: "en", speakers: [], segments: [] };
export const meeting = (status: string, id = ID) => ({
  id,
  status,
  source: "upload",
  start_time: "2025-06-02T09:00:00Z",
});
export const page = (...data: unknown[]) => json({ data, next_cursor: null, has_more: false });
export const notFound = () => refusal(404, "not_found");

/** Timers run only when a test advances the clock, and without jitter: a pause of 5,000 ms takes 5,000 ms. */
export function useFakeClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    vi.spyOn(Math, "random").mockReturnValue(0.5);
  });
}

/** A client of a service whose responses to the n-th transcript request and list request come from these functions. */
export function service(
  {
    transcript = () => notFound(),
    list = () => page(),
  }: {
    transcript?: (n: number) => Response | Promise<Response>;
    list?: (n: number) => Response | Promise<Response>;
  } = {},
  options = {},
) {
  /** The times of the list requests: one per poll. */
  const times: number[] = [];
  const counts = { transcript: 0, list: 0 };
  const client = clientOf((seen: Seen) => {
    const kind = seen.path.endsWith("/transcript") ? "transcript" : "list";
    if (kind === "list") times.push(Date.now());
    counts[kind] += 1;
    return kind === "transcript" ? transcript(counts[kind]) : list(counts[kind]);
  }, options);
  return { ...client, times, counts };
}

/** The result of a promise, and the time at which it settles, while the timers run. */
export async function inTime<T>(promise: Promise<T>) {
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

export function channel() {
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
