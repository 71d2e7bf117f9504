/** `readJson` and `errorFromJSON` reject any record from elsewhere with an error of the library. */
import fc from "fast-check";
import { errorFromJSON, isNotetakerError, NotFoundError } from "notetaker-sdk";
import { readJson } from "notetaker-sdk/browser";
import { describe, expect, it } from "vitest";

const FIELDS = [
  ...["name", "message", "outcome", "retryable", "attempts", "status", "code", "details", "body", "rateLimit"],
  ...["requestId", "request", "issues", "retryAfterMs", "timeoutMs", "waitedMs", "meetingId", "reason", "cause"],
  ...["cursor", "headers", "stack", "toJSON", "toString", "constructor", "__proto__", "resetAt", "limit"],
];
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("", "NotFoundError", "RateLimitedError", "__proto__", "rejected", "text", 5, -1, null, true),
    fc.array(tie("value"), { maxLength: 2 }),
    tie("record"),
  ),
  record: fc
    .array(fc.tuple(fc.constantFrom(...FIELDS), tie("value")), { maxLength: 6 })
    .map((entries) => Object.fromEntries(entries)),
}));
const valid = new NotFoundError({ cause: new Error("m") }).toJSON();
const record = fc.oneof(
  value,
  fc.tuple(fc.constantFrom(...FIELDS), value).map(([name, field]) => JSON.stringify({ ...valid, [name]: field })),
);

const resultOf = (text: string, read: (text: string) => unknown) =>
  Promise.resolve(text)
    .then(read)
    .catch((error: unknown) => error);

describe("a record from elsewhere", () => {
  it("makes errorFromJSON return or throw an error of the library", async () => {
    await fc.assert(
      fc.asyncProperty(record, async (received) => {
        const text = typeof received === "string" ? received : JSON.stringify(received);
        expect(await resultOf(text, errorFromJSON)).toSatisfy(isNotetakerError);
      }),
    );
  });

  it("makes readJson reject with an error of the library that can be logged", async () => {
    await fc.assert(
      fc.asyncProperty(record, fc.constantFrom(400, 401, 404, 429, 500), async (received, status) => {
        const error = typeof received === "string" ? received : JSON.stringify(received);
        const answer = new Response(`{"error":${error || null}}`, { status });
        const rejected = await resultOf("", () => readJson(answer));
        expect(rejected).toSatisfy(isNotetakerError);
        expect(rejected).toBeInstanceOf(Error);
        expect(JSON.stringify(rejected)).toContain('"outcome"');
        expect(String((rejected as Error).stack)).toContain("Error");
      }),
    );
  });

  const records: object[] = [
    { name: "__proto__", outcome: "rejected" },
    { name: "NotFoundError", outcome: "rejected", message: { toString: null } },
    { name: { toString: null }, outcome: "rejected" },
    { ...valid, cause: { message: { toString: null } } },
    { ...valid, rateLimit: { limit: 1, remaining: 1, resetAt: { toString: null } } },
    JSON.parse('{"name":"NotFoundError","outcome":"rejected","message":"m","__proto__":{"a":1}}'),
  ];
  it.each(records)("is no bare TypeError: %j", async (received) => {
    expect(await resultOf(JSON.stringify(received), errorFromJSON)).toSatisfy(isNotetakerError);
    const rejected = await resultOf("", () => readJson(Response.json({ error: received }, { status: 404 })));
    expect(rejected).toSatisfy(isNotetakerError);
    expect(rejected).toBeInstanceOf(NotFoundError);
  });
});
