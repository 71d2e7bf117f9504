/** Which errors count as temporary. */
import {
  ApiError,
  ConnectionError,
  InvalidArgumentError,
  NotFoundError,
  RateLimitedError,
  ServerError,
  TimeoutError,
} from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { isRateLimited, isTemporary, isTemporaryStatus } from "../../src/errors/is-temporary.js";

const fields = (status: number) => ({
  status,
  code: undefined,
  details: undefined,
  body: undefined,
  headers: new Headers(),
  rateLimit: undefined,
  request: { method: "GET", url: "https://a.example" },
});

describe("isTemporary()", () => {
  it.each<[string, unknown]>([
    ["a RateLimitedError", new RateLimitedError("m", { ...fields(429), retryAfterMs: undefined })],
    ["a RateLimitedError with another status", new RateLimitedError("m", { ...fields(400), retryAfterMs: undefined })],
    ["a 429 that is not a RateLimitedError", new ApiError("m", fields(429))],
    ["a ServerError", new ServerError("m", fields(503))],
    ["a TimeoutError", new TimeoutError("m", { timeoutMs: 1 })],
    ["a retryable ConnectionError", new ConnectionError("m", { retryable: true })],
  ])("is true for %s", (_, error) => {
    expect(isTemporary(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["a refused redirect", new ConnectionError("m", { retryable: false })],
    ["a 404", new NotFoundError("m", fields(404))],
    ["a 408", new ApiError("m", fields(408))],
    ["an InvalidArgumentError", new InvalidArgumentError("rooms.list", [])],
    ["an error of another library", Object.assign(new Error("m"), { status: 503, retryable: true })],
    ["undefined", undefined],
  ])("is false for %s", (_, error) => {
    expect(isTemporary(error)).toBe(false);
  });
});

it("isRateLimited is true only for a 429", () => {
  expect(isRateLimited(new ApiError("m", fields(429)))).toBe(true);
  expect(isRateLimited(new ServerError("m", fields(503)))).toBe(false);
  expect(isRateLimited(undefined)).toBe(false);
});

it("isTemporaryStatus is true for 429 and for statuses from 500 up", () => {
  expect([200, 400, 404, 408, 428, 429, 430, 499, 500, 503, 599].filter(isTemporaryStatus)).toEqual([
    429, 500, 503, 599,
  ]);
});
