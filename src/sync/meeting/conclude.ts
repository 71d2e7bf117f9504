/** Decides what to write of a meeting after its pieces were requested, and what to remember of it. Pure functions. */
import { orUndefined } from "../../json/or-undefined.js";
import type { Document } from "../../schemas/document.js";
import { idProblem } from "../../schemas/ids.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import type { FetchedPiece } from "./fetch-piece.js";
import { type ChangedPart, type Finding, findingOf, givenUp } from "./finding.js";
import { factsOf, type Memory, shortDigest, statusOf } from "./memory.js";
import { listedDocuments, type News, waitsForStart } from "./news.js";
import { deadlineOf, nextTryMs, type Patience } from "./patience.js";
import { type Gap, invalidGap, nameOf, type Piece } from "./pieces.js";

/** What was received of each requested piece, by its name. A piece without an answer was not requested after all. */
export type Answers = ReadonlyMap<string, FetchedPiece>;

/** What the store refuses is requested at least so often: if it restarts twice, with a long stop between, nothing is lost. */
const FEWEST_REFUSALS = 5;

/** `undefined`: there is nothing to write. */
export function conclude(news: News, answers: Answers, nowMs: number, patience: Patience): Finding | undefined {
  const { row, known, before } = news;
  const { meeting } = row;
  const rowText = orUndefined(() => JSON.stringify(row.received)) ?? "";
  const rowDigest = shortDigest(rowText);
  const isRowNew = before?.row !== rowDigest;
  const listed = listedDocuments(row);
  const documentsGone = [...(before?.documents.keys() ?? [])].filter((id) => listed?.has(id) === false);
  const content = newContent(news, answers, documentsGone);
  const gaps = gapsAfter(news, answers, content.tooDeep);
  const { missing, ...times } = timesAfter(news, answers, gaps, nowMs, patience);

  const memory: Memory = {
    ...times,
    facts: factsOf(meeting),
    row: rowDigest,
    isExpanded: listed !== undefined,
    isGone: false,
    isNamed: false,
    documents: news.documents,
    stored: content.stored,
    missing,
  };
  const changed: ChangedPart[] = [...content.changed, ...documentsGone.map((document) => ({ document }))];
  if (before?.isGone) changed.unshift("gone");
  if (isRowNew) changed.unshift("meeting");
  const finding = findingOf(meeting.id, known, memory, { before, changed, row: row.received as Meeting });
  if (finding === undefined) return undefined;
  const { transcript, documents } = content;
  return {
    ...finding,
    item: {
      ...finding.item,
      ...(isRowNew && { meeting: row.received as Meeting }),
      ...(transcript !== undefined && { transcript }),
      documents,
      documentsGone,
    },
    size: content.size + rowText.length,
  };
}

/** The received content that differs from what is stored. */
function newContent({ pieces, before }: News, answers: Answers, documentsGone: readonly string[]) {
  const isOfGone = (name: string) => documentsGone.some((id) => name.startsWith(`document ${id} (`));
  const stored = new Map([...(before?.stored ?? [])].filter(([name]) => !isOfGone(name)));
  const changed: ChangedPart[] = [];
  const documents: Document[] = [];
  const tooDeep: string[] = [];
  let transcript: Transcript | undefined;
  let size = 0;
  for (const piece of pieces) {
    const name = nameOf(piece);
    const answer = answers.get(name) ?? {};
    const text = contentText(answer);
    if (text === undefined) tooDeep.push(name);
    if (!text || stored.get(name) === shortDigest(text)) continue;
    stored.set(name, shortDigest(text));
    size += text.length;
    transcript = answer.transcript ?? transcript;
    if (answer.document !== undefined) documents.push(answer.document);
    changed.push(piece.kind === "document" ? { document: piece.id } : piece.kind);
  }
  return { stored, changed, documents, transcript, tooDeep, size };
}

/** The received content as a text; empty if there is none, `undefined` if it cannot be written as JSON. */
function contentText({ transcript, document, recording }: FetchedPiece): string | undefined {
  if (recording !== undefined) return "recording";
  const content = transcript ?? document;
  // `JSON.stringify` is recursive, so it throws for a deeply nested value.
  return content === undefined ? "" : orUndefined(() => JSON.stringify(content));
}

const NOT_ASKED = { reason: "not_ready", retryable: true, message: "it has not been requested yet" } as const;
const TOO_DEEP = "it is nested too deeply to be written as JSON";

/** The pieces that are missing now, and the issue of the row. */
function gapsAfter(news: News, answers: Answers, tooDeep: readonly string[]): Gap[] {
  const { row, pieces } = news;
  const gaps: Gap[] = row.issue === undefined ? [] : [invalidGap("meeting", row.issue)];
  for (const piece of pieces) {
    const name = nameOf(piece);
    const answer = answers.get(name);
    const gap = answer === undefined ? gapWithoutAnswer(piece, name, news) : answer.missing;
    const problem = answer !== undefined && tooDeep.includes(name) ? invalidGap(name, TOO_DEEP) : gap;
    if (problem !== undefined) gaps.push(problem);
  }
  return gaps;
}

function gapWithoutAnswer(piece: Piece, name: string, { row, ask, before, restriction }: News): Gap | undefined {
  const { id, status } = row.meeting;
  if (idProblem("meetingId", id) !== undefined) {
    return invalidGap(name, `the id of the meeting cannot be sent: ${JSON.stringify(id)}`);
  }
  const gap = before?.missing.find(({ what }) => what === name);
  if (ask.includes(piece)) return { what: name, ...NOT_ASKED, isRefused: gap?.isRefused };
  const isOtherStatus = before !== undefined && statusOf(before) !== status;
  if (restriction === undefined || (gap !== undefined && !isOtherStatus)) return gap;
  return before?.stored.has(name) ? undefined : { what: name, ...restriction };
}

/** When something is requested again, and what is given up now. */
function timesAfter(news: News, answers: Answers, gaps: readonly Gap[], nowMs: number, patience: Patience) {
  const { known, before, event } = news;
  const { status, start_time } = news.row.meeting;
  const isNewStatus = before === undefined || statusOf(before) !== status;
  const firstSeenMs = known.memory?.firstSeenMs ?? nowMs;
  const deadlineSince = (statusSinceMs: number) =>
    deadlineOf({ status, startTime: start_time, firstSeenMs, statusSinceMs }, patience);
  const knownSinceMs = isNewStatus ? nowMs : before.statusSinceMs;
  const wasRefused = (name: string) => before?.missing.some(({ what, isRefused }) => isRefused && what === name);
  const isNewRefusal = gaps.some(({ what, isRefused }) => isRefused && answers.has(what) && !wasRefused(what));
  // An event says that something comes after all.
  const restarts = isNewRefusal || (event && deadlineSince(knownSinceMs) <= nowMs);
  const statusSinceMs = restarts ? nowMs : knownSinceMs;
  const triesBefore = isNewStatus || event || isNewRefusal ? 0 : before.tries;
  const isVain = gaps.some(({ what, retryable }) => retryable && answers.has(what));
  const isOver = isVain && deadlineSince(statusSinceMs) <= nowMs;
  const missing = gaps.map((gap) => {
    const isTried = answers.has(gap.what) && triesBefore >= (gap.isRefused ? FEWEST_REFUSALS : 1);
    return isOver && isTried ? givenUp(gap) : gap;
  });
  const tries = isVain ? triesBefore + 1 : triesBefore;
  const nextMs = nextTryMs(nowMs, tries, deadlineSince(statusSinceMs), patience);
  return {
    missing,
    firstSeenMs,
    statusSinceMs,
    tries,
    dueMs: dueAfter(news, answers, missing, { isVain, nowMs, nextMs }),
  };
}

function dueAfter(
  { ask, before }: News,
  answers: Answers,
  missing: readonly Gap[],
  { isVain, nowMs, nextMs }: { isVain: boolean; nowMs: number; nextMs: number },
): number | undefined {
  if (ask.some((piece) => !answers.has(nameOf(piece)))) return nowMs;
  if (!missing.some((gap) => gap.retryable && !waitsForStart(gap))) return undefined;
  const plannedMs = before?.dueMs !== undefined && before.dueMs > nowMs ? before.dueMs : nextMs;
  return isVain ? Math.min(nextMs, plannedMs) : plannedMs;
}
