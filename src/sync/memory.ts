/** What the engine remembers of a meeting, and of an account, and the texts of it that a store keeps. */
import * as z from "zod/mini";
import { digest } from "../json/digest.js";
import { parseJson } from "../json/parse-json.js";
import { listPositionShape } from "./meeting-list.js";
import { gapSchema } from "./pieces.js";

/** The memory of a meeting that was removed by `forgetMeetings`. It is never examined again. */
export const FORGOTTEN = "forgotten";

const number = z.optional(z.number());

/** A part of a meeting: its row, or a piece. Times are in milliseconds since 1970. */
const partSchema = z.object({
  /** The digest of the facts of the row for which it was requested last: with others it is wanted anew. Empty: it was not. */
  of: z.string(),
  /** The digest of what is stored; absent: nothing. */
  content: z.optional(z.string()),
  /** What is stored is not all of it. */
  isPartial: z.optional(z.boolean()),
  /** Why it is missing, or why a newer one is. */
  gap: z.optional(gapSchema()),
  /** Since when, and how many times, it was requested in vain. */
  sinceMs: number,
  tries: number,
  /** When it is requested again; absent: when the list shows the meeting again. */
  dueMs: number,
});

export type Part = Readonly<z.output<typeof partSchema>>;

const memorySchema = z.object({
  v: z.literal(3),
  /** What the list has shown last; absent: an event has named the meeting, and the list does not have it yet. */
  seen: z.optional(z.object({ start: z.string(), title: z.nullable(z.string()) })),
  /** `meeting` is the row. The others have the names of their pieces. */
  parts: z.record(z.string(), partSchema),
  /** When the meeting was first seen, or its id first named. */
  firstMs: z.number(),
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

export const formatMemory = (memory: Memory): string => JSON.stringify({ ...memory, v: 3 });

/** The memory that {@link formatMemory} wrote. A text that cannot be read counts as none. */
export function parseMemory(text: string | undefined): Known {
  const { data } = z.safeParse(memorySchema, parseJson(text ?? ""));
  if (data === undefined) return { text, memory: undefined };
  const { v, ...memory } = data;
  return { text, memory };
}

/** When something of the meeting is due; `undefined`: nothing. */
export function dueMsOf({ parts }: Memory): number | undefined {
  const times = Object.values(parts).flatMap(({ dueMs }) => dueMs ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}

export const shortDigest = (text: string): string => digest(text).toString(36);

/** Where a reading of the list is, and when it began. `fromMs`: a poll reads what began at this time or later. */
const positionSchema = z.object({ ...listPositionShape(), beganMs: z.number(), fromMs: number });

/** What is remembered of an account. Times are in milliseconds since 1970. */
const stateSchema = z.object({
  v: z.literal(3),
  /** The options of the latest full pass: other ones begin a new pass. */
  scope: z.string(),
  /** The readings that are under way. */
  poll: z.optional(positionSchema),
  pass: z.optional(positionSchema),
  /** When the last poll began that succeeded. */
  polledMs: number,
  /** When the latest full pass began that was completed; absent: the history has not been read. */
  passedMs: number,
  /** The search for what is gone, which follows the pass that began then. `after`: it continues after this id. */
  search: z.optional(z.object({ after: z.optional(z.string()), beganMs: z.number() })),
  /** When the latest search ended. */
  searchedMs: number,
  /** When the first pass began after which so many meetings were gone that it may have read another account. */
  doubtedMs: number,
  /** Since when the list fails, and why. */
  failingMs: number,
  error: z.optional(z.string()),
});

export type SyncState = Readonly<Omit<z.output<typeof stateSchema>, "v">>;

/** A text that cannot be read counts as none. */
export const parseState = (text: string | undefined): SyncState =>
  z.safeParse(stateSchema, parseJson(text ?? "")).data ?? { scope: "" };

export const formatState = (state: SyncState): string => JSON.stringify({ ...state, v: 3 });
