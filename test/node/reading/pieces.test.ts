/** The pieces of a meeting (transcript, recording, documents) that can be fetched, and those that do not exist yet. */
import { ConnectionError, NotFoundError, RateLimitedError, ServerError, UnauthorizedError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { isFatal, missingBecause } from "../../../src/node/reading/piece-failure.js";
import { nameOfPiece, type Piece, piecesOf } from "../../../src/node/reading/pieces.js";
import type { Meeting } from "../../../src/schemas/meeting.js";

const meeting = (fields: object = {}) =>
  ({
    id: "mtg_1",
    title: "Weekly",
    status: "completed",
    documents: [{ id: "doc_1" }, { id: "doc_2" }, { id: "doc_1" }],
    ...fields,
  }) as unknown as Meeting;
const all = { transcript: true, recording: true, documents: ["markdown", "docx"] as const };
const DOCUMENTS = [
  "document doc_1 (markdown)",
  "document doc_1 (docx)",
  "document doc_2 (markdown)",
  "document doc_2 (docx)",
];

const names = (...args: Parameters<typeof piecesOf>) => {
  const { pieces, missing } = piecesOf(...args);
  return { pieces: pieces.map(nameOfPiece), missing };
};

describe("the pieces of a meeting", () => {
  it("are its transcript, its recording, and each document once per format", () => {
    expect(names(meeting(), all)).toEqual({ pieces: ["transcript", "recording", ...DOCUMENTS], missing: [] });
  });

  it("are only the requested ones", () => {
    const wanted = { transcript: false, recording: false, documents: [] };
    expect(names(meeting(), wanted).pieces).toEqual([]);
    expect(names(meeting(), { ...wanted, transcript: true }).pieces).toEqual(["transcript"]);
    expect(names(meeting(), { ...wanted, recording: true }).pieces).toEqual(["recording"]);
    expect(names(meeting(), { ...wanted, documents: ["raw"] }).pieces).toEqual([
      "document doc_1 (raw)",
      "document doc_2 (raw)",
    ]);
  });

  it.each([null, undefined, []])("include no documents if the list is %j", (documents) => {
    expect(names(meeting({ documents }), all)).toEqual({ pieces: ["transcript", "recording"], missing: [] });
  });

  it.each([
    ["scheduled", "the meeting has not taken place"],
    ["processing", "the meeting is being processed"],
    ["failed", "the meeting has failed"],
  ])("of a meeting that is %s are only its documents, and the others are missing", (status, message) => {
    const missing = (what: string) => ({ meeting_id: "mtg_1", title: "Weekly", what, reason: "not_ready", message });
    expect(names(meeting({ status }), all)).toEqual({
      pieces: DOCUMENTS,
      missing: [missing("transcript"), missing("recording")],
    });
    expect(names(meeting({ status }), { ...all, recording: false }).missing).toEqual([missing("transcript")]);
  });

  it.each(["completed", "live", "", "toString"])("are all requested if the status is %j", (status) => {
    expect(names(meeting({ status }), all).pieces).toHaveLength(6);
  });
});

const facts = (status: number) => ({
  status,
  code: undefined,
  body: undefined,
  headers: new Headers(),
  rateLimit: undefined,
  request: { method: "GET", url: "" },
});
const PIECES: Piece[] = [
  { kind: "transcript" },
  { kind: "document", id: "doc_1", format: "raw" },
  { kind: "recording" },
];

describe("a failed piece", () => {
  it.each<[string, unknown, boolean[]]>([
    ["a refused token", new UnauthorizedError("401", facts(401)), [true, true, true]],
    ["a repeated 429", new RateLimitedError("429", facts(429)), [true, true, true]],
    ["a service that cannot be reached", new ConnectionError("lost", {}), [true, true, false]],
    ["a piece that does not exist", new NotFoundError("404", facts(404)), [false, false, false]],
    ["a failure of the service", new ServerError("500", facts(500)), [false, false, false]],
    ["anything else", new TypeError("x"), [false, false, false]],
  ])("ends the run or not, depending on its kind (transcript, document, recording): %s", (_, error, expected) => {
    expect(PIECES.map((piece) => isFatal(piece, error))).toEqual(expected);
  });

  it.each<[unknown, string, string]>([
    [new NotFoundError("no such thing", facts(404)), "not_found", "no such thing"],
    [new ServerError("broken", facts(500)), "failed", "broken"],
    ["a string", "failed", "a string"],
    [undefined, "failed", "undefined"],
  ])("is reported with its reason: %s", (error, reason, message) => {
    expect(missingBecause(meeting(), { kind: "recording" }, error)).toEqual({
      meeting_id: "mtg_1",
      title: "Weekly",
      what: "recording",
      reason,
      message,
    });
    expect(missingBecause(meeting({ title: undefined }), { kind: "recording" }, error).title).toBeNull();
  });
});
