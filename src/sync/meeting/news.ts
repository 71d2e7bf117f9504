/** Decides whether there is news of a meeting, and which of its pieces to request. Pure functions. */
import { isRecord } from "../../json/is-record.js";
import { orUndefined } from "../../json/or-undefined.js";
import { idProblem } from "../../schemas/ids.js";
import type { Meeting } from "../../schemas/meeting.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import type { MeetingRow } from "../list/received.js";
import { factsOf, isListed, type KnownMemory, type Memory, shortDigest } from "./memory.js";
import { isInWork } from "./patience.js";
import { documentPieces, type Gap, HAS_FAILED, NOT_BEGUN, nameOf, type Piece, type WantedPieces } from "./pieces.js";

/** A meeting with news. */
export interface News {
  readonly row: MeetingRow;
  readonly known: KnownMemory;
  /** What is remembered of the meeting, if the list has shown it before. */
  readonly before: Memory | undefined;
  /** The digest of each of its documents. */
  readonly documents: ReadonlyMap<string, string>;
  /** Why nothing is requested of the meeting by itself. */
  readonly restriction: Omit<Gap, "what"> | undefined;
  /** An event or the caller has named the meeting. */
  readonly event: boolean;
  /** Everything that is wanted of the meeting. */
  readonly pieces: readonly Piece[];
  /** The pieces to request now. */
  readonly ask: readonly Piece[];
}

export interface Occasion {
  readonly wanted: WantedPieces;
  readonly event: boolean;
  readonly nowMs: number;
}

/** `undefined`: there is nothing to request or to write. */
export function newsOf(row: MeetingRow, known: KnownMemory, { wanted, event, nowMs }: Occasion): News | undefined {
  const { meeting } = row;
  const { memory } = known;
  const isPending = memory !== undefined && !isListed(memory);
  const before = isPending ? undefined : memory;
  const listed = listedDocuments(row);
  const documents = listed ?? before?.documents ?? new Map<string, string>();
  const restriction = restrictionOf(meeting, nowMs);
  const pieces = wantedPieces(meeting, documents, wanted);
  const news = {
    row,
    known,
    before,
    documents,
    restriction,
    event: event || isPending || memory?.isNamed === true,
    pieces,
  };
  const ask =
    idProblem("meetingId", meeting.id) === undefined ? pieces.filter((piece) => isToAsk(piece, news, nowMs)) : [];
  const isOther =
    before === undefined ||
    before.isGone ||
    (listed !== undefined && !before.isExpanded) ||
    !areEqual(before.facts, factsOf(meeting)) ||
    !areEqual([...before.documents].flat(), [...documents].flat());
  return isOther || news.event || isDue(before, nowMs) || ask.length > 0 ? { ...news, ask } : undefined;
}

const isDue = (before: Memory, nowMs: number) => before.dueMs !== undefined && before.dueMs <= nowMs;

function isToAsk(
  piece: Piece,
  { row, before, documents, restriction, event }: Omit<News, "ask">,
  nowMs: number,
): boolean {
  if (before === undefined) return event || restriction === undefined;
  const name = nameOf(piece);
  const gap = before.missing.find(({ what }) => what === name);
  if (gap?.retryable && (isDue(before, nowMs) || (waitsForStart(gap) && restriction === undefined))) return true;
  if (restriction !== undefined && !event) return false;
  if (gap === undefined && !before.stored.has(name)) return true;
  // Without the title, which changes no piece.
  const hasNewStage = !areEqual(before.facts.slice(0, -1), factsOf(row.meeting).slice(0, -1));
  if ((event || hasNewStage) && (gap !== undefined || piece.kind === "transcript")) return true;
  return piece.kind === "document" && before.documents.get(piece.id) !== documents.get(piece.id);
}

/** Whether the piece was not requested because the meeting has not begun. It has no time to be requested again. */
export const waitsForStart = ({ reason, message }: Gap): boolean =>
  reason === NOT_BEGUN.reason && message === NOT_BEGUN.message;

function restrictionOf({ status, start_time }: Meeting, nowMs: number): Omit<Gap, "what"> | undefined {
  if (status === "failed") return HAS_FAILED;
  return isInWork(status) && parseTimestamp(start_time) > nowMs ? NOT_BEGUN : undefined;
}

function wantedPieces({ status }: Meeting, documents: ReadonlyMap<string, string>, wanted: WantedPieces): Piece[] {
  const pieces: Piece[] = [];
  if (wanted.transcript) pieces.push({ kind: "transcript" });
  if (wanted.recording && !isInWork(status)) pieces.push({ kind: "recording" });
  return [...pieces, ...documentPieces(documents.keys(), wanted.documents)];
}

/**
 * The documents of the row as it was received. `undefined` if the row has no list of documents, or one that cannot be
 * read: such a row says nothing of documents.
 */
export function listedDocuments({ received }: MeetingRow): Map<string, string> | undefined {
  if (!isRecord(received) || !Array.isArray(received.documents)) return undefined;
  const documents = new Map<string, string>();
  for (const document of received.documents as unknown[]) {
    if (!isRecord(document) || typeof document.id !== "string") return undefined;
    const facts = orUndefined(() => JSON.stringify([document.title, document.created_at]));
    documents.set(document.id, shortDigest(facts ?? ""));
  }
  return documents;
}

const areEqual = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((text, index) => text === right[index]);
