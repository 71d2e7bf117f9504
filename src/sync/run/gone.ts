/** After a full pass: finds the meetings of the store that the service no longer has, and removes them on request. */
import { idProblem } from "../../schemas/ids.js";
import { type FoundMeetings, IDS_AT_ONCE } from "../list/by-ids.js";
import { isListed, startTimeOf } from "../meeting/memory.js";
import { concludeGone } from "../meeting/without-row.js";
import { type RememberedMeeting, rememberedMeetings } from "../store/remembered-meetings.js";
import type { MeetingWriter } from "../store/writer.js";
import type { SyncPlan } from "../sync-options.js";
import type { RunReport } from "./report.js";

/** How many of the ids of a request are ids that the list has just shown. */
const PROOFS = 2;
const CANDIDATES = IDS_AT_ONCE - PROOFS;

/** The next meetings of the store after an id that were not `seen`: at most `max`. */
export async function nextCandidates(
  { into: store, period, prune }: SyncPlan,
  after: string | undefined,
  seen: ReadonlySet<string>,
  max = CANDIDATES,
): Promise<readonly RememberedMeeting[]> {
  const candidates: RememberedMeeting[] = [];
  for await (const stored of rememberedMeetings(store, after, seen)) {
    const { id, memory } = stored;
    // What was gone before is asked for again only before it is removed.
    const isCandidate =
      isListed(memory) && (prune !== false || !memory.isGone) && idProblem("meetingId", id) === undefined;
    if (isCandidate && period.includes(startTimeOf(memory))) candidates.push(stored);
    if (candidates.length === max) break;
  }
  return candidates;
}

/**
 * Marks the candidates that the service no longer has. `shown` are ids that the list has just shown: if the service does
 * not return them either, it cannot be asked by ids, and nothing is gone. Resolves to whether it did.
 */
export async function markGone(
  candidates: readonly RememberedMeeting[],
  shown: readonly string[],
  request: (ids: readonly string[]) => Promise<FoundMeetings>,
  writer: MeetingWriter,
): Promise<boolean> {
  const ids = candidates.map(({ id }) => id);
  // In a small account, or after a pass of another run, they may be candidates themselves.
  const proofs = shown.slice(-PROOFS);
  const { rows, isComplete } = await request([...new Set([...ids, ...proofs])]);
  if (proofs.length === 0 || !isComplete || !proofs.every((id) => rows.has(id))) return false;
  for (const { id, known, memory } of candidates) {
    if (rows.has(id) || memory.isGone) continue;
    const finding = concludeGone(id, known, memory);
    if (finding !== undefined) await writer.writeWhole(finding);
  }
  return true;
}

/**
 * Removes what is marked as gone. `sawStored`: whether the latest full pass has shown a meeting of the store. Resolves to
 * whether nothing that is marked is left.
 */
export async function removeGone(
  { into: store, prune }: SyncPlan,
  sawStored: boolean,
  writer: MeetingWriter,
  report: RunReport,
): Promise<boolean> {
  let stored = 0;
  let gone = 0;
  for await (const { memory } of rememberedMeetings(store)) {
    if (!isListed(memory)) continue;
    stored += 1;
    if (memory.isGone) gone += 1;
  }
  if (gone === 0) return true;
  report.notRemoved = prune === "all" ? undefined : reasonToKeep(stored, gone, sawStored);
  if (report.notRemoved !== undefined) return false;
  let some: { id: string; before: string }[] = [];
  const remove = async () => {
    report.removed += await writer.remove(some);
    some = [];
  };
  for await (const { id, known, memory } of rememberedMeetings(store)) {
    if (!memory.isGone) continue;
    some.push({ id, before: known.text as string });
    if (some.length === CANDIDATES) await remove();
  }
  if (some.length > 0) await remove();
  return true;
}

function reasonToKeep(stored: number, gone: number, sawStored: boolean): string | undefined {
  const kept = "they are kept, and marked as gone";
  if (!sawStored) return `the list has shown none of the ${stored} meetings of the store: ${kept}`;
  const isMany = gone >= 10 && gone > stored / 10;
  return isMany ? `${gone} of ${stored} meetings are no longer listed, more than a tenth: ${kept}` : undefined;
}
