/** `errorFromJSON` restores an error from its record, for example from a log line, a queue or another thread. */
import { inspect } from "node:util";
import fc from "fast-check";
import * as sdk from "notetaker-sdk";
import { describe, expect, it } from "vitest";

const throughJson = (error: sdk.NotetakerError): unknown => JSON.parse(JSON.stringify(error));

/** The fields of an error for comparison. A cause is reduced to the fields that a record has. */
const fieldsOf = (error: sdk.NotetakerError) => {
  const { headers: _, ...fields } = { ...error } as Record<string, unknown>;
  return { ...fields, name: error.name, message: error.message, cause: causeOf(error.cause) };
};
const causeOf = (cause: unknown): unknown =>
  cause instanceof Error
    ? {
        name: cause.name,
        message: cause.message,
        code: (cause as { code?: unknown }).code,
        cause: causeOf(cause.cause),
      }
    : cause;

/** What `errorFromJSON` throws for `record`. */
function refusalOf(record: unknown): sdk.InvalidArgumentError {
  try {
    sdk.errorFromJSON(record);
  } catch (error) {
    expect(error).toBeInstanceOf(sdk.InvalidArgumentError);
    return error as sdk.InvalidArgumentError;
  }
  throw new Error("expected a refusal");
}

const text = fc.string({ maxLength: 40 });
const milliseconds = fc.nat({ max: 1e9 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const cause = fc.oneof(
  fc.constant(undefined),
  text,
  fc
    .record({ message: text, code: text, inner: text })
    .map(({ message, code, inner }) => Object.assign(new TypeError(message, { cause: new Error(inner) }), { code })),
);
const facts = {
  outcome: fc.constantFrom("not_sent", "rejected", "accepted", "unknown"),
  retryable: fc.boolean(),
  attempts: fc.nat({ max: 9 }),
  cursor: optional(text),
  message: text,
  cause,
} as const;
const request = fc.record({ method: fc.constantFrom("GET", "POST"), url: fc.webUrl() });
const issues = fc.array(fc.record({ path: text, message: text }), { maxLength: 5 });
const apiFacts = {
  ...facts,
  status: fc.integer({ min: 400, max: 599 }),
  code: optional(text),
  details: optional(fc.array(fc.record({ field: text, message: text }), { maxLength: 5 })),
  body: optional(fc.oneof(text, fc.record({ error: fc.record({ code: text, message: text }) }))),
  rateLimit: optional(
    fc.record({
      limit: fc.nat(),
      remaining: fc.nat(),
      resetAt: fc.nat({ max: 4e9 }).map((seconds) => new Date(seconds * 1000)),
    }),
  ),
  requestId: optional(text),
  request,
} as const;
const validationIssue = fc.record({
  loc: fc.array(fc.oneof(text, fc.nat())),
  msg: text,
  type: text,
  input: fc.oneof(text, fc.nat()),
});

const anyError: fc.Arbitrary<sdk.NotetakerError> = fc.oneof(
  ...[
    sdk.ApiError,
    sdk.BadRequestError,
    sdk.UnauthorizedError,
    sdk.ForbiddenError,
    sdk.NotFoundError,
    sdk.ServerError,
  ].map((ErrorClass) => fc.record(apiFacts).map((fields) => new ErrorClass(fields))),
  fc
    .record({ ...apiFacts, issues: fc.array(validationIssue, { maxLength: 5 }) })
    .map((fields) => new sdk.InvalidRequestError(fields)),
  fc.record({ ...apiFacts, retryAfterMs: optional(milliseconds) }).map((fields) => new sdk.RateLimitedError(fields)),
  fc.record(facts).map((fields) => new sdk.ConfigurationError(fields)),
  fc.record(facts).map((fields) => new sdk.PaginationError(fields)),
  fc.record({ ...facts, issues }).map((fields) => new sdk.InvalidArgumentError(fields)),
  fc.record({ ...facts, request: optional(request) }).map((fields) => new sdk.ConnectionError(fields)),
  fc
    .record({ ...facts, request: optional(request), timeoutMs: milliseconds })
    .map((fields) => new sdk.TimeoutError(fields)),
  fc
    .record({ ...facts, issues, status: fc.nat({ max: 299 }), request })
    .map((fields) => new sdk.ResponseValidationError(fields)),
  fc.record({ ...facts, meetingId: text }).map((fields) => new sdk.MeetingFailedError(fields)),
  fc.record({ ...facts, meetingId: text, waitedMs: milliseconds }).map((fields) => new sdk.WaitTimeoutError(fields)),
  fc
    .record({ ...facts, reason: fc.constantFrom("wrong_signature", "not_an_event") })
    .map((fields) => new sdk.WebhookVerificationError(fields)),
);

describe("errorFromJSON()", () => {
  it("restores every error whose record went through JSON or structuredClone", () => {
    fc.assert(
      fc.property(anyError, (error) => {
        const revived = sdk.errorFromJSON(throughJson(error));
        expect(fieldsOf(revived)).toEqual(fieldsOf(error));
        expect(revived.constructor).toBe(error.constructor);
        expect(revived.toJSON()).toEqual(error.toJSON());
        expect(fieldsOf(sdk.errorFromJSON(structuredClone(error.toJSON())))).toEqual(fieldsOf(error));
      }),
    );
  });

  it("restores an error whose record was shortened", () => {
    const many = Array.from({ length: 100 }, () => ({ field: "f", message: "m".repeat(5_000) }));
    const revived = sdk.errorFromJSON(
      throughJson(new sdk.ApiError({ details: many, cause: new Error("c".repeat(1e6)) })),
    );
    expect(revived).toBeInstanceOf(sdk.ApiError);
    expect((revived as sdk.ApiError).details).toHaveLength(20);
  });

  it("restores an infinite retryAfterMs as the largest number", () => {
    const revived = sdk.errorFromJSON(
      throughJson(new sdk.RateLimitedError({ retryAfterMs: Number.POSITIVE_INFINITY })),
    );
    expect(revived).toMatchObject({ retryAfterMs: Number.MAX_VALUE });
  });

  const record = new sdk.TimeoutError({ timeoutMs: 5 }).toJSON();
  const request = { method: "GET", url: "https://a.example" };
  const rateLimit = { limit: 1, remaining: 1, resetAt: "2026-01-01T00:00:00Z" };
  const notFound = { ...new sdk.NotFoundError({ request }).toJSON(), rateLimit };
  it("refuses a value that is not the record of an error", () => {
    const noRecord = [undefined, "TimeoutError: m", []];
    const otherNames = [{}, { name: "AxiosError" }, { name: "constructor" }, { ...record, name: ["TimeoutError"] }];
    for (const value of noRecord) expect(refusalOf(value).message).toMatch(/: expected the record of an error$/);
    for (const value of otherNames) expect(refusalOf(value).issues).toMatchObject([{ path: "name" }]);
    expect(refusalOf({}).message).toBe("errorFromJSON: name: expected the name of an error of this library");
  });

  const invalidRequest = { ...notFound, name: "InvalidRequestError", issues: [] };
  const limited = { ...notFound, name: "RateLimitedError" };
  const notAsPromised = new sdk.ResponseValidationError({ request }).toJSON();
  it.each<[path: string, value: unknown]>([
    ["outcome", new DOMException("m", "TimeoutError")],
    ["outcome", { ...record, outcome: "maybe" }],
    ["retryable", { ...record, retryable: 1 }],
    ["attempts", { ...record, attempts: "1" }],
    ["cursor", { ...record, cursor: 5 }],
    ["timeoutMs", { ...record, timeoutMs: "5" }],
    ["request.url", { ...record, request: { method: "GET" } }],
    ["request.method", { ...notFound, request: { ...request, method: 5 } }],
    ["code", { ...notFound, code: 5 }],
    ["details", { ...notFound, details: "x" }],
    ["requestId", { ...notFound, requestId: 5 }],
    ["rateLimit.limit", { ...notFound, rateLimit: { ...rateLimit, limit: "1" } }],
    ["rateLimit.resetAt", { ...notFound, rateLimit: { ...rateLimit, resetAt: "x" } }],
    ["issues", { ...invalidRequest, issues: "x" }],
    ["retryAfterMs", { ...limited, retryAfterMs: "1" }],
  ])("names the field of another type: %s of %j", (path, value) => {
    expect(refusalOf(value).issues.map((issue) => issue.path)).toContain(path);
  });

  it("reads null as an absent field", () => {
    const revived = sdk.errorFromJSON({
      ...notFound,
      code: null,
      details: null,
      rateLimit: null,
      requestId: null,
      cursor: null,
      cause: null,
    });
    expect(fieldsOf(revived)).toStrictEqual(
      fieldsOf(new sdk.NotFoundError({ request, message: revived.message, code: undefined })),
    );
    expect(Object.hasOwn(revived, "cursor")).toBe(false);
    expect(Object.hasOwn(revived, "cause")).toBe(false);
  });

  it("drops entries of a list that are not items, such as the count of omitted items", () => {
    const issue = { path: "a", message: "m" };
    const items = [issue, { path: 5, message: "m" }, { path: "a" }, "and 3 more"];
    const revived = sdk.errorFromJSON({ ...new sdk.InvalidArgumentError({ issues: [] }).toJSON(), issues: items });
    expect(revived).toMatchObject({ issues: [issue] });
    expect(sdk.errorFromJSON({ ...notAsPromised, issues: items })).toMatchObject({ issues: [issue] });
    const detail = { loc: ["a"], msg: "m", type: "t" };
    expect(sdk.errorFromJSON({ ...invalidRequest, issues: [detail, "and 3 more"] })).toMatchObject({
      issues: [detail],
    });
    const field = { field: "a", message: "m" };
    expect(sdk.errorFromJSON({ ...notFound, details: [field, "and 3 more"] })).toMatchObject({ details: [field] });
  });

  it("restores a cause as an Error with a replaceable name and only the fields of the record", () => {
    const { cause } = sdk.errorFromJSON({ ...record, cause: { name: "TypeError", message: "m" } });
    expect(cause).toBeInstanceOf(Error);
    expect(Object.getOwnPropertyDescriptor(cause, "name")).toEqual({
      value: "TypeError",
      writable: true,
      enumerable: false,
      configurable: true,
    });
    expect(Object.hasOwn(cause as object, "cause")).toBe(false);
    expect(Object.hasOwn(cause as object, "code")).toBe(false);
  });

  it("restores no cause if the record's cause is neither an error nor a string", () => {
    expect(Object.hasOwn(sdk.errorFromJSON({ ...record, cause: 5 }), "cause")).toBe(false);
  });

  it("restores a chain of at most eight causes", () => {
    const chain = Array.from({ length: 20 }).reduce<object>((cause) => ({ name: "Error", message: "m", cause }), {});
    let { cause } = sdk.errorFromJSON({ ...record, cause: chain }) as { cause?: unknown };
    let errors = 0;
    for (; cause instanceof Error; cause = cause.cause) errors += 1;
    expect(errors).toBe(8);
  });

  it("takes neither headers nor a prototype from a record", () => {
    const revived = sdk.errorFromJSON({ ...new sdk.ApiError().toJSON(), headers: { get: 1 }, ["__proto__"]: { x: 1 } });
    expect([...(revived as sdk.ApiError).headers]).toEqual([]);
    expect(inspect(revived)).not.toContain("x: 1");
  });
});

describe("isNotetakerError()", () => {
  it("is false for any other value", () => {
    const others = [undefined, null, "NotFoundError", new Error("m"), { name: "NotFoundError" }, new DOMException("m")];
    for (const value of others) expect(sdk.isNotetakerError(value)).toBe(false);
  });
});
