/** The errors that a page gets: each has the members of its class, whatever a server wrote. */
import fc from "fast-check";
import * as sdk from "notetaker-sdk";
import { readJson } from "notetaker-sdk/browser";
import { describe, expect, it } from "vitest";
import { rejection } from "../support/recorder.js";
import { oneOfEachClass } from "./one-of-each-class.js";

const FIELDS = [
  ...["name", "message", "outcome", "retryable", "attempts", "status", "code", "details", "body", "rateLimit"],
  ...["requestId", "request", "issues", "retryAfterMs", "timeoutMs", "waitedMs", "meetingId", "reason", "cause"],
  ...["cursor", "headers", "stack", "toJSON", "toString", "constructor", "__proto__", "resetAt", "limit"],
];
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("", "NotFoundError", "RateLimitedError", "__proto__", "rejected", "text", 5, -1, null, true),
    fc.constant({ toString: null }),
    fc.array(tie("value"), { maxLength: 2 }),
    tie("record"),
  ),
  record: fc
    .array(fc.tuple(fc.constantFrom(...FIELDS), tie("value")), { maxLength: 6 })
    .map((entries) => Object.fromEntries(entries)),
}));
const valid = new sdk.NotFoundError({ cause: new Error("m") }).toJSON();
const record = fc.oneof(
  value,
  fc.tuple(fc.constantFrom(...FIELDS), value).map(([name, field]) => JSON.stringify({ ...valid, [name]: field })),
);

const rejectedWith = (received: unknown, status = 400): Promise<unknown> => {
  const text = typeof received === "string" ? received : JSON.stringify(received);
  return rejection(readJson(new Response(`{"error":${text}}`, { status })));
};

const kindOf = (member: unknown) => (Array.isArray(member) ? "array" : Object.prototype.toString.call(member));
/** Without the members that may be undefined. */
const membersOf = (error: object) =>
  Object.entries(error).flatMap(([name, member]) => (member === undefined ? [] : [`${name}: ${kindOf(member)}`]));
const byName = new Map(oneOfEachClass(sdk).map((error) => [error.name, error]));

describe("an error that a server described", () => {
  it.each([...byName])("has every member of its class: %s", async (name, error) => {
    const bare = { name, message: "m", outcome: "unknown" };
    const wrong = Object.fromEntries(membersOf(error).map((member) => [member.split(":")[0], null]));
    const described = (await sdk.errorResponse(error).json()) as { error: object };
    for (const record of [bare, { ...wrong, ...bare }, { ...described.error, name }]) {
      const rejected = (await rejectedWith(record)) as sdk.NotetakerError;
      expect(rejected).toBeInstanceOf(error.constructor);
      expect(membersOf(rejected)).toEqual(
        expect.arrayContaining(membersOf(error).filter((m) => !m.startsWith("code"))),
      );
    }
  });

  it("has the members of its class, whatever the record", async () => {
    await fc.assert(
      fc.asyncProperty(record, fc.constantFrom(400, 401, 404, 429, 500), async (received, status) => {
        const rejected = (await rejectedWith(received ?? null, status)) as sdk.NotetakerError;
        expect(rejected).toSatisfy(sdk.isNotetakerError);
        expect(rejected).toBeInstanceOf(Error);
        expect(JSON.stringify(rejected)).toContain('"outcome"');
        expect(rejected.stack).toContain("Error");
        const model = byName.get(rejected.name);
        const needed = model === undefined ? [] : membersOf(model).filter((member) => !member.startsWith("code"));
        expect(membersOf(rejected)).toEqual(expect.arrayContaining(needed));
      }),
    );
  });
});
