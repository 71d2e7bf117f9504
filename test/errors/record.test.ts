/** `JSON.stringify(error)` gives a record for a log. */
import {
  ApiError,
  ConnectionError,
  InvalidArgumentError,
  PaginationError,
  RateLimitedError,
  ResponseValidationError,
  TimeoutError,
} from "notetaker-sdk";
import { expect, it } from "vitest";
import { clientOf, json, refusal, rejectionOf } from "../support/recorder.js";

const recordOf = (error: unknown) => JSON.parse(JSON.stringify(error));

it("an ApiError: every field but headers", async () => {
  const { notetaker } = clientOf(() =>
    refusal(404, "not_found", {
      "x-a": "1",
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "1",
      "x-ratelimit-reset": "1750000000",
    }),
  );
  expect(recordOf(await rejectionOf(ApiError, notetaker.documents.get("doc_1")))).toEqual({
    name: "NotFoundError",
    message: "GET /documents/doc_1 answered 404 not_found: the service says not_found",
    outcome: "rejected",
    retryable: false,
    attempts: 1,
    status: 404,
    code: "not_found",
    body: { error: { code: "not_found", message: "the service says not_found" } },
    rateLimit: { limit: 60, remaining: 1, resetAt: "2025-06-15T15:06:40.000Z" },
    request: { method: "GET", url: "https://api.example.com/v1/documents/doc_1" },
  });
});

it("a RateLimitedError says how long to wait", async () => {
  const { notetaker } = clientOf(() => refusal(429, "rate_limited", { "retry-after": "90" }));
  expect(recordOf(await rejectionOf(RateLimitedError, notetaker.webhooks.list()))).toMatchObject({
    retryAfterMs: 90_000,
    retryable: true,
  });
});

it("an InvalidArgumentError says what is wrong", async () => {
  const { notetaker } = clientOf(() => json({}));
  expect(recordOf(await rejectionOf(InvalidArgumentError, notetaker.rooms.list({ limit: 0 })))).toEqual({
    name: "InvalidArgumentError",
    message: "rooms.list: limit: expected an integer from 1 to 100, received 0",
    outcome: "not_sent",
    retryable: false,
    attempts: 0,
    issues: [{ path: "limit", message: "expected an integer from 1 to 100, received 0" }],
  });
});

it("a ConnectionError gives the name and message of its cause", async () => {
  const { notetaker } = clientOf(() => Promise.reject(new TypeError("fetch failed")), { maxRetries: 0 });
  const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
  expect(recordOf(error)).toMatchObject({
    cause: { name: "TypeError", message: "fetch failed" },
    request: { method: "GET" },
  });
});

it.each<[string, unknown, unknown]>([
  ["a text", "boom", "boom"],
  ["an object", { a: 1 }, "[object Object]"],
  ["a bigint, which JSON cannot hold", 1n, "1"],
])("a cause that is %s", (_, cause, expected) => {
  expect(recordOf(new ConnectionError("m", { cause }))).toMatchObject({ cause: expected });
});

it("an error that has no cause has none in its record", () => {
  expect(recordOf(new PaginationError("m"))).not.toHaveProperty("cause");
  expect(recordOf(new TimeoutError("m", { timeoutMs: 5 }))).toEqual({
    name: "TimeoutError",
    message: "m",
    outcome: "unknown",
    retryable: false,
    attempts: 0,
    timeoutMs: 5,
  });
});

it("fields of a class of one's own are in it, too", () => {
  class TeamError extends PaginationError {
    readonly team = "a";
  }
  expect(recordOf(new TeamError("m"))).toMatchObject({ team: "a", name: "PaginationError" });
});

it("a ResponseValidationError gives its issues and what arrived", async () => {
  const { notetaker } = clientOf(() => new Response("<html>"));
  expect(recordOf(await rejectionOf(ResponseValidationError, notetaker.webhooks.list()))).toMatchObject({
    status: 200,
    body: "<html>",
    issues: [{ path: "" }],
    outcome: "accepted",
  });
});
