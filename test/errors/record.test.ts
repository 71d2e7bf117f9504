/** `JSON.stringify(error)` writes a record for logs. */
import { inspect } from "node:util";
import {
  ApiError,
  ConnectionError,
  InvalidArgumentError,
  type NotetakerError,
  PaginationError,
  RateLimitedError,
  ResponseValidationError,
  TimeoutError,
} from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { clientOf, json, refusal, rejectionOf } from "../support/recorder.js";

const recordOf = (error: unknown) => JSON.parse(JSON.stringify(error));

it("the record of an ApiError has every field except headers", async () => {
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
    message: expect.stringContaining("the service says not_found"),
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

it("the record of a RateLimitedError says how long to wait", async () => {
  const { notetaker } = clientOf(() => refusal(429, "rate_limited", { "retry-after": "90" }));
  expect(recordOf(await rejectionOf(RateLimitedError, notetaker.webhooks.list()))).toMatchObject({
    retryAfterMs: 90_000,
    retryable: true,
  });
});

it("the record of an InvalidArgumentError has its issues", async () => {
  const { notetaker } = clientOf(() => json({}));
  const error = await rejectionOf(InvalidArgumentError, notetaker.rooms.list({ limit: 0 }));
  const facts = { outcome: "not_sent", retryable: false, attempts: 0 };
  const { name, message, issues } = error;
  expect(recordOf(error)).toEqual({ name, message, issues, ...facts });
});

it("the record of a ConnectionError has the name and message of its cause", async () => {
  const { notetaker } = clientOf(() => Promise.reject(new TypeError("fetch failed")), { maxRetries: 0 });
  const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
  expect(recordOf(error)).toMatchObject({
    cause: { name: "TypeError", message: "fetch failed" },
    request: { method: "GET" },
  });
});

it.each<[string, unknown, unknown]>([
  ["a string", "boom", "boom"],
  ["an object", { a: 1 }, "[object Object]"],
  ["a bigint, which JSON cannot represent", 1n, "1"],
])("the record has a string as cause if the cause is %s", (_, cause, expected) => {
  expect(recordOf(new ConnectionError("m", { cause }))).toMatchObject({ cause: expected });
});

it("the record of a ConnectionError has no cause if fetch rejected with null", async () => {
  const { notetaker } = clientOf(() => Promise.reject(null), { maxRetries: 0 });
  const error = await rejectionOf(ConnectionError, notetaker.webhooks.list());
  expect(recordOf(error)).not.toHaveProperty("cause");
});

it("the record of an error without a cause has no cause", () => {
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

it("the record has the fields of a user's subclass", () => {
  class TeamError extends PaginationError {
    readonly team = "a";
  }
  expect(recordOf(new TeamError("m"))).toMatchObject({ team: "a", name: "PaginationError" });
});

describe("a ResponseValidationError", () => {
  it("has its issues in its record, but not its body, which may contain a conversation", async () => {
    const { notetaker } = clientOf(() => new Response("<html>private matter</html>"));
    const error = await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
    expect(error.body).toBe("<html>private matter</html>");
    expect(recordOf(error)).toMatchObject({ status: 200, issues: [{ path: "" }], outcome: "accepted" });
    for (const text of [JSON.stringify(error), inspect(error), Object.keys(error).join()]) {
      expect(text).not.toMatch(/private matter|body:|,body,/);
    }
  });

  it("has paths and types of an invalid transcript in its record, but no spoken words", async () => {
    const { notetaker } = clientOf(() =>
      json({ meeting_id: "private 1", speakers: [{ id: 5, name: "private 2" }], segments: ["private 3", { text: 7 }] }),
    );
    const error = await rejectionOf(ResponseValidationError, notetaker.meetings.getTranscript("mtg_1"));
    expect(error.issues.length).toBeGreaterThan(2);
    expect(JSON.stringify(error)).not.toContain("private");
    expect(inspect(error)).not.toContain("private");
  });
});

describe("the JSON record of an error", () => {
  const size = (error: unknown) => new TextEncoder().encode(JSON.stringify(error)).length;
  const long = "\u0000é\ud800".repeat(400_000);
  const url = `https://api.example.com/v1/rooms?cursor=${"c".repeat(5_000_000)}`;
  const request = { method: "GET", url };
  const manyFields = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => ["\u0001".repeat(500) + i, i]));

  it.each<[string, NotetakerError]>([
    ["a long message", new ConnectionError(long)],
    ["a long cause", new ConnectionError("m", { cause: new Error(long, { cause: long }) })],
    ["a long cursor", new PaginationError("m", { cursor: long })],
    ["a long URL", new ApiError("m", { request })],
    ["a large body", new ApiError("m", { body: Array.from({ length: 100 }, () => Array(100).fill(long)) })],
    ["a body with very many fields", new ApiError("m", { body: manyFields })],
    ["a deep body", new ApiError("m", { body: JSON.parse(`${"[".repeat(5_000)}1${"]".repeat(5_000)}`) })],
    ["many issues", new InvalidArgumentError("a", Array(9_999).fill({ path: long, message: long }))],
    ["a reference to itself", Object.assign(new PaginationError("m"), { self: [] as unknown[] })],
  ])("stays under 64 KB with %s", (_, error) => {
    if ("self" in error) (error.self as unknown[]).push(error, error.self);
    expect(size(error)).toBeLessThan(65_536);
    expect(() => structuredClone(error.toJSON())).not.toThrow();
  });
});
