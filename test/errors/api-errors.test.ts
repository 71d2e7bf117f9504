/** Which error an unsuccessful response becomes, and what the error contains. */
import {
  ApiError,
  BadRequestError,
  ForbiddenError,
  InvalidRequestError,
  type Notetaker,
  NotFoundError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
} from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { ERROR_CODES } from "../interface/interface.js";
import { failureOf, json } from "../support/recorder.js";

const CLASSES: Record<(typeof ERROR_CODES)[number]["code"], abstract new (...args: never[]) => ApiError> = {
  bad_request: BadRequestError,
  unauthorized: UnauthorizedError,
  forbidden: ForbiddenError,
  not_found: NotFoundError,
  rate_limited: RateLimitedError,
  internal_error: ServerError,
};
const STATUSES = [400, 401, 402, 403, 404, 409, 410, 418, 422, 423, 429, 451, 500, 502, 503, 504, 599];
const classOf = (status: number) => {
  const known = ERROR_CODES.find((one) => one.status === status);
  if (known !== undefined) return CLASSES[known.code].name;
  return status >= 500 ? "ServerError" : "ApiError";
};

async function failure(body: unknown, status: number, headers: Record<string, string> = {}): Promise<ApiError> {
  const call = ({ meetings }: Notetaker) => meetings.getTranscript("mtg_1");
  const error: unknown = await failureOf(() => json(body, status, headers), {}, call);
  if (!(error instanceof ApiError)) expect.fail(`${error}`);
  return error;
}

const rateLimit = (limit: string, remaining?: string, reset?: string) =>
  Object.entries({ limit, remaining, reset }).flatMap(([name, value]) =>
    value === undefined ? [] : [[`x-ratelimit-${name}`, value] as const],
  );

describe("a body without an error object", () => {
  it.each(Object.entries(CLASSES))(
    "with the code %s sets the error's class, code and message",
    async (code, errorClass) => {
      const body = { code, message: "m", details: [{ field: "f", message: "n" }], trace: "t1" };
      const error = await failure(body, 418);
      expect(error).toBeInstanceOf(errorClass);
      expect(error).toMatchObject({ status: 418, code, body, details: body.details });
    },
  );

  it.each<[object, name: string, code: string | undefined, message: RegExp]>([
    [{ message: "Forbidden" }, "ForbiddenError", undefined, / 403: Forbidden$/],
    [{ code: 5, message: "m" }, "ForbiddenError", undefined, / 403: m$/],
    [{ code: null }, "ForbiddenError", undefined, / 403$/],
    [{ message: 5 }, "ForbiddenError", undefined, / 403$/],
    [{ message: "" }, "ForbiddenError", undefined, / 403$/],
    [{ code: "x", message: "o", error: { code: "not_found", message: "i" } }, "NotFoundError", "not_found", /ound: i$/],
  ])("%j is read as %s with the code %s", async (body, name, code, message) => {
    const error = await failure(body, 403);
    expect(error).toMatchObject({ name, code });
    expect(error.message).toMatch(message);
  });
});

describe("an ApiError", () => {
  it("has the status, code, details, body, headers, rate limit, request id and request", async () => {
    const details = [{ field: "meeting_url", message: "m", extra: 1 }];
    const body = { error: { code: "bad_request", message: "no calendar", details, hint: "h" }, trace: "t1" };
    const headers = Object.fromEntries([...rateLimit("60", "0", "1750000000"), ["x-request-id", "r1"]]);
    const error = await failure(body, 400, headers);
    expect(error.message).toBe("GET /meetings/mtg_1/transcript answered 400 bad_request: no calendar");
    expect(error.details).toEqual(details);
    expect(error.body).toEqual(body);
    expect(error.headers.get("x-request-id")).toBe("r1");
    expect(error.requestId).toBe("r1");
    expect(error.rateLimit).toEqual({ limit: 60, remaining: 0, resetAt: new Date(1_750_000_000_000) });
    expect(error.request).toEqual({ method: "GET", url: "https://api.example.com/v1/meetings/mtg_1/transcript" });
    expect(error.cause).toBeUndefined();
    expect(error.fromService).toBe(true);
  });

  it.each<[string, (readonly [string, string])[]]>([
    ["none of the three", []],
    ["only two of the three", rateLimit("60", "0")],
    ["words as values", rateLimit("many", "0", "1")],
    ["negative numbers as values", rateLimit("60", "-1", "1")],
    ["fractions as values", rateLimit("60", "1", "1.5")],
  ])("has no rate limit if the rate limit headers have %s", async (_, headers) => {
    expect((await failure({}, 400, Object.fromEntries(headers))).rateLimit).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a string", "x"],
    ["an object", { field: "a", message: "b" }],
    ["a list of strings", ["a"]],
    ["a list with an invalid detail", [{ field: "a", message: "b" }, { field: 1 }]],
  ])("has no details if the details are %s; its body keeps them", async (_, details) => {
    const body = { error: { code: "bad_request", message: "m", details } };
    const error = await failure(body, 400);
    expect(error).toMatchObject({ name: "BadRequestError", body });
    expect(error.details).toBeUndefined();
  });
});

describe("a 422 detail of an unexpected shape", () => {
  const issue = (msg: string, loc: unknown[] = [], type = "") => ({ loc, msg, type });
  const nullContext = { ...issue("m", ["a"], "t"), ctx: null };
  const indexed = issue("m", ["body", "events", 0], "t");
  it.each<[string, unknown[], string, unknown]>([
    ["an empty list", [], "invalid request", []],
    ["strings", ["too long", "too big"], "too long; too big", [issue("too long"), issue("too big")]],
    ["an issue without loc", [{ msg: "too long" }], "too long", [issue("too long")]],
    ["a loc that is not a list", [{ loc: "body", msg: "m", type: "t" }], "m", [issue("m")]],
    ["null and numbers", [null, 5], "null; 5", [issue("null"), issue("5")]],
    ["another object", [{ why: "x" }], '{"why":"x"}', [issue('{"why":"x"}')]],
    ["a loc with an index", [indexed], "body.events.0: m", [indexed]],
    ["an empty loc", [issue("m", [], "t")], "m", [issue("m", [], "t")]],
    ["a ctx of null", [nullContext], "a: m", [nullContext]],
  ])("becomes issues and a message: %s", async (_, detail, message, issues) => {
    const error = await failure({ detail }, 422);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ issues, body: { detail } });
    expect(error.message.endsWith(`: ${message}`)).toBe(true);
  });

  it.each([null, 5, true, { why: "x" }])("of the value %j is ignored; the status sets the class", async (detail) => {
    expect(await failure({ detail }, 404)).toMatchObject({ name: "NotFoundError", body: { detail } });
  });
});

describe("the message of an ApiError", () => {
  it.each<[string, unknown]>([
    ["line breaks", "a\r\nb\nc\rd"],
    ["control characters", "a\0\u001b[31mb\u0007\u0085c\u009b"],
    ["line and paragraph separators", "a\u2028b\u2029c"],
    ["tabs and spaces", "a \t  b"],
    ["100,000 characters", "x\n".repeat(50_000)],
  ])("is one line of limited length if the body contains %s", async (_, text) => {
    for (const body of [
      { error: { code: "bad_request", message: text } },
      { error: { code: text, message: "m" } },
      { error: text },
      { detail: text },
      { detail: [{ loc: ["a", text], msg: text, type: "t" }] },
      { detail: [text, { msg: text }] },
    ]) {
      const { message } = await failure(body, 400);
      expect(message).not.toMatch(/[\p{Cc}\u2028\u2029]| {2}/u);
      expect(message.length).toBeLessThan(500);
    }
  });

  it("does not contain the query of the URL", async () => {
    const error = await failureOf(
      () => json({}, 404),
      {},
      ({ rooms }) => rooms.list({ search: "private matter" }),
    );
    expect(error.message).not.toContain("private");
    expect((error.request as { url: string }).url).toContain("search=private+matter");
  });
});

describe("a hostile error body", () => {
  it.each([
    '{"__proto__":{"code":"not_found"},"error":{"__proto__":{"code":"not_found","message":"m"}}}',
    '{"error":{"code":{"toString":1},"message":{"a":1}}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"detail":{"length":3}}',
    `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    `{"error":{"code":"bad_request","message":"m","details":${"[".repeat(5_000)}${"]".repeat(5_000)}}}`,
  ])("becomes the error of the response's status: %#", async (text) => {
    const error = await failureOf(() => new Response(text, { status: 400 }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error.status).toBe(400);
    expect([undefined, "bad_request"]).toContain(error.code);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe.each(STATUSES)("an error response with status %i", (status) => {
  const outcome = status >= 500 ? "unknown" : "rejected";

  it.each(Object.entries(CLASSES))(
    "gets its class from a known code, whatever the status: %s",
    async (code, errorClass) => {
      const error = await failure({ error: { code, message: "m" } }, status);
      expect(error).toBeInstanceOf(errorClass);
      expect(error.name).toBe(errorClass.name);
      expect(error).toMatchObject({ status, code, outcome, attempts: 1 });
    },
  );

  it.each(["no_such_code", "", "constructor", "__proto__", "404"])(
    "gets its class from the status if the code is unknown: %j",
    async (code) => {
      const error = await failure({ error: { code, message: "m" } }, status);
      expect(error).toMatchObject({ name: classOf(status), status, code, outcome });
    },
  );

  it("gets its class from the status if the body is empty", async () => {
    const error = await failureOf(() => new Response(null, { status }));
    expect(error).toMatchObject({ name: classOf(status), status, code: undefined, body: "", outcome });
  });

  it("becomes an InvalidRequestError if the detail is a list", async () => {
    const issue = {
      loc: ["query", "limit"],
      msg: "too large",
      type: "less_than_equal",
      input: "500",
      ctx: { le: 100 },
    };
    const error = await failure({ detail: [issue] }, status);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ status, issues: [issue], body: { detail: [issue] }, outcome });
  });

  it("gets its class from the status if the detail is a string, which becomes the message", async () => {
    const error = await failure({ detail: "Not authenticated" }, status);
    expect(error).toMatchObject({ name: classOf(status), status, body: { detail: "Not authenticated" } });
    expect(error.message).toMatch(/: Not authenticated(; the token came from the token option)?$/);
  });
});
