/**
 * The loop of a run. Each round takes, in this order, what is there: events, a step of the poll, what is due, a step of
 * the history or of the daily pass. Nothing in a round sleeps, and what fails is put back with a pause.
 */
import { throwIfAborted } from "../async/abort.js";
import { HOUR_MS, MINUTE_MS } from "../async/timers.js";
import { idProblem } from "../schemas/ids.js";
import { examineAll, halving, IDS_AT_ONCE, readMemories, settleFound, writeUnlisted } from "./examine-rows.js";
import { searchGone } from "./gone.js";
import { requestByIds } from "./meeting-list.js";
import { type Known, parseState } from "./memory.js";
import { BudgetUsedUpError } from "./paced-client.js";
import { gapOf, missingPiece } from "./pieces.js";
import { isDone, pass, poll } from "./poll-and-pass.js";
import { putBack } from "./put-back.js";
import { type Call, type Run, save } from "./run-state.js";

interface RunEnd {
  readonly ended: "done" | "paused";
  readonly nextAt: Date;
}

/** The events that arrive so soon after the first one are handled together with it. */
const GATHER_MS = 500;
/** Beside a pass, so many that are due have their turn. */
const DUE_BESIDE_PASS = 12;
const KINDS = ["transcript", "document", "recording"];

/** Resolves when there is nothing to do before `nextAt`, or when the budget is used up. With `follow`, only an error ends it. */
export async function fillStore(call: Call): Promise<RunEnd> {
  const { plan, clock, client, store, signal } = call;
  const state = parseState(await store.call((into) => into.readState()));
  const pollAt = clock.now() + (plan.only === undefined ? 0 : plan.pollMs);
  const start = { savedAt: Number.NEGATIVE_INFINITY, pollAt, again: new Set<string>(), idsAtOnce: IDS_AT_ONCE };
  const run: Run = { ...call, ...start, state };
  try {
    for (;;) {
      throwIfAborted(signal);
      const end = (await round(run)) ? undefined : await caughtUp(run);
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

/** Resolves to whether there may be more to do. */
async function round(run: Run): Promise<boolean> {
  const { plan } = run;
  const done = [await readEvents(run)];
  // Before what is due, which may use up the budgets of several runs.
  const hasPolled = plan.only === undefined && (await poll(run));
  done.push(await readDue(run));
  if (plan.only !== undefined) return done.includes(true);
  done.push(await readEvents(run), await readPass(run));
  // With a short `pollMs`, a run that has nothing else to do would poll for ever.
  return done.includes(true) || (hasPolled && (plan.follow || run.poll !== undefined));
}

const readPass = (run: Run): Promise<boolean> =>
  run.pass && run.state.pass && isDone(run.pass) ? searchGone(run, run.state.pass) : pass(run);

/**
 * Whether the meeting may be requested now: an event does not wait because its meeting was just read. An id that cannot be
 * sent is due when a poll or a pass shows its row.
 */
const isNow = ({ pauses }: Run, id: string, isNamed = false): boolean =>
  (pauses.ms(id) === 0 || (isNamed && pauses.failures(id) === 0)) && idProblem("meetingId", id) === undefined;

async function readEvents(run: Run): Promise<boolean> {
  const { inbox, clock } = run;
  if (inbox.isAnyMeeting) run.pollAt = Math.min(run.pollAt, clock.now());
  inbox.isAnyMeeting = false;
  const ids = [...inbox.ids].filter((id) => isNow(run, id, true));
  return byIds(run, ids, true);
}

async function readDue(run: Run): Promise<boolean> {
  const { plan, store, pauses } = run;
  const again = [...run.again].filter((id) => isNow(run, id));
  if (again.length > 0 || plan.only !== undefined) return byIds(run, again);
  const max = run.pass === undefined ? IDS_AT_ONCE : DUE_BESIDE_PASS;
  const due = await store.call((into) => into.due(new Date(), max + pauses.size));
  return byIds(run, due.filter((id) => isNow(run, id)).slice(0, max));
}

/** Requests some of the meetings by their ids, and examines them. Resolves to whether something was done. */
async function byIds(run: Run, ids: readonly string[], isNamed = false): Promise<boolean> {
  const { client, inbox, again, pauses, report, plan } = run;
  if (ids.length === 0 || pauses.ms("list") > 0) return false;
  client.checkBudget();
  // The answer may have a page for each meeting, and then its pieces are requested: no more than the budget allows.
  const some = ids.slice(0, Math.max(1, Math.min(run.idsAtOnce, Math.floor(client.left / 2))));
  report.progress(isNamed ? "event" : "due");
  const before = await readMemories(run, some);
  const request = () => requestByIds(run.requestPage, some);
  const found = await halving(run, some, request, (error) => idFailed(run, some[0] ?? "", before, error));
  if (found === undefined) return true;
  for (const id of some) {
    if (isNamed) inbox.ids.delete(id);
    again.delete(id);
    // What is due, and stays as it is, is not requested again at once.
    pauses.wait(id, isNamed ? 0 : plan.pollMs);
  }
  try {
    const rows = await settleFound(run, before, found, isNamed);
    await examineAll(run, { rows, isNamed, before }, async () => !isNamed && readEvents(run));
  } catch (error) {
    // If the store was lost, they are read when the run has it again.
    if (isNamed) for (const id of some) inbox.ids.add(id);
    throw error;
  }
  return true;
}

/** The service does not answer a request for this id alone. */
async function idFailed(run: Run, id: string, before: ReadonlyMap<string, Known>, error: unknown): Promise<void> {
  const { plan, client, inbox, again, pauses, report } = run;
  await putBack(run, id, error);
  const known = before.get(id);
  // Otherwise the next run would begin with it again.
  if (plan.only === undefined && known !== undefined) await writeUnlisted(run, id, known);
  // If the service has answered others since it failed first, it is this id that it does not answer.
  const isAway = client.failingSince !== undefined && client.failingSince <= pauses.since(id);
  const isLeft = !plan.follow && !isAway && [inbox.ids, again].some((set) => set.delete(id));
  if (isLeft) report.setMissing(id, [missingPiece({ id }, "meeting", gapOf(error))]);
}

/** Whether something that was named is to be read at once. */
const isReady = (run: Run): boolean =>
  run.inbox.isAnyMeeting ||
  (run.pauses.ms("list") === 0 &&
    ([...run.inbox.ids].some((id) => isNow(run, id, true)) || [...run.again].some((id) => isNow(run, id))));

/** Whether the run has begun something that goes on after a pause. */
function isOpen({ plan, inbox, again, poll, pass, pauses }: Run): boolean {
  if (inbox.ids.size + again.size > 0 || poll !== undefined || pass !== undefined) return true;
  // A short pause of the service is no reason to leave pieces to the next run.
  const mayWait = (kind: string) => pauses.failures(kind) <= 2 && pauses.ms(kind) > 0 && pauses.ms(kind) <= MINUTE_MS;
  return (plan.only === undefined || plan.budget !== undefined) && KINDS.some(mayWait);
}

/** There is nothing to do now. `undefined`: after a sleep there is. */
async function caughtUp(run: Run): Promise<RunEnd | undefined> {
  const { plan, clock, client, inbox, pauses, report, signal } = run;
  const pollInMs = Math.max(0, run.pollAt - clock.now());
  const nextAt = new Date(Date.now() + Math.ceil(Math.min(pollInMs, plan.pollMs)));
  if (plan.only === undefined) await save(run, nextAt);
  if (isReady(run)) return undefined;
  const openMs = isOpen(run) ? pauses.shortestMs : undefined;
  if (openMs === undefined && !plan.follow) return { ended: "done", nextAt };
  if (plan.budget !== undefined) client.endBudget(openMs ?? 0);
  // What is due is looked at with each poll.
  const followsMs = run.poll === undefined ? pollInMs : plan.pollMs;
  const waitMs = Math.ceil(Math.min(openMs ?? followsMs, plan.follow ? followsMs : HOUR_MS));
  if (openMs === undefined) report.progress("idle");
  else report.waiting("service", waitMs);
  await clock.pause(waitMs, signal, inbox.arrival());
  if (isReady(run)) await clock.pause(GATHER_MS, signal);
  return undefined;
}
