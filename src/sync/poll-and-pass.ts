/** The readings of the list: polls and full passes. Each step requests a page, or examines some of its rows. */
import { DAY_MS } from "../async/timers.js";
import { examineSome } from "./examine-rows.js";
import { LIST_START, ListPages } from "./meeting-list.js";
import type { Lane } from "./memory.js";
import { pauseMs } from "./pauses.js";
import { laneFailed, laneSucceeded } from "./put-back.js";
import { change, type Reading, type Run, save } from "./run-state.js";

/** The list may filter by the day in another time zone, and a meeting may complete the day after its start. */
const POLL_EXTRA_MS = 2 * DAY_MS;
/** A page with nothing new is not worth a write: its position is saved after this time. */
const SAVE_EVERY_MS = 60_000;
/** How many ids that the pass has shown are requested with those that it has not. */
export const PROOFS = 2;

/** Resolves to whether something was done. */
export async function poll(run: Run): Promise<boolean> {
  // One whose page fails begins again: the newest meetings are on the first page.
  const goesOn = run.poll !== undefined && (run.poll.rows.length > 0 || run.pauses.ms("poll") === 0);
  if (run.clock.now() >= run.pollAt && !goesOn) run.poll = openPoll(run);
  if (run.poll === undefined) return false;
  const isActive = await step(run, "poll", run.poll);
  if (isDone(run.poll)) {
    laneSucceeded(run, "poll");
    change(run, { poll: undefined, polledMs: run.state.poll?.beganMs });
    // One that an earlier run began has not shown what is new since then. With a budget, the next run comes soon.
    const isNew = run.poll.pages.isWhole || run.plan.budget !== undefined;
    run.poll = isNew ? undefined : openPoll(run);
  }
  return isActive;
}

/** `undefined`: `until` lies before everything that a poll reads. */
function openPoll(run: Run): Reading | undefined {
  const { plan, clock, report, requestPage } = run;
  run.pollAt = clock.now() + plan.pollMs * (0.8 + 0.4 * Math.random());
  // One that has not read its first page begins now, and so does one that fails at a later page.
  const { poll: stored, failures } = run.state;
  const goesOn = stored?.cursor && failures?.poll?.sinceMs === undefined;
  const begun = goesOn ? stored : { ...LIST_START, beganMs: Date.now() };
  const fromMs = Math.min(begun.beganMs, run.state.polledMs ?? begun.beganMs) - plan.settleMs - POLL_EXTRA_MS;
  const period = plan.period.from(fromMs);
  if (period === undefined) {
    laneSucceeded(run, "poll");
    return undefined;
  }
  report.setMissing("poll", []);
  change(run, { poll: begun });
  return { pages: new ListPages(requestPage, period, begun), rows: [] };
}

/** A step of the history or of a daily pass. When it is done, `gone.ts` searches for what is gone. */
export async function pass(run: Run): Promise<boolean> {
  run.pass ??= openPass(run);
  if (run.pass === undefined) return false;
  const { pages } = run.pass;
  // Of one that another run has begun, the search may be all that is left.
  if (isDone(run.pass)) return true;
  const isActive = await step(run, "pass", run.pass);
  if (isDone(run.pass)) {
    run.report.passEnded();
    laneSucceeded(run, "pass");
  }
  const proofs = pages.shown.slice(-PROOFS);
  if (run.state.pass && proofs.length > 0) change(run, { pass: { ...run.state.pass, proofs } });
  return isActive;
}

export const isDone = ({ pages, rows }: Reading): boolean => pages.isAtEnd && rows.length === 0;

/** `undefined`: none is due. Another `scope` begins a new one. */
function openPass(run: Run): Reading | undefined {
  const { plan, report, requestPage, state } = run;
  const { passedMs = Number.NEGATIVE_INFINITY } = state;
  const isOfScope = state.scope === plan.scope;
  const sinceMs = Date.now() - passedMs;
  // If the clock was set back, the last pass may seem to be in the future.
  const isRecent = sinceMs < DAY_MS && sinceMs >= -pauseMs(plan.pollMs, Number.POSITIVE_INFINITY);
  if (isOfScope && state.pass === undefined && isRecent) return undefined;
  const begun = (isOfScope && state.pass) || { ...LIST_START, beganMs: Date.now(), proofs: [] };
  change(run, { scope: plan.scope, pass: begun });
  report.setMissing("pass", []);
  return { pages: new ListPages(requestPage, plan.period, begun), rows: [], countsAll: true };
}

async function step(run: Run, lane: Lane, reading: Reading): Promise<boolean> {
  const { clock, pauses, state } = run;
  const { pages } = reading;
  if (reading.rows.length === 0) {
    // A page before the one that fails may be read meanwhile.
    const isPaused = pauses.ms(lane) > 0 && pages.position.page >= (state.failures?.[lane]?.page ?? 0);
    if (isPaused || pauses.ms("list") > 0) return false;
    if (!(await readPage(run, lane, reading))) return true;
  }
  await examineSome(run, reading);
  if (reading.rows.length > 0) return true;
  change(run, { [lane]: { ...run.state[lane], ...pages.position } });
  if (clock.now() >= run.savedAt + SAVE_EVERY_MS) await save(run);
  return true;
}

/** Resolves to whether it could be read. */
async function readPage(run: Run, lane: Lane, reading: Reading): Promise<boolean> {
  const { report, state } = run;
  const { pages } = reading;
  const { position } = pages;
  report.progress(lane === "pass" && state.passedMs === undefined ? "history" : lane);
  try {
    const { rows, unreadable, requestedMs } = await pages.next();
    Object.assign(reading, { rows, requestedMs });
    report.addUnreadable(lane, unreadable);
  } catch (error) {
    await laneFailed(run, lane, error, position, pages.mayTryAgain(error));
    return false;
  }
  laneSucceeded(run, lane, position.page);
  return true;
}
