/** Looks at a row of the list: what is new of its meeting, and what to remember of it. */
import { UnauthorizedError } from "../../errors/api-error.js";
import { isRateLimited } from "../../errors/is-temporary.js";
import type { Document } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import { type FetchedMeeting, fetchPieces } from "../fetch-meeting.js";
import type { MeetingClient } from "../pace.js";
import { type Missing, missingPiece, nameOf, type Piece, piecesOf, type WantedPieces } from "../pieces.js";
import type { MeetingRow } from "../received.js";
import { type Entry, type Open, printOf } from "./entry.js";
import { deadlineOf, endOf, isInWork, nextTry, startOf, windowStart } from "./when-to-ask.js";

export interface LookContext {
  readonly client: MeetingClient;
  readonly signal: AbortSignal;
  readonly pollMs: number;
  readonly settleMs: number;
  /** The wanted part of a meeting; `undefined` to leave it out. */
  readonly wantedOf: (meeting: Meeting, event: boolean) => Promise<WantedPieces | undefined>;
}

/** Why the row is looked at. */
export interface Occasion {
  /** An event has named the meeting. */
  readonly event?: boolean;
  /** The row is part of the history. */
  readonly history?: boolean;
  /** The connection broke at this meeting before: a piece of it that cannot be fetched must not stop all others. */
  readonly breaks?: boolean;
}

/**
 * What is still expected of a meeting. `open`: more may come. `last`: what is missing is given up now. `past`: it ended
 * long before the loop began, so that only what failed for a while is asked for again.
 */
type Stage = "open" | "last" | "past";

export interface Look {
  readonly row: MeetingRow;
  /** What was remembered when the look began. */
  readonly before: Entry | undefined;
  readonly entry: Entry;
  /** What is new, with all that exists; `undefined` if nothing is. */
  readonly item?: FetchedMeeting;
}

/** A piece that the database has may fail this often before the item is yielded without it. */
const MAX_POSTPONED = 5;

export async function lookAt(
  row: MeetingRow,
  before: Entry | undefined,
  { event: isNamed = false, history = false, breaks = false }: Occasion,
  context: LookContext,
): Promise<Look> {
  const { meeting } = row;
  const now = Date.now();
  // An event may name a meeting before the list has it.
  const isWaitedFor = before?.print === "";
  const known = isWaitedFor ? undefined : before;
  const event = isNamed || isWaitedFor;
  const wanted = known === undefined ? ((await context.wantedOf(meeting, event)) ?? false) : known.wanted;
  const place = { print: printOf(meeting), startMs: startOf(meeting, now), wanted };
  if (wanted === false) return { row, before, entry: place };

  const isChanged = known?.print !== place.print;
  if (known !== undefined && !isChanged && !event && !((known.open?.dueMs ?? Number.POSITIVE_INFINITY) <= now)) {
    return { row, before, entry: known };
  }
  const open = openOf(meeting, known, { isChanged, event, history, now }, context.settleMs);
  const isOver = deadlineOf(place, open, context.settleMs) <= now;
  const fetched = await fetchNews(row, wanted, isChanged ? undefined : (known?.open?.lacks ?? []), {
    ...context,
    endsRun: breaks ? (_, error) => error instanceof UnauthorizedError || isRateLimited(error) : undefined,
    asksAll: event || asksAll(meeting, place.startMs, now),
    isOver,
  });
  let stage: Stage = "open";
  if (isOver) stage = history ? "past" : "last";
  return { row, before, ...conclusion({ known, place, open, stage, fetched, event, now }, meeting, context) };
}

/** Before its start, only the row of a meeting is read. A failed meeting has no transcript. */
const asksAll = (meeting: Meeting, startMs: number, now: number) =>
  meeting.status !== "failed" && !(isInWork(meeting) && startMs > now);

interface Circumstances {
  readonly isChanged: boolean;
  readonly event: boolean;
  readonly history: boolean;
  readonly now: number;
}

/** The times that decide how long the meeting is kept. */
function openOf(
  meeting: Meeting,
  known: Entry | undefined,
  { isChanged, event, history, now }: Circumstances,
  settleMs: number,
): Open {
  const earlier = known?.open;
  const firstSeenMs = earlier?.firstSeenMs ?? now;
  const tries = isChanged || event ? 0 : (earlier?.tries ?? 0);
  const rest = { lacks: [], firstSeenMs, tries, dueMs: now, postponed: earlier?.postponed ?? 0 };
  if (isInWork(meeting)) return { ...rest, completedMs: undefined };
  const seenMs = history ? Math.min(now, endOf(meeting, now)) : now;
  // A change or an event begins the time anew if it had passed.
  const isOver = earlier !== undefined && known !== undefined && deadlineOf(known, earlier, settleMs) <= now;
  const restarts = earlier?.dueMs === Number.POSITIVE_INFINITY || (isOver && (isChanged || event));
  return { ...rest, completedMs: (restarts ? undefined : earlier?.completedMs) ?? seenMs };
}

interface FetchNews extends LookContext {
  /** Whether the transcript and the documents are requested whatever the status says. */
  readonly asksAll: boolean;
  /** Whether this is the last time that what is missing is requested. */
  readonly isOver: boolean;
  readonly endsRun: Parameters<typeof fetchPieces>[4];
}

/** What was fetched. Without news, `item` is `undefined`. */
interface Fetched {
  readonly missing: readonly Missing[];
  readonly item?: Omit<FetchedMeeting, "missing">;
}

/** `lacks` are the missing pieces of a meeting whose row is unchanged: they are requested before all others. */
async function fetchNews(
  row: MeetingRow,
  wanted: WantedPieces,
  lacks: readonly string[] | undefined,
  { client, signal, endsRun, asksAll, isOver }: FetchNews,
): Promise<Fetched> {
  const { meeting } = row;
  const all = piecesOf(asksAll ? { ...row, meeting: { ...meeting, status: "completed" } } : row, wanted);
  const pieces = asksAll || meeting.status === "failed" ? all.pieces : [];
  const isLacking = (piece: Piece) => lacks?.includes(nameOf(piece)) ?? true;
  const first = await fetchPieces(client, meeting.id, pieces.filter(isLacking), signal, endsRun);
  const isGained = pieces.some((piece) => isLacking(piece) && !lackOf(first.missing, nameOf(piece)));
  const early = pieces.length > 0 ? [] : all.pieces.map((piece): Missing => ({ what: nameOf(piece), ...NOT_BEGUN }));
  const missing = [...all.missing, ...early, ...first.missing];
  if (lacks !== undefined && !isGained && !(isOver && lacks.length > 0)) return { missing };

  const others = pieces.filter((piece) => !isLacking(piece));
  const rest = await fetchPieces(client, meeting.id, others, signal, endsRun);
  return {
    missing: [...missing, ...rest.missing],
    item: {
      meeting,
      transcript: first.transcript ?? rest.transcript,
      documents: inOrderOf(pieces, [...first.documents, ...rest.documents]),
    },
  };
}

const NOT_BEGUN = { reason: "not_ready", retryable: true, message: "the meeting has not taken place" } as const;

function inOrderOf(pieces: readonly Piece[], documents: readonly Document[]): Document[] {
  const names = pieces.map(nameOf);
  const placeOf = ({ id, format }: Document) => names.indexOf(nameOf({ kind: "document", id, format } as Piece));
  return [...documents].sort((one, other) => placeOf(one) - placeOf(other));
}

/** Why the piece is not there. An invalid piece was received. */
const lackOf = (missing: readonly Missing[], name: string): Missing | undefined =>
  missing.find(({ what, reason }) => what === name && reason !== "invalid");

interface Findings extends Pick<Circumstances, "event" | "now"> {
  readonly known: Entry | undefined;
  readonly place: Omit<Entry, "open">;
  readonly open: Open;
  readonly stage: Stage;
  readonly fetched: Fetched;
}

/** What to remember, and what to yield. */
function conclusion(findings: Findings, meeting: Meeting, context: LookContext): Pick<Look, "entry" | "item"> {
  const { known, place, open, stage, fetched, event, now } = findings;
  if (known !== undefined && isHeldBack(findings)) {
    const lacks = known.open?.lacks ?? [];
    const postponed = (open.postponed ?? 0) + 1;
    return { entry: { ...known, open: { ...triedLater(findings, open, meeting, context), lacks, postponed } } };
  }

  const isKept = stage !== "past" && (meeting.status !== "failed" || event);
  const expected = fetched.missing.map((one) => (isKept ? asExpected(one) : one));
  const missing = stage === "last" ? expected.map(asGivenUp) : expected;
  const lacks = expected.filter(({ retryable }) => retryable).map(({ what }) => what);
  const completedMs = stage === "past" ? now : open.completedMs;
  const left = { ...open, lacks, completedMs, postponed: 0 };
  const entry = { ...place, open: remembered(findings, left, meeting, context) };
  if (fetched.item === undefined) return { entry };
  return { entry, item: { ...fetched.item, missing: missing.map((one) => missingPiece(meeting, one)) } };
}

/** Whether a piece that the database has fails for a while: the item waits, so that it does not come without it. */
function isHeldBack({ known, open, stage, fetched }: Findings): boolean {
  const lacked = known?.open?.lacks ?? [];
  const fails = ({ what, reason, retryable }: Missing) => reason === "failed" && retryable && !lacked.includes(what);
  return stage === "open" && (open.postponed ?? 0) < MAX_POSTPONED && fetched.missing.some(fails);
}

/** The missing pieces are requested again after a pause. Before its start, only the row of a meeting is read. */
function triedLater({ place, now }: Findings, open: Open, meeting: Meeting, { pollMs, settleMs }: LookContext): Open {
  const tries = open.tries + 1;
  const isEarly = isInWork(meeting) && place.startMs > now;
  const dueMs = nextTry(tries, now, deadlineOf(place, open, settleMs), pollMs, settleMs);
  return { ...open, tries, dueMs: isEarly ? place.startMs : dueMs };
}

/** `undefined` if no more is expected, and the polls show it if the row changes. */
function remembered(findings: Findings, open: Open, meeting: Meeting, context: LookContext): Open | undefined {
  const { place, stage } = findings;
  const isLacking = open.lacks.length > 0;
  if (stage === "last") return isLacking ? { ...open, dueMs: Number.POSITIVE_INFINITY } : undefined;
  const leavesWindow = windowStart((open.completedMs ?? 0) + context.settleMs, context.settleMs) > place.startMs;
  const isExpected = isLacking || (stage === "open" && (isInWork(meeting) || leavesWindow));
  return isExpected ? triedLater(findings, open, meeting, context) : undefined;
}

/** While a meeting is kept, a 404 means "not yet". */
const asExpected = (missing: Missing): Missing =>
  missing.reason === "not_found" ? { ...missing, reason: "not_ready", retryable: true } : missing;

const asGivenUp = (missing: Missing): Missing => ({
  ...missing,
  reason: missing.reason === "not_ready" ? "not_found" : missing.reason,
  retryable: false,
});
