/** The rules of one meeting, first half: what is news of it, and what to request. Pure; times are milliseconds since 1970. */
import { idProblem } from "../../schemas/ids.js";
import { type Known, type Memory, type Part, shortDigest } from "../memory.js";
import { pauseMs } from "../pauses.js";
import { documentOf, documentPieces, nameOf, type Piece, withoutPieces } from "../pieces.js";
import { listedDocuments, type MeetingRow } from "../rows.js";
import type { SyncPlan } from "../sync-options.js";

/** What is known of a meeting now. `isNamed`: an event or the caller has named it. */
export interface Look {
  readonly known: Known;
  readonly isNamed: boolean;
  readonly terms: Pick<SyncPlan, "wanted" | "pollMs" | "settleMs" | "titles"> & Partial<Pick<SyncPlan, "only">>;
  readonly nowMs: number;
}

/** The list has shown its row. */
export interface RowLook extends Look {
  readonly row: MeetingRow;
}

/** A piece that is wanted, and the digest of the facts of the row for which it is. */
export interface Wanted {
  readonly piece: Piece;
  readonly name: string;
  readonly of: string;
}

/** The memory of a meeting that the list has shown. */
export const listed = ({ memory }: Known): Memory | undefined => (memory?.seen === undefined ? undefined : memory);

export const isWhole = (part: Part | undefined): boolean => part?.content !== undefined && part.isPartial !== true;

/** What is due further ahead than the longest pause was written by a clock that was wrong. */
export const isDue = ({ dueMs = 0 }: Part, { nowMs, terms: { pollMs } }: Look): boolean =>
  dueMs <= nowMs || dueMs > nowMs + pauseMs(pollMs, Number.POSITIVE_INFINITY);

/** The pieces to request now. `undefined`: there is no news of the meeting, and nothing to write. */
export function toAsk(look: RowLook): readonly Piece[] | undefined {
  const { row, known, isNamed } = look;
  const { id, status } = row.meeting;
  const before = listed(known);
  // Polls and passes see when a meeting is completed.
  const isAskable = idProblem("meetingId", id) === undefined && (isNamed || withoutPieces(status) === undefined);
  const asked = isAskable ? wantedPieces(look).filter((one) => isToAsk(look, one, before?.parts[one.name])) : [];
  const pieces = asked.map(({ piece }) => piece);
  if (before === undefined || before.isGone || isNamed || pieces.length > 0) return pieces;
  const isOther = before.parts.meeting?.of !== rowDigest(row, before.parts.meeting);
  const hasDue = Object.values(before.parts).some((part) => part.dueMs !== undefined && isDue(part, look));
  return isOther || hasDue ? pieces : undefined;
}

function isToAsk(look: Look, { piece, of }: Wanted, part: Part | undefined): boolean {
  if (part === undefined || part.of !== of) return true;
  if (look.isNamed) return part.gap !== undefined || !isWhole(part) || piece.kind === "transcript";
  return part.gap === undefined ? !isWhole(part) : part.gap.retryable && isDue(part, look);
}

/** A row without a list of documents, or with odd entries, does not say that others are gone: they stay wanted. */
export function wantedPieces({ row, known, terms: { wanted } }: RowLook): Wanted[] {
  const { status, start_time, end_time } = row.meeting;
  const stage = shortDigest(JSON.stringify([status, start_time, end_time ?? null]));
  const parts = listed(known)?.parts ?? {};
  const list = listedDocuments(row);
  const facts = new Map(list?.documents.map(({ id, ...others }) => [id, shortDigest(JSON.stringify(others))]));
  for (const name of list?.isWhole ? [] : Object.keys(parts)) {
    const id = documentOf(name);
    if (id !== undefined && !facts.has(id)) facts.set(id, "");
  }
  const pieces = documentPieces([...facts.keys()].sort(), wanted.documents);
  if (wanted.transcript) pieces.unshift({ kind: "transcript" });
  // It may take long.
  if (wanted.recording) pieces.push({ kind: "recording" });
  return pieces.map((piece) => {
    const name = nameOf(piece);
    const part = parts[name];
    if (piece.kind === "document") return { piece, name, of: facts.get(piece.id) || part?.of || "?" };
    // A recording does not change.
    return { piece, name, of: piece.kind === "recording" && isWhole(part) ? (part?.of ?? "") : stage };
  });
}

/** The digest of what makes a row news: of its known fields, whatever the order of lists, and of its documents. */
export function rowDigest(row: MeetingRow, earlier: Part | undefined): string {
  const { status, source, title, start_time, end_time, duration, host, participants, created_at } = row.meeting;
  const people = (participants ?? []).map(({ name, email, title, company }) =>
    JSON.stringify([name ?? null, email ?? null, title ?? null, company ?? null]),
  );
  const { id = null, name = null, email = null } = host ?? {};
  const times = [start_time, end_time ?? null, duration ?? null, created_at ?? null];
  const facts = shortDigest(JSON.stringify([status, source, title ?? null, times, [id, name, email], people.sort()]));
  const list = listedDocuments(row);
  // A row without the list is no news by that.
  if (list === undefined) return earlier?.of.startsWith(`${facts} `) ? earlier.of : `${facts} `;
  const documents = list.documents.map((document) => JSON.stringify(document));
  return `${facts} ${shortDigest(`${documents.sort().join()} ${list.isWhole}`)}`;
}
