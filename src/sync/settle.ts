/** The rules of one meeting, second half: what to write, and when to request it again. Pure functions. */
import { ASSUMED_NOTES_TITLE, type DocumentTitles } from "../assumptions.js";
import { orUndefined } from "../json/or-undefined.js";
import type { Document } from "../schemas/document.js";
import { idProblem } from "../schemas/ids.js";
import type { Meeting } from "../schemas/meeting.js";
import {
  isDue,
  isNamedBy,
  isWhole,
  type Look,
  listed,
  rowDigest,
  type Terms,
  type Wanted,
  wantedPieces,
} from "./examine.js";
import { ACCEPTED, type FetchedPiece } from "./fetch-piece.js";
import type { ChangedPart, MeetingChange } from "./meeting-change.js";
import { dueMsOf, formatMemory, type Known, type Memory, type Part, shortDigest } from "./memory.js";
import { pauseMs } from "./pauses.js";
import { documentOf, type Gap, invalidGap, type MissingPiece, missingPiece, withoutPieces } from "./pieces.js";
import { listedDocuments, type MeetingRow } from "./rows.js";
import type { StoreItem } from "./store.js";

/** What came of a request: content, a gap, or both. `notBeforeMs`: the service has asked to wait until this time. */
export type Answer = FetchedPiece & { readonly notBeforeMs?: number };

/** By the names of the pieces. `meeting` has a gap if the store has refused the row. */
export type Answers = ReadonlyMap<string, Answer>;

/** What is to be written of a meeting. `change`: `undefined` if only the memory is new. */
export interface Finding {
  readonly item: StoreItem;
  readonly change: MeetingChange | undefined;
}

interface Basis {
  readonly isNamed: boolean;
  readonly terms: Terms;
  readonly nowMs: number;
}

/** What to write after the pieces were requested. `undefined`: nothing. A piece without an answer was not requested. */
export function settle(
  row: MeetingRow,
  known: Known,
  look: Look,
  answers: Answers,
  terms: Terms,
  nowMs: number,
): Finding | undefined {
  const before = listed(known);
  const { id, start_time, title = null } = row.meeting;
  const basis = { isNamed: isNamedBy(look, known), terms, nowMs };
  const rowBefore = before?.parts.meeting;
  const meeting = rowAfter(row, rowBefore, answers.get("meeting")?.gap, basis);
  const isRowWritten = meeting.content !== rowBefore?.content;
  const changed: ChangedPart[] = isRowWritten ? ["meeting"] : [];
  if (before?.isGone) changed.push("gone");
  const parts: Record<string, Part> = { meeting };
  const content: { transcript?: FetchedPiece["transcript"]; documents: Document[] } = { documents: [] };
  for (const one of wantedPieces(row, before, terms.wanted)) {
    const { piece, name } = one;
    const answer = answers.get(name);
    const earlier = before?.parts[name];
    const part =
      answer === undefined ? unanswered(one, row, earlier, nowMs) : answered(one, row, earlier, answer, basis);
    parts[name] = part;
    if (part.content === earlier?.content) continue;
    changed.push(piece.kind === "document" ? { document: piece.id } : piece.kind);
    if (answer?.document !== undefined) content.documents.push(answer.document);
    else content.transcript = answer?.transcript ?? content.transcript;
  }
  const stored = Object.entries(storedParts(before)).filter(([name]) => !(name in parts));
  const documentsGone = documentsGoneOf(row, stored);
  for (const [name, part] of stored) if (!documentsGone.includes(documentOf(name) ?? "")) parts[name] = part;
  changed.push(...documentsGone.map((document) => ({ document })));
  const firstMs = known.memory?.firstMs ?? nowMs;
  const memory = { seen: { start: start_time, title }, parts, firstMs, writtenMs: nowMs, isGone: false };
  const { documents, transcript } = content;
  const hasRecording = hasRecordingAfter(answers.get("recording"));
  return findingOf(id, known, memory, changed, row.received as Meeting, {
    ...(isRowWritten && { meeting: row.received as Meeting }),
    ...(transcript !== undefined && { transcript }),
    ...(hasRecording !== undefined && { hasRecording }),
    documents,
    documentKinds: kindsOf(documents, terms.titles),
    documentsGone,
  });
}

/** The row after this look. One that the store has refused is written again when it is due. */
function rowAfter(row: MeetingRow, earlier: Part | undefined, rejection: Gap | undefined, basis: Basis): Part {
  const of = rowDigest(row, earlier);
  const isSame = earlier?.of === of;
  if (isSame && !(earlier.gap?.retryable && isDue(earlier, basis.nowMs, basis.terms))) return earlier;
  if (rejection === undefined)
    return { of, content: of, ...(row.issue !== undefined && { gap: invalidGap(row.issue) }) };
  return { of, content: earlier?.content, ...inVain(rejection, isSame ? earlier : undefined, basis) };
}

/** A piece that was not requested, or not yet. */
function unanswered({ of }: Wanted, { meeting }: MeetingRow, earlier: Part | undefined, nowMs: number): Part {
  if (earlier?.of === of && (earlier.gap !== undefined || isWhole(earlier))) return earlier;
  const problem = idProblem("meetingId", meeting.id);
  if (problem !== undefined) return { of, gap: invalidGap(`the id of the meeting cannot be sent: ${problem}`) };
  const { content, isPartial } = earlier ?? {};
  const waits = withoutPieces(meeting.status);
  return { of: "", content, isPartial, gap: waits ?? NOT_ASKED, ...(waits === undefined && { dueMs: nowMs }) };
}

/** Content that is stored as a whole is replaced by a whole alone. */
function answered(
  { of }: Wanted,
  { meeting }: MeetingRow,
  earlier: Part | undefined,
  answer: Answer,
  basis: Basis,
): Part {
  const text = contentText(answer);
  const wasWhole = isWhole(earlier);
  const isNew = Boolean(text) && !(wasWhole && (answer.gap !== undefined || isEmpty(answer)));
  const content = isNew && text !== undefined ? shortDigest(text) : earlier?.content;
  const isSame = earlier?.of === of;
  const gap = text === undefined ? invalidGap(TOO_DEEP) : gapOfAnswer(answer, wasWhole && isSame);
  const waits = gap?.retryable ? withoutPieces(meeting.status) : undefined;
  if (waits !== undefined) return { of: "", content, isPartial: isNew || earlier?.isPartial, gap: waits };
  const trial = gap && inVain(gap, isSame ? earlier : undefined, basis, answer.notBeforeMs);
  const isPartial = isNew ? trial?.gap !== undefined : earlier?.isPartial;
  return { of, content, isPartial: isPartial || undefined, ...trial };
}

/** The received content as a text; empty if there is none, `undefined` if it cannot be written as JSON. */
function contentText({ transcript, document, recording }: Answer): string | undefined {
  if (recording !== undefined) return "recording";
  const content = transcript ?? document;
  // `JSON.stringify` is recursive, so it throws for a deeply nested value.
  return content === undefined ? "" : orUndefined(() => JSON.stringify(content));
}

const isEmpty = ({ transcript }: Answer): boolean => transcript?.segments.length === 0;

const EMPTY: Gap = { reason: "not_ready", retryable: true, message: "the transcript is empty so far" };
const NOT_ASKED: Gap = { reason: "not_ready", retryable: true, message: "it has not been requested yet" };
const TOO_DEEP = "it is nested too deeply to be written as JSON";

function gapOfAnswer(answer: Answer, isStored: boolean): Gap | undefined {
  const { gap } = answer;
  if (gap === undefined) return isEmpty(answer) && !isStored ? EMPTY : undefined;
  if (gap.reason === "not_found") return { ...gap, reason: "not_ready", retryable: true };
  // Whatever fails is requested again. An invalid answer may be an odd one of many; without a status, the client has
  // refused to send the request.
  const isOdd = gap.reason === "invalid" && gap.status !== undefined;
  return gap.reason === "failed" || isOdd ? { ...gap, retryable: true } : gap;
}

/** What fails is tried so often at least: a run that starts once a day may meet an outage on two days. */
const FEWEST_TRIES = 5;

/**
 * A part was requested in vain: it is due after a pause that doubles, until `settleMs` have passed. Then it is given up,
 * if the service says that it does not exist: whatever else has failed may be no more than bad luck.
 */
function inVain(
  gap: Gap,
  earlier: Part | undefined,
  { isNamed, terms: { pollMs, settleMs }, nowMs }: Basis,
  notBeforeMs?: number,
): Pick<Part, "gap" | "sinceMs" | "tries" | "dueMs"> {
  const kept = earlier?.gap && isSameButMessage(earlier.gap, gap) ? earlier.gap : gap;
  // A service that asks to wait has said nothing of the part.
  if (notBeforeMs !== undefined) return { gap: kept, sinceMs: nowMs, tries: 0, dueMs: notBeforeMs };
  if (!gap.retryable) return { gap: kept };
  const { sinceMs: began = nowMs, tries: before = 0 } = isNamed ? {} : (earlier ?? {});
  const sinceMs = Math.min(began, nowMs);
  const endsMs = sinceMs + settleMs;
  const tries = before + 1;
  const doesNotExist = gap.reason === "not_ready" && gap.status !== ACCEPTED;
  if (endsMs <= nowMs && (doesNotExist || tries >= FEWEST_TRIES)) return gap === EMPTY ? {} : { gap: givenUp(kept) };
  const dueMs = nowMs + pauseMs(pollMs, tries);
  return { gap: kept, sinceMs, tries, dueMs: endsMs > nowMs ? Math.min(dueMs, endsMs) : dueMs };
}

/** The message of an error may name its request. */
const isSameButMessage = (left: Gap, right: Gap): boolean =>
  left.reason === right.reason && left.status === right.status && left.retryable === right.retryable;

const givenUp = (gap: Gap): Gap => ({
  ...gap,
  reason: gap.reason === "not_ready" ? "not_found" : gap.reason,
  retryable: false,
});

/** What is stored of a meeting, as it is remembered of parts that are not wanted. */
function storedParts(before: Memory | undefined): Record<string, Part> {
  const parts = Object.entries(before?.parts ?? {}).filter(([, { content }]) => content !== undefined);
  // If a newer one was wanted, it is wanted anew.
  const stored = ({ of, content, isPartial, gap }: Part) => ({ of: gap?.retryable ? "" : of, content, isPartial });
  return Object.fromEntries(parts.map(([name, part]) => [name, stored(part)]));
}

/** The documents of these parts that the row no longer lists. */
function documentsGoneOf(row: MeetingRow, parts: readonly (readonly [name: string, Part])[]): string[] {
  const list = listedDocuments(row);
  const isListed = (id: string) => !list?.isWhole || list.documents.some((document) => document.id === id);
  return [...new Set(parts.flatMap(([name]) => documentOf(name) ?? []))].filter((id) => !isListed(id));
}

function hasRecordingAfter(answer: Answer | undefined): boolean | undefined {
  if (answer?.recording !== undefined) return true;
  return answer?.gap?.reason === "not_found" ? false : undefined;
}

function kindsOf(documents: readonly Document[], titles: DocumentTitles): StoreItem["documentKinds"] {
  const texts = Object.entries({ ...titles, notes: ASSUMED_NOTES_TITLE }) as [keyof DocumentTitles | "notes", string][];
  const kinds = documents.flatMap(({ id, title }) => {
    const lower = typeof title === "string" ? title.toLowerCase() : "";
    const found = texts.find(([, text]) => lower.includes(text.toLowerCase()));
    return found === undefined ? [] : [[id, found[0]] as const];
  });
  return new Map(kinds);
}

const NO_CONTENT = { documents: [], documentKinds: new Map(), documentsGone: [] };

/** `undefined` if nothing is new. */
function findingOf(
  id: string,
  known: Known,
  memory: Memory,
  changed: readonly ChangedPart[] = [],
  meeting?: Meeting,
  content: Pick<StoreItem, keyof typeof NO_CONTENT> & Partial<StoreItem> = NO_CONTENT,
): Finding | undefined {
  const before = listed(known);
  const isSame = formatMemory({ ...memory, writtenMs: known.memory?.writtenMs ?? 0 }) === known.text;
  if (isSame && changed.length === 0) return undefined;
  const missing = missingOf(id, memory);
  const isNews = changed.length > 0 || JSON.stringify(before && missingOf(id, before)) !== JSON.stringify(missing);
  const dueMs = dueMsOf(memory);
  const item: StoreItem = {
    id,
    ...content,
    missing,
    isGone: memory.isGone,
    memory: formatMemory(memory),
    before: known.text,
    dueAt: dueMs === undefined ? undefined : new Date(dueMs),
  };
  // An id that the list has never shown is no meeting of the store yet.
  if (!isNews || memory.seen === undefined) return { item, change: undefined };
  return { item, change: { id, meeting, isNew: before === undefined, changed, missing } };
}

/** What is stored as a whole is not missing, even if a newer one of it is wanted. */
export function missingOf(id: string, memory: Memory | undefined): MissingPiece[] {
  const meeting = { id, title: memory?.seen?.title ?? null };
  const lacks = (name: string, part: Part) => part.gap !== undefined && (name === "meeting" || !isWhole(part));
  const parts = Object.entries(memory?.parts ?? {}).filter(([name, part]) => lacks(name, part));
  return parts.map(([name, { gap }]) => missingPiece(meeting, name, gap as Gap));
}

/** The service no longer has the meeting. Should it return, everything that it lacks is requested. */
export const settleGone = (id: string, known: Known, memory: Memory, nowMs: number): Finding | undefined =>
  findingOf(id, known, { ...memory, parts: storedParts(memory), writtenMs: nowMs, isGone: true }, ["gone"]);

const NOT_LISTED: Gap = { reason: "not_ready", retryable: true, message: "it is not in the list of meetings yet" };

/**
 * The list does not have a meeting that was requested by its id, or not in the period of the run. What it lacks is
 * requested when a list shows it again. `"forget"`: it was named long ago, and has never been listed.
 */
export function settleUnlisted(
  id: string,
  known: Known,
  basis: Basis,
  isOutside: boolean,
): Finding | "forget" | undefined {
  const { nowMs } = basis;
  // A memory that cannot be read may be that of a listed meeting, which must not be forgotten with all that is stored.
  const seen = known.text === undefined ? undefined : { start: "", title: null };
  const before = known.memory ?? { seen, parts: {}, firstMs: nowMs, writtenMs: nowMs, isGone: false };
  if (before.seen !== undefined) {
    const parts = Object.entries(before.parts).map(([name, { dueMs, ...part }]) => [name, part]);
    return findingOf(id, known, { ...before, parts: Object.fromEntries(parts) });
  }
  const trial = inVain(NOT_LISTED, before.parts.meeting, basis);
  if (isOutside || !trial.gap?.retryable) return known.text === undefined ? undefined : "forget";
  return findingOf(id, known, { ...before, parts: { meeting: { of: "", ...trial } }, writtenMs: nowMs });
}
