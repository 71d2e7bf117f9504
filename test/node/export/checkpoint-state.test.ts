/** Which checkpoints a run accepts from an earlier run. With any other content the export starts anew. */
import { describe, expect, it } from "vitest";
import {
  idsSchema,
  initialState,
  missingPiecesSchema,
  parseCheckpointState,
  savedFileSchema,
} from "../../../src/node/export/checkpoint-state.js";

const meeting = {
  id: "mtg_1",
  title: "Weekly",
  status: "completed",
  source: "zoom",
  start_time: "2025-01-01T09:00:00Z",
};
const file = { file: "transcript.md", id: "mtg_1", title: null, version: "abc" };
const queued = {
  meeting,
  pieces: [{ kind: "transcript" }, { kind: "recording" }, { kind: "document", id: "doc_1", format: "docx" }],
  saved: [file, { ...file, title: "Summary" }],
};
const missing = { meeting_id: "mtg_1", title: null, what: "recording", reason: "failed", message: "gone" };
const state = {
  version: 2,
  plan: "{}",
  cursor: "next",
  pages: 1,
  allListed: false,
  queue: [queued],
  postponed: [queued],
  retryingPostponed: false,
  complete: false,
  meetings: 1,
  saved: 2,
  missing: [missing],
};

/** A copy of the value with `other` at the path. */
function withValue(value: unknown, path: string, other: unknown): unknown {
  const copy = structuredClone(value) as Record<string, unknown>;
  const steps = path.split(".");
  let place = copy;
  for (const step of steps.slice(0, -1)) place = place[step] as Record<string, unknown>;
  place[steps.at(-1) ?? ""] = other;
  return copy;
}

describe("a checkpoint of an export", () => {
  it("is read back unchanged", () => {
    expect(parseCheckpointState(state)).toEqual(state);
    expect(parseCheckpointState(initialState("{}"))).toEqual({
      ...state,
      cursor: null,
      pages: 0,
      queue: [],
      postponed: [],
      meetings: 0,
      saved: 0,
      missing: [],
    });
  });

  it("may contain invalid meetings: their valid fields are read", () => {
    const odd = { ...queued, meeting: { ...meeting, title: 5, duration: "long" } };
    const read = parseCheckpointState({ ...state, queue: [odd], postponed: [odd] });
    for (const one of [read?.queue[0], read?.postponed[0]]) {
      expect(one).toMatchObject({ meeting: { id: "mtg_1", title: null, duration: null }, pieces: queued.pieces });
    }
  });

  it.each<[string, unknown]>([
    ["version", 1],
    ["plan", 5],
    ["cursor", 5],
    ["pages", -1],
    ["pages", 1.5],
    ["allListed", "no"],
    ["queue", {}],
    ["queue.0.meeting", null],
    ["queue.0.meeting.id", "room_1"],
    ["queue.0.pieces.0", { kind: "chat" }],
    ["queue.0.pieces.2", { kind: "document", id: "doc_1", format: "pdf" }],
    ["queue.0.pieces.2", { kind: "document", format: "docx" }],
    ["queue.0.saved.0.file", "../transcript.md"],
    ["queue.0.saved.0.version", 5],
    ["postponed.0.saved", null],
    ["retryingPostponed", 1],
    ["complete", null],
    ["meetings", -1],
    ["saved", Number.NaN],
    ["missing.0.reason", "lost"],
    ["missing.0.meeting_id", null],
    ["missing.0.message", undefined],
    ["missing.0.what", 5],
    ["missing.0.title", 5],
  ])("is ignored if its %s is %j", (path, value) => {
    expect(parseCheckpointState(withValue(state, path, value))).toBeUndefined();
  });

  it.each([undefined, null, 5, "", [], {}])("is ignored if it is %j", (value) => {
    expect(parseCheckpointState(value)).toBeUndefined();
  });
});

describe("the path of a saved file in a checkpoint", () => {
  it.each([
    "transcript.md",
    "transcript.received.json",
    "recording.wav",
    "documents/Summary-doc_1.md",
    "documents/Überprüfung-第三-doc_1.received.json",
    `a.${"x".repeat(16)}`,
  ])("may be %j", (path) => {
    expect(savedFileSchema.safeParse({ ...file, file: path }).success).toBe(true);
  });

  it.each([
    "",
    "transcript",
    ".md",
    "../transcript.md",
    "/transcript.md",
    "documents/../transcript.md",
    "other/transcript.md",
    "documents/documents/a.md",
    "a b.md",
    "a.MD",
    "a.m d",
    "a.b.c.d",
    "a.md/",
    "a.md\n",
    `a.${"x".repeat(17)}`,
    5,
    null,
    ["transcript.md"],
  ])("is invalid if it is %j", (path) => {
    expect(savedFileSchema.safeParse({ ...file, file: path }).success).toBe(false);
  });
});

it("the lists of ids and of missing pieces in a checkpoint are checked, too", () => {
  expect(idsSchema.safeParse(["mtg_1"]).success).toBe(true);
  expect(idsSchema.safeParse(["mtg_1", 5]).success).toBe(false);
  expect(missingPiecesSchema.safeParse([missing, { ...missing, title: "Weekly" }]).success).toBe(true);
  expect(missingPiecesSchema.safeParse([{ ...missing, reason: "x" }]).success).toBe(false);
});
