/** What the engine remembers of a meeting, and of an account, and the texts of it that a store keeps. */
import { digest } from "../json/digest.js";
import { isRecord } from "../json/is-record.js";
import { parseJson } from "../json/parse-json.js";
import type { ListPosition } from "./meeting-list.js";
import type { Gap } from "./pieces.js";

/** The memory of a meeting that was removed by `forgetMeetings`. It is never examined again. */
export const FORGOTTEN = "forgotten";
/** The version of the texts. One of another version counts as none. */
const VERSION = 3;

/** A part of a meeting: its row, or a piece. Times are in milliseconds since 1970. */
export interface Part {
  /** The digest of the facts of the row for which it was requested last: with others it is wanted anew. Empty: it was not. */
  readonly of: string;
  /** The digest of what is stored; absent: nothing. */
  readonly content?: string | undefined;
  /** What is stored is not all of it. */
  readonly isPartial?: boolean | undefined;
  /** Why it is missing, or why a newer one is. */
  readonly gap?: Gap | undefined;
  /** Since when, and how many times, it was requested in vain. */
  readonly sinceMs?: number | undefined;
  readonly tries?: number | undefined;
  /** When it is requested again; absent: when the list shows its row again, if the gap is `retryable`. */
  readonly dueMs?: number | undefined;
}

export interface Memory {
  /** What the list has shown last; absent: an event has named the meeting, and the list does not have it yet. */
  readonly seen?: { readonly start: string; readonly title: string | null } | undefined;
  /** `meeting` is the row. The others have the names of their pieces. */
  readonly parts: Readonly<Record<string, Part>>;
  /** When the meeting was first seen, or its id first named. */
  readonly firstMs: number;
  readonly writtenMs: number;
  /** A request by its id has not shown the meeting: the next one waits until then, unless the list shows its row. */
  readonly unlistedUntilMs?: number | undefined;
  /** The service no longer has the meeting. */
  readonly isGone: boolean;
}

/** A memory, and its text as the store has it. */
export interface Known {
  readonly text: string | undefined;
  /** `undefined`: there is none, or it cannot be read. */
  readonly memory: Memory | undefined;
}

/** When the meeting is to be requested by its id; `undefined`: nothing of it is due. */
export function dueMsOf({ parts, unlistedUntilMs = 0 }: Memory): number | undefined {
  const times = Object.values(parts).flatMap(({ dueMs }) => dueMs ?? []);
  return times.length === 0 ? undefined : Math.max(Math.min(...times), unlistedUntilMs);
}

export const shortDigest = (text: string): string => digest(text).toString(36);

/** A reading of the list: of the newest meetings, or of all. */
export type Lane = "poll" | "pass";

/** Where a reading of the list is, and when it began. */
interface PollState extends ListPosition {
  readonly beganMs: number;
}

/** A full pass. When its list has ended, what it has not shown is searched by ids. */
export interface PassState extends PollState {
  /** Ids that the list has shown last. */
  readonly proofs: readonly string[];
  /** The search continues after this id. */
  readonly after?: string | undefined;
}

/** Why a reading of the list, or a search of the pass, cannot get beyond a page. */
export interface LaneFailure {
  readonly page: number;
  /** Absent: the service has only asked for a pause. */
  readonly sinceMs?: number | undefined;
  readonly error: string;
}

/** What is remembered of an account. Times are in milliseconds since 1970. */
export interface SyncState {
  /** The options of the latest full pass: other ones begin a new pass. */
  readonly scope: string;
  /** The readings that are under way. */
  readonly poll?: PollState | undefined;
  readonly pass?: PassState | undefined;
  /** When the last poll began that succeeded. */
  readonly polledMs?: number | undefined;
  /** When the latest full pass began that was completed; absent: the history has not been read. */
  readonly passedMs?: number | undefined;
  /** When the latest search for what is gone ended. */
  readonly searchedMs?: number | undefined;
  /** When the first pass began after which so many meetings were gone that it may have read another account. */
  readonly doubtedMs?: number | undefined;
  readonly failures?: Readonly<Partial<Record<Lane, LaneFailure | undefined>>> | undefined;
}

export const formatMemory = (memory: Memory): string => JSON.stringify({ ...memory, v: VERSION });
export const formatState = (state: SyncState): string => JSON.stringify({ ...state, v: VERSION });

/** A text that cannot be read counts as none. */
export const parseMemory = (text: string | undefined): Known => ({ text, memory: parsed<Memory>(text) });
export const parseState = (text: string | undefined): SyncState => parsed<SyncState>(text) ?? { scope: "" };

function parsed<T>(text: string | undefined): T | undefined {
  const value = parseJson(text ?? "");
  return isRecord(value) && value.v === VERSION ? (value as T) : undefined;
}
