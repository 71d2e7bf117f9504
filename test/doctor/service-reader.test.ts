/** How the doctor sends its requests: how often, how fast, and how it reads each response. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BudgetError, MAX_REQUESTS, type Reading, ServiceReader } from "../../src/doctor/service/service-reader.js";
import { clientOf, type Handler, inTurn, json, refusal, rejection } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const NOW = Date.UTC(2025, 5, 2);

beforeEach(() => void vi.useFakeTimers({ now: NOW }));
afterEach(() => void vi.useRealTimers());

function readerOf(handler: Handler, signal?: AbortSignal) {
  const times: number[] = [];
  const { notetaker, seen } = clientOf((request, index) => {
    times.push(Date.now() - NOW);
    return handler(request, index);
  });
  return { reader: new ServiceReader(notetaker, signal), seen, times };
}

const empty = () => json(samples.page([]));
const lost = () => Promise.reject(new TypeError("fetch failed"));
const html = () => new Response("<html>", { headers: { "content-type": "text/html" } });
const limited = (seconds?: number) => () =>
  refusal(429, "rate_limited", seconds === undefined ? {} : { "retry-after": String(seconds) });

/** The result of the second request. After a successful first request, the service counts as reachable. */
async function secondReading(...answers: (() => Response | Promise<Response>)[]) {
  const { reader, times } = readerOf(inTurn(empty, ...answers));
  await reader.read("rooms.list", "/rooms");
  const reading = reader.read("rooms.list", "/rooms", { limit: 5, id: ["a", "b"] });
  reading.catch(() => {});
  await vi.advanceTimersByTimeAsync(200_000);
  return { reader, times, reading: await reading.catch((error: unknown) => ({ thrown: error })) };
}

describe("a service reader", () => {
  it("returns the body, and sends the query unchanged", async () => {
    const { reader, seen } = readerOf(empty);
    const reading = await reader.read("rooms.list", "/rooms", { limit: 5, id: ["a", "b"] });
    expect(reading).toEqual({ outcome: "read", body: samples.page([]) });
    expect(seen[0]).toMatchObject({ method: "GET", path: "/rooms" });
    expect(seen[0]?.query).toEqual([
      ["limit", "5"],
      ["id", "a"],
      ["id", "b"],
    ]);
    expect(reader.log.fields.map(({ path }) => path)).toEqual(["data", "next_cursor", "has_more"]);
    expect([reader.requests, reader.remaining]).toEqual([1, 59]);
  });

  it.each<[string, (() => Response | Promise<Response>)[], Reading, number[]]>([
    ["a 404", [() => refusal(404, "not_found")], { outcome: "refused", status: 404, names: [] }, [0, 0]],
    [
      "a 400 that names fields",
      [() => json({ error: { code: "bad", message: "m", details: [{ field: "limit", message: "m" }] } }, 400)],
      { outcome: "refused", status: 400, names: ["limit"] },
      [0, 0],
    ],
    [
      "a validation envelope",
      [
        () =>
          json(
            {
              detail: [
                { loc: ["query", "max"], msg: "m", type: "t" },
                { loc: ["query", 0], msg: "m", type: "t" },
                { loc: [], msg: "m", type: "t" },
              ],
            },
            422,
          ),
      ],
      { outcome: "refused", status: 422, names: ["max", "0", ""] },
      [0, 0],
    ],
    ["a 503, then a page", [() => refusal(503, "x"), empty], { outcome: "read", body: samples.page([]) }, [0, 0, 500]],
    ["a 500, then a page", [() => refusal(500, "x"), empty], { outcome: "read", body: samples.page([]) }, [0, 0, 500]],
    [
      "two server errors",
      [() => refusal(503, "x"), () => refusal(500, "x")],
      { outcome: "failed", reason: "the endpoint responds with 500" },
      [0, 0, 500],
    ],
    [
      "a 499, which is not retried",
      [() => refusal(499, "x"), empty],
      { outcome: "refused", status: 499, names: [] },
      [0, 0],
    ],
    [
      "a 429 without Retry-After, then a page",
      [limited(), empty],
      { outcome: "read", body: samples.page([]) },
      [0, 0, 5_000],
    ],
    [
      "a 429 with a Retry-After of 20 s, then a page",
      [limited(20), empty],
      { outcome: "read", body: samples.page([]) },
      [0, 0, 20_000],
    ],
    [
      "a 429 with a Retry-After of a minute, then a page",
      [limited(60), empty],
      { outcome: "read", body: samples.page([]) },
      [0, 0, 60_000],
    ],
    [
      "two 429s, a 503, then a page",
      [limited(1), limited(1), () => refusal(503, "x"), empty],
      { outcome: "read", body: samples.page([]) },
      [0, 0, 1_000, 2_000, 2_500],
    ],
    [
      "a 503, a 429 and a 503",
      [() => refusal(503, "x"), limited(1), () => refusal(503, "x"), empty],
      { outcome: "failed", reason: "the endpoint responds with 503" },
      [0, 0, 500, 1_500],
    ],
    ["a lost connection", [lost], { outcome: "failed", reason: "the connection failed" }, [0, 0]],
    ["an HTML page", [html], { outcome: "failed", reason: "the response is not JSON" }, [0, 0]],
    [
      "no response for half a minute",
      [() => new Promise<Response>(() => {})],
      { outcome: "failed", reason: "the connection failed" },
      [0, 0],
    ],
  ])("handles a later response: %s", async (_, answers, reading, times) => {
    const result = await secondReading(...answers);
    expect(result.reading).toEqual(reading);
    expect(result.times).toEqual(times);
    expect(result.reader.requests).toBe(times.length);
  });

  it.each<[string, () => Response | Promise<Response>, string, number]>([
    ["a 429 that asks for more than a minute", limited(61), "RateLimitedError", 1],
    ["a refused token", () => refusal(401, "unauthorized"), "UnauthorizedError", 1],
  ])("throws after %s, even if an earlier request succeeded", async (_, answer, name, requests) => {
    const result = await secondReading(answer);
    expect(result.reading).toMatchObject({ thrown: { name } });
    expect(result.reader.requests).toBe(1 + requests);
  });

  it.each([
    ["a lost connection", lost, "ConnectionError"],
    ["an HTML page", html, "ResponseValidationError"],
  ])("throws after %s on the first request", async (_, answer, name) => {
    const { reader } = readerOf(answer);
    expect(await rejection(reader.read("rooms.list", "/rooms"))).toMatchObject({ name });
  });

  it("returns the refusal of the first request, because a service that refuses is reachable", async () => {
    const { reader } = readerOf(() => refusal(404, "not_found"));
    expect(await reader.read("rooms.list", "/rooms")).toMatchObject({ outcome: "refused" });
  });

  it("throws an error that the service did not cause, even if an earlier request succeeded", async () => {
    const { reader } = readerOf(empty);
    await reader.read("rooms.list", "/rooms");
    expect(await rejection(reader.read("rooms.list", "rooms"))).toMatchObject({ name: "InvalidArgumentError" });
  });
});

it("a service reader sends at most 60 requests", async () => {
  const { reader, seen } = readerOf(empty);
  for (let count = 0; count < MAX_REQUESTS; count += 1) await reader.read("rooms.list", "/rooms");
  expect(reader.remaining).toBe(0);
  expect(await rejection(reader.read("rooms.list", "/rooms"))).toBeInstanceOf(BudgetError);
  expect([seen.length, reader.requests]).toEqual([60, 60]);
});

describe("a service reader whose rate limit window is used up", () => {
  const window = (remaining: number, resetSeconds: number, date?: number) => () =>
    json(samples.page([]), 200, {
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": String(remaining),
      "x-ratelimit-reset": String(NOW / 1000 + resetSeconds),
      ...(date === undefined ? {} : { date: new Date(NOW + date).toUTCString() }),
    });

  /** The time of the second request, which is made `later` milliseconds after the first. */
  async function secondAt(answer: () => Response, later = 0): Promise<number | undefined> {
    const { reader, times } = readerOf(inTurn(answer, empty));
    await reader.read("rooms.list", "/rooms");
    await vi.advanceTimersByTimeAsync(later);
    const second = reader.read("rooms.list", "/rooms");
    await vi.advanceTimersByTimeAsync(200_000);
    await second;
    return times[1];
  }

  it.each<[string, () => Response, number, number]>([
    ["waits by the service's clock if the response has a Date", window(0, 330, 300_000), 0, 30_001],
    ["waits by the local clock if the response has no Date", window(0, 30), 0, 30_001],
    ["waits at most a minute", window(0, 3_600), 0, 60_000],
    ["counts the wait from the time of the response", window(0, 30), 10_000, 30_001],
    ["does not wait if the window has ended", window(0, 30), 40_000, 40_000],
    ["does not wait if requests are left", window(1, 30), 0, 0],
  ])("%s", async (_, answer, later, at) => {
    expect(await secondAt(answer, later)).toBe(at);
  });

  it("waits after a refusal with such headers, too", async () => {
    const refused = () => {
      const { headers } = window(0, 30)();
      return refusal(404, "not_found", Object.fromEntries(headers));
    };
    expect(await secondAt(refused)).toBe(30_001);
  });

  it("waits once if the next response has no rate limit headers", async () => {
    const { reader, times } = readerOf(inTurn(window(0, 30), empty));
    await reader.read("rooms.list", "/rooms");
    for (let count = 0; count < 2; count += 1) {
      const next = reader.read("rooms.list", "/rooms");
      await vi.advanceTimersByTimeAsync(100_000);
      await next;
    }
    expect(times).toEqual([0, 30_001, 100_000]);
  });
});

describe("the abort signal of a service reader", () => {
  const stopped = async (...answers: (() => Response)[]) => {
    const controller = new AbortController();
    const { reader, times } = readerOf(inTurn(...answers), controller.signal);
    const reading = (async () => {
      for (;;) await reader.read("rooms.list", "/rooms");
    })();
    const reason = rejection(reading);
    setTimeout(() => controller.abort("stop"), 100);
    await vi.advanceTimersByTimeAsync(100);
    expect(await reason).toBe("stop");
    return times.length;
  };

  it("ends the wait for a retry", async () => {
    expect(await stopped(() => refusal(503, "x"))).toBe(1);
    expect(await stopped(limited(20))).toBe(1);
  });

  it("ends the wait for the next rate limit window", async () => {
    const headers = {
      ...{ "x-ratelimit-limit": "1", "x-ratelimit-remaining": "0" },
      "x-ratelimit-reset": String(NOW / 1000 + 30),
    };
    expect(await stopped(() => json(samples.page([]), 200, headers))).toBe(1);
  });
});
