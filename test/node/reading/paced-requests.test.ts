/** When a request of an export is retried, and after what wait. */
import {
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
} from "notetaker-sdk";
import { beforeEach, describe, expect, it } from "vitest";
import { PacedRequests } from "../../../src/node/reading/paced-requests.js";
import { rejection } from "../../support/recorder.js";

let now = 0;
let waits: number[] = [];
beforeEach(() => {
  now = Date.UTC(2025, 0, 1);
  waits = [];
});

function requests(requestsPerMinute = 1_000) {
  const clock = {
    now: () => now,
    async sleep(ms: number, signal: AbortSignal) {
      if (signal.aborted) throw signal.reason;
      now += ms;
    },
  };
  return new PacedRequests({ requestsPerMinute, clock, onWait: (ms) => waits.push(ms) });
}

const facts = (status: number, headers = {}) => ({
  status,
  code: undefined,
  body: undefined,
  headers: new Headers(headers),
  rateLimit: undefined,
  request: { method: "GET", url: "" },
});
const unavailable = () => new ServerError("503", facts(503));
const rateLimited = (retryAfterMs?: number) => new RateLimitedError("429", { ...facts(429), retryAfterMs } as never);
const { signal } = new AbortController();

/** Fails once for each error in the list, and counts the calls. */
async function send(errors: (Error | (() => Error))[], paced = requests()) {
  let sent = 0;
  const result = await paced
    .sendWithRetries(async () => {
      sent += 1;
      const error = errors.shift();
      if (error !== undefined) throw typeof error === "function" ? error() : error;
      return { rateLimit: undefined, data: "fine" };
    }, signal)
    .then(
      ({ data }) => data,
      (error: unknown) => error,
    );
  expect(paced.count).toBe(sent);
  return { sent, result };
}
const times = (count: number, error: () => Error) => Array.from({ length: count }, () => error);

describe("a request of an export", () => {
  it("is sent once, without a wait, if it succeeds", async () => {
    expect(await send([])).toEqual({ sent: 1, result: "fine" });
    expect(waits).toEqual([]);
  });

  it("is sent up to five times if its failure is temporary, with waits of 1, 2, 4 and 8 seconds", async () => {
    expect(await send(times(4, unavailable))).toEqual({ sent: 5, result: "fine" });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
    waits = [];
    const { sent, result } = await send(times(9, unavailable));
    expect([sent, result]).toEqual([5, expect.any(ServerError)]);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it("waits as long as the service requests after a failure", async () => {
    const error = () => new ServerError("503", facts(503, { "retry-after": "7" }));
    expect(await send([error, unavailable])).toEqual({ sent: 3, result: "fine" });
    expect(waits).toEqual([7_000, 2_000]);
  });

  it.each([
    ["404", new NotFoundError("404", facts(404))],
    ["401", new UnauthorizedError("401", facts(401))],
    ["422", new InvalidRequestError("422", facts(422))],
    ["a TypeError", new TypeError("mine")],
    ["a connection error that is not retryable", new ConnectionError("redirect", { retryable: false })],
  ])("is sent once if its failure is permanent: %s", async (_, error) => {
    expect(await send([error])).toEqual({ sent: 1, result: error });
    expect(waits).toEqual([]);
  });

  it("is retried after a lost connection", async () => {
    const lost = () => new ConnectionError("lost", { retryable: true });
    expect(await send([lost, lost])).toEqual({ sent: 3, result: "fine" });
    expect(waits).toEqual([1_000, 2_000]);
  });

  it("ends with the signal's reason if the signal aborts during the wait", async () => {
    const controller = new AbortController();
    const paced = requests();
    const sending = paced.sendWithRetries(async () => {
      controller.abort("enough");
      throw unavailable();
    }, controller.signal);
    expect(await rejection(sending)).toBe("enough");
    expect(waits).toEqual([]);
  });
});

describe("a 429 during an export", () => {
  it("delays the request as long as the service requests, and does not count as a failed attempt", async () => {
    const errors = [...times(9, () => rateLimited(3_000)), ...times(4, unavailable)];
    expect(await send(errors)).toEqual({ sent: 14, result: "fine" });
    expect(waits).toEqual([...Array(9).fill(3_000), 1_000, 2_000, 4_000, 8_000]);
  });

  it("delays the request at most nine times in a row", async () => {
    const { sent, result } = await send(times(20, () => rateLimited(3_000)));
    expect([sent, result]).toEqual([10, expect.any(RateLimitedError)]);
  });

  it("delays the request for a minute if it has no Retry-After", async () => {
    expect(await send([rateLimited()])).toEqual({ sent: 2, result: "fine" });
    expect(waits).toEqual([60_000]);
  });

  it.each([
    [3_600_000, 2],
    [3_600_001, 1],
  ])(
    "with a Retry-After of %i ms causes %i requests: longer waits than an hour are left to the user",
    async (ms, expected) => {
      expect((await send([rateLimited(ms)])).sent).toBe(expected);
    },
  );

  it("delays all other requests, too", async () => {
    const paced = requests();
    const begun = now;
    let sent = 0;
    const refusedOnce = paced.sendWithRetries(async () => {
      sent += 1;
      if (sent === 1) throw rateLimited(30_000);
      return {};
    }, signal);
    const other = paced.send(async () => ({ atMs: now - begun, rateLimit: undefined }), signal);
    expect(await other).toMatchObject({ atMs: 30_000 });
    await refusedOnce;
  });
});

describe("the rate limit headers of a response", () => {
  const exhausted = () => ({ limit: 60, remaining: 0, resetAt: new Date(now + 20_000) });

  it("delay the next request", async () => {
    const paced = requests();
    await paced.send(async () => ({ rateLimit: exhausted() }), signal);
    await paced.send(async () => ({}), signal);
    expect(waits).toEqual([20_000]);
  });

  it("delay the next request even if the response is an error", async () => {
    const paced = requests();
    const error = new NotFoundError("404", { ...facts(404), rateLimit: exhausted() } as never);
    expect(await rejection(paced.send(() => Promise.reject(error), signal))).toBe(error);
    await paced.send(async () => ({}), signal);
    expect(waits).toEqual([20_000]);
  });
});
