import { documentTitles } from "../assumptions.js";
import { followSignal, throwIfAborted } from "../async/abort.js";
import { Clock } from "../async/clock.js";
import { MINUTE_MS } from "../async/timers.js";
import { checkClient } from "../errors/check-arguments.js";
import { transportOf } from "../transport/resource.js";
import { orCloseEvents } from "../waiting/wake.js";
import { Inbox } from "./inbox.js";
import { type MeetingClient, type RequestPage, requestPage } from "./meeting-list.js";
import { PacedClient } from "./paced-client.js";
import { Pauses } from "./pauses.js";
import { RunReport } from "./report.js";
import type { Call } from "./run-state.js";
import { isLockLost } from "./store.js";
import { fillStore } from "./sync-loop.js";
import { type SyncOptions, type SyncResult, syncPlan } from "./sync-options.js";
import { StoreAccess } from "./write.js";

/**
 * Fills a store with every meeting, its transcript and its documents, and keeps it up to date. The store remembers how far
 * it is: a crash loses nothing, and the next run continues. Guide: docs/database.md.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} for an invalid option; nothing was sent, and the store was not
 * touched
 * @throws {UnauthorizedError} {@link UnauthorizedError}, {@link ForbiddenError} or {@link NotFoundError} of the meeting list
 * @throws {ConnectionError} {@link ConnectionError}, {@link ServerError} or {@link RateLimitedError} if the service, or
 * one page of its list, has failed for ten minutes (not with `follow` or `budget`)
 * @beta It reads the meeting list, which the API specification mentions but does not define.
 * @example
 * import { DatabaseSync } from "node:sqlite";
 * import { sqliteStore } from "notetaker-sdk/sql";
 *
 * await syncMeetings(notetaker, { into: sqliteStore(new DatabaseSync("meetings.sqlite")) });
 */
export async function syncMeetings(notetaker: MeetingClient, options: SyncOptions): Promise<SyncResult> {
  const plan = orCloseEvents(options?.wake, () => {
    checkClient("syncMeetings", notetaker);
    const checked = syncPlan(options, transportOf(notetaker.meetings)?.config.documentTitles ?? documentTitles());
    throwIfAborted(checked.signal);
    return checked;
  });
  const { signal, release, abort } = followSignal(plan.signal);
  const clock = new Clock();
  const context = { plan, clock, signal, pauses: new Pauses(clock, plan.pollMs), report: new RunReport(plan, abort) };
  const client = new PacedClient(notetaker, context);
  const store = new StoreAccess(context, client);
  const request: RequestPage = (params) => client.ask("list", () => requestPage(client.client, params, signal));
  const inbox = new Inbox(plan.only);
  const call: Call = { ...context, client, store, requestPage: request, inbox };
  let stopEvents = () => {};
  try {
    if (plan.wake !== undefined) stopEvents = inbox.read(plan.wake, signal);
    for (;;) {
      const result = await holdAndFill(call);
      if (result !== undefined) return result;
    }
  } finally {
    stopEvents();
    release();
    abort();
  }
}

/** `undefined`: a run that follows has lost the store, and waits for it again. */
async function holdAndFill(call: Call): Promise<SyncResult | undefined> {
  const { plan, report, store, signal } = call;
  // A run with `only` takes no lock, so it does not wait behind the history that another run reads.
  const heldUntil = plan.only === undefined ? await holdStore(call) : undefined;
  if (heldUntil !== undefined) return report.result("busy", heldUntil);
  try {
    const { ended, nextAt } = await fillStore(call);
    return report.result(ended, nextAt);
  } catch (error) {
    throwIfAborted(signal);
    if (!isLockLost(error)) throw error;
  } finally {
    // If it fails, the lease ends by itself.
    await store.lock?.release().catch(() => {});
  }
  return plan.follow ? undefined : report.result("busy", new Date(Date.now() + MINUTE_MS));
}

/** A lease ends after three minutes if the run that holds it was killed. */
const LONGEST_LEASE_MS = 3 * MINUTE_MS;
const CHECK_LOCK_MS = 5_000;

/**
 * Gets the lock of the store. A run that follows waits for every other run. Any other run waits only for one that does
 * not renew its lease, and with a budget for none: it resolves to the end of the lease.
 */
async function holdStore({ plan, clock, signal, report, store }: Call): Promise<Date | undefined> {
  const endsAt = clock.now() + LONGEST_LEASE_MS;
  for (let first: number | undefined; ; ) {
    const heldUntil = await store.hold();
    if (heldUntil === undefined) return undefined;
    first ??= heldUntil.getTime();
    const isRenewed = heldUntil.getTime() > first || clock.now() >= endsAt;
    if (!plan.follow && (plan.budget !== undefined || isRenewed)) return heldUntil;
    const leaseMs = heldUntil.getTime() - Date.now();
    const waitMs = Math.min(CHECK_LOCK_MS, Math.max(100, leaseMs));
    report.waiting("store", Math.max(waitMs, leaseMs));
    await clock.pause(waitMs, signal);
  }
}
