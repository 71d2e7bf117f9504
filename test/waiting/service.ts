/** A service in which one meeting is waited for, and the clock that the tests of the waiters run on. */
import { afterEach, beforeEach, vi } from "vitest";
import { clientOf, json, refusal, type Seen } from "../support/recorder.js";

export const ID = "mtg_wait1";
export const TRANSCRIPT = { meeting_id: ID, language: "en", speakers: [], segments: [] };
/** A meeting as the list has it. */
export const meeting = (status: string, id = ID) => ({
  id,
  status,
  source: "upload",
  start_time: "2025-06-02T09:00:00Z",
});
export const page = (...data: unknown[]) => json({ data, next_cursor: null, has_more: false });
export const notFound = () => refusal(404, "not_found");

/** Timers run when a test says so, and without jitter: a pause of 5,000 ms takes 5,000 ms. */
export function useFakeClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    vi.spyOn(Math, "random").mockReturnValue(0.5);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

/** A client of a service that answers the n-th request for the transcript, and for the list, as the functions say. */
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
  /** When the list was requested: once a poll. */
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

/** How a promise settles while the timers run, and when. */
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
