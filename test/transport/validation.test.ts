/** What happens to a successful response without its required fields. */
import { ResponseValidationError, type ValidationMode } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { CALLS } from "../support/calls.js";
import { clientOf, json, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const ANSWERING = CALLS.filter(({ answer }) => answer !== undefined);
/** A page with an invalid item: valid enough for an iteration. */
const wrongFor = (answer: unknown) =>
  Array.isArray(answer)
    ? [5]
    : "data" in (answer as object)
      ? { data: [5], next_cursor: null, has_more: false }
      : { hello: "world" };

const asReceived = (value: unknown) => JSON.parse(JSON.stringify(value));

describe.each(ANSWERING)("$operation", (call) => {
  const wrong = wrongFor(call.answer);
  const answering = (validation?: ValidationMode) =>
    clientOf(() => json(wrong, call.status), validation && { validation });

  it('rejects an invalid response by default, with validation "strict"', async () => {
    for (const { notetaker } of [answering(), answering("strict")]) {
      await rejectionOf(ResponseValidationError, call.make(notetaker));
    }
  });

  it.each(["warn", "off"] as const)(
    'returns an invalid response unchanged with validation "%s"',
    async (validation) => {
      expect(asReceived(await call.make(answering(validation).notetaker))).toEqual(wrong);
    },
  );

  it("returns a valid response unchanged in each mode", async () => {
    for (const validation of ["strict", "warn", "off"] as const) {
      const { notetaker } = clientOf(() => json(call.answer, call.status), { validation });
      expect(asReceived(await call.make(notetaker))).toEqual(call.answer);
    }
  });
});

describe("documents.get", () => {
  const ask = (validation: ValidationMode, format: string, content = "<p>Hi</p>") => {
    const body = { ...samples.document, format, content };
    return clientOf(() => json(body), { validation }).notetaker.documents.get("doc_1", { format: "markdown" });
  };

  it("rejects a document in another format than the requested one", async () => {
    const error = await rejectionOf(ResponseValidationError, ask("strict", "html"));
    expect(error.issues).toEqual([
      { path: "format", code: "invalid", message: 'expected "markdown", received "html"' },
    ]);
    expect((await rejectionOf(ResponseValidationError, ask("strict", "rtf"))).message).toContain("another format");
    expect((await ask("strict", "markdown", "# Hi")).content).toBe("# Hi");
    for (const validation of ["warn", "off"] as const) expect((await ask(validation, "html")).format).toBe("html");
  });
});
