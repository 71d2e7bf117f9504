/** After a full pass: finds the meetings of the store that the service no longer has, and removes them on request. */
import { messageOf } from "../errors/error-record.js";
import { idProblem } from "../schemas/ids.js";
import { settleGone } from "./examine.js";
import type { Examiner } from "./examiner.js";
import { requestByIds } from "./meeting-list.js";
import { type Known, type Memory, parseMemory } from "./memory.js";
import type { Run } from "./run.js";
import type { StoreAccess } from "./write.js";

const READ_AT_ONCE = 500;
/** How many of the ids of a request are ids that the list has just shown. */
export const PROOFS = 2;
/** So many meetings may always be removed, whatever part of the account they are. */
const MAX_UNDOUBTED = 2;
/** So many refusals of the store are told. */
const MAX_REFUSALS = 10;

interface Remembered {
  readonly id: string;
  readonly known: Known;
  readonly memory: Memory;
}

/** Meetings of the store that the list has shown once, a few hundred at a time, after an id and without those in `except`. */
async function* remembered(
  store: StoreAccess,
  after?: string,
  except: ReadonlySet<string> = new Set(),
): AsyncGenerator<Remembered, void, undefined> {
  for (let last = after; ; ) {
    const ids = await store.call((into) => into.ids(last, READ_AT_ONCE));
    const wanted = ids.filter((id) => !except.has(id));
    const texts = wanted.length > 0 ? await store.call((into) => into.readMemory(wanted)) : undefined;
    for (const id of wanted) {
      const known = parseMemory(texts?.get(id));
      if (known.memory?.seen !== undefined) yield { id, known, memory: known.memory };
    }
    last = ids.at(-1);
    if (ids.length < READ_AT_ONCE) return;
  }
}

/** The next meetings of the store after an id that the pass has not shown, at most `max`. */
export async function nextCandidates(
  { store, plan }: Run,
  { after, isOfMarked = false }: { readonly after?: string | undefined; readonly isOfMarked?: boolean | undefined },
  shown: ReadonlySet<string>,
  max: number,
): Promise<readonly Remembered[]> {
  const candidates: Remembered[] = [];
  for await (const one of remembered(store, after, shown)) {
    const { id, memory } = one;
    // What is marked as gone is requested again only before it is removed.
    const isWanted = isOfMarked ? memory.isGone : plan.prune !== false || !memory.isGone;
    const isCandidate = isWanted && idProblem("meetingId", id) === undefined;
    if (isCandidate && plan.period.includes(memory.seen?.start)) candidates.push(one);
    if (candidates.length === max) break;
  }
  return candidates;
}

/**
 * Marks the candidates that the service no longer has, and examines those that it returns. `proofs` are ids that the list
 * has just shown: if the service does not return them either, it cannot be asked by ids, and nothing is gone. Resolves to
 * whether it can.
 */
export async function markGone(
  { requestPage }: Run,
  examiner: Examiner,
  candidates: readonly Remembered[],
  proofs: readonly string[],
): Promise<boolean> {
  // In a small account, or after a pass of another run, the proofs may be candidates themselves.
  const ids = new Set([...candidates.map(({ id }) => id), ...proofs]);
  const { rows, isComplete } = await requestByIds(requestPage, [...ids]);
  const isProven = proofs.length > 0 && isComplete && proofs.every((id) => rows.has(id));
  const returned = candidates.flatMap(({ id }) => rows.get(id) ?? []);
  await examiner.rows(returned, { look: "listed" }, () => false);
  if (!isProven) return false;
  for (const { id, known, memory } of candidates) {
    if (!rows.has(id) && !memory.isGone) await examiner.writeMemory(id, settleGone(id, known, memory, Date.now()));
  }
  return true;
}

/** What is marked as gone. `doubt`: why it may be another account that was read. */
interface Marked {
  readonly gone: number;
  readonly doubt: string | undefined;
}

/** `sinceMs`: only what was stored before counts for the question whether too many would go. */
export async function countMarked({ store }: Run, sinceMs: number): Promise<Marked> {
  const counts = { before: 0, goneBefore: 0, gone: 0 };
  for await (const { memory } of remembered(store)) {
    const isBefore = memory.firstMs < sinceMs;
    counts.before += Number(isBefore);
    counts.gone += Number(memory.isGone);
    counts.goneBefore += Number(isBefore && memory.isGone);
  }
  return { gone: counts.gone, doubt: doubtOf(counts) };
}

/** Whether `prune` removes what is marked. Otherwise the report says why not. */
export function isToRemove({ plan, report }: Run, { gone, doubt }: Marked): boolean {
  report.notRemoved = plan.prune === true ? doubt : undefined;
  return gone > 0 && (plan.prune === "all" || (plan.prune && doubt === undefined));
}

/** Removes what is marked as gone. */
export async function removeMarked({ store, report }: Run): Promise<void> {
  const refusals: string[] = [];
  for await (const { id, known, memory } of remembered(store)) {
    if (!memory.isGone) continue;
    const { removed, refusal } = await store.remove({ id, before: known.text });
    report.removed += removed;
    if (removed > 0) report.setMissing(id, []);
    if (refusal !== undefined) refusals.push(`the store refuses to remove ${id}: ${messageOf(refusal)}`);
  }
  if (refusals.length > 0) report.notRemoved = refusals.slice(0, MAX_REFUSALS).join("; ");
}

interface Counts {
  /** The meetings that were stored before. */
  readonly before: number;
  readonly goneBefore: number;
  readonly gone: number;
}

function doubtOf({ before, goneBefore, gone }: Counts): string | undefined {
  const kept = "they are kept, and marked as gone";
  if (gone > 0 && goneBefore === before)
    return `the list has shown none of the ${before} meetings that were stored before: ${kept}`;
  if (gone <= MAX_UNDOUBTED || gone <= before / 10) return undefined;
  return `${gone} of ${before} meetings are no longer listed, more than a tenth: ${kept}`;
}
