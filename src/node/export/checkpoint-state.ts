/** The state that an export keeps between runs, as it is written in `checkpoint.json`. */
import * as z from "zod/mini";
import { DOCUMENT_FORMATS } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import { custom, enumOf } from "../../schemas/primitives.js";
import type { MissingPiece, Piece } from "../reading/pieces.js";
import { readMeeting } from "../reading/read-meeting.js";

/** A meeting with pieces (its transcript, documents, recording) that are not saved yet. */
export interface QueuedMeeting {
  meeting: Meeting;
  pieces: Piece[];
  /** The files that were saved since the meeting was queued. */
  saved: SavedFile[];
}

/** A file of a meeting that was saved. */
export interface SavedFile {
  /** Relative to the meeting's folder. */
  file: string;
  /** `mtg_…` or, for a document, `doc_…` */
  id: string;
  title: string | null;
  /**
   * A digest of the entry of the meeting or document in the meeting list when the file was saved. If the digest of the
   * entry differs later, the file is out of date. Empty for a recording.
   */
  version: string;
}

export interface CheckpointState {
  version: 2;
  /** The period and the formats of the export. An export with another plan does not resume this one. */
  plan: string;
  /** The cursor of the page to read next; `null` for the first page. */
  cursor: string | null;
  /** How many pages were read. The ids on each page are in a separate file. */
  pages: number;
  /** Whether the last page has been read. */
  allListed: boolean;
  queue: QueuedMeeting[];
  /** The pieces that failed and are tried again at the end of the export. */
  postponed: QueuedMeeting[];
  /** Whether `postponed` has been queued. */
  retryingPostponed: boolean;
  complete: boolean;
  meetings: number;
  saved: number;
  /** The missing pieces that are not in `missing.json` yet. */
  missing: MissingPiece[];
}

export const initialState = (plan: string): CheckpointState => ({
  version: 2,
  plan,
  cursor: null,
  pages: 0,
  allListed: false,
  queue: [],
  postponed: [],
  retryingPostponed: false,
  complete: false,
  meetings: 0,
  saved: 0,
  missing: [],
});

const count = () => z.number().check(z.int(), z.nonnegative());

const pieceSchema = z.union([
  z.object({ kind: z.literal("transcript") }),
  z.object({ kind: z.literal("recording") }),
  z.object({ kind: z.literal("document"), id: z.string(), format: enumOf(DOCUMENT_FORMATS) }),
]);

export const savedFileSchema = z.object({
  file: custom<string>(isFileInMeeting, "the path of a file in a meeting's folder"),
  id: z.string(),
  title: z.nullable(z.string()),
  version: z.string(),
});

/** For example `transcript.md` or `documents/Summary-doc_1.md`. */
function isFileInMeeting(value: unknown): boolean {
  return typeof value === "string" && /^(documents\/)?[\p{L}\p{M}\p{N}_-]+(\.[a-z0-9]{1,16}){1,2}$/u.test(value);
}

const queuedMeetingSchema = z.object({
  meeting: custom<Meeting>((value) => readMeeting(value) !== undefined, "a meeting"),
  pieces: z.array(pieceSchema),
  saved: z.array(savedFileSchema),
});

const missingPieceSchema = z.object({
  meeting_id: z.string(),
  title: z.nullable(z.string()),
  what: z.string(),
  reason: enumOf(["not_found", "not_ready", "failed", "invalid"]),
  message: z.string(),
});

export const missingPiecesSchema = z.array(missingPieceSchema);
export const idsSchema = z.array(z.string());

const checkpointStateSchema = z.object({
  version: z.literal(2),
  plan: z.string(),
  cursor: z.nullable(z.string()),
  pages: count(),
  allListed: z.boolean(),
  queue: z.array(queuedMeetingSchema),
  postponed: z.array(queuedMeetingSchema),
  retryingPostponed: z.boolean(),
  complete: z.boolean(),
  meetings: count(),
  saved: count(),
  missing: missingPiecesSchema,
});

/**
 * The state in the content of the file, or `undefined` if the content is invalid: then the export starts from the
 * beginning.
 */
export function parseCheckpointState(value: unknown): CheckpointState | undefined {
  const { data } = z.safeParse(checkpointStateSchema, value);
  if (data === undefined) return undefined;
  const readable = (queued: QueuedMeeting): QueuedMeeting => ({
    ...queued,
    meeting: readMeeting(queued.meeting)?.meeting ?? queued.meeting,
  });
  return { ...data, queue: data.queue.map(readable), postponed: data.postponed.map(readable) } as CheckpointState;
}
