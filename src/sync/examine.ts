/** The rules of one meeting, first half: what is news of it, and what to request. Pure; times are milliseconds since 1970. */
import type { DocumentTitles } from "../assumptions.js";
import { idProblem } from "../schemas/ids.js";
import { type Known, type Memory, type Part, shortDigest } from "./memory.js";
import { pauseMs } from "./pauses.js";
import { documentOf, documentPieces, nameOf, type Piece, type WantedPieces, withoutPieces } from "./pieces.js";
import { listedDocuments, type MeetingRow } from "./rows.js";

/** What a run wants of a meeting, and for how long. */
export interface Terms {
  readonly wanted: WantedPieces;
  readonly pollMs: number;
  readonly settleMs: number;
  /** The texts that show the kind of a document in its title. */
  readonly titles: DocumentTitles;
}

/** `named`: an event or the caller has named the meeting. `listed`: the list shows it, or something of it is due. */
export type Look = "listed" | "named";

/** A piece that is wanted, and the digest of the facts of the row for which it is. */
export interface Wanted {
  readonly piece: Piece;
  readonly name: string;
  readonly of: string;
}

/** The memory of a meeting that the list has shown. */
export const listed = ({ memory }: Known): Memory | undefined => (memory?.seen === undefined ? undefined : memory);

/** A meeting that an event has named, and that the list shows for the first time, is still named. */
export const isNamedBy = (look: Look, { memory }: Known): boolean =>
  look === "named" || (memory !== undefined && memory.seen === undefined);

export const isWhole = (part: Part | undefined): boolean => part?.content !== undefined && part.isPartial !== true;

/** What is due further ahead than the longest pause was written by a clock that was wrong. */
export const isDue = ({ dueMs = 0 }: Part, nowMs: number, { pollMs }: Terms): boolean =>
  dueMs <= nowMs || dueMs > nowMs + pauseMs(pollMs, Number.POSITIVE_INFINITY);

/** The pieces to request now. `undefined`: there is no news of the meeting, and nothing to write. */
export function toAsk(
  row: MeetingRow,
  known: Known,
  look: Look,
  terms: Terms,
  nowMs: number,
): readonly Piece[] | undefined {
  const before = listed(known);
  const isNamed = isNamedBy(look, known);
  const { id, status } = row.meeting;
  // Polls and passes see when a meeting is completed.
  const isAskable = idProblem("meetingId", id) === undefined && (isNamed || withoutPieces(status) === undefined);
  const wanted = isAskable ? wantedPieces(row, before, terms.wanted) : [];
  const pieces = wanted
    .filter((one) => isToAsk(one, before?.parts[one.name], isNamed, (part) => isDue(part, nowMs, terms)))
    .map(({ piece }) => piece);
  if (before === undefined || before.isGone || isNamed || pieces.length > 0) return pieces;
  const isOther = before.parts.meeting?.of !== rowDigest(row, before.parts.meeting);
  const hasDue = Object.values(before.parts).some((part) => part.dueMs !== undefined && isDue(part, nowMs, terms));
  return isOther || hasDue ? pieces : undefined;
}

function isToAsk(
  { piece, of }: Wanted,
  part: Part | undefined,
  isNamed: boolean,
  isDueNow: (part: Part) => boolean,
): boolean {
  if (part === undefined || part.of !== of) return true;
  if (isNamed) return part.gap !== undefined || !isWhole(part) || piece.kind === "transcript";
  return part.gap === undefined ? !isWhole(part) : part.gap.retryable && isDueNow(part);
}

/** A row without a list of documents, or with odd entries, does not say that others are gone: they stay wanted. */
export function wantedPieces(row: MeetingRow, before: Memory | undefined, wanted: WantedPieces): Wanted[] {
  const { status, start_time, end_time } = row.meeting;
  const stage = shortDigest(JSON.stringify([status, start_time, end_time ?? null]));
  const { documents = [], isWhole: isWholeList = false } = listedDocuments(row) ?? {};
  const facts = new Map(documents.map(({ id, title, created }) => [id, shortDigest(JSON.stringify([title, created]))]));
  for (const name of isWholeList ? [] : Object.keys(before?.parts ?? {})) {
    const id = documentOf(name);
    if (id !== undefined && !facts.has(id)) facts.set(id, "");
  }
  const pieces = documentPieces([...facts.keys()].sort(), wanted.documents);
  if (wanted.transcript) pieces.unshift({ kind: "transcript" });
  // It may take long.
  if (wanted.recording) pieces.push({ kind: "recording" });
  return pieces.map((piece) => {
    const name = nameOf(piece);
    const part = before?.parts[name];
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
  const documents = list.documents.map((document) => JSON.stringify([document.id, document.title, document.created]));
  return `${facts} ${shortDigest(`${documents.sort().join()} ${list.isWhole}`)}`;
}
