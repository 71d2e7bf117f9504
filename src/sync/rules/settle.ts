/** The rules of one meeting, second half: what to write, and when to request it again. Pure functions. */
import { ASSUMED_NOTES_TITLE, type DocumentTitles } from "../../assumptions.js";
import { orUndefined } from "../../json/or-undefined.js";
import type { Document } from "../../schemas/document.js";
import { idProblem } from "../../schemas/ids.js";
import type { Meeting } from "../../schemas/meeting.js";
import { ACCEPTED, type FetchedPiece } from "../fetch-piece.js";
import { dueMsOf, formatMemory, type Known, type Memory, type Part, shortDigest } from "../memory.js";
import { pauseMs } from "../pauses.js";
import {
  documentOf,
  type Gap,
  invalidGap,
  isOfThisSide,
  type MissingPiece,
  missingPiece,
  withoutPieces,
} from "../pieces.js";
import { listedDocuments } from "../rows.js";
import type { MeetingChange, StoreItem } from "../store.js";
import { isDue, isWhole, type Look, listed, type RowLook, rowDigest, type Wanted, wantedPieces } from "./to-ask.js";

/** What came of a request: content, a gap, or both. `notBeforeMs`: the service has asked to wait until this time. */
export type Answer = FetchedPiece & { readonly notBeforeMs?: number };

/** By the names of the pieces. `meeting` has a gap if the store has refused the row. */
export type Answers = ReadonlyMap<string, Answer>;

/** What is to be written of a meeting. `change`: `undefined` if only the memory is new. */
export interface Finding {
  readonly item: StoreItem;
  readonly change: MeetingChange | undefined;
}

/** What to write after the pieces were requested. `undefined`: nothing. A piece without an answer was not requested. */
export function settle(look: RowLook, answers: Answers): Finding | undefined {
  const { row, known, terms, nowMs } = look;
  const { id, start_time, title = null } = row.meeting;
  const before = listed(known);
  const { parts, documentsGone } = partsAfter(look, answers);
  const hasNewContent = (name: string) => parts[name]?.content !== before?.parts[name]?.content;
  const changed = changedParts(Object.keys(parts).filter(hasNewContent));
  if (before?.isGone) changed.push("gone");
  changed.push(...documentsGone.map((document) => ({ document })));
  const firstMs = known.memory?.firstMs ?? nowMs;
  const memory = { seen: { start: start_time, title }, parts, firstMs, writtenMs: nowMs, isGone: false };
  const news = [...answers].filter(([name]) => hasNewContent(name)).map(([, answer]) => answer);
  const transcript = news.find((answer) => answer.transcript !== undefined)?.transcript;
  const documents = news.flatMap(({ document }) => document ?? []);
  const { recording, gap } = answers.get("recording") ?? {};
  const hasRecording = recording !== undefined || (gap?.reason === "not_found" ? false : undefined);
  return findingOf(id, known, memory, changed, row.received as Meeting, {
    ...(hasNewContent("meeting") && { meeting: row.received as Meeting }),
    ...(transcript !== undefined && { transcript }),
    ...(hasRecording !== undefined && { hasRecording }),
    documents,
    documentKinds: kindsOf(documents, terms.titles),
    documentsGone,
  });
}

/** The parts that are wanted, those that are stored and no longer wanted, and the documents that the row no longer lists. */
function partsAfter(look: RowLook, answers: Answers) {
  const before = listed(look.known);
  const parts: Record<string, Part> = { meeting: rowAfter(look, before?.parts.meeting, answers.get("meeting")?.gap) };
  for (const one of wantedPieces(look)) {
    const [earlier, answer] = [before?.parts[one.name], answers.get(one.name)];
    parts[one.name] = answer === undefined ? unanswered(look, one, earlier) : answered(look, one, earlier, answer);
  }
  const list = listedDocuments(look.row);
  const gone = new Set<string>();
  // What a run with `only` does not want may be due for others.
  const kept = look.terms.only === undefined ? storedParts(before) : (before?.parts ?? {});
  for (const [name, part] of Object.entries(kept).filter(([other]) => !(other in parts))) {
    const document = documentOf(name);
    const isListed = !list?.isWhole || list.documents.some(({ id }) => id === document);
    if (document === undefined || isListed) parts[name] = part;
    else if (part.content !== undefined) gone.add(document);
  }
  return { parts, documentsGone: [...gone] };
}

/** A document of which several formats are new counts once. */
function changedParts(names: readonly string[]): MeetingChange["changed"][number][] {
  const documents = new Set(names.flatMap((name) => documentOf(name) ?? []));
  const others = names.filter((name) => documentOf(name) === undefined) as ("meeting" | "transcript" | "recording")[];
  return [...others, ...[...documents].map((document) => ({ document }))];
}

/** The row after this look. One that the store has refused is written again when it is due. */
function rowAfter(look: RowLook, earlier: Part | undefined, rejection: Gap | undefined): Part {
  const { row } = look;
  const isSame = earlier?.of === rowDigest(row, earlier);
  if (isSame && !(earlier.gap?.retryable && isDue(earlier, look))) return earlier;
  const of = rowDigest(row, undefined);
  if (rejection !== undefined)
    return { of, content: earlier?.content, ...inVain(look, rejection, isSame ? earlier : undefined) };
  return { of, content: of, ...(row.issue !== undefined && { gap: invalidGap(row.issue) }) };
}

/** A piece that was not requested, or not yet. */
function unanswered({ row: { meeting }, nowMs }: RowLook, { of }: Wanted, earlier: Part | undefined): Part {
  const waits = withoutPieces(meeting.status);
  const isSettled = earlier?.of === of && (earlier.gap !== undefined || isWhole(earlier));
  // What is due of a meeting that is no longer completed has no time any more.
  if (isSettled && (waits === undefined || earlier.dueMs === undefined)) return earlier;
  const problem = idProblem("meetingId", meeting.id);
  if (problem !== undefined) return { of, gap: invalidGap(`the id of the meeting cannot be sent: ${problem}`) };
  const { content, isPartial } = earlier ?? {};
  return { of: "", content, isPartial, gap: waits ?? NOT_ASKED, ...(waits === undefined && { dueMs: nowMs }) };
}

function answered(look: RowLook, { of }: Wanted, earlier: Part | undefined, answer: Answer): Part {
  const text = contentText(answer);
  const replaces = Boolean(text) && !isLess(answer, earlier, of);
  const content = replaces && text !== undefined ? contentDigest(answer, text) : earlier?.content;
  const isSame = earlier?.of === of;
  const gap = text === undefined ? invalidGap(TOO_DEEP) : gapOfAnswer(answer, earlier, of);
  const waits = gap?.retryable ? withoutPieces(look.row.meeting.status) : undefined;
  if (waits !== undefined) return { of: "", content, isPartial: replaces || earlier?.isPartial, gap: waits };
  const trial = gap && inVain(look, gap, isSame ? earlier : undefined, answer.notBeforeMs);
  const isPartial = replaces ? trial?.gap !== undefined : earlier?.isPartial;
  return { of, content, isPartial: isPartial || undefined, ...trial };
}

/** The received content as a text; empty if there is none, `undefined` if it cannot be written as JSON. */
function contentText({ transcript, document, recording }: Answer): string | undefined {
  if (recording !== undefined) return "recording";
  const content = transcript ?? document;
  // `JSON.stringify` is recursive, so it throws for a deeply nested value.
  return content === undefined ? "" : orUndefined(() => JSON.stringify(content));
}

/** The digest of what says nothing. */
const EMPTY_CONTENT = "empty";

const contentDigest = (answer: Answer, text: string): string => (isEmpty(answer) ? EMPTY_CONTENT : shortDigest(text));

/** Whether a transcript or a document was received that says nothing, or whose content cannot be read. */
function isEmpty({ transcript, document }: Answer): boolean {
  if (transcript !== undefined) return transcript.segments.every(({ text }) => text === "");
  return document !== undefined && !document.content;
}

const hasText = (part: Part | undefined): boolean => part?.content !== undefined && part.content !== EMPTY_CONTENT;

/** No text is replaced by nothing. A whole one is replaced by a whole one alone, and a part by a part of a newer form. */
const isLess = (answer: Answer, earlier: Part | undefined, of: string): boolean =>
  hasText(earlier) && (isEmpty(answer) || (answer.gap !== undefined && (isWhole(earlier) || earlier?.of === of)));

const notReady = (message: string): Gap => ({ reason: "not_ready", retryable: true, message });
const EMPTY = /* @__PURE__ */ notReady("it is empty so far");
const EMPTIED = /* @__PURE__ */ invalidGap("it is empty now: what was read of it before is kept");
const NOT_ASKED = /* @__PURE__ */ notReady("it has not been requested yet");
const NOT_LISTED = /* @__PURE__ */ notReady("it is not in the list of meetings yet");
const TOO_DEEP = "it is nested too deeply to be written as JSON";

/** Why nothing was received, although the answer is whole. */
function gapOfEmpty(answer: Answer, earlier: Part | undefined, of: string): Gap | undefined {
  if (!isEmpty(answer) || (isWhole(earlier) && earlier?.of === of)) return undefined;
  return hasText(earlier) && !isWhole(earlier) ? EMPTIED : EMPTY;
}

function gapOfAnswer(answer: Answer, earlier: Part | undefined, of: string): Gap | undefined {
  const { gap = gapOfEmpty(answer, earlier, of) } = answer;
  if (gap === undefined) return undefined;
  if (gap.reason === "not_found") return { ...gap, reason: "not_ready", retryable: true };
  // Whatever fails is requested again. An invalid answer may be an odd one of many.
  const mayChange = gap.reason === "failed" || (gap.reason === "invalid" && !isOfThisSide(gap));
  return mayChange ? { ...gap, retryable: true } : gap;
}

/** What fails is tried so often at least: a run that starts once a day may meet an outage on two days. */
const FEWEST_TRIES = 5;

/**
 * A part was requested in vain: it is due after a pause that doubles, until `settleMs` have passed. Then it is given up: at
 * once if the service says that it does not exist, else from the fifth try on.
 */
function inVain(
  { isNamed, terms: { pollMs, settleMs }, nowMs }: Look,
  gap: Gap,
  earlier: Part | undefined,
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

/** After a request by its id that has said nothing of the meeting: a pause as long as it is missing already, an hour at most. */
function laterMs(memory: Memory, { terms: { pollMs }, nowMs }: Look): number | undefined {
  const due = Object.values(memory.parts).filter(({ dueMs = nowMs + 1 }) => dueMs <= nowMs);
  if (due.length === 0) return memory.unlistedUntilMs;
  const sinceMs = Math.min(...due.map((part) => part.sinceMs ?? nowMs));
  return nowMs + Math.min(Math.max(nowMs - sinceMs, pollMs), pauseMs(pollMs, Number.POSITIVE_INFINITY));
}

/** The message of an error may name its request. */
const isSameButMessage = (left: Gap, right: Gap): boolean =>
  left.reason === right.reason && left.status === right.status && left.retryable === right.retryable;

const givenUp = (gap: Gap): Gap => ({
  ...gap,
  reason: gap.reason === "not_ready" ? "not_found" : gap.reason,
  retryable: false,
});

/** What is stored of a meeting, as it is remembered of parts that are not wanted now. A newer one will be wanted anew. */
function storedParts(before: Memory | undefined): Record<string, Part> {
  const parts = Object.entries(before?.parts ?? {}).filter(([, { content }]) => content !== undefined);
  const stored = ({ of, content, isPartial, gap }: Part) => ({ of: gap === undefined ? of : "", content, isPartial });
  return Object.fromEntries(parts.map(([name, part]) => [name, stored(part)]));
}

function kindsOf(documents: readonly Document[], titles: DocumentTitles): StoreItem["documentKinds"] {
  const texts = Object.entries({ ...titles, notes: ASSUMED_NOTES_TITLE }) as [keyof DocumentTitles | "notes", string][];
  const kinds = documents.flatMap(({ id, title }) => {
    const found = texts.find(([, text]) => String(title).toLowerCase().includes(text.toLowerCase()));
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
  changed: MeetingChange["changed"] = [],
  meeting?: Meeting,
  content: Pick<StoreItem, keyof typeof NO_CONTENT> & Partial<StoreItem> = NO_CONTENT,
): Finding | undefined {
  const before = listed(known);
  const isSame = formatMemory({ ...memory, writtenMs: known.memory?.writtenMs ?? 0 }) === known.text;
  if (isSame && changed.length === 0) return undefined;
  const missing = missingOf(id, memory);
  const dueMs = dueMsOf(memory);
  const dueAt = dueMs === undefined ? undefined : new Date(dueMs);
  const written = { missing, isGone: memory.isGone, memory: formatMemory(memory), before: known.text, dueAt };
  const isNews = changed.length > 0 || JSON.stringify(missingOf(id, before)) !== JSON.stringify(missing);
  // An id that the list has never shown is no meeting of the store yet.
  const isReported = isNews && memory.seen !== undefined;
  const change = isReported ? { id, meeting, isNew: before === undefined, changed, missing } : undefined;
  return { item: { id, ...content, ...written }, change };
}

/** What is stored as a whole is missing only if the store has refused a newer one. */
export function missingOf(id: string, memory: Memory | undefined): MissingPiece[] {
  const meeting = { id, title: memory?.seen?.title ?? null };
  return Object.entries(memory?.parts ?? {}).flatMap(([name, part]) => {
    const { gap } = part;
    const isTold = gap !== undefined && (name === "meeting" || !isWhole(part) || isOfThisSide(gap));
    return isTold ? missingPiece(meeting, name, gap) : [];
  });
}

/** The service no longer has the meeting. Should it return, everything that it lacks is requested. */
export const settleGone = (id: string, known: Known, memory: Memory, nowMs: number): Finding | undefined =>
  findingOf(id, known, { ...memory, parts: storedParts(memory), writtenMs: nowMs, isGone: true }, ["gone"]);

/**
 * The list does not have a meeting that was requested by its id, or does not answer. What is due waits, an hour at most,
 * until a pass has found out whether the meeting is gone. Outside the period of the run, it is requested when a list shows
 * the meeting again. `"forget"`: it was named long ago, and has never been listed.
 */
export function settleUnlisted(id: string, look: Look, isOutside: boolean): Finding | "forget" | undefined {
  const { known, nowMs } = look;
  // A memory that cannot be read may be that of a listed meeting, which must not be forgotten with all that is stored.
  const seen = known.text === undefined ? undefined : { start: "", title: null };
  const before = known.memory ?? { seen, parts: {}, firstMs: nowMs, writtenMs: nowMs, isGone: false };
  if (before.seen !== undefined) {
    if (!isOutside) return findingOf(id, known, { ...before, unlistedUntilMs: laterMs(before, look) });
    const parts = Object.entries(before.parts).map(([name, { dueMs, ...part }]) => [name, part]);
    return findingOf(id, known, { ...before, parts: Object.fromEntries(parts) });
  }
  const trial = inVain(look, NOT_LISTED, before.parts.meeting);
  if (isOutside || !trial.gap?.retryable) return known.text === undefined ? undefined : "forget";
  return findingOf(id, known, { ...before, parts: { meeting: { of: "", ...trial } }, writtenMs: nowMs });
}
