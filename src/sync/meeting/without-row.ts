/** Decides what to write of a meeting without a row of the list. Pure functions. */
import { type Finding, findingOf, givenUp } from "./finding.js";
import { isListed, type KnownMemory, type Memory, startTimeOf, statusOf } from "./memory.js";
import { deadlineOf, nextTryMs, type Patience } from "./patience.js";
import type { Gap } from "./pieces.js";

const NOT_LISTED: Gap = {
  what: "meeting",
  reason: "not_ready",
  retryable: true,
  message: "the meeting list does not have it yet",
};

const NOT_READ: Gap = { ...NOT_LISTED, message: "it has not been requested yet" };

/** What is remembered of a meeting, or of an id that is named for the first time. */
function memoryOf({ text, memory }: KnownMemory, nowMs: number): Memory {
  // A memory that cannot be read may be that of a listed meeting, which must not be forgotten with all that is stored.
  const facts = text === undefined ? [] : ["", "", "", ""];
  const flags = { isExpanded: false, isGone: false, isNamed: false };
  const nothing = { documents: new Map(), stored: new Map(), missing: [NOT_LISTED] };
  const times = { firstSeenMs: nowMs, statusSinceMs: nowMs, tries: 0, dueMs: nowMs };
  return memory ?? { facts, row: "", ...flags, ...nothing, ...times };
}

/** The budget was used up before the meeting was read that the caller has named: the next run reads it. */
export function concludeNamed(id: string, known: KnownMemory, nowMs: number): Finding | undefined {
  const memory = memoryOf(known, nowMs);
  if (memory.isGone) return undefined;
  const missing = isListed(memory) ? memory.missing : [NOT_READ];
  const after: Memory = { ...memory, isNamed: true, dueMs: nowMs, missing };
  return findingOf(id, known, after, { before: known.memory, changed: [] });
}

/**
 * The list does not have a meeting that was requested by its id. `"forget"`: it was named long ago, and has never been
 * listed.
 */
export function concludeAbsent(
  id: string,
  known: KnownMemory,
  event: boolean,
  nowMs: number,
  patience: Patience,
): Finding | "forget" | undefined {
  const present = memoryOf(known, nowMs);
  const isNamed = event || present.isNamed;
  if (present.isGone) return undefined;
  const stage = {
    status: statusOf(present) ?? "",
    startTime: startTimeOf(present),
    firstSeenMs: present.firstSeenMs,
    statusSinceMs: isNamed ? nowMs : present.statusSinceMs,
  };
  const deadlineMs = deadlineOf(stage, patience);
  const isOver = deadlineMs <= nowMs && present.tries > 0 && !isNamed;
  if (isOver && !isListed(present)) return "forget";
  const tries = (isNamed ? 0 : present.tries) + 1;
  const listed = isListed(present) ? present.missing : [NOT_LISTED];
  const missing = isOver ? listed.map(givenUp) : listed;
  const dueMs = isOver ? undefined : nextTryMs(nowMs, tries, deadlineMs, patience);
  const after: Memory = { ...present, isNamed: false, statusSinceMs: stage.statusSinceMs, tries, missing, dueMs };
  return findingOf(id, known, after, { before: known.memory, changed: [] });
}

/** The service no longer has the meeting. */
export function concludeGone(id: string, known: KnownMemory, memory: Memory): Finding | undefined {
  const missing = memory.missing.map((lack) => ({ ...lack, retryable: false }));
  const after: Memory = { ...memory, isGone: true, dueMs: undefined, missing };
  return findingOf(id, known, after, { before: memory, changed: ["gone"] });
}

/** Something that was due at another time is due at this time. */
export function postponedTo(dueMs: number, id: string, known: KnownMemory, memory: Memory): Finding | undefined {
  return findingOf(id, known, { ...memory, dueMs }, { before: memory, changed: [] });
}

/** The meeting is not in the period of the run: it is not requested again by itself. */
export function concludeOutside(id: string, known: KnownMemory): Finding | "forget" | undefined {
  const { memory } = known;
  if (memory === undefined) return undefined;
  if (!isListed(memory)) return "forget";
  return findingOf(id, known, { ...memory, dueMs: undefined }, { before: memory, changed: [] });
}
