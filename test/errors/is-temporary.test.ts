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

describe("isTemporary()", () => {
  it.each<[string, unknown]>([
    ["a RateLimitedError", new RateLimitedError("m", { status: 429 })],
    ["a RateLimitedError with another status", new RateLimitedError("m", { status: 400 })],
    ["a 429 that is not a RateLimitedError", new ApiError("m", { status: 429 })],
    ["a ServerError", new ServerError("m", { status: 503 })],
    ["a TimeoutError", new TimeoutError("m", { timeoutMs: 1 })],
    ["a retryable ConnectionError", new ConnectionError("m", { retryable: true })],
  ])("is true for %s", (_, error) => {
    expect(isTemporary(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["a refused redirect", new ConnectionError("m", { retryable: false })],
    ["a 404", new NotFoundError("m", { status: 404 })],
    ["a 408", new ApiError("m", { status: 408 })],
    ["an InvalidArgumentError", new InvalidArgumentError("rooms.list", [])],
    ["an error of another library", Object.assign(new Error("m"), { status: 503, retryable: true })],
    ["undefined", undefined],
  ])("is false for %s", (_, error) => {
    expect(isTemporary(error)).toBe(false);
  });
});

it("isRateLimited is true only for a 429", () => {
  expect(isRateLimited(new ApiError("m", { status: 429 }))).toBe(true);
  expect(isRateLimited(new ServerError("m", { status: 503 }))).toBe(false);
  expect(isRateLimited(undefined)).toBe(false);
});

it("isTemporaryStatus is true for 429 and for statuses from 500 up", () => {
  expect([200, 400, 404, 408, 428, 429, 430, 499, 500, 503, 599].filter(isTemporaryStatus)).toEqual([
    429, 500, 503, 599,
  ]);
});
