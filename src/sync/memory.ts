/** What the engine remembers of a meeting, and of an account, and the texts of it that a store keeps. */
import * as z from "zod/mini";
import { digest } from "../json/digest.js";
import { parseJson } from "../json/parse-json.js";
import { listPositionShape } from "./meeting-list.js";
import { gapShape } from "./pieces.js";

/** The memory of a meeting that was removed by `forgetMeetings`. It is never examined again. */
export const FORGOTTEN = "forgotten";

/** Times are in milliseconds since 1970. */
const memorySchema = z.object({
  v: z.literal(2),
  /** What the list has shown last; absent: an event has named the meeting, and the list does not have it yet. */
  seen: z.optional(z.object({ status: z.string(), start: z.string(), title: z.nullable(z.string()) })),
  /** The digest of what makes a row news, of the stored row: see `rowDigest`. Empty if the store has refused the first. */
  row: z.string(),
  /**
   * The names of the stored pieces, each with two digests: of the facts of the row for which it was requested, and of its
   * content. The first is empty if the content was not whole, or an empty transcript.
   */
  stored: z.record(z.string(), z.tuple([z.string(), z.string()])),
  /** What is wanted, and not stored as the row has it now. */
  gaps: z.array(z.object(gapShape())),
  /** When the meeting was first seen, or its id first named. */
  firstMs: z.number(),
  /** When it got its present status, or returned: what is missing is given up `settleMs` later. */
  stageMs: z.number(),
  /** How many times in a row something was requested in vain. */
  tries: z.number(),
  /** When what is missing is requested again; absent: not by itself. */
  dueMs: z.optional(z.number()),
  writtenMs: z.number(),
  /** The service no longer has the meeting. */
  isGone: z.boolean(),
});

export type Memory = Readonly<Omit<z.output<typeof memorySchema>, "v">>;

/** A memory, and its text as the store has it. */
export interface Known {
  readonly text: string | undefined;
  /** `undefined`: there is none, or it cannot be read. */
  readonly memory: Memory | undefined;
}

/** Equal memories have equal texts. */
export function formatMemory(memory: Memory): string {
  const { seen, row, stored, gaps, firstMs, stageMs, tries, dueMs, writtenMs, isGone } = memory;
  const sorted = Object.fromEntries(Object.entries(stored).sort(([left], [right]) => (left < right ? -1 : 1)));
  return JSON.stringify({ v: 2, seen, row, stored: sorted, gaps, firstMs, stageMs, tries, dueMs, writtenMs, isGone });
}

/** The memory that {@link formatMemory} wrote. A text that cannot be read counts as none. */
export const parseMemory = (text: string | undefined): Known => ({
  text,
  memory: z.safeParse(memorySchema, parseJson(text ?? "")).data,
});

export const shortDigest = (text: string): string => digest(text).toString(36);

const number = z.optional(z.number());
/** Where a reading of the list is, and when it began. */
const positionSchema = z.object({ ...listPositionShape(), beganMs: z.number() });

/** What is remembered of an account. Times are in milliseconds since 1970. */
const stateSchema = z.object({
  v: z.literal(2),
  /** The period and the formats of the latest full pass: other ones begin a new pass. */
  scope: z.string(),
  /** The full pass that is under way. */
  pass: z.optional(positionSchema),
  /** When the latest full pass began that was completed; absent: the history has not been read. */
  passedMs: number,
  /**
   * The search for what is gone, which follows the pass that began then. `after`: it continues after this id. `isOfMarked`:
   * it asks only for what is marked as gone, to remove it.
   */
  search: z.optional(
    z.object({ after: z.optional(z.string()), beganMs: z.number(), isOfMarked: z.optional(z.boolean()) }),
  ),
  /** Whether meetings may be marked as gone that were not removed. */
  hasMarked: z.optional(z.boolean()),
  /** When the latest search ended. */
  searchedMs: number,
  /** When the first pass began after which so many meetings were gone that it may have read another account. */
  doubtedMs: number,
  /** The poll that is under way: it reads what began at `fromMs` or later. */
  poll: z.optional(z.extend(positionSchema, { fromMs: z.number() })),
  /** When the last poll began that succeeded. */
  polledMs: number,
  /** Since when the list fails, and why. */
  failingMs: number,
  error: z.optional(z.string()),
});

export type SyncState = Readonly<Omit<z.output<typeof stateSchema>, "v">>;

/** A text that cannot be read counts as none. */
export const parseState = (text: string | undefined): SyncState =>
  z.safeParse(stateSchema, parseJson(text ?? "")).data ?? { scope: "" };

export const formatState = (state: SyncState): string => JSON.stringify({ ...state, v: 2 });
