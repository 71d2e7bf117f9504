/** What there is to save of a meeting: each piece is fetched by itself, and is done once the sink has kept it. */
import type { DocumentFormat } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { MissingPiece } from "./export-options.js";
import { documentName, meetingName } from "./file-names.js";
import type { ExportPlan } from "./parse-options.js";

export type Piece =
  | { kind: "transcript" }
  | { kind: "document"; id: string; name: string; format: DocumentFormat }
  | { kind: "recording" };

/** The names that a meeting and its documents got, kept, so that they stay when a title changes. */
export interface Names {
  folder: string;
  /** By id. */
  documents: Record<string, string>;
}

/** The names there are, and those of what is new. */
export const namesOf = (meeting: Meeting, known: Names | undefined): Names => ({
  folder: known?.folder ?? meetingName(meeting),
  documents: {
    ...Object.fromEntries((meeting.documents ?? []).map((document) => [document.id, documentName(document)])),
    ...known?.documents,
  },
});

/** Statuses of a meeting that has no transcript or recording, and is not asked for one. One that is not known is. */
const WITHOUT_CONTENT: Readonly<Record<string, string>> = {
  scheduled: "the meeting has not taken place",
  processing: "the meeting is being processed",
  failed: "the meeting has failed",
};

export function piecesOf(
  meeting: Meeting,
  names: Names,
  plan: ExportPlan,
): { pieces: Piece[]; missing: MissingPiece[] } {
  const fromCall: Piece[] = [
    ...(plan.transcript.length > 0 ? [{ kind: "transcript" } as const] : []),
    ...(plan.recording ? [{ kind: "recording" } as const] : []),
  ];
  const documents = (meeting.documents ?? []).flatMap(({ id }) =>
    plan.documents.map((format) => ({ kind: "document", id, name: names.documents[id]!, format }) as const),
  );
  const why = WITHOUT_CONTENT[meeting.status];
  return {
    pieces: [...(why === undefined ? fromCall : []), ...documents],
    missing: why === undefined ? [] : fromCall.map((piece) => missingPiece(meeting, piece, "not_ready", why)),
  };
}

export const missingPiece = (
  { id, title }: Meeting,
  piece: Piece,
  reason: MissingPiece["reason"],
  message: string,
): MissingPiece => ({
  meeting_id: id,
  title: title ?? null,
  what: piece.kind === "document" ? `document ${piece.id} (${piece.format})` : piece.kind,
  reason,
  message,
});
