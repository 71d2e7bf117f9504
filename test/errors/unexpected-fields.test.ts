/** An error that the library creates from a successful response contains only documented fields. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NotFoundError, ResponseValidationError } from "notetaker-sdk";
import { saveDocument } from "notetaker-sdk/node";
import { expect, it } from "vitest";
import { expectHidden, SECRET } from "../redact/hidden.js";
import { clientOf, json, rejectionOf, TOKEN } from "../support/recorder.js";

const unexpected = {
  secret: SECRET,
  note: `private matter of ${TOKEN}`,
  headers: { authorization: `Bearer ${TOKEN}` },
};
const headers = { "x-echo": `Bearer ${TOKEN}`, "x-request-id": "r_1" };

it("the NotFoundError for a meeting without a recording has only the id and the empty link as its body", async () => {
  const { notetaker } = clientOf(() => json({ meeting_id: "mtg_1", recording_url: null, ...unexpected }, 200, headers));
  const error = await rejectionOf(NotFoundError, notetaker.meetings.downloadRecording("mtg_1"));
  expect(error.body).toEqual({ meeting_id: "mtg_1", recording_url: null });
  expect(error).toMatchObject({ status: 200, code: undefined, requestId: "r_1", request: { method: "GET" } });
  expect(error.message).toBe("The meeting mtg_1 has no recording");
  expectHidden(error, TOKEN, SECRET, "private matter");
});

it.each(["html", "private matter"])(
  "the ResponseValidationError of saveDocument has only documented fields, and repeats no unknown format: %s",
  async (format) => {
    const document = { id: "doc_1", title: "t", format, content: "c", created_at: "2025-01-01T00:00:00Z" };
    const answer = () => json({ ...document, ...unexpected }, 200, headers);
    const { notetaker } = clientOf(answer, { validation: "warn" });
    const saving = saveDocument(notetaker, "doc_1", join(tmpdir(), "never.md"));
    const error = await rejectionOf(ResponseValidationError, saving);
    expect(error.body).toEqual(document);
    const received = format === "html" ? '"html"' : "another format";
    const message = `expected "markdown", received ${received}`;
    expect(error.issues).toEqual([{ path: "format", code: "invalid", message }]);
    expectHidden(error, TOKEN, SECRET, "private matter of");
    expect(error.message).not.toContain("private matter");
  },
);
