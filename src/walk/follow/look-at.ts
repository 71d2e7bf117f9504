/** Looks at a row of the list: what is new of its meeting, and what to remember of it. */
import type { Document } from "../../schemas/document.js";
import {
  type Missing,
  missingPiece,
  NOT_BEGUN,
  nameOf,
  type Piece,
  piecesOf,
  type WantedPieces,
} from "../../sync/pieces.js";
import type { MeetingRow } from "../../sync/received.js";
import { type FetchedMeeting, fetchPieces } from "../fetch-meeting.js";
import { type Entry, type Open, printOf } from "./entry.js";
import type { FollowPlan } from "./follow-plan.js";
import { deadlineOf, endOf, isInWork, startOf, triedAgain, windowStart } from "./when-to-ask.js";

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
  readonly entry: Entry;
  /** What is new, with all that exists; `undefined` if nothing is. */
  readonly item?: FetchedMeeting;
}

/** A row that may have news, and what is known of its meeting. */
interface Sighting extends Required<Occasion> {
  readonly row: MeetingRow;
  /** The entry so far; `undefined` for a new meeting. */
  readonly known: Entry | undefined;
  readonly isChanged: boolean;
  /** Whether the meeting has not begun: then only its row is read, unless an event names it. */
  readonly isEarly: boolean;
  /** The entry of the row. */
  readonly place: { readonly print: string; readonly startMs: number; readonly wanted: WantedPieces };
  readonly now: number;
}

/** A piece that the database has may fail this often before the item is yielded without it. */
const MAX_POSTPONED = 5;

/** `before` is what is remembered of the meeting. */
export async function lookAt(
  row: MeetingRow,
  before: Entry | undefined,
  { event: isNamed = false, history = false, breaks = false }: Occasion,
  plan: FollowPlan,
): Promise<Look> {
  const { meeting } = row;
  const now = Date.now();
  // An event may name a meeting before the list has it.
  const isWaitedFor = before?.print === "";
  const known = isWaitedFor ? undefined : before;
  const event = isNamed || isWaitedFor;
  const wanted = known === undefined ? await plan.wantedOf(meeting, event) : known.wanted;
  const print = printOf(meeting);
  const startMs = startOf(meeting, now);
  if (wanted === false) return { entry: { print, startMs, wanted } };

  const isChanged = known?.print !== print;
  const isDue = known?.open !== undefined && known.open.dueMs <= now;
  if (known !== undefined && !isChanged && !event && !isDue) return { entry: known };
  const isEarly = isInWork(meeting) && startMs > now;
  const place = { print, startMs, wanted };
  const sighting = { row, known, isChanged, isEarly, place, event, history, breaks, now };
  const open = openOf(sighting, plan);
  const isOver = deadlineOf(startMs, open, plan) <= now;
  const fetched = await fetchNews(sighting, isOver, plan);
  let stage: Stage = "open";
  if (isOver) stage = history ? "past" : "last";
  return conclusion({ ...sighting, open, stage, fetched }, plan);
}

/** The times that decide how long the meeting is kept. */
function openOf({ row, known, isChanged, event, history, now }: Sighting, plan: FollowPlan): Open {
  const { meeting } = row;
  const earlier = known?.open;
  const firstSeenMs = earlier?.firstSeenMs ?? now;
  const tries = isChanged || event ? 0 : (earlier?.tries ?? 0);
  const rest = { lacks: [], firstSeenMs, tries, dueMs: now, postponed: earlier?.postponed ?? 0 };
  if (isInWork(meeting)) return { ...rest, completedMs: undefined };
  const seenMs = history ? Math.min(now, endOf(meeting, now)) : now;
  // A change or an event begins the time anew if it had passed.
  const isOver = earlier !== undefined && known !== undefined && deadlineOf(known.startMs, earlier, plan) <= now;
  const restarts = earlier?.dueMs === Number.POSITIVE_INFINITY || (isOver && (isChanged || event));
  return { ...rest, completedMs: (restarts ? undefined : earlier?.completedMs) ?? seenMs };
}

/** What was fetched. Without news, `item` is `undefined`. */
interface Fetched {
  readonly missing: readonly Missing[];
  readonly item?: Omit<FetchedMeeting, "missing">;
}

/**
 * Of a meeting whose row is unchanged, the missing pieces are requested before all others. `isOver`: for the last time.
 */
async function fetchNews(sighting: Sighting, isOver: boolean, { client, signal }: FollowPlan): Promise<Fetched> {
  const { row, known, place, isChanged, isEarly, event, breaks } = sighting;
  const { meeting } = row;
  const readsRowOnly = isEarly && !event;
  // A failed meeting has no transcript.
  const asksAll = event || (meeting.status !== "failed" && !isEarly);
  const all = piecesOf(asksAll ? { ...row, meeting: { ...meeting, status: "completed" } } : row, place.wanted);
  const pieces = readsRowOnly ? [] : all.pieces;
  const early = readsRowOnly ? all.pieces.map((piece): Missing => ({ what: nameOf(piece), ...NOT_BEGUN })) : [];
  const lacks = isChanged ? undefined : (known?.open?.lacks ?? []);
  const isLacking = (piece: Piece) => lacks?.includes(nameOf(piece)) ?? true;
  const lacking = pieces.filter(isLacking);
  const first = await fetchPieces(client, meeting.id, lacking, signal, breaks);
  const isGained = lacking.some((piece) => isReceived(first.missing, nameOf(piece)));
  const missing = [...all.missing, ...early, ...first.missing];
  if (lacks !== undefined && !isGained && !(isOver && lacks.length > 0)) return { missing };

  const others = pieces.filter((piece) => !isLacking(piece));
  const rest = await fetchPieces(client, meeting.id, others, signal, breaks);
  return {
    missing: [...missing, ...rest.missing],
    item: {
      meeting,
      transcript: first.transcript ?? rest.transcript,
      documents: inOrderOf(pieces, [...first.documents, ...rest.documents]),
    },
  };
}

function inOrderOf(pieces: readonly Piece[], documents: readonly Document[]): Document[] {
  const names = pieces.map(nameOf);
  const placeOf = ({ id, format }: Document) => names.indexOf(nameOf({ kind: "document", id, format } as Piece));
  return [...documents].sort((one, other) => placeOf(one) - placeOf(other));
}

/** An invalid piece was received. */
const isReceived = (missing: readonly Missing[], name: string): boolean =>
  missing.every(({ what, reason }) => what !== name || reason === "invalid");

interface Findings extends Sighting {
  readonly open: Open;
  readonly stage: Stage;
  readonly fetched: Fetched;
}

/** What to remember, and what to yield. */
function conclusion(findings: Findings, plan: FollowPlan): Look {
  const { row, known, place, open, stage, fetched, event, now } = findings;
  const { meeting } = row;
  if (known !== undefined && isHeldBack(findings)) {
    const lacks = known.open?.lacks ?? [];
    const held = { ...open, lacks, postponed: open.postponed + 1 };
    return { entry: { ...known, open: triedLater(findings, held, plan) } };
  }

  const isKept = stage !== "past" && (meeting.status !== "failed" || event);
  const expected = fetched.missing.map((one) => (isKept ? asExpected(one) : one));
  const missing = stage === "last" ? expected.map(asGivenUp) : expected;
  const lacks = expected.filter(({ retryable }) => retryable).map(({ what }) => what);
  const completedMs = stage === "past" ? now : open.completedMs;
  const left = { ...open, lacks, completedMs, postponed: 0 };
  const entry = { ...place, open: remembered(findings, left, plan) };
  if (fetched.item === undefined) return { entry };
  return { entry, item: { ...fetched.item, missing: missing.map((one) => missingPiece(meeting, one)) } };
}

/** Whether a piece that the database has fails for a while: the item waits, so that it does not come without it. */
function isHeldBack({ known, open, stage, fetched }: Findings): boolean {
  const lacked = known?.open?.lacks ?? [];
  const fails = ({ what, reason, retryable }: Missing) => reason === "failed" && retryable && !lacked.includes(what);
  return stage === "open" && open.postponed < MAX_POSTPONED && fetched.missing.some(fails);
}

/** The missing pieces are requested again after a pause, and not before the meeting begins. */
function triedLater({ place, isEarly, now }: Findings, open: Open, plan: FollowPlan): Open {
  const later = triedAgain(place.startMs, open, now, plan);
  return isEarly ? { ...later, dueMs: place.startMs } : later;
}

/** `undefined` if no more is expected, and the polls show it if the row changes. */
function remembered(findings: Findings, open: Open, plan: FollowPlan): Open | undefined {
  const { row, place, stage } = findings;
  const { settleMs } = plan;
  const isLacking = open.lacks.length > 0;
  if (stage === "last") return isLacking ? { ...open, dueMs: Number.POSITIVE_INFINITY } : undefined;
  const leavesWindow = windowStart((open.completedMs ?? 0) + settleMs, settleMs) > place.startMs;
  const isExpected = isLacking || (stage === "open" && (isInWork(row.meeting) || leavesWindow));
  return isExpected ? triedLater(findings, open, plan) : undefined;
}

/** While a meeting is kept, a 404 means "not yet". */
const asExpected = (missing: Missing): Missing =>
  missing.reason === "not_found" ? { ...missing, reason: "not_ready", retryable: true } : missing;

const asGivenUp = (missing: Missing): Missing => ({
  ...missing,
  reason: missing.reason === "not_ready" ? "not_found" : missing.reason,
  retryable: false,
});
