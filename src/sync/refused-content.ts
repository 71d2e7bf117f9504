/** What is written of a meeting whose content the store has refused. */
import type { DocumentFormat } from "../schemas/document.js";
import type { Finding } from "./finding.js";
import { formatMemory, parseMemory, rememberedTitle, startTimeOf, statusOf } from "./memory.js";
import { deadlineOf, nextTryMs, type Patience } from "./patience.js";
import { type Gap, invalidGap, type MissingPiece, missingPiece, nameOf, type Piece } from "./pieces.js";

const REFUSED = "the store has refused it: ";
/** After a long stop, the time is over at once: a store that restarts twice must not lose anything. */
const FEWEST_TRIES = 5;

/**
 * The row alone, with its new pieces as missing; `undefined` if there are none. They are requested again for a time: a
 * store that restarts may refuse what it takes later.
 */
export function withoutContent(
  { item, change, size }: Finding,
  message: string,
  nowMs: number,
  patience: Patience,
): Finding | undefined {
  const { memory } = parseMemory(item.memory);
  const { transcript, documents, ...rest } = item;
  const pieces: Piece[] = documents.map(({ id, format }) => ({
    kind: "document",
    id,
    format: format as DocumentFormat,
  }));
  if (transcript !== undefined) pieces.unshift({ kind: "transcript" });
  if (memory === undefined || change === undefined || pieces.length === 0) return undefined;
  const names = pieces.map(nameOf);
  const before = parseMemory(item.before).memory;
  const isFirst = !before?.missing.some((gap) => names.includes(gap.what) && isRefused(gap));
  const statusSinceMs = isFirst ? nowMs : memory.statusSinceMs;
  const stage = { ...memory, status: statusOf(memory) ?? "", startTime: startTimeOf(memory), statusSinceMs };
  const deadlineMs = deadlineOf(stage, patience);
  const isOver = !isFirst && deadlineMs <= nowMs && memory.tries >= FEWEST_TRIES;
  const tries = isFirst ? 1 : memory.tries + 1;
  const nextMs = isOver ? undefined : nextTryMs(nowMs, tries, deadlineMs, patience);
  const refused = names.map((name) => (isOver ? invalidGap(name, REFUSED + message) : refusedGap(name, message)));
  const isOther = ({ what }: Gap) => !names.includes(what);
  const missing = [...memory.missing.filter(isOther), ...refused];
  const reported = missing.map((gap) => missingPiece({ id: item.id, title: rememberedTitle(memory) }, gap));
  const dueMs = earliest(memory.dueMs, nextMs);
  const stored = new Map([...memory.stored].filter(([what]) => !names.includes(what)));
  const text = formatMemory({ ...memory, stored, missing, statusSinceMs, tries, dueMs });
  const changed = change.changed.filter((part) => part === "meeting" || part === "gone" || part === "recording");
  return {
    item: {
      ...rest,
      documents: [],
      missing: reported,
      memory: text,
      dueAt: dueMs === undefined ? undefined : new Date(dueMs),
    },
    change: { ...change, changed, missing: reported },
    missing: reported,
    size,
  };
}

/** A meeting of which the store takes nothing. */
export const refusedMeeting = (id: string, title: string | null | undefined, message: string): MissingPiece =>
  missingPiece({ id, title }, refusedGap("meeting", message));

const refusedGap = (what: string, message: string): Gap => ({
  what,
  reason: "failed",
  retryable: true,
  message: REFUSED + message,
});

const isRefused = ({ retryable, message }: Gap) => retryable && message.startsWith(REFUSED);

function earliest(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);
}
