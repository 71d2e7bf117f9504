/**
 * The loop of a run. Each round takes, in this order, what is there: events, what is due, one page of the poll, one page
 * of the history or of the daily pass. Nothing in a round sleeps, and what fails is put back with a pause.
 */
import { throwIfAborted } from "../async/abort.js";
import { HOUR_MS, MINUTE_MS } from "../async/timers.js";
import { idProblem } from "../schemas/ids.js";
import { examineFound, halving, IDS_AT_ONCE, UNANSWERED } from "./examine-rows.js";
import { searchGone } from "./gone.js";
import { requestByIds } from "./meeting-list.js";
import { parseState } from "./memory.js";
import { BudgetUsedUpError } from "./paced-client.js";
import { missingPiece } from "./pieces.js";
import { pass, poll, save } from "./poll-and-pass.js";
import type { Call, Run } from "./run-state.js";
import { GIVES_UP_MS } from "./write.js";

export interface RunEnd {
  readonly ended: "done" | "paused";
  readonly nextAt: Date;
}

/** The events that arrive so soon after the first one are handled together with it. */
const GATHER_MS = 500;
/** Between meetings of a pass, so many that are due have their turn. */
const DUE_BESIDE_PASS = 12;
const KINDS = ["transcript", "document", "recording"];

/** Resolves when there is nothing to do before `nextAt`, or when the budget is used up. With `follow`, it does not end. */
export async function fillStore(call: Call): Promise<RunEnd> {
  const { plan, clock, client, store, signal } = call;
  const state = parseState(await store.call((into) => into.readState()));
  const start = { savedAt: Number.NEGATIVE_INFINITY, pollAt: clock.now(), again: new Set<string>() };
  const run: Run = { ...call, ...start, state, idsAtOnce: IDS_AT_ONCE };
  try {
    for (let mayPoll = true; ; ) {
      throwIfAborted(signal);
      const hasRead = [await readEvents(run), await readDue(run)].includes(true);
      const hasPolled = plan.only === undefined && (await poll(run, mayPoll, () => readEvents(run)));
      const hasPassed = plan.only === undefined && (await readPass(run));
      // With a short `pollMs`, a run that has nothing else to do would poll for ever.
      mayPoll = plan.follow || hasRead || hasPassed;
      const end = hasRead || hasPolled || hasPassed ? undefined : await caughtUp(run);
      if (end !== undefined) return end;
    }
  } catch (error) {
    if (!(error instanceof BudgetUsedUpError)) throw error;
    const nextAt = new Date(Date.now() + client.continuesInMs);
    // If the store is away, the next run begins where the state was saved last.
    if (plan.only === undefined) await save(run, nextAt).catch(() => {});
    return { ended: "paused", nextAt };
  }
}

/** Whether the meeting may be requested now. An id that cannot be sent is due when a poll or a pass shows its row. */
const isNow = ({ pauses }: Run, id: string): boolean => pauses.ms(id) === 0 && idProblem("meetingId", id) === undefined;

const hasEvents = (run: Run): boolean => run.inbox.isAnyMeeting || [...run.inbox.ids].some((id) => isNow(run, id));

async function readEvents(run: Run): Promise<boolean> {
  const { inbox, clock } = run;
  if (inbox.isAnyMeeting) run.pollAt = Math.min(run.pollAt, clock.now());
  inbox.isAnyMeeting = false;
  const ids = [...inbox.ids].filter((id) => isNow(run, id));
  return ids.length > 0 && byIds(run, ids, true);
}

async function readDue(run: Run, max = IDS_AT_ONCE): Promise<boolean> {
  const again = [...run.again].filter((id) => isNow(run, id));
  if (again.length > 0) return byIds(run, again);
  if (run.plan.only !== undefined) return false;
  const ids = await run.store.call((store) => store.due(new Date(), max + run.pauses.size));
  const due = ids.filter((id) => isNow(run, id)).slice(0, max);
  return due.length > 0 && byIds(run, due);
}

/** One page of the pass, and between its meetings everything else; or one request of the search that follows it. */
function readPass(run: Run): Promise<boolean> {
  const { search } = run.state;
  if (search !== undefined) return searchGone(run, search);
  return pass(run, async () => {
    const others = [await readEvents(run), await readDue(run, DUE_BESIDE_PASS)];
    return [...others, await poll(run, true, () => readEvents(run))].includes(true);
  });
}

/** How long until the poll begins or goes on. */
const pollWaitMs = ({ poll, pollAt, pauses, clock }: Run): number =>
  poll === undefined ? Math.max(0, pollAt - clock.now()) : Math.max(pauses.ms("poll"), pauses.ms("list"));

/** Requests some of the meetings by their ids, and examines them. Resolves to whether something was done. */
async function byIds(run: Run, ids: readonly string[], isNamed = false): Promise<boolean> {
  const { client, inbox, again, pauses, report, plan } = run;
  if (pauses.ms("list") > 0) return false;
  client.checkBudget();
  // The answer may have a page for each meeting, and then its pieces are requested: no more than the budget allows.
  const some = ids.slice(0, Math.max(1, Math.min(run.idsAtOnce, Math.floor(client.left / 2))));
  report.progress(isNamed ? "event" : "due");
  const request = () => requestByIds(run.requestPage, some);
  const found = await halving(run, some, request, (error) => idFailed(run, some[0] ?? "", error));
  if (found === undefined) return true;
  for (const id of some) {
    if (isNamed) inbox.ids.delete(id);
    again.delete(id);
    // What is due, and stays as it is, is not requested again at once.
    pauses.wait(id, isNamed ? 0 : plan.pollMs);
  }
  try {
    await examineFound(run, some, found, { isNamed, between: isNamed ? undefined : () => readEvents(run) });
  } catch (error) {
    // If the store was lost, they are read when the run has it again.
    if (isNamed) for (const id of some) inbox.ids.add(id);
    throw error;
  }
  return true;
}

/** The service does not answer a request for this id alone. */
function idFailed(run: Run, id: string, error: unknown): void {
  const { plan, clock, client, inbox, again, pauses, report } = run;
  pauses.failed(id);
  report.waiting("service", pauses.ms(id));
  if (plan.follow) return;
  const isAway = client.failingSince !== undefined && client.failingSince <= pauses.since(id);
  if (isAway && clock.now() - pauses.since(id) >= GIVES_UP_MS) throw error;
  // If the service has answered others since, it is this id that it does not answer.
  const isLeft = !isAway && [inbox.ids, again].some((set) => set.delete(id));
  if (isLeft) report.setMissing(id, [missingPiece({ id }, "meeting", UNANSWERED)]);
}

/** There is nothing to do now. `undefined`: after a sleep there is. */
async function caughtUp(run: Run): Promise<RunEnd | undefined> {
  const { plan, clock, inbox, client, report, signal, state } = run;
  // What is due is looked at with each poll.
  const nextMs = plan.only === undefined ? pollWaitMs(run) : (state.polledMs ?? 0) + plan.pollMs - Date.now();
  const nextAt = new Date(Date.now() + Math.ceil(Math.max(0, Math.min(nextMs, plan.pollMs))));
  if (plan.only === undefined) await save(run, nextAt);
  const openMs = openWaitMs(run);
  if (openMs === undefined && !plan.follow) return { ended: "done", nextAt };
  if (plan.budget !== undefined) client.endBudget(openMs ?? 0);
  // What is open may wait longer than what is due.
  const waitMs = Math.ceil(plan.follow ? Math.min(openMs ?? pollWaitMs(run), plan.pollMs * 1.2) : (openMs ?? 0));
  if (openMs === undefined) report.progress("idle");
  else report.waiting("service", waitMs);
  await clock.pause(Math.min(waitMs, HOUR_MS), signal, inbox.arrival());
  if (hasEvents(run)) await clock.pause(GATHER_MS, signal);
  return undefined;
}

/** How long until something goes on that a run has begun; `undefined`: it has begun nothing. */
function openWaitMs(run: Run): number | undefined {
  const { plan, inbox, again, pauses, state } = run;
  const waits = [...inbox.ids, ...again].map((id) => pauses.ms(id));
  if (inbox.isAnyMeeting) waits.push(0);
  if (run.poll !== undefined) waits.push(pauses.ms("poll"));
  const isPassOpen = run.pass !== undefined || (state.search !== undefined && plan.only === undefined);
  if (isPassOpen) waits.push(pauses.ms("pass"));
  // A short pause of the service is no reason to leave pieces to the next run.
  const mayWait = (kind: string) => pauses.failures(kind) <= 2 && pauses.ms(kind) > 0 && pauses.ms(kind) <= MINUTE_MS;
  const short = plan.only === undefined && plan.budget === undefined ? KINDS.filter(mayWait) : [];
  waits.push(...short.map((kind) => pauses.ms(kind)));
  return waits.length === 0 ? undefined : Math.max(pauses.ms("list"), Math.min(...waits));
}
