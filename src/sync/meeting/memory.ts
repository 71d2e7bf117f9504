/** What the engine remembers of a meeting, and the text of it that a store keeps. */
import * as z from "zod/mini";
import { digest } from "../../json/digest.js";
import { parseJson } from "../../json/parse-json.js";
import type { Meeting } from "../../schemas/meeting.js";
import { gapShape } from "./pieces.js";

const pairs = z.pipe(
  z.array(z.tuple([z.string(), z.string()])),
  z.transform((read): ReadonlyMap<string, string> => new Map(read)),
);

/** Times are in milliseconds since 1970. */
const memorySchema = z.object({
  v: z.literal(1),
  /** What the list said last: see {@link factsOf}. Empty: an id was named, and the list does not have it yet. */
  facts: z.array(z.string()),
  /** The digest of the stored row. */
  row: z.string(),
  /** Whether the stored row lists documents. */
  isExpanded: z.boolean(),
  isGone: z.boolean(),
  /** Whether an event or the caller has named the meeting, and the budget of the run was used up before it was read. */
  isNamed: z.boolean(),
  /** When the meeting was first seen, or its id first named. */
  firstSeenMs: z.number(),
  /** When the meeting was first seen with its present status. */
  statusSinceMs: z.number(),
  /** How many times in a row something missing was requested in vain. */
  tries: z.number(),
  /** When what is missing is requested again; absent: not by itself. */
  dueMs: z.optional(z.number()),
  /** The documents of the meeting, each with the digest of its title and date. */
  documents: pairs,
  /** The names of the stored pieces, each with the digest of its content. */
  stored: pairs,
  missing: z.readonly(z.array(z.object(gapShape()))),
});

export type Memory = Readonly<Omit<z.output<typeof memorySchema>, "v">>;

/** A memory, and its text as the store has it. */
export interface KnownMemory {
  readonly text: string | undefined;
  /** `undefined`: there is none, or it cannot be read. */
  readonly memory: Memory | undefined;
}

/** Equal memories have equal texts, so the order of the fields is fixed. */
export function formatMemory(memory: Memory): string {
  const { facts, row, isExpanded, isGone, isNamed, firstSeenMs, statusSinceMs, tries, dueMs, missing } = memory;
  const [documents, stored] = [[...memory.documents], [...memory.stored]];
  const state = { isExpanded, isGone, isNamed, firstSeenMs, statusSinceMs, tries, dueMs };
  return JSON.stringify({ v: 1, facts, row, ...state, documents, stored, missing });
}

/** The memory that {@link formatMemory} wrote. A text that cannot be read counts as none. */
export const parseMemory = (text: string | undefined): KnownMemory => ({
  text,
  memory: z.safeParse(memorySchema, parseJson(text ?? "")).data,
});

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
