/** Errors that users construct to test their own programs. */
import * as sdk from "notetaker-sdk";
import { describe, expect, it } from "vitest";

describe("an error that a test constructs", () => {
  const issue = { path: "id", message: "expected a string" };
  const isRejected = { outcome: "rejected", retryable: false, attempts: 1 };
  const hasNoRequest = { request: undefined, outcome: "unknown", retryable: false, attempts: 0 };
  const isAccepted = { outcome: "accepted", retryable: false };

  const limited = { ...isRejected, status: 429, code: "rate_limited", retryable: true };
  const answered = "The service answered";
  const mismatch = "The response does not match its schema";
  const notSent = { outcome: "not_sent", retryable: false };
  const tooLarge = { path: "limit", message: "too large" };
  const OK = { status: 200 };
  const NO_REQUEST = { request: { method: "", url: "" } };
  const late = { meetingId: "mtg_1", waitedMs: 7 };
  const delivery = "The delivery was refused";
  const forged = { reason: "wrong_signature", message: "not the sender", attempts: 1 };
  type Class = new (init?: never) => sdk.NotetakerError;
  /** Fields that were passed are in the error as well. */
  const rows: [Class, init: object | undefined, message: string, fields: object][] = [
    [sdk.RateLimitedError, { retryAfterMs: 1_000 }, `${answered} 429 rate_limited: try again in 1000 ms`, limited],
    [sdk.RateLimitedError, undefined, `${answered} 429 rate_limited`, { ...limited, retryAfterMs: undefined }],
    [sdk.ForbiddenError, { code: "plan_limit" }, `${answered} 403 plan_limit`, { ...isRejected, status: 403 }],
    [sdk.ServerError, { status: 503 }, `${answered} 503 internal_error`, { outcome: "unknown", retryable: false }],
    [sdk.ServerError, undefined, `${answered} 500 internal_error`, { status: 500, outcome: "unknown" }],
    [sdk.InvalidRequestError, {}, "The service found the request invalid", { ...isRejected, status: 422, issues: [] }],
    [sdk.ApiError, { status: 418 }, `${answered} 418`, isRejected],
    [sdk.ApiError, undefined, answered, { ...isRejected, status: 0, code: undefined }],
    [sdk.ConnectionError, undefined, "The connection failed", hasNoRequest],
    [sdk.TimeoutError, { timeoutMs: 5 }, "Timed out after 5 ms", hasNoRequest],
    [sdk.ResponseValidationError, { issues: [issue] }, `${mismatch}: id: expected a string`, { ...isAccepted, ...OK }],
    [sdk.ResponseValidationError, { status: 202 }, mismatch, { ...isAccepted, attempts: 1, issues: [], ...NO_REQUEST }],
    [sdk.PaginationError, { cursor: "c_2" }, "The list cannot be continued", isAccepted],
    [sdk.MeetingFailedError, { meetingId: "mtg_1" }, "The meeting mtg_1 has failed", { ...isRejected, attempts: 0 }],
    [sdk.WaitTimeoutError, late, "The meeting mtg_1 was not ready after 7 ms", { outcome: "unknown", retryable: true }],
    [sdk.InvalidArgumentError, { issues: [tooLarge] }, "limit: too large", notSent],
    [sdk.InvalidArgumentError, undefined, "An argument is invalid", { ...notSent, issues: [] }],
    [sdk.InvalidArgumentError, { operation: "list" }, "list: An argument is invalid", { issues: [] }],
    [sdk.InvalidArgumentError, { operation: "list", issues: [issue] }, "list: id: expected a string", notSent],
    [sdk.ConfigurationError, undefined, "The options are invalid", { outcome: "not_sent" }],
    [sdk.ConfigurationError, { message: "no token" }, "no token", { outcome: "not_sent" }],
    [sdk.WebhookVerificationError, undefined, `${delivery}: not_an_event`, { reason: "not_an_event" }],
    [sdk.WebhookVerificationError, { reason: "too_large" }, `${delivery}: too_large`, { outcome: "rejected" }],
    [sdk.WebhookVerificationError, forged, "not the sender", { outcome: "rejected" }],
  ];
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

  it.each(rows)("has the message of its class, and its fields: %o %o: %s", (ErrorClass, init, message, fields) => {
    const error = new ErrorClass(init as never);
    expect(error.message).toBe(message);
    const { operation: _, ...passed } = { operation: "", ...init };
    expect(error).toMatchObject({ ...passed, ...fields });
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
