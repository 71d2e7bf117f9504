/** Errors that users construct to test their own programs. */
import * as sdk from "notetaker-sdk";
import { describe, expect, it } from "vitest";

describe("an error that a test constructs", () => {
  const issue = { path: "id", message: "expected a string" };
  const isRejected = { outcome: "rejected", retryable: false, attempts: 1 };
  const hasNoRequest = { request: undefined, outcome: "unknown", retryable: false, attempts: 0 };
  const isAccepted = { outcome: "accepted", retryable: false };

  // Each error is constructed inside its test, so that a failure of the constructor fails only that test.
  const rows: Record<string, [make: () => sdk.NotetakerError, fields: object]> = {
    "The service answered 429 rate_limited: try again in 1000 ms": [
      () => new sdk.RateLimitedError({ retryAfterMs: 1_000 }),
      { ...isRejected, status: 429, code: "rate_limited", retryAfterMs: 1_000, retryable: true },
    ],
    "The service answered 429 rate_limited": [
      () => new sdk.RateLimitedError(),
      { ...isRejected, status: 429, retryAfterMs: undefined, retryable: true },
    ],
    "The service answered 403 plan_limit": [
      () => new sdk.ForbiddenError({ code: "plan_limit" }),
      { ...isRejected, status: 403, code: "plan_limit" },
    ],
    "The service answered 503 internal_error": [
      () => new sdk.ServerError({ status: 503 }),
      { status: 503, code: "internal_error", outcome: "unknown", retryable: false },
    ],
    "The service answered 500 internal_error": [() => new sdk.ServerError(), { status: 500, outcome: "unknown" }],
    "The service found the request invalid": [
      () => new sdk.InvalidRequestError({}),
      { ...isRejected, status: 422, code: undefined, issues: [] },
    ],
    "The service answered 418": [() => new sdk.ApiError({ status: 418 }), { ...isRejected, status: 418 }],
    "The service answered": [() => new sdk.ApiError(), { ...isRejected, status: 0, code: undefined }],
    "The connection failed": [() => new sdk.ConnectionError(), hasNoRequest],
    "Timed out after 5 ms": [() => new sdk.TimeoutError({ timeoutMs: 5 }), { ...hasNoRequest, timeoutMs: 5 }],
    "The response does not match its schema: id: expected a string": [
      () => new sdk.ResponseValidationError({ issues: [issue] }),
      { ...isAccepted, status: 200, attempts: 1, issues: [issue], request: { method: "", url: "" } },
    ],
    "The response does not match its schema": [
      () => new sdk.ResponseValidationError({ status: 202 }),
      { ...isAccepted, status: 202, attempts: 1, issues: [] },
    ],
    "The list cannot be continued": [
      () => new sdk.PaginationError({ cursor: "c_2" }),
      { ...isAccepted, cursor: "c_2" },
    ],
    "The meeting mtg_1 has failed": [
      () => new sdk.MeetingFailedError({ meetingId: "mtg_1" }),
      { meetingId: "mtg_1", outcome: "rejected", retryable: false },
    ],
    "The meeting mtg_1 was not ready after 7 ms": [
      () => new sdk.WaitTimeoutError({ meetingId: "mtg_1", waitedMs: 7 }),
      { meetingId: "mtg_1", waitedMs: 7, outcome: "unknown", retryable: true },
    ],
    "limit: too large": [
      () => new sdk.InvalidArgumentError({ issues: [{ path: "limit", message: "too large" }] }),
      { outcome: "not_sent", retryable: false, issues: [{ path: "limit", message: "too large" }] },
    ],
    "An argument is invalid": [() => new sdk.InvalidArgumentError(), { outcome: "not_sent", issues: [] }],
    "rooms.list: An argument is invalid": [
      () => new sdk.InvalidArgumentError({ operation: "rooms.list" }),
      { issues: [] },
    ],
    "rooms.list: id: expected a string": [
      () => new sdk.InvalidArgumentError({ operation: "rooms.list", issues: [issue] }),
      { outcome: "not_sent", issues: [issue] },
    ],
    "The options are invalid": [() => new sdk.ConfigurationError(), { outcome: "not_sent" }],
    "no token": [() => new sdk.ConfigurationError({ message: "no token" }), { outcome: "not_sent" }],
    "The delivery was refused: not_an_event": [() => new sdk.WebhookVerificationError(), { reason: "not_an_event" }],
    "The delivery was refused: too_large": [
      () => new sdk.WebhookVerificationError({ reason: "too_large" }),
      { reason: "too_large", outcome: "rejected" },
    ],
    "not the sender": [
      () => new sdk.WebhookVerificationError({ reason: "wrong_signature", message: "not the sender", attempts: 1 }),
      { reason: "wrong_signature", outcome: "rejected", attempts: 1 },
    ],
  };
  it.each([
    ["bad_request", 400, sdk.BadRequestError],
    ["unauthorized", 401, sdk.UnauthorizedError],
    ["forbidden", 403, sdk.ForbiddenError],
    ["not_found", 404, sdk.NotFoundError],
  ] as const)("of the code %s has the status %i", (code, status, ErrorClass) => {
    for (const error of [new ErrorClass(), new ErrorClass({})]) {
      expect(error).toMatchObject({ ...isRejected, status, code });
    }
  });

  it.each(Object.entries(rows))("has the message of its class, and its fields: %s", (message, [make, fields]) => {
    const error = make();
    expect(error.message).toBe(message);
    expect(error).toMatchObject(fields);
    expect(error.stack).toContain("construct.test.ts");
  });

  it("has a default for each field, and takes the message among its fields", () => {
    expect(new sdk.MeetingFailedError()).toMatchObject({ meetingId: "", message: "The meeting has failed" });
    const late = { meetingId: "", waitedMs: 0, message: "The meeting was not ready in time" };
    expect(new sdk.WaitTimeoutError()).toMatchObject(late);
    expect(new sdk.TimeoutError()).toMatchObject({ timeoutMs: 0, message: "Timed out" });
    const { request, headers, fromService } = new sdk.NotFoundError();
    expect([request, [...headers], fromService]).toEqual([{ method: "", url: "" }, [], true]);
    expect(new sdk.RateLimitedError({ message: "slow", retryAfterMs: 5 })).toMatchObject({
      message: "slow",
      retryAfterMs: 5,
    });
    expect(new sdk.ConnectionError({ outcome: "not_sent" })).toMatchObject({ ...hasNoRequest, outcome: "not_sent" });
    expect(new sdk.NotFoundError({ message: "gone", status: 410 })).toMatchObject({ message: "gone", status: 410 });
  });

  it("has a cause and a cursor only if they were passed to its constructor", () => {
    const bare = new sdk.PaginationError();
    expect(Object.hasOwn(bare, "cause")).toBe(false);
    expect(Object.hasOwn(bare, "cursor")).toBe(false);
    expect(new sdk.PaginationError({ cause: "why", cursor: "c_2" })).toMatchObject({ cause: "why", cursor: "c_2" });
  });

  it("keeps the headers and the body of a response; the body is not enumerable and can be replaced", () => {
    const headers = new Headers({ "x-request-id": "r_1" });
    const error = new sdk.ResponseValidationError({ headers, body: "what arrived" });
    expect(error.headers).toBe(headers);
    const property = { value: "what arrived", writable: true, enumerable: false, configurable: true };
    expect(Object.getOwnPropertyDescriptor(error, "body")).toEqual(property);
    expect([...new sdk.ResponseValidationError().headers]).toEqual([]);
  });

  it("gets the fields of its base class if its class is a user's subclass", () => {
    class TeamError extends sdk.NotFoundError {}
    expect(new TeamError()).toMatchObject({ name: "NotFoundError", status: 404 });
  });

  it.each<[Record<string, string>, string | undefined]>([
    [{ "x-request-id": "r_1" }, "r_1"],
    [{ "request-id": "r_2" }, "r_2"],
    [{ "x-request-id": "r_1", "request-id": "r_2" }, "r_1"],
    [{}, undefined],
  ])("with the headers %j has the requestId %s", (headers, requestId) => {
    expect(new sdk.ApiError({ headers: new Headers(headers) }).requestId).toBe(requestId);
  });
});
