/** How an invalid row, transcript or document is read. */
import { describe, expect, it } from "vitest";
import { readDocument } from "../../../src/node/reading/read-document.js";
import { readMeeting } from "../../../src/node/reading/read-meeting.js";
import { readTranscript } from "../../../src/node/reading/read-transcript.js";

const row = {
  id: "mtg_1",
  title: "Weekly",
  status: "completed",
  source: "zoom",
  start_time: "2025-01-01T09:00:00Z",
  duration: 1800,
  end_time: "2025-01-01T09:30:00Z",
  host: { id: "usr_1", name: "Ada", email: "ada@example.com" },
  participants: [{ name: "Ben", email: "ben@example.com", title: "CTO", company: "Example" }],
  documents: [{ id: "doc_1", title: "Summary", created_at: "2025-01-01T10:00:00Z" }],
  created_at: "2025-01-01T08:00:00Z",
};

describe("a row of the meeting list", () => {
  it("is not changed if it is valid", () => {
    const listed = readMeeting({ ...row, extra: 1 });
    expect(listed).toEqual({ meeting: { ...row, extra: 1 }, received: { ...row, extra: 1 }, issues: [] });
  });

  it.each([null, undefined, 5, "row", [], {}, { id: null }, { id: 5 }, { id: "" }, { id: "room_1" }])(
    "is not read if it has no meeting id: %j",
    (received) => {
      expect(readMeeting(received)).toBeUndefined();
    },
  );

  it.each<[string, unknown, unknown]>([
    ["title", 5, null],
    ["status", 5, ""],
    ["status", undefined, ""],
    ["source", null, ""],
    ["start_time", 5, ""],
    ["duration", 1.5, null],
    ["duration", "1800", null],
    ["end_time", 5, null],
    ["host", "Ada", null],
    ["host", { id: "usr_1", name: 5, email: "a@b.c", extra: 1 }, { id: "usr_1", name: null, email: "a@b.c" }],
    ["participants", {}, null],
    [
      "participants",
      [null, "Ben", { name: "Ben", email: 5 }],
      [{ name: "Ben", email: null, title: null, company: null }],
    ],
    ["documents", {}, null],
    [
      "documents",
      [null, { id: "mtg_1" }, { id: 5 }, { title: "x" }, { id: "doc_2", title: 5, created_at: 5 }],
      [{ id: "doc_2", title: null, created_at: null }],
    ],
    ["created_at", 5, null],
  ])("is read without an invalid field, which is reported: %s of %j", (field, value, expected) => {
    const received = { ...row, [field]: value };
    const listed = readMeeting(received);
    expect(listed?.meeting).toEqual({ ...row, [field]: expected });
    expect(listed?.received).toBe(received);
    expect(listed?.issues[0]?.path).toMatch(new RegExp(`^${field}`));
  });

  it("is read without fields that are nested too deeply to be written", () => {
    let deep: unknown = [];
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    const listed = readMeeting({ ...row, extra: deep });
    expect(listed).toEqual({
      meeting: row,
      received: row,
      issues: [{ path: "meeting", message: "it is nested too deeply to be written as JSON" }],
    });
  });
});

const transcript = {
  meeting_id: "mtg_1",
  language: "en",
  speakers: [{ id: "spk_1", name: "Ada" }],
  segments: [{ speaker_id: "spk_1", start_time: 0, end_time: 4, text: "Hi" }],
};

describe("a received transcript", () => {
  it("is not changed if it is valid", () => {
    const received = { ...transcript, extra: 1 };
    expect(readTranscript(received)).toEqual({ transcript: received, received, issues: [] });
  });

  it.each([null, 5, "sorry", [], {}, { ...transcript, segments: "none" }])(
    "cannot be read without segments: %j",
    (received) => {
      const read = readTranscript(received);
      expect(read.transcript).toBeUndefined();
      expect(read.received).toBe(received);
      expect(read.issues.length).toBeGreaterThan(0);
    },
  );

  it("with invalid fields is read with defaults in their place", () => {
    const received = {
      language: 5,
      extra: 1,
      speakers: [null, { id: "spk_1", name: 5 }, { name: "Ben" }],
      segments: [null, "Hi", { extra: 2 }, { speaker_id: "spk_1", start_time: "0", end_time: 4, text: "Hi" }],
    };
    const read = readTranscript(received);
    expect(read.transcript).toEqual({
      extra: 1,
      meeting_id: "",
      language: "",
      speakers: [
        { id: "spk_1", name: "" },
        { id: "", name: "Ben" },
      ],
      segments: [
        { extra: 2, speaker_id: "", start_time: Number.NaN, end_time: Number.NaN, text: "" },
        { speaker_id: "spk_1", start_time: Number.NaN, end_time: 4, text: "Hi" },
      ],
    });
    expect(read.received).toBe(received);
  });

  it.each([null, "Ada", {}])("has no speakers if its speakers are %j", (speakers) => {
    expect(readTranscript({ ...transcript, speakers }).transcript).toEqual({ ...transcript, speakers: [] });
  });
});

describe("a received document", () => {
  const document = {
    id: "doc_1",
    title: "Summary",
    format: "markdown",
    content: "# Summary",
    created_at: "2025-01-01T10:00:00Z",
  };

  it("is not changed, and its invalid fields are reported", () => {
    expect(readDocument(document)).toEqual({ received: document, issues: [] });
    const odd = { ...document, title: 5 };
    expect(readDocument(odd)).toEqual({ received: odd, issues: [expect.objectContaining({ path: "title" })] });
  });
});
