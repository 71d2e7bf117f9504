/** What the engine remembers of a meeting, and the text of it that a store keeps. */
import * as z from "zod/mini";
import { digest } from "../json/digest.js";
import { parseJson } from "../json/parse-json.js";
import type { Meeting } from "../schemas/meeting.js";
import { type Gap, gapShape } from "./pieces.js";

/** Times are in milliseconds since 1970. */
export interface Memory {
  /** What the list said last: see {@link factsOf}. Empty: an id was named, and the list does not have it yet. */
  readonly facts: readonly string[];
  /** The digest of the stored row. */
  readonly row: string;
  /** Whether the stored row lists documents. */
  readonly isExpanded: boolean;
  readonly isGone: boolean;
  /** Whether an event or the caller has named the meeting, and the budget of the run was used up before it was read. */
  readonly isNamed: boolean;
  /** When the meeting was first seen, or its id first named. */
  readonly firstSeenMs: number;
  /** When the meeting was first seen with its present status. */
  readonly statusSinceMs: number;
  /** How many times in a row something missing was requested in vain. */
  readonly tries: number;
  /** When what is missing is requested again; `undefined`: not by itself. */
  readonly dueMs: number | undefined;
  /** The documents of the meeting, each with the digest of its title and date. */
  readonly documents: ReadonlyMap<string, string>;
  /** The names of the stored pieces, each with the digest of its content. */
  readonly stored: ReadonlyMap<string, string>;
  readonly missing: readonly Gap[];
}

/** A memory, and its text as the store has it. */
export interface KnownMemory {
  readonly text: string | undefined;
  /** `undefined`: there is none, or it cannot be read. */
  readonly memory: Memory | undefined;
}

const pairs = z.array(z.tuple([z.string(), z.string()]));

const memorySchema = z.object({
  v: z.literal(1),
  facts: z.array(z.string()),
  row: z.string(),
  expanded: z.optional(z.literal(true)),
  gone: z.optional(z.literal(true)),
  named: z.optional(z.literal(true)),
  firstSeen: z.number(),
  statusSince: z.number(),
  tries: z.number(),
  due: z.optional(z.number()),
  documents: pairs,
  stored: pairs,
  missing: z.array(z.object(gapShape())),
});

export function formatMemory(memory: Memory): string {
  return JSON.stringify({
    v: 1,
    facts: memory.facts,
    row: memory.row,
    expanded: memory.isExpanded || undefined,
    gone: memory.isGone || undefined,
    named: memory.isNamed || undefined,
    firstSeen: memory.firstSeenMs,
    statusSince: memory.statusSinceMs,
    tries: memory.tries,
    due: memory.dueMs,
    documents: [...memory.documents],
    stored: [...memory.stored],
    missing: memory.missing,
  });
}

/** The memory that {@link formatMemory} wrote. A text that cannot be read counts as none. */
export function parseMemory(text: string | undefined): KnownMemory {
  const { data } = z.safeParse(memorySchema, parseJson(text ?? ""));
  if (data === undefined) return { text, memory: undefined };
  const {
    facts,
    row,
    expanded = false,
    gone = false,
    named = false,
    firstSeen,
    statusSince,
    tries,
    due,
    documents,
    stored,
    missing,
  } = data;
  const memory = {
    facts,
    row,
    isExpanded: expanded,
    isGone: gone,
    isNamed: named,
    firstSeenMs: firstSeen,
    statusSinceMs: statusSince,
    tries,
    dueMs: due,
    documents: new Map(documents),
    stored: new Map(stored),
    missing,
  };
  return { text, memory };
}

export const shortDigest = (text: string): string => digest(text).toString(36);

/** The fields of a row whose change is news: its status, its times, and its title. */
export const factsOf = ({ status, start_time, end_time, title }: Meeting): string[] => [
  status,
  start_time,
  end_time ?? "",
  title ?? "",
];

/** Whether the list has shown the meeting. */
export const isListed = (memory: Memory): boolean => memory.facts.length > 0;

export const statusOf = ({ facts }: Memory): string | undefined => facts[0];

export const startTimeOf = ({ facts }: Memory): string => facts[1] ?? "";

export const rememberedTitle = ({ facts }: Memory): string | null => facts[3] || null;
