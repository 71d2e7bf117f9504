/** Huge or deeply nested responses cause one of the library's errors, in limited time and with a limited size. */
import { NotetakerError, RateLimitedError, ResponseValidationError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { clientOf, json, rejection, rejectionOf } from "../support/recorder.js";

const sizeOf = (error: unknown) => new TextEncoder().encode(JSON.stringify(error)).length;
const nested = (depth: number) => `${'{"a":['.repeat(depth)}1${"]}".repeat(depth)}`;
const page = (items: string) => `{"data":${items},"next_cursor":null,"has_more":false}`;

describe("a successful response", () => {
  it.each<[string, () => string]>([
    ["nested 5,000 deep", () => nested(5_000)],
    ["nested 500,000 deep", () => nested(500_000)],
    ["of a million bad items", () => page(`[${"1,".repeat(999_999)}1]`)],
    ["of a million bad rooms", () => page(`[${"{},".repeat(999_999)}{}]`)],
    ["of bad items nested 5,000 deep", () => page(`[${nested(5_000)}]`)],
    ['of 20 MB that holds secret="', () => `"secret=\\"${"x".repeat(20_000_000)}"`],
    ["of 20 MB that is cut off", () => `{"secret": "${"x\\n".repeat(6_000_000)}`],
  ])("%s causes a ResponseValidationError", async (_, body) => {
    const text = body();
    const { notetaker } = clientOf(() => new Response(text), { maxRetries: 0 });
    const error = await rejectionOf(ResponseValidationError, notetaker.rooms.list());
    expect(sizeOf(error)).toBeLessThan(65_536);
    expect(error.issues.length).toBeLessThanOrEqual(21);
    expect(error.message.length).toBeLessThan(1_000);
  });

  it("of a million bad rooms causes a ResponseValidationError even if bad rows are skipped", async () => {
    const text = page(`[${"{},".repeat(999_999)}{}]`);
    const { notetaker } = clientOf(() => new Response(text), { maxRetries: 0 });
    const error = await rejectionOf(ResponseValidationError, notetaker.rooms.list({}, { onInvalid: "skip" }));
    expect(error.issues.length).toBeLessThanOrEqual(21);
    expect(error.message.length).toBeLessThan(1_000);
  });

  it("of 300,000 empty segments causes an error that says how many issues there are", async () => {
    const text = `{"meeting_id":"mtg_1","language":"en","speakers":[],"segments":[${"{},".repeat(299_999)}{}]}`;
    const { notetaker } = clientOf(() => new Response(text), { maxRetries: 0 });
    const error = await rejectionOf(ResponseValidationError, notetaker.meetings.getTranscript("mtg_1"));
    expect(error.issues).toHaveLength(21);
    expect(error.message).toMatch(/ \d{3},\d{3} more$/);
    expect(sizeOf(error)).toBeLessThan(8_192);
  });
});

describe("an error response", () => {
  const error = (fields: object) => JSON.stringify({ error: { code: "x", message: "m", ...fields } });
  const longKeys = Object.fromEntries(Array.from({ length: 100 }, (_, i) => ["k".repeat(2_000) + i, i]));
  it.each<[string, () => string]>([
    ["nested 5,000 deep", () => nested(5_000)],
    ["with an error object of 5,000 levels", () => `{"error":{"code":"x","message":"m","details":${nested(5_000)}}}`],
    ["with details nested 5,000 deep", () => `{"detail":[${nested(5_000)}]}`],
    ["with 20,000 details", () => `{"detail":[${'"x",'.repeat(19_999)}"x"]}`],
    ["with an error of 5,000 details", () => error({ details: Array(5_000).fill({ field: "f", message: "m" }) })],
    ["with a message of 200 KB", () => error({ message: "\u0001é".repeat(70_000) })],
    ["with a code of 200 KB", () => error({ code: "c".repeat(200_000) })],
    ["with very long keys", () => JSON.stringify({ detail: longKeys })],
  ])("%s causes an error with its status and a record of less than 64 KB", async (_, body) => {
    for (const status of [400, 422, 500]) {
      const { notetaker } = clientOf(() => new Response(body(), { status }), { maxRetries: 0 });
      const error = await rejection(notetaker.rooms.list());
      expect(error).toBeInstanceOf(NotetakerError);
      expect(error).toMatchObject({ status });
      expect(sizeOf(error)).toBeLessThan(65_536);
      expect((error as Error).message.length).toBeLessThan(1_000);
      expect(() => structuredClone((error as NotetakerError).toJSON())).not.toThrow();
    }
  });

  it("to a URL with a very long cursor causes an error with a record of less than 64 KB", async () => {
    const { notetaker } = clientOf(() => json({}, 429), { maxRetries: 0 });
    const error = await rejectionOf(RateLimitedError, notetaker.rooms.list({ cursor: "c".repeat(5_000_000) }));
    expect(sizeOf(error)).toBeLessThan(65_536);
  });
});
