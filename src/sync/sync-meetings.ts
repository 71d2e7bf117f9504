/** `syncMeetings`: checks its options, holds the store, and fills it. */
import { followSignal, throwIfAborted } from "../async/abort.js";
import { Clock } from "../async/clock.js";
import { checkClient } from "../errors/check-arguments.js";
import type { MeetingClient } from "./list/meeting-client.js";
import { fillStore } from "./run/fill-store.js";
import { holdStore, type WaitsFor } from "./run/hold-store.js";
import { EventInbox } from "./run/inbox.js";
import { RunReport } from "./run/report.js";
import { RunRequests } from "./run/requests.js";
import type { RunBasis } from "./run/run-basis.js";
import { isLockLost, MeetingWriter } from "./store/writer.js";
import { type SyncOptions, type SyncPlan, type SyncResult, syncPlan } from "./sync-options.js";

/**
 * Fills a store with every meeting, its transcript and its documents, and keeps it up to date. The store remembers how far
 * it is: a crash loses nothing, and the next run continues. Guide: docs/database.md.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} for an invalid option; nothing was sent, and the store was not
 * touched
 * @throws {UnauthorizedError} {@link UnauthorizedError}, {@link ForbiddenError} or {@link NotFoundError} of the meeting list
 * @throws {ConnectionError} {@link ConnectionError}, {@link ServerError} or {@link RateLimitedError} if the service has
 * answered nothing for ten minutes (not with `follow`)
 * @beta It reads the meeting list, which the API specification mentions but does not define.
 * @example
 * import { DatabaseSync } from "node:sqlite";
 * import { sqliteStore } from "notetaker-sdk/sql";
 *
 * await syncMeetings(notetaker, { into: sqliteStore(new DatabaseSync("meetings.sqlite")) });
 */
export async function syncMeetings(notetaker: MeetingClient, options: SyncOptions): Promise<SyncResult> {
  checkClient("syncMeetings", notetaker);
  const plan = syncPlan(options);
  throwIfAborted(plan.signal);
  const { signal, release, abort } = followSignal(plan.signal);
  const clock = new Clock();
  const inbox = new EventInbox(clock);
  const report: RunReport = new RunReport(plan, () => requests.count, abort);
  const requests = new RunRequests(notetaker, {
    perMinute: plan.requestsPerMinute,
    budget: plan.budget,
    onWait: (waitsFor, waitMs) => report.waiting(waitsFor, waitMs),
  });
  let stopEvents = () => {};
  inbox.add(plan.only ?? []);
  try {
    if (plan.wake !== undefined) stopEvents = inbox.read(plan.wake, signal);
    for (;;) {
      const result = await holdAndFill({ plan, clock, inbox, requests, report, signal });
      if (result !== undefined) return result;
    }
  } finally {
    stopEvents();
    release();
    abort();
  }
}

/** `undefined`: a run that follows has lost the store, and waits for it again. */
async function holdAndFill(basis: RunBasis): Promise<SyncResult | undefined> {
  const { plan, report, signal } = basis;
  const held = plan.only === undefined ? await holdStore(basis, waitsFor(plan)) : { lock: undefined };
  if ("heldUntil" in held) return report.result("busy", held.heldUntil);
  try {
    const { ended, nextAt } = await fillStore(basis, new MeetingWriter(basis, held.lock));
    return report.result(ended, nextAt);
  } catch (error) {
    throwIfAborted(signal);
    if (!isLockLost(error)) throw error;
  } finally {
    // If it fails, the lease ends by itself.
    await held.lock?.release().catch(() => {});
  }
  return plan.follow ? undefined : report.result("busy", await otherRunEnds(basis));
}

function waitsFor({ follow, budget }: SyncPlan): WaitsFor {
  if (follow) return "always";
  return budget.requests === undefined && budget.ms === undefined ? "killed" : "never";
}

async function otherRunEnds(basis: RunBasis): Promise<Date> {
  const held = await holdStore(basis, "never");
  if ("heldUntil" in held) return held.heldUntil;
  await held.lock?.release();
  return new Date();
}
