/** Errors made by hand: for tests of programs that use the library. */
import * as sdk from "notetaker-sdk";
import { describe, expect, it } from "vitest";

describe("an error made from the fields at hand", () => {
  it.each<[sdk.NotetakerError, Record<string, unknown>]>([
    [
      new sdk.RateLimitedError({ retryAfterMs: 1_000 }),
      { status: 429, code: "rate_limited", retryAfterMs: 1_000, outcome: "rejected", retryable: true, attempts: 1 },
    ],
    [
      new sdk.RateLimitedError(),
      { status: 429, retryAfterMs: undefined, message: "The service answered 429 rate_limited" },
    ],
    [new sdk.NotFoundError(), { status: 404, code: "not_found", outcome: "rejected", retryable: false }],
    [new sdk.BadRequestError({}), { status: 400, code: "bad_request" }],
    [new sdk.UnauthorizedError({}), { status: 401, code: "unauthorized" }],
    [new sdk.ForbiddenError({ code: "plan_limit" }), { status: 403, code: "plan_limit" }],
    [new sdk.ServerError({ status: 503 }), { status: 503, code: "internal_error", outcome: "unknown" }],
    [new sdk.InvalidRequestError({}), { status: 422, code: undefined, issues: [] }],
    [new sdk.ApiError({ status: 418 }), { status: 418, message: "The service answered 418" }],
    [new sdk.ConnectionError({ outcome: "not_sent" }), { outcome: "not_sent", request: undefined }],
    [new sdk.TimeoutError({ timeoutMs: 5 }), { timeoutMs: 5, message: "Timed out after 5 ms" }],
    [
      new sdk.ResponseValidationError({ issues: [{ path: "id", message: "expected a string" }] }),
      { status: 200, outcome: "accepted", message: "The response is not as promised: id: expected a string" },
    ],
    [new sdk.PaginationError({ cursor: "c_2" }), { cursor: "c_2", outcome: "accepted" }],
    [new sdk.MeetingFailedError({ meetingId: "mtg_1" }), { message: "The meeting mtg_1 has failed" }],
    [
      new sdk.WaitTimeoutError({ meetingId: "mtg_1", waitedMs: 7 }),
      { meetingId: "mtg_1", waitedMs: 7, retryable: true },
    ],
    [
      new sdk.InvalidArgumentError({ issues: [{ path: "limit", message: "too large" }] }),
      { message: "limit: too large" },
    ],
    [new sdk.ConfigurationError({ message: "no token" }), { message: "no token", outcome: "not_sent" }],
    [new sdk.WebhookVerificationError({ reason: "too_large" }), { reason: "too_large", outcome: "rejected" }],
  ])("%s has its fields, and the defaults of its class", (error, expected) => {
    expect(error).toMatchObject(expected);
    expect(error.message).not.toMatch(/undefined|\[object/);
    expect(error.stack).toContain("construct.test.ts");
  });

  it("takes the message as its first argument, or as a field", () => {
    expect(new sdk.RateLimitedError("slow down", { retryAfterMs: 5 })).toMatchObject({
      message: "slow down",
      retryAfterMs: 5,
    });
    expect(new sdk.RateLimitedError("slow down")).toMatchObject({ message: "slow down", status: 429 });
    expect(new sdk.NotFoundError({ message: "gone", status: 410 })).toMatchObject({ message: "gone", status: 410 });
  });

  it("has an empty request and no headers by default", () => {
    const { request, headers } = new sdk.NotFoundError();
    expect(request).toEqual({ method: "", url: "" });
    expect([...headers]).toEqual([]);
  });

  it("has a reason and a message also without any fields, as JavaScript lets it be made", () => {
    const Unchecked = sdk.WebhookVerificationError as unknown as new () => sdk.WebhookVerificationError;
    expect(new Unchecked()).toMatchObject({
      name: "WebhookVerificationError",
      reason: "not_an_event",
      outcome: "rejected",
    });
    expect(new Unchecked().message).toBe("The delivery was refused: not_an_event");
  });

  it("keeps the class of a subclass of the user's own", () => {
    class TeamError extends sdk.NotFoundError {}
    expect(new TeamError()).toMatchObject({ name: "NotFoundError", status: 404 });
  });
});

describe("requestId", () => {
  it.each<[Record<string, string>, string | undefined]>([
    [{ "x-request-id": "r_1" }, "r_1"],
    [{ "request-id": "r_2" }, "r_2"],
    [{ "x-request-id": "r_1", "request-id": "r_2" }, "r_1"],
    [{}, undefined],
  ])("of an ApiError with the headers %j is %s", (headers, requestId) => {
    expect(new sdk.ApiError({ headers: new Headers(headers) }).requestId).toBe(requestId);
  });
});
