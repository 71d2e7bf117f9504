/** After a full pass: finds the meetings of the store that the service no longer has, and removes them on request. */
import { DAY_MS } from "../async/timers.js";
import { messageOf } from "../errors/error-record.js";
import { idProblem } from "../schemas/ids.js";
import { examineAll, halving, IDS_AT_ONCE, writeFinding } from "./examine-rows.js";
import { requestByIds } from "./meeting-list.js";
import { type PassState, parseMemory } from "./memory.js";
import { PROOFS } from "./poll-and-pass.js";
import { laneFailed, laneSucceeded } from "./put-back.js";
import { settleGone } from "./rules/settle.js";
import { change, type Run, save } from "./run-state.js";

const READ_AT_ONCE = 500;
/** A pass that took several runs knows only what its last run has seen, so its search asks for every stored id. */
const COSTLY_SEARCH_MS = 7 * DAY_MS;
/** So many meetings may always be removed, whatever part of the account they are. */
const MAX_UNDOUBTED = 2;
/** So many refusals of the store are told. */
const MAX_REFUSALS = 10;
const EMPTY_LIST = "the list is empty, it has shown none of the meetings of the store: they are kept";
const NO_PROOF = "the service has not returned by their ids what its list shows: nothing is proven to be gone";
const KEPT = "they are kept, and marked as gone";

/** Meetings of the store that the list has shown once, a few hundred at a time, after an id and without those in `except`. */
async function* remembered({ store, plan }: Run, after?: string, except?: ReadonlySet<string>) {
  for (let last = after; ; ) {
    const ids = await store.call((into) => into.ids(last, READ_AT_ONCE));
    const wanted = ids.filter((id) => !except?.has(id));
    const texts = wanted.length > 0 ? await store.call((into) => into.readMemory(wanted)) : undefined;
    for (const id of wanted) {
      const known = parseMemory(texts?.get(id));
      const { memory } = known;
      // Outside the period, the run has not asked for it.
      if (memory?.seen !== undefined) yield { id, known, memory, isAsked: plan.period.includes(memory.seen.start) };
    }
    last = ids.at(-1);
    if (ids.length < READ_AT_ONCE) return;
  }
}

type Remembered = ReturnType<typeof remembered> extends AsyncGenerator<infer One> ? One : never;

/** One request of the search. Resolves to whether something was done. */
export async function searchGone(run: Run, pass: PassState): Promise<boolean> {
  const { plan, pauses, state } = run;
  if (pauses.ms("pass") > 0 || pauses.ms("list") > 0) return false;
  const seen = run.pass?.pages.isWhole ? run.pass.pages.seen : undefined;
  const isFresh = Math.abs(Date.now() - (state.searchedMs ?? 0)) < COSTLY_SEARCH_MS;
  if (plan.budget !== undefined && seen === undefined && pass.after === undefined && isFresh) {
    await endSearch(run, pass, false);
    return true;
  }
  const candidates = await nextCandidates(run, pass.after, seen);
  const goesOn = { pass: { ...pass, after: candidates.at(-1)?.id } };
  const onSingle = async (error: unknown) => {
    // A single meeting is left out, and the search waits.
    change(run, goesOn);
    await laneFailed(run, "pass", error, pass);
  };
  const request = async () => candidates.length > 0 && settleCandidates(run, candidates, pass.proofs);
  const isProven = await halving(run, candidates, request, onSingle);
  if (isProven !== undefined) laneSucceeded(run, "pass");
  if (isProven) change(run, goesOn);
  else if (isProven === false) await endSearch(run, pass, candidates.length === 0);
  return true;
}

/** The next meetings of the store that the pass has not shown. */
async function nextCandidates(run: Run, after?: string, seen?: ReadonlySet<string>): Promise<readonly Remembered[]> {
  const { plan, client, idsAtOnce } = run;
  const max = Math.max(1, Math.min(idsAtOnce, IDS_AT_ONCE - PROOFS, Math.floor(client.left / 2)));
  const candidates: Remembered[] = [];
  for await (const one of remembered(run, after, seen)) {
    // What is marked as gone is requested again only before it is removed.
    const isWanted = (plan.prune !== false || !one.memory.isGone) && idProblem("meetingId", one.id) === undefined;
    if (isWanted && one.isAsked) candidates.push(one);
    if (candidates.length === max) break;
  }
  return candidates;
}

/**
 * Marks the candidates that the service does not return by their ids as gone, and examines the others. Meetings that the
 * pass has shown are requested with them, as proofs: if the service does not return those either, it cannot be asked by
 * ids, and nothing is gone. Resolves to whether it can.
 */
async function settleCandidates(
  run: Run,
  candidates: readonly Remembered[],
  proofs: readonly string[],
): Promise<boolean> {
  // After a pass of another run, the proofs may be candidates themselves.
  const ids = new Set([...candidates.map(({ id }) => id), ...proofs]);
  const { rows, isComplete } = await requestByIds(run.requestPage, [...ids]);
  const before = new Map(candidates.map(({ id, known }) => [id, known]));
  await examineAll(run, { rows: candidates.flatMap(({ id }) => rows.get(id) ?? []), before });
  if (proofs.length === 0 || !isComplete || !proofs.every((id) => rows.has(id))) {
    // Without a meeting in the list, nothing can be proven.
    if (run.plan.prune !== false) run.report.notRemoved = proofs.length === 0 ? EMPTY_LIST : NO_PROOF;
    return false;
  }
  for (const { id, known, memory } of candidates) {
    if (!rows.has(id) && !memory.isGone) await writeFinding(run, id, settleGone(id, known, memory, Date.now()));
  }
  return true;
}

type IsShown = (id: string) => boolean | undefined;

/** `isComplete`: everything was proven. Otherwise nothing is removed. */
async function endSearch(run: Run, { beganMs }: PassState, isComplete: boolean): Promise<void> {
  const { plan, report } = run;
  const seen = run.pass?.pages.seen;
  const isShown = (id: string) => seen?.has(id) || run.again.has(id);
  run.pass = undefined;
  change(run, { pass: undefined, passedMs: beganMs });
  if (isComplete) {
    const { doubtedMs = beganMs } = run.state;
    const { gone, isGoneOutside, doubt } = await countGone(run, doubtedMs, isShown);
    const isRemoved = plan.prune === "all" || (plan.prune && doubt === undefined);
    report.notRemoved = plan.prune === true ? doubt : undefined;
    if (isRemoved && gone > 0) await removeGone(run, isShown);
    const isClear = !isGoneOutside && (isRemoved || doubt === undefined);
    change(run, { searchedMs: Date.now(), doubtedMs: isClear ? undefined : doubtedMs });
  }
  await save(run);
}

/**
 * How many are gone, and why they may not be removed: measured by the meetings that were stored before `sinceMs`. What
 * the pass has shown is not gone.
 */
async function countGone(run: Run, sinceMs: number, isShown: IsShown) {
  let [before, goneBefore, gone, isGoneOutside] = [0, 0, 0, false];
  for await (const { id, memory, isAsked } of remembered(run)) {
    const isGone = memory.isGone && !isShown(id);
    if (!isAsked) {
      isGoneOutside ||= isGone;
      continue;
    }
    const isBefore = memory.firstMs < sinceMs;
    before += Number(isBefore);
    gone += Number(isGone);
    goneBefore += Number(isBefore && isGone);
  }
  return { gone, isGoneOutside, doubt: doubtOf(gone, goneBefore, before) };
}

function doubtOf(gone: number, goneBefore: number, before: number): string | undefined {
  if (gone > 0 && goneBefore === before)
    return `the list has shown none of the ${before} meetings that were stored before: ${KEPT}`;
  if (gone <= MAX_UNDOUBTED || gone <= before / 10) return undefined;
  return `${gone} of ${before} meetings are no longer listed, more than a tenth: ${KEPT}`;
}

async function removeGone(run: Run, isShown: IsShown): Promise<void> {
  const { store, report } = run;
  const refusals: string[] = [];
  for await (const { id, known, memory, isAsked } of remembered(run)) {
    if (!memory.isGone || !isAsked || isShown(id)) continue;
    const result = await store.remove({ id, before: known.text });
    if (typeof result === "object") refusals.push(`the store refuses to remove ${id}: ${messageOf(result.refusal)}`);
    if (result !== "written") continue;
    report.removed += 1;
    report.setMissing(id, []);
  }
  if (refusals.length > 0) report.notRemoved = refusals.slice(0, MAX_REFUSALS).join("; ");
}
