/** The command's message about a failed capture: the request and the reason, but no content of the account. */
import { ConnectionError, RateLimitedError, ResponseValidationError, TimeoutError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { captureFailure } from "../../../src/testing/command/capture.js";

const PRIVATE = "Salary talk mtg_9f8e7d";
const request = {
  method: "GET",
  url: "https://api.example.com/team/v1/meetings/mtg_9f8e7d/permissions?cursor=Salary%20talk",
};
const refused = new TypeError("fetch failed", { cause: Object.assign(new Error(PRIVATE), { code: "ECONNREFUSED" }) });

describe("captureFailure()", () => {
  it.each<[Error, string]>([
    [
      new ConnectionError(PRIVATE, { request, cause: refused }),
      "ConnectionError, GET /meetings/…/permissions: ECONNREFUSED",
    ],
    [
      new ConnectionError(PRIVATE, { request, cause: new TypeError(PRIVATE) }),
      "ConnectionError, GET /meetings/…/permissions: the connection was lost",
    ],
    [
      new TimeoutError(PRIVATE, { request, timeoutMs: 30_000 }),
      "TimeoutError, GET /meetings/…/permissions: no response within 30000 ms",
    ],
    [
      new RateLimitedError(PRIVATE, { request, retryAfterMs: 3_600_000 }),
      "RateLimitedError, status 429, rate_limited, GET /meetings/…/permissions: the service asks for a wait of 3600 s",
    ],
    [
      new ResponseValidationError(PRIVATE, { request, issues: [{ path: "", message: "the body is not JSON" }] }),
      "ResponseValidationError, status 200, GET /meetings/…/permissions: the body is not JSON",
    ],
    [new TypeError(PRIVATE), "TypeError"],
  ])("describes %s by its request and reason, without its message", (error, expected) => {
    expect(captureFailure(error).message).toBe(`capture failed: ${expected}; no file was written`);
  });
});
