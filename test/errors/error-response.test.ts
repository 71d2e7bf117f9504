/** `errorResponse` on a server, and `uploadFile` in its page, which makes the error again. */
import * as sdk from "notetaker-sdk";
import {
  ApiError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  type ErrorFields,
  errorResponse,
  ForbiddenError,
  InvalidArgumentError,
  InvalidRequestError,
  MeetingFailedError,
  NotetakerError,
  NotFoundError,
  PaginationError,
  RateLimitedError,
  ResponseValidationError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
  WaitTimeoutError,
  WebhookVerificationError,
} from "notetaker-sdk";
import { isNotetakerError, readJson, uploadFile } from "notetaker-sdk/browser";
import { describe, expect, it, vi } from "vitest";
import { rejection } from "../support/recorder.js";
import { oneOfEachClass } from "./one-of-each-class.js";

const AUDIO = new Blob(["RIFF"], { type: "audio/wav" });
const SECRET = "tok_very_secret_9f8e7d";
const details: ErrorFields<ApiError> = {
  body: { token: SECRET },
  headers: new Headers({ authorization: SECRET, server: "internal.example" }),
  request: { method: "GET", url: "https://internal.example/v1/rooms" },
  cause: new Error(`${SECRET} at internal.example`),
};
const issue = { path: "meeting_url", code: "not_a_link" as const, message: "expected a link" };
const validationIssue = { loc: ["body", "title"], msg: "too long", type: "string" };
const INTERNAL = { name: "ServerError", message: "internal error", status: 500 };
const UPSTREAM = {
  name: "ServerError",
  message: "the service refused the server's request",
  code: "upstream_unauthorized",
  outcome: "rejected",
  status: 502,
};

const ROWS: [error: unknown, status: number, record: Record<string, unknown>][] = [
  [new InvalidArgumentError({ operation: "sendBot", issues: [issue] }), 400, { issues: [issue], outcome: "not_sent" }],
  [new BadRequestError({ message: "answered 400", ...details }), 400, { code: "bad_request", outcome: "rejected" }],
  [new ForbiddenError(details), 403, { code: "forbidden" }],
  [new NotFoundError({ message: "answered 404", ...details, attempts: 2 }), 404, { code: "not_found", attempts: 2 }],
  [new ApiError({ message: "conflict", status: 409 }), 409, { name: "ApiError", status: 409 }],
  [new InvalidRequestError({ ...details, issues: [validationIssue] }), 422, { issues: [validationIssue] }],
  [new RateLimitedError({ ...details, retryAfterMs: 7_001 }), 429, { retryAfterMs: 7_001, retryable: true }],
  [new RateLimitedError({ status: 503 }), 429, { status: 503 }],
  [new UnauthorizedError(details), 502, UPSTREAM],
  [new ApiError({ message: "no", status: 401 }), 502, UPSTREAM],
  [new ServerError({ message: "answered 503", ...details, status: 503 }), 502, { status: 503, outcome: "unknown" }],
  [new ApiError({ message: "moved", status: 302 }), 502, { status: 302 }],
  [
    new ConnectionError({ message: "GET internal.example refused", ...details, retryable: true }),
    502,
    { message: "the service could not be reached", retryable: true },
  ],
  [new ResponseValidationError({ issues: [issue], body: SECRET }), 502, { issues: [issue], outcome: "accepted" }],
  [new PaginationError(), 502, { outcome: "accepted" }],
  [new TimeoutError({ timeoutMs: 5, cause: details.cause }), 504, { outcome: "unknown" }],
  [new WaitTimeoutError({ meetingId: "mtg_1", waitedMs: 5 }), 504, { retryable: true }],
  [new MeetingFailedError({ meetingId: "mtg_1" }), 409, { outcome: "rejected" }],
  [new WebhookVerificationError({ reason: "wrong_signature" }), 401, { outcome: "rejected" }],
  [new ConfigurationError({ message: `token ${SECRET}` }), 500, INTERNAL],
  [new Error(SECRET), 500, INTERNAL],
  [Object.assign(new Error(SECRET), { name: "NotFoundError", status: 404 }), 500, INTERNAL],
  [undefined, 500, INTERNAL],
  ["toString", 500, INTERNAL],
];

describe.each(ROWS)("errorResponse(%s)", (error, status, record) => {
  it(`answers ${status}, and the body has no secret, stack, cause or host`, async () => {
    const response = errorResponse(error);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("retry-after")).toBe(record.retryAfterMs === undefined ? null : "8");
    const text = await response.text();
    const body = JSON.parse(text) as { error: Record<string, unknown> };
    expect(body.error).toMatchObject({ name: (error as Error | undefined)?.name, ...record });
    expect(text).not.toMatch(/tok_very|internal\.example|"(stack|cause|body|headers|request)":/);
  });

  it("uploadFile and readJson reject with the same class and facts", async () => {
    vi.stubGlobal("fetch", async () => errorResponse(error));
    const { error: described } = (await errorResponse(error).json()) as { error: NotetakerError };
    const { name, message, outcome, retryable, attempts } = described;
    const model = oneOfEachClass(sdk).find((one) => one.name === name);
    for (const call of [uploadFile("https://app.example.com/api/recordings", AUDIO), readJson(errorResponse(error))]) {
      const rejected = (await rejection(call)) as NotetakerError;
      expect(rejected).toMatchObject({ ...record, name, message, outcome, retryable, attempts });
      expect(rejected).toBeInstanceOf(model?.constructor);
      expect(rejected instanceof ApiError).toBe(model instanceof ApiError);
      expect(isNotetakerError(rejected)).toBe(true);
      expect(JSON.parse(JSON.stringify(rejected))).toMatchObject({ name, message });
      // What devtools and error trackers show.
      expect(rejected.constructor.name).toBe(name);
      expect(rejected.stack).toMatch(new RegExp(`^${name}: `));
    }
  });
});

describe("uploadFile without an error of the library", () => {
  const answered = (body: BodyInit | null, init?: ResponseInit) => {
    const fetch = vi.fn(async (..._: [URL, RequestInit]) => new Response(body, init));
    vi.stubGlobal("fetch", fetch);
    return fetch;
  };
  const upload = (file: Blob = AUDIO, options = {}) =>
    uploadFile("https://app.example.com/api/recordings?title=Weekly", file, options);

  it("resolves to the JSON of the answer, and to undefined for an empty one, as readJson does", async () => {
    answered('{"id":"mtg_up1"}', { status: 202 });
    expect(await upload()).toEqual({ id: "mtg_up1" });
    expect(await readJson(Response.json({ id: "mtg_1" }))).toEqual({ id: "mtg_1" });
    answered(null, { status: 204 });
    expect(await upload()).toBeUndefined();
    expect(await readJson(new Response(null, { status: 204 }))).toBeUndefined();
  });

  it("sends the file as it is, with its media type, that of its name, or the one in headers", async () => {
    const fetch = answered("{}");
    const named = Object.assign(new Blob(["RIFF"]), { name: "Weekly.M4A" });
    await upload();
    await upload(named);
    await upload(named, { headers: { "content-type": "audio/wav", "x-csrf": "1" }, method: "POST" });
    const sent = fetch.mock.calls.map(([, init]) => [init.method, new Headers(init.headers).get("content-type")]);
    expect(sent).toEqual([
      ["PUT", "audio/wav"],
      ["PUT", "audio/mp4"],
      ["POST", "audio/wav"],
    ]);
    expect(fetch.mock.calls[1]?.[1].body).toBe(named);
  });

  it.each<[what: string, body: string, init: ResponseInit, facts: object]>([
    ["a 404", "gone", { status: 404 }, { name: "NotFoundError", outcome: "rejected", retryable: false }],
    ["a 422 without a list of issues", "<html>", { status: 422 }, { name: "ApiError", status: 422 }],
    ["a 413 of a proxy", "<html>", { status: 413 }, { name: "ApiError", status: 413 }],
    ["a 502 of a proxy", "", { status: 502 }, { name: "ServerError", outcome: "unknown" }],
    [
      "a 429",
      '{"error":{"code":"slow","message":"wait"}}',
      { status: 429, headers: { "retry-after": "3" } },
      { name: "RateLimitedError", retryable: true, retryAfterMs: 3_000, code: "slow" },
    ],
    ["an unknown class", '{"error":{"name":"EvilError"}}', { status: 400 }, { name: "BadRequestError" }],
    ["a success that is not JSON", "<html>", {}, { name: "ResponseValidationError", outcome: "unknown" }],
  ])("%s has the class of its status", async (_, body, init, facts) => {
    answered(body, init);
    const error = await rejection(upload());
    expect(error).toBeInstanceOf(NotetakerError);
    expect(error).toMatchObject(facts);
  });

  it.each([
    ["of 400 digits", "9".repeat(400), 3e10],
    ["with very many values", `1${",2".repeat(200_000)}`, 1_000],
    ["that was set twice: the first counts", "2, 3", 2_000],
    ["below 0", "-5", undefined],
    ["that is no number", "soon", undefined],
  ])("a Retry-After of a proxy is at most about a year: one %s", async (_, retryAfter, retryAfterMs) => {
    answered("", { status: 429, headers: { "retry-after": retryAfter } });
    expect(await rejection(upload())).toMatchObject({ name: "RateLimitedError", retryAfterMs });
  });

  it("a lost connection is a ConnectionError that may not be repeated, an abort the signal's reason", async () => {
    const cause = new TypeError("fetch failed");
    vi.stubGlobal("fetch", async () => Promise.reject(cause));
    const lost = await rejection(upload());
    expect(lost).toBeInstanceOf(ConnectionError);
    expect(lost).toMatchObject({ outcome: "unknown", retryable: false, cause });
    const reason = new Error("the user left");
    await expect(upload(undefined, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

it("readJson names the path of a response that no errorResponse has made", async () => {
  const response = Object.defineProperty(new Response("<html>", { status: 502 }), "url", {
    value: "https://app.example.com/api/meetings?cursor=c2",
  });
  const failed = { name: "ServerError", message: "/api/meetings answered 502" };
  expect(await rejection(readJson(response))).toMatchObject(failed);
  const odd = { name: "ResponseValidationError", message: "the server answered no JSON" };
  expect(await rejection(readJson(new Response("<html>")))).toMatchObject(odd);
  for (const other of [new TypeError("Failed to fetch"), undefined]) expect(isNotetakerError(other)).toBe(false);
});
