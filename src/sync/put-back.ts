/** What fails is put back with a pause, and the others have their turn, until the run has no patience with it any more. */
import { ApiError } from "../errors/api-error.js";
import { messageOf } from "../errors/error-record.js";
import { isRateLimited } from "../errors/is-temporary.js";
import { oneLine } from "../errors/one-line.js";
import type { ListPosition } from "./meeting-list.js";
import type { Lane } from "./memory.js";
import { BudgetUsedUpError } from "./paced-client.js";
import { change, type Run, save } from "./run-state.js";
import { GIVES_UP_MS } from "./write.js";

/** A page of the list, or a search of the pass, has failed: whoever operates the run sees why. */
export async function laneFailed(
  run: Run,
  lane: Lane,
  error: unknown,
  { page }: ListPosition,
  mayTryAgain = true,
): Promise<void> {
  const reason = error instanceof BudgetUsedUpError ? run.client.listError : error;
  if (!run.signal.aborted && reason !== undefined) {
    // A service that asks for a pause does not fail.
    const { failures } = run.state;
    const sinceMs = failures?.[lane]?.sinceMs ?? (isRateLimited(reason) ? undefined : Date.now());
    const requestId = reason instanceof ApiError && reason.requestId ? `, request ${reason.requestId}` : "";
    const failure = { page, sinceMs, error: oneLine(`${messageOf(reason)}${requestId}`) };
    change(run, { failures: { ...failures, [lane]: failure } });
  }
  // Polls that succeed would let a run wait for a broken page of the pass for ever.
  await putBack(run, lane, error, mayTryAgain ? patienceMs(run, run.pauses.since(lane)) : 0);
}

/** The reading has read a page, or has ended. If it has failed there before, it is well again. */
export function laneSucceeded(run: Run, lane: Lane, page = Number.POSITIVE_INFINITY): void {
  const { failures } = run.state;
  if (page < (failures?.[lane]?.page ?? 0)) return;
  run.pauses.succeeded(lane);
  if (failures?.[lane] !== undefined) change(run, { failures: { ...failures, [lane]: undefined } });
}

/** Lets `what` wait, at most as long as the run has patience with it. Without patience, the run ends with the error. */
export async function putBack(run: Run, what: string, error: unknown, leftMs = patienceMs(run)): Promise<void> {
  const { plan, pauses, report, signal } = run;
  if (signal.aborted || error instanceof BudgetUsedUpError) throw error;
  if (leftMs <= 0 || pauses.ms("list") > leftMs) {
    // If the store fails as well, the error of the service is the one that is thrown.
    if (plan.only === undefined) await save(run).catch(() => {});
    throw error;
  }
  pauses.failed(what, Math.min(leftMs, pauses.nextMs(what)));
  report.waiting(isRateLimited(error) ? "rate_limit" : "service", Math.max(pauses.ms(what), pauses.ms("list")));
}

/**
 * How long the run waits yet, in milliseconds: for ever if it follows or has a budget, else until ten minutes after
 * `sinceMs`, or after every request began to fail.
 */
function patienceMs({ plan, clock, client }: Run, sinceMs = clock.now()): number {
  if (plan.follow || plan.budget !== undefined) return Number.POSITIVE_INFINITY;
  return Math.min(client.failingSince ?? clock.now(), sinceMs) + GIVES_UP_MS - clock.now();
}
