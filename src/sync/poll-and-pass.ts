/** The readings of the list: polls and full passes. Each step sends one request. */
import { DAY_MS } from "../async/timers.js";
import { messageOf } from "../errors/error-record.js";
import { isRateLimited } from "../errors/is-temporary.js";
import { oneLine } from "../errors/one-line.js";
import { type Between, examineRows } from "./examine-rows.js";
import { LIST_START, type ListedPage, ListPages } from "./meeting-list.js";
import { formatState, type SyncState } from "./memory.js";
import { BudgetUsedUpError } from "./paced-client.js";
import { pauseMs } from "./pauses.js";
import { Period } from "./period.js";
import type { Run } from "./run-state.js";
import type { SyncPlan } from "./sync-options.js";
import { GIVES_UP_MS } from "./write.js";

/** The list may filter by the day in another time zone, and a meeting may complete the day after its start. */
const POLL_EXTRA_MS = 2 * DAY_MS;
/** A page with nothing new is not worth a write: its position is saved after this time. */
const SAVE_EVERY_MS = 60_000;

/** How many ids that the pass has shown are requested with those that it has not. */
export const PROOFS = 2;

type Lane = "poll" | "pass";

/** One page of a poll. Resolves to whether something was done. */
export async function poll(run: Run, mayBegin: boolean, between: Between): Promise<boolean> {
  const { clock, plan } = run;
  if (run.poll === undefined && !(mayBegin && clock.now() >= run.pollAt)) return false;
  run.poll ??= openPoll(run);
  const isActive = run.poll !== undefined && (await step(run, "poll", run.poll, between));
  if (run.poll?.isAtEnd) change(run, { polledMs: run.state.poll?.beganMs, failingMs: undefined, error: undefined });
  if (run.poll === undefined || run.poll.isAtEnd) {
    run.poll = undefined;
    run.pollAt = clock.now() + plan.pollMs * (0.8 + 0.4 * Math.random());
    change(run, { poll: undefined });
  }
  return isActive;
}

/** `undefined`: `until` lies before everything that a poll reads. */
function openPoll(run: Run): ListPages | undefined {
  const nowMs = Date.now();
  const { polledMs = nowMs, poll: begun } = run.state;
  const fromMs = begun?.fromMs ?? Math.min(nowMs, polledMs) - run.plan.settleMs - POLL_EXTRA_MS;
  const period = pollPeriod(run.plan, fromMs);
  run.report.setMissing("poll", []);
  change(run, { poll: { ...LIST_START, beganMs: nowMs, ...begun, fromMs } });
  return period && new ListPages(run.requestPage, period, run.state.poll);
}

/** What began at this time or later, within the period of the run. */
function pollPeriod({ since, until }: SyncPlan, fromMs: number): Period | undefined {
  const sinceMs = since instanceof Date ? since.getTime() : Date.parse(since ?? "");
  const untilMs = until instanceof Date ? until.getTime() : Date.parse(until ?? "") + 2 * DAY_MS;
  if (untilMs < fromMs) return undefined;
  return new Period({ since: sinceMs >= fromMs ? since : new Date(fromMs), until });
}

/** One page of the history or of a daily pass, after which `gone.ts` searches for what is gone. */
export async function pass(run: Run, between: Between): Promise<boolean> {
  if (run.pass === undefined && !isPassDue(run)) return false;
  run.pass ??= openPass(run);
  const isActive = await step(run, "pass", run.pass, between);
  if (run.pass.isAtEnd) {
    const { isWhole, seen, shown } = run.pass;
    run.seen = isWhole ? seen : undefined;
    run.pass = undefined;
    run.report.passEnded();
    const beganMs = run.state.pass?.beganMs ?? Date.now();
    change(run, { pass: undefined, search: { beganMs, proofs: shown.slice(-PROOFS) } });
    await save(run);
  }
  return isActive;
}

function isPassDue({ plan, state: { scope, pass: begun, passedMs } }: Run): boolean {
  if (begun !== undefined || scope !== plan.scope || passedMs === undefined) return true;
  const sinceMs = Date.now() - passedMs;
  // If the clock was set back, the last pass may seem to be in the future.
  return sinceMs >= DAY_MS || sinceMs < -pauseMs(plan.pollMs, Number.POSITIVE_INFINITY);
}

function openPass(run: Run): ListPages {
  const { plan, state, report } = run;
  const begun = state.scope === plan.scope ? state.pass : undefined;
  change(run, { scope: plan.scope, pass: { ...LIST_START, beganMs: Date.now(), ...begun } });
  report.setMissing("pass", []);
  return new ListPages(run.requestPage, plan.period, run.state.pass);
}

/** One page. Resolves to whether it was requested. */
async function step(run: Run, lane: Lane, pages: ListPages, between: Between): Promise<boolean> {
  const { clock, pauses, report, state } = run;
  if (pauses.ms(lane) > 0 || pauses.ms("list") > 0) return false;
  report.progress(lane === "pass" && state.passedMs === undefined ? "history" : lane);
  let page: ListedPage;
  try {
    page = await pages.next();
  } catch (error) {
    await laneFailed(run, lane, error, pages.mayTryAgain(error));
    return true;
  }
  pauses.succeeded(lane);
  report.addUnreadable(lane, page.unreadable);
  change(run, { failingMs: undefined, error: undefined });
  await examineRows(run, page.rows, { requestedMs: page.requestedMs, countsAll: lane === "pass", between });
  change(run, { [lane]: { ...run.state[lane], ...pages.position } });
  if (!pages.isAtEnd && clock.now() >= run.savedAt + SAVE_EVERY_MS) await save(run);
  return true;
}

/** The lane waits. A run that does not follow, and has no budget, ends when every request has failed for ten minutes. */
export async function laneFailed(run: Run, lane: Lane, error: unknown, mayTryAgain = true): Promise<void> {
  const { plan, clock, client, pauses, report, signal, state } = run;
  if (signal.aborted || error instanceof BudgetUsedUpError) throw error;
  const endsAt =
    plan.follow || plan.budget ? Number.POSITIVE_INFINITY : (client.failingSince ?? clock.now()) + GIVES_UP_MS;
  const leftMs = endsAt - clock.now();
  // Who operates it sees it. A service that asks for a pause does not fail.
  const failingMs = state.failingMs ?? (isRateLimited(error) ? undefined : Date.now());
  change(run, { failingMs, error: oneLine(messageOf(error)) });
  if (!mayTryAgain || leftMs <= 0 || pauses.ms("list") > leftMs) {
    // If the store fails as well, the error of the service is the one that is thrown.
    await save(run).catch(() => {});
    throw error;
  }
  pauses.failed(lane, Math.min(leftMs, pauses.nextMs(lane)));
  report.waiting(isRateLimited(error) ? "rate_limit" : "service", Math.max(pauses.ms(lane), pauses.ms("list")));
}

export function change(run: Run, changes: Partial<SyncState>): void {
  run.state = { ...run.state, ...changes };
}

/** `nextAt`: when there is something to do again; by default now. */
export async function save(run: Run, nextAt = new Date()): Promise<void> {
  const { polledMs, failingMs, error } = run.state;
  const date = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms));
  const health = { polledAt: date(polledMs), failingSince: date(failingMs), error };
  await run.store.save({ state: formatState(run.state), nextAt, health });
  run.savedAt = run.clock.now();
}
