/** Every rule of one meeting: what to request of it, and what to write. Pure functions; times are milliseconds since 1970. */
import { ASSUMED_NOTES_TITLE, type DocumentTitles } from "../assumptions.js";
import { orUndefined } from "../json/or-undefined.js";
import type { Document } from "../schemas/document.js";
import { idProblem } from "../schemas/ids.js";
import type { Meeting } from "../schemas/meeting.js";
import type { Transcript } from "../schemas/transcript.js";
import { ACCEPTED, type FetchedPiece } from "./fetch-piece.js";
import { formatMemory, type Known, type Memory, shortDigest } from "./memory.js";
import { pauseMs } from "./paced-client.js";
import {
  documentOf,
  documentPieces,
  type Gap,
  invalidGap,
  type MissingPiece,
  missingPiece,
  nameOf,
  type Piece,
  type WantedPieces,
  waitsForMeeting,
  withoutPieces,
} from "./pieces.js";
import { listedDocuments, type MeetingRow } from "./rows.js";
import type { StoreItem } from "./store.js";

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

/** What came of a request: content, a gap, or both. `notBeforeMs`: it was not sent, and may be sent at this time. */
export type Answer = FetchedPiece & { readonly notBeforeMs?: number };

/** By the names of the pieces. `meeting` has a gap if the store has refused the row. */
export type Answers = ReadonlyMap<string, Answer>;

/** A part of a meeting that was written: see {@link MeetingChange}. */
export type ChangedPart =
  | "meeting"
  | "transcript"
  | "recording"
  | "gone"
  | {
      /** The id of the document: `doc_…` */
      readonly document: string;
    };

/** What `syncMeetings` has written of a meeting. */
export interface MeetingChange {
  /** `mtg_…` */
  readonly id: string;
  /** The meeting as the list has it; `undefined` if the service no longer has it. */
  readonly meeting: Meeting | undefined;
  /** Whether the store did not have the meeting before. */
  readonly isNew: boolean;
  /**
   * What is new: the row of the list, the transcript, the recording, or a document, or that a document is no longer there.
   * `"gone"`: the service no longer has the meeting, or has it again. Empty if only `missing` has changed.
   */
  readonly changed: readonly ChangedPart[];
  /** All pieces that are missing now. */
  readonly missing: readonly MissingPiece[];
}

/** What is to be written of a meeting. */
export interface Finding {
  readonly item: StoreItem;
  /** `undefined` if only the memory is new. */
  readonly change: MeetingChange | undefined;
  /** The length of the item's texts in characters. */
  readonly size: number;
}

/** A piece that is wanted, and the digest of the facts for which it is: with others, it is wanted anew. */
interface Wanted {
  readonly piece: Piece;
  readonly name: string;
  readonly of: string;
}

/** The memory of a meeting that the list has shown. */
const listed = ({ memory }: Known): Memory | undefined => (memory?.seen === undefined ? undefined : memory);

const isNamedBy = (look: Look, { memory }: Known): boolean =>
  look === "named" || (memory !== undefined && memory.seen === undefined);

/** Whether something is due. What is due further ahead than the longest pause was written by a clock that was wrong. */
export const isDue = ({ dueMs }: Pick<Memory, "dueMs">, nowMs: number, { pollMs }: Pick<Terms, "pollMs">): boolean =>
  dueMs === undefined || dueMs <= nowMs || isAhead(dueMs, nowMs, pollMs);

const isAhead = (dueMs: number, nowMs: number, pollMs: number): boolean =>
  dueMs > nowMs + pauseMs(pollMs, Number.POSITIVE_INFINITY);

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
  const pieces = wantedPieces(row, before, terms.wanted)
    .filter((one) => isToAsk(one, row, before, isNamed, before !== undefined && isDue(before, nowMs, terms)))
    .map(({ piece }) => piece);
  if (before === undefined || before.isGone || isNamed || pieces.length > 0) return pieces;
  const isRowNews = refusedRow(row, before) === undefined && (isRefusedBefore(before) || isOther(row, before));
  return isRowNews || (before.dueMs !== undefined && isDue(before, nowMs, terms)) ? pieces : undefined;
}

function isToAsk(
  { piece, name, of }: Wanted,
  { meeting }: MeetingRow,
  before: Memory | undefined,
  isNamed: boolean,
  isDueNow: boolean,
): boolean {
  if (idProblem("meetingId", meeting.id) !== undefined) return false;
  // Polls and passes see when it is completed.
  if (!isNamed && withoutPieces(meeting.status) !== undefined) return false;
  const isStored = isCurrent(before, piece, name, of);
  const gap = before?.gaps.find(({ what }) => what === name);
  if (isNamed) return !isStored || gap !== undefined || piece.kind === "transcript";
  // A gap of other facts is none: the piece is wanted anew.
  if (gap === undefined || gap.of !== of) return !isStored;
  return gap.retryable && isDueNow;
}

/** Whether the stored piece is whole, and the one that the row has now. A recording does not change. */
function isCurrent(before: Memory | undefined, piece: Piece, name: string, of: string): boolean {
  const [storedOf] = before?.stored[name] ?? [];
  return storedOf === of || (piece.kind === "recording" && Boolean(storedOf));
}

/** A row without a list of documents says nothing of them: they are those that are remembered. */
function wantedPieces(row: MeetingRow, before: Memory | undefined, wanted: WantedPieces): Wanted[] {
  const { meeting } = row;
  const stage = shortDigest(JSON.stringify([meeting.status, meeting.start_time, meeting.end_time ?? null]));
  const pieces: Piece[] = [];
  if (wanted.transcript) pieces.push({ kind: "transcript" });
  const facts = new Map<string, string>();
  const { documents = [], isWhole = false } = listedDocuments(row) ?? {};
  for (const { id, title, created } of documents) facts.set(id, shortDigest(JSON.stringify([title, created])));
  if (!isWhole) for (const id of rememberedDocuments(before)) if (!facts.has(id)) facts.set(id, "");
  pieces.push(...documentPieces(facts.keys(), wanted.documents));
  // It may take long.
  if (wanted.recording) pieces.push({ kind: "recording" });
  return pieces.map((piece) => {
    const name = nameOf(piece);
    const remembered = before?.stored[name]?.[0] || before?.gaps.find(({ what }) => what === name)?.of;
    return { piece, name, of: piece.kind === "document" ? facts.get(piece.id) || remembered || "?" : stage };
  });
}

function rememberedDocuments(before: Memory | undefined): Set<string> {
  const names = [...Object.keys(before?.stored ?? {}), ...(before?.gaps ?? []).map(({ what }) => what)];
  return new Set(names.flatMap((name) => documentOf(name) ?? []));
}

/** The digest of what makes a row news: its known fields, whatever the order of lists. Then that of its documents. */
function rowDigest(row: MeetingRow, before: Memory | undefined): string {
  const { status, source, title, start_time, end_time, duration, host, participants, created_at } = row.meeting;
  const people = (participants ?? []).map(({ name, email, title, company }) =>
    JSON.stringify([name ?? null, email ?? null, title ?? null, company ?? null]),
  );
  const { id = null, name = null, email = null } = host ?? {};
  const times = [start_time, end_time ?? null, duration ?? null, created_at ?? null];
  const facts = shortDigest(JSON.stringify([status, source, title ?? null, times, [id, name, email], people.sort()]));
  const list = listedDocuments(row);
  const documents = list?.documents.map((document) => JSON.stringify([document.id, document.title, document.created]));
  const ofDocuments = documents && shortDigest(`${documents.sort().join()} ${list?.isWhole}`);
  // A row without the list is no news by that.
  return `${facts} ${ofDocuments ?? before?.row.split(" ")[1] ?? ""}`;
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
  const { meeting } = row;
  const stage = stageOf(row, known, look, terms, nowMs);
  const documentsGone = documentsGoneOf(row, before);
  const content = contentOf(wantedPieces(row, before, terms.wanted), before, answers, documentsGone, stage.isOver);
  const isRowNew = isRowToWrite(row, before);
  const rejection = isRowNew ? answers.get("meeting")?.gap : undefined;
  const isRowWritten = isRowNew && rejection === undefined;
  const gaps = [
    ...rowGaps(row, { before, isRowNew, rejection, stage }),
    ...gapsOf(row, before, content, answers, stage),
  ];
  const vain = gaps.filter(({ what, retryable }) => retryable && wasSent(answers.get(what)));
  // What is missing for the first time is requested for a whole stage, and so is what the service has asked to wait for.
  const isFirst = stage.isOver && vain.some(({ what, of = "" }) => !wasMissing(before, what, of));
  const isAnew = isFirst || gaps.some(({ what }) => answers.get(what)?.notBeforeMs !== undefined);
  const stageMs = isAnew ? nowMs : stage.ms;
  const tries = (isAnew ? 0 : stage.tries) + Number(vain.length > 0);
  const trial = { isVain: vain.length > 0, tries, before, deadlineMs: stageMs + terms.settleMs };
  const memory: Memory = {
    seen: { status: meeting.status, start: meeting.start_time, title: meeting.title ?? null },
    row: rowAfter(row, before, isRowWritten),
    stored: content.stored,
    gaps,
    firstMs: known.memory?.firstMs ?? nowMs,
    stageMs,
    tries,
    dueMs: dueAfter(gaps, answers, trial, terms, nowMs),
    writtenMs: nowMs,
    isGone: false,
  };
  const changed: ChangedPart[] = [...content.changed, ...documentsGone.map((document) => ({ document }))];
  if (before?.isGone) changed.unshift("gone");
  if (isRowWritten) changed.unshift("meeting");
  const finding = findingOf(meeting.id, known, memory, changed, row.received as Meeting);
  const { transcript, documents, size } = content;
  const hasRecording = hasRecordingAfter(answers.get("recording"));
  return (
    finding && {
      ...finding,
      item: {
        ...finding.item,
        ...(isRowWritten && { meeting: row.received as Meeting }),
        ...(transcript !== undefined && { transcript }),
        ...(hasRecording !== undefined && { hasRecording }),
        documents,
        documentKinds: kindsOf(documents, terms.titles),
        documentsGone,
      },
      size: finding.size + size + (isRowWritten ? JSON.stringify(row.received).length : 0),
    }
  );
}

/** Whether the stored row is another one. One that the store has refused is written again, unless it was given up. */
const isRowToWrite = (row: MeetingRow, before: Memory | undefined): boolean =>
  before === undefined || (refusedRow(row, before)?.retryable ?? isOther(row, before));

const isOther = (row: MeetingRow, before: Memory): boolean => before.row !== rowDigest(row, before);

/** The gap of this very row, if the store has refused it. */
const refusedRow = (row: MeetingRow, before: Memory | undefined): Gap | undefined =>
  before?.gaps.find(({ what, of }) => what === "meeting" && of === rowDigest(row, undefined));

/** A row that is written without the list of documents is written again when it has one. */
const rowAfter = (row: MeetingRow, before: Memory | undefined, isWritten: boolean): string =>
  isWritten ? rowDigest(row, undefined) : (before?.row ?? "");

/** Whether the store has refused the row that was shown before. */
const isRefusedBefore = ({ gaps }: Memory): boolean =>
  gaps.some(({ what, of }) => what === "meeting" && of !== undefined);

interface Stage {
  /** When it began. */
  readonly ms: number;
  readonly tries: number;
  /** Whether what is still missing is given up. */
  readonly isOver: boolean;
}

/** A new status, a return, and an event after the end of a stage begin a new one. */
function stageOf({ meeting }: MeetingRow, known: Known, look: Look, { settleMs }: Terms, nowMs: number): Stage {
  const before = listed(known);
  const isNew = before === undefined || before.isGone || before.seen?.status !== meeting.status;
  if (isNew) return { ms: nowMs, tries: 0, isOver: false };
  const ms = Math.min(before.stageMs, nowMs);
  const isOver = ms + settleMs <= nowMs;
  if (!isNamedBy(look, known)) return { ms, tries: before.tries, isOver };
  return { ms: isOver ? nowMs : ms, tries: 0, isOver: false };
}

/** The stored documents that the row no longer lists. */
function documentsGoneOf(row: MeetingRow, before: Memory | undefined): string[] {
  const list = listedDocuments(row);
  if (!list?.isWhole) return [];
  const ids = new Set(list.documents.map(({ id }) => id));
  const stored = Object.keys(before?.stored ?? {}).flatMap((name) => documentOf(name) ?? []);
  return [...new Set(stored)].filter((id) => !ids.has(id));
}

interface Content {
  readonly wanted: readonly Wanted[];
  readonly stored: Memory["stored"];
  readonly changed: ChangedPart[];
  readonly documents: Document[];
  /** The names of the pieces that cannot be written as JSON. */
  readonly tooDeep: Set<string>;
  transcript: Transcript | undefined;
  size: number;
}

/** The received content that differs from what is stored. */
function contentOf(
  wanted: readonly Wanted[],
  before: Memory | undefined,
  answers: Answers,
  documentsGone: readonly string[],
  isOver: boolean,
): Content {
  const kept = Object.entries(before?.stored ?? {}).filter(([name]) => !documentsGone.includes(documentOf(name) ?? ""));
  const stored = Object.fromEntries(kept);
  const lists = { wanted, stored, changed: [], documents: [], tooDeep: new Set<string>() };
  const content: Content = { ...lists, transcript: undefined, size: 0 };
  for (const one of wanted) {
    const answer = answers.get(one.name);
    if (answer !== undefined) addContent(content, one, answer, isOver && wasMissing(before, one.name, one.of));
  }
  return content;
}

function addContent(content: Content, { piece, name, of }: Wanted, answer: Answer, isOver: boolean): void {
  const text = contentText(answer);
  if (text === undefined) content.tooDeep.add(name);
  if (!text) return;
  const isWhole = answer.gap === undefined && (isOver || !isEmpty(answer));
  const [storedOf, storedDigest] = content.stored[name] ?? [];
  // Content that is stored as a whole is replaced by a whole alone.
  if (storedOf && !isWhole) return;
  const digest = shortDigest(text);
  content.stored[name] = [isWhole ? of : "", digest];
  if (digest === storedDigest) return;
  content.size += text.length;
  content.transcript = answer.transcript ?? content.transcript;
  if (answer.document !== undefined) content.documents.push(answer.document);
  content.changed.push(piece.kind === "document" ? { document: piece.id } : piece.kind);
}

/** The received content as a text; empty if there is none, `undefined` if it cannot be written as JSON. */
function contentText({ transcript, document, recording }: Answer): string | undefined {
  if (recording !== undefined) return "recording";
  const content = transcript ?? document;
  // `JSON.stringify` is recursive, so it throws for a deeply nested value.
  return content === undefined ? "" : orUndefined(() => JSON.stringify(content));
}

const isEmpty = ({ transcript }: Answer): boolean => transcript?.segments.length === 0;

const EMPTY = { reason: "not_ready", retryable: true, message: "the transcript is empty so far" } as const;
const TOO_DEEP = "it is nested too deeply to be written as JSON";
const NOT_ASKED = { reason: "not_ready", retryable: true, message: "it has not been requested yet" } as const;

/** Whether it was requested before in vain, for the same facts: at first, nothing is given up. A 429 says nothing of it. */
const wasMissing = (before: Memory | undefined, name: string, of: string): boolean =>
  before?.gaps.some((gap) => gap.what === name && gap.of === of && gap.status !== LIMITED_STATUS) === true;

const LIMITED_STATUS = 429;

interface RowFate {
  readonly before: Memory | undefined;
  readonly isRowNew: boolean;
  readonly rejection: Gap | undefined;
  readonly stage: Stage;
}

function rowGaps(row: MeetingRow, { before, isRowNew, rejection, stage }: RowFate): Gap[] {
  const { issue } = row;
  const of = rowDigest(row, undefined);
  if (rejection === undefined) {
    const kept = isRowNew ? undefined : refusedRow(row, before);
    if (kept !== undefined) return [kept];
    if (issue === undefined) return [];
    // The issue of the stored row, though the same facts may be odd in another way now.
    const stored = isRowNew ? undefined : before?.gaps.find((gap) => gap.what === "meeting" && gap.of === undefined);
    return [stored ?? invalidGap("meeting", issue)];
  }
  return [{ ...rejection, of, retryable: !(isGivenUp(rejection, stage) && wasMissing(before, "meeting", of)) }];
}

function gapsOf(row: MeetingRow, before: Memory | undefined, content: Content, answers: Answers, stage: Stage): Gap[] {
  return content.wanted.flatMap((one) => {
    const earlier = before?.isGone ? undefined : before?.gaps.find(({ what }) => what === one.name);
    const answer = answers.get(one.name);
    const gap = gapAfter(one, row, content, answer, earlier);
    if (gap === undefined) return [];
    const isOver = isGivenUp(gap, stage) && wasSent(answer) && wasMissing(before, one.name, one.of);
    const kept = isOver && gap.retryable ? givenUp(gap) : gap;
    return [earlier && isSameButMessage(earlier, kept) ? earlier : kept];
  });
}

/** What fails is tried so often at least: a run that starts once a day may meet an outage on two days. */
const FEWEST_TRIES = 5;

/** That a piece does not exist says the service itself. Whatever else has failed may be no more than bad luck. */
const isGivenUp = ({ reason, status }: Gap, { isOver, tries }: Stage): boolean =>
  isOver && ((reason === "not_ready" && status !== ACCEPTED) || tries >= FEWEST_TRIES);

const wasSent = (answer: Answer | undefined): boolean => answer !== undefined && answer.notBeforeMs === undefined;

/** Why the piece is missing after this answer, or without one. */
function gapAfter(
  { piece, name, of }: Wanted,
  { meeting }: MeetingRow,
  { stored, tooDeep }: Content,
  answer: Answer | undefined,
  earlier: Gap | undefined,
): Gap | undefined {
  const problem = idProblem("meetingId", meeting.id);
  if (problem !== undefined) return invalidGap(name, `the id of the meeting cannot be sent: ${problem}`);
  const isStored = stored[name]?.[0] === of || (piece.kind === "recording" && Boolean(stored[name]?.[0]));
  const waits = withoutPieces(meeting.status);
  if (answer === undefined) {
    if (earlier?.of === of) return earlier;
    if (isStored) return undefined;
    return waits === undefined ? { what: name, ...NOT_ASKED } : { what: name, ...waits, of };
  }
  const gap = tooDeep.has(name) ? invalidGap(name, TOO_DEEP) : gapOfAnswer(name, answer, isStored);
  if (gap === undefined) return undefined;
  return waits !== undefined && gap.retryable ? { what: name, ...waits, of } : { ...gap, of };
}

function gapOfAnswer(name: string, answer: Answer, isStored: boolean): Gap | undefined {
  const { gap } = answer;
  if (gap === undefined) return isEmpty(answer) && !isStored ? { what: name, ...EMPTY } : undefined;
  if (gap.reason === "not_found") return { ...gap, reason: "not_ready", retryable: true };
  // Whatever fails is requested again. An invalid answer may be an odd one of many; without a status, the client has
  // refused to send the request.
  const isOdd = gap.reason === "invalid" && gap.status !== undefined;
  return gap.reason === "failed" || isOdd ? { ...gap, retryable: true } : gap;
}

const givenUp = (gap: Gap): Gap => ({
  ...gap,
  reason: gap.reason === "not_ready" ? "not_found" : gap.reason,
  retryable: false,
});

/** The message of an error may name its request. */
const isSameButMessage = (left: Gap, right: Gap): boolean =>
  left.reason === right.reason &&
  left.status === right.status &&
  left.retryable === right.retryable &&
  left.of === right.of;

interface Trial {
  readonly isVain: boolean;
  readonly tries: number;
  readonly before: Memory | undefined;
  /** When what is missing is given up. */
  readonly deadlineMs: number;
}

/** When something is requested again: after a pause that doubles; at the deadline at the latest, if it is ahead. */
function dueAfter(
  gaps: readonly Gap[],
  answers: Answers,
  trial: Trial,
  { pollMs }: Terms,
  nowMs: number,
): number | undefined {
  const waiting = gaps.filter((gap) => gap.retryable && !waitsForMeeting(gap));
  if (waiting.length === 0) return undefined;
  if (waiting.some(({ of }) => of === undefined)) return nowMs;
  const { isVain, tries, before, deadlineMs } = trial;
  const notBeforeMs = Math.max(0, ...waiting.map(({ what }) => answers.get(what)?.notBeforeMs ?? 0));
  const plannedMs = before?.dueMs === undefined || isAhead(before.dueMs, nowMs, pollMs) ? nowMs : before.dueMs;
  if (!isVain) return Math.max(plannedMs, notBeforeMs);
  const doubledMs = nowMs + pauseMs(pollMs, tries);
  return Math.max(deadlineMs > nowMs ? Math.min(doubledMs, deadlineMs) : doubledMs, notBeforeMs);
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

/** The item without content. `undefined` if it would change nothing. */
function findingOf(
  id: string,
  known: Known,
  memory: Memory,
  changed: readonly ChangedPart[],
  row?: Meeting,
): Finding | undefined {
  const before = listed(known);
  const isSameMemory = formatMemory({ ...memory, writtenMs: known.memory?.writtenMs ?? 0 }) === known.text;
  if (isSameMemory && changed.length === 0) return undefined;
  const missing = missingOf(id, memory);
  const isSame = changed.length === 0 && JSON.stringify(before && missingOf(id, before)) === JSON.stringify(missing);
  // An id that the list has never shown is no meeting of the store yet.
  const isReported = !isSame && memory.seen !== undefined;
  const text = formatMemory(memory);
  return {
    item: {
      id,
      documents: [],
      documentKinds: new Map(),
      documentsGone: [],
      missing,
      isGone: memory.isGone,
      memory: text,
      before: known.text,
      dueAt: memory.dueMs === undefined ? undefined : new Date(memory.dueMs),
    },
    change: isReported ? { id, meeting: row, isNew: before === undefined, changed, missing } : undefined,
    size: text.length,
  };
}

/** What is stored as a whole is not missing, even if a newer one of it is wanted. */
export const missingOf = (id: string, { seen, stored, gaps }: Memory): MissingPiece[] =>
  gaps.filter(({ what }) => !stored[what]?.[0]).map((gap) => missingPiece({ id, title: seen?.title ?? null }, gap));

const NOT_LISTED: Gap = {
  what: "meeting",
  reason: "not_ready",
  retryable: true,
  message: "it is not in the list of meetings yet",
};

/**
 * The list does not have a meeting that was requested by its id. `"forget"`: it was named long ago, and has never been
 * listed.
 */
export function settleAbsent(
  id: string,
  known: Known,
  look: Look,
  { pollMs, settleMs }: Terms,
  nowMs: number,
): Finding | "forget" | undefined {
  const before = known.memory ?? newMemory(known, nowMs);
  const isNamed = look === "named";
  const isPending = before.seen === undefined;
  if (before.isGone || (!isPending && !before.gaps.some(({ retryable }) => retryable))) {
    return findingOf(id, known, { ...before, dueMs: undefined }, []);
  }
  const stageMs = isNamed ? nowMs : Math.min(before.stageMs, nowMs);
  const deadlineMs = stageMs + settleMs;
  const isOver = deadlineMs <= nowMs;
  if (isOver && isPending) return "forget";
  const tries = (isNamed ? 0 : before.tries) + 1;
  const gaps = isOver ? before.gaps.map((gap) => (gap.retryable ? givenUp(gap) : gap)) : before.gaps;
  const dueMs = isOver ? undefined : Math.min(nowMs + pauseMs(pollMs, tries), deadlineMs);
  return findingOf(id, known, { ...before, stageMs, tries, gaps, dueMs, writtenMs: nowMs }, []);
}

/** The service does not answer a request for a meeting that was named. */
export function settleUnanswered(id: string, known: Known, { pollMs }: Terms, nowMs: number): Finding | undefined {
  const before = known.memory ?? newMemory(known, nowMs);
  return findingOf(id, known, { ...before, dueMs: nowMs + pauseMs(pollMs, 1) }, []);
}

/** A memory that cannot be read may be that of a listed meeting, which must not be forgotten with all that is stored. */
function newMemory({ text }: Known, nowMs: number): Memory {
  const seen = text === undefined ? undefined : { status: "", start: "", title: null };
  const gaps = text === undefined ? [NOT_LISTED] : [];
  return { seen, row: "", stored: {}, gaps, firstMs: nowMs, stageMs: nowMs, tries: 0, writtenMs: nowMs, isGone: false };
}

/** The service no longer has the meeting. Should it return, everything that it lacks is requested. */
export const settleGone = (id: string, known: Known, memory: Memory, nowMs: number): Finding | undefined =>
  findingOf(id, known, { ...memory, gaps: [], dueMs: undefined, tries: 0, writtenMs: nowMs, isGone: true }, ["gone"]);

/** The meeting is not in the period of the run: what it lacks is requested when a later run lists it. */
export function settleOutside(id: string, known: Known): Finding | "forget" | undefined {
  const { memory } = known;
  if (memory === undefined) return undefined;
  return memory.seen === undefined ? "forget" : findingOf(id, known, { ...memory, dueMs: undefined }, []);
}
