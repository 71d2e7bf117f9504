/** What an export remembers between runs, in the form of its file. */
import * as z from "zod/mini";
import { DOCUMENT_FORMATS } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import { custom, enumOf } from "../../schemas/primitives.js";
import type { MissingPiece, Piece } from "../reading/pieces.js";
import { readMeeting } from "../reading/read-meeting.js";

/** A meeting of which something is not saved yet. */
export interface QueuedMeeting {
  meeting: Meeting;
  pieces: Piece[];
  /** What was saved of it since it was queued. */
  saved: SavedFile[];
}

/** A file of a meeting that was saved. */
export interface SavedFile {
  /** Relative to the meeting's folder. */
  file: string;
  /** `mtg_…` or, for a document, `doc_…` */
  id: string;
  title: string | null;
  /** A digest of what the file was made from. If it changes, the file is out of date. */
  version: string;
}

export interface CheckpointState {
  version: 2;
  /** What was requested: another export does not resume this one. */
  plan: string;
  /** The page to read next; `null`: the first. */
  cursor: string | null;
  /** How many pages were read. The ids on each are in a file of their own. */
  pages: number;
  /** Whether the last page has been read. */
  allListed: boolean;
  queue: QueuedMeeting[];
  /** What failed and may succeed at the end of the export. */
  postponed: QueuedMeeting[];
  /** Whether `postponed` has been queued. */
  retryingPostponed: boolean;
  complete: boolean;
  meetings: number;
  saved: number;
  /** What is missing and not in `missing.json` yet. */
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

/** `transcript.md`, `documents/Summary-doc_1.md` */
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

/** The state that a file holds, or `undefined` if it holds anything else: the export then begins anew. */
export function parseCheckpointState(value: unknown): CheckpointState | undefined {
  const { data } = z.safeParse(checkpointStateSchema, value);
  if (data === undefined) return undefined;
  const readable = (queued: QueuedMeeting): QueuedMeeting => ({
    ...queued,
    meeting: readMeeting(queued.meeting)?.meeting ?? queued.meeting,
  });
  return { ...data, queue: data.queue.map(readable), postponed: data.postponed.map(readable) } as CheckpointState;
}
