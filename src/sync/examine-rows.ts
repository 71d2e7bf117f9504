/** Examines meetings: requests the pieces that `toAsk` names, and writes what `settle` says, as it comes. */
import { abortable, throwIfAborted } from "../async/abort.js";
import { HOUR_MS, MINUTE_MS } from "../async/timers.js";
import { messageOf } from "../errors/error-record.js";
import { isRateLimited } from "../errors/is-temporary.js";
import type { RecordingDownload } from "../media/download/download-recording.js";
import { idProblem } from "../schemas/ids.js";
import type { Meeting } from "../schemas/meeting.js";
import { fetchPiece } from "./fetch-piece.js";
import { type FoundMeetings, mayHalve } from "./meeting-list.js";
import { FORGOTTEN, type Known, parseMemory } from "./memory.js";
import { BudgetUsedUpError } from "./paced-client.js";
import { type Gap, gapOf, missingPiece, nameOf, type Piece } from "./pieces.js";
import type { MeetingRow } from "./rows.js";
import { type Answer, type Answers, type Finding, missingOf, settle, settleUnlisted } from "./rules/settle.js";
import { type RowLook, toAsk } from "./rules/to-ask.js";
import type { Rows, Run } from "./run-state.js";
import { isLockLost } from "./store.js";

/** How many ids are requested at once. */
export const IDS_AT_ONCE = 48;
/** The row of a page may be older than a memory that was written this long before the page was requested, or later. */
const STALE_MS = MINUTE_MS;
/** What is there is written before a wait that is longer. */
const LONGEST_HOLD_MS = 10_000;
/** How often another run may write a meeting in between before it is left to that run. */
const MAX_CONFLICTS = 5;

/** A meeting with news. */
interface News extends RowLook {
  readonly ask: readonly Piece[];
}

/** Examines the next rows that have news, as many as may be in work at once, and those without news before them. */
export async function examineSome(run: Run, rows: Rows): Promise<void> {
  const { plan, report } = run;
  const memories = await readMemories(
    run,
    rows.rows.map(({ meeting }) => meeting.id),
  );
  const news: News[] = [];
  let count = 0;
  for (; count < rows.rows.length && news.length < plan.concurrency; count += 1) {
    const row = rows.rows[count] as MeetingRow;
    const known = memories.get(row.meeting.id);
    if (known === undefined) continue;
    const found = newsOf(run, row, known, rows);
    if (found !== undefined) news.push(found);
    if (found !== undefined || rows.countsAll) report.count(row.meeting.id);
  }
  // All have ended before the first failure is thrown: a write is never left alone.
  const ends = await Promise.allSettled(news.map((one) => examineOne(run, one)));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  rows.rows = rows.rows.slice(count);
}

/** `between` does what is more urgent than the rows that are left. */
export async function examineAll(run: Run, rows: Rows, between?: () => Promise<unknown>): Promise<void> {
  for (; rows.rows.length > 0; await between?.()) await examineSome(run, rows);
}

/** Sends a request by ids. After a failure, half as many ids are requested next time; `onSingle`: it was only one. */
export async function halving<T>(
  run: Run,
  { length }: readonly unknown[],
  send: () => Promise<T>,
  onSingle: (error: unknown) => Promise<void>,
): Promise<T | undefined> {
  try {
    const result = await send();
    run.idsAtOnce = Math.min(IDS_AT_ONCE, run.idsAtOnce * 2);
    return result;
  } catch (error) {
    throwIfAborted(run.signal);
    if (!mayHalve(error)) throw error;
    if (run.pauses.ms("list") > 0) return undefined;
    run.idsAtOnce = Math.max(1, length >> 1);
    if (length === 1) await onSingle(error);
    return undefined;
  }
}

/** Settles what an answer to a request by ids says of those that it does not have. Returns the rows to examine. */
export async function settleFound(
  run: Run,
  before: ReadonlyMap<string, Known>,
  { rows, isComplete }: FoundMeetings,
  isNamed: boolean,
): Promise<MeetingRow[]> {
  const { plan, pauses, report } = run;
  const listed: MeetingRow[] = [];
  for (const [id, known] of before) {
    const row = rows.get(id);
    const isOutside = row !== undefined && plan.only === undefined && !plan.period.includes(row.meeting.start_time);
    if (row !== undefined && !isOutside) {
      listed.push(row);
      continue;
    }
    await writeUnlisted(run, id, known, isNamed, isOutside);
    if (isOutside || isComplete || known.memory?.seen === undefined) continue;
    // The answer says nothing of it.
    pauses.wait(id, HOUR_MS);
    if (isNamed) report.setMissing(id, [missingPiece({ id }, "meeting", UNANSWERED)]);
  }
  return listed;
}

/** Writes what a request by its id that has not shown the meeting says of it. */
export async function writeUnlisted(
  run: Run,
  id: string,
  known: Known,
  isNamed = false,
  isOutside = false,
): Promise<void> {
  const finding = settleUnlisted(id, { known, isNamed, terms: run.plan, nowMs: Date.now() }, isOutside);
  if (finding === "forget") await run.store.remove({ id, before: known.text });
  else await writeFinding(run, id, finding);
}

/** What the store remembers of these meetings, without those that are forgotten for good. */
export async function readMemories({ store }: Run, ids: readonly string[]): Promise<Map<string, Known>> {
  const texts = await store.call((into) => into.readMemory(ids));
  const known = ids.map((id) => [id, parseMemory(texts.get(id))] as const);
  return new Map(known.filter(([, { text }]) => text !== FORGOTTEN));
}

function newsOf(run: Run, row: MeetingRow, known: Known, rows: Rows): News | undefined {
  const { isNamed = false, requestedMs, before } = rows;
  const { id } = row.meeting;
  const look = { row, known, isNamed, terms: run.plan, nowMs: Date.now() };
  const ask = toAsk(look);
  if (ask === undefined) {
    run.report.setMissing(id, missingOf(id, known.memory));
    return undefined;
  }
  if (before !== undefined && before.get(id)?.text !== known.text) {
    // What was written since is newer than the row.
    onConflict(run, id, isNamed);
    return undefined;
  }
  const writtenMs = known.memory?.writtenMs ?? Number.NEGATIVE_INFINITY;
  const isStale = requestedMs !== undefined && writtenMs > requestedMs - STALE_MS;
  if (!isStale || idProblem("meetingId", id) !== undefined) return { ...look, ask };
  run.again.add(id);
  return undefined;
}

/** Requests the pieces one after another. What has come is written before the next one has to wait. */
async function examineOne(run: Run, news: News): Promise<void> {
  let known: Known | undefined = news.known;
  const answers = new Map<string, Answer>();
  const writeAnswers = async () => {
    known = known && (await write(run, { ...news, known }, answers));
    answers.clear();
  };
  for (const piece of news.ask) {
    if (piece.kind === "recording" || run.client.paceMs > LONGEST_HOLD_MS) await writeAnswers();
    if (known === undefined) return;
    try {
      answers.set(nameOf(piece), await requestPiece(run, news.row, piece));
    } catch (error) {
      // The budget is used up.
      await writeAnswers();
      throw error;
    }
  }
  await writeAnswers();
}

async function requestPiece(run: Run, row: MeetingRow, piece: Piece): Promise<Answer> {
  const { client, pauses, signal } = run;
  const { kind } = piece;
  const notBefore = () => ({ notBeforeMs: Date.now() + pauses.ms(kind) });
  if (pauses.ms(kind) > 0) return { gap: PAUSED, ...notBefore() };
  try {
    const stops = kind === "recording" ? client.downloads.signal : signal;
    const fetched = await client.ask(kind, () => fetchPiece(client.client, row.meeting.id, piece, stops));
    if (fetched.recording !== undefined) await saveRecording(run, row, fetched.recording);
    return fetched;
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof BudgetUsedUpError || isLockLost(error)) throw error;
    if (client.downloads.signal.aborted) throw new BudgetUsedUpError();
    return { gap: gapOf(error), ...(isRateLimited(error) && notBefore()) };
  }
}

async function saveRecording({ plan, signal }: Run, { received }: MeetingRow, download: RecordingDownload) {
  try {
    await abortable((async () => plan.into.saveRecording?.(received as Meeting, download))(), signal);
  } catch (error) {
    // The stream is locked if the store has begun to read it.
    download.stream.cancel(error).catch(() => {});
    throw error;
  }
}

/** Resolves to what is remembered now. `undefined`: the meeting is left for this time. */
async function write(run: Run, news: News, answers: Answers): Promise<Known | undefined> {
  const { id } = news.row.meeting;
  const settled = (of: Answers) => settle({ ...news, nowMs: Date.now() }, of);
  const finding = settled(answers);
  if (finding === undefined) {
    run.report.setMissing(id, missingOf(id, news.known.memory));
    return news.known;
  }
  const names = ["meeting", ...news.ask.map(nameOf)];
  // If the store refuses it: without its documents, and then its memory alone, which says what is missing.
  return writeFinding(run, id, finding, news.isNamed, [
    (rejected) => settled(new Map([...answers].map(([name, one]) => [name, one.document ? rejected : one]))),
    (rejected) => settled(new Map(names.map((name) => [name, rejected]))),
  ]);
}

/**
 * Writes a finding, or the first of the lesser ones that the store does not refuse. Resolves to what is remembered then;
 * `undefined`: the meeting is left for this time.
 */
export async function writeFinding(
  run: Run,
  id: string,
  finding: Finding | undefined,
  isNamed = false,
  [lesser, ...rest]: readonly ((rejected: Answer) => Finding | undefined)[] = [],
): Promise<Known | undefined> {
  const result = finding && (await run.store.write(finding));
  if (result === "written") {
    run.pauses.succeeded(conflictsOf(id));
    return parseMemory(finding?.item.memory);
  }
  if (result === "conflict") onConflict(run, id, isNamed);
  if (typeof result !== "object") return undefined;
  const { refusal } = result;
  const message = `the store has refused it: ${messageOf(refusal)}`;
  if (lesser !== undefined) {
    const rejected: Answer = { gap: { reason: "invalid", retryable: true, message } };
    return writeFinding(run, id, lesser(rejected), isNamed, rest);
  }
  // The store does not even take the memory. An id that cannot be sent may be one that cannot be stored.
  if (idProblem("meetingId", id) === undefined) throw refusal;
  run.report.setMissing(id, [missingPiece({ id }, "meeting", gapOf(refusal))]);
  return undefined;
}

const conflictsOf = (id: string) => `conflicts of ${id}`;

/** Another run has written the meeting in between. */
function onConflict({ inbox, again, pauses, report }: Run, id: string, isNamed: boolean): void {
  const conflicts = conflictsOf(id);
  pauses.failed(conflicts, 0);
  // An id that cannot be sent is read again by the next poll or pass that shows its row.
  const mayAsk = pauses.failures(conflicts) <= MAX_CONFLICTS && idProblem("meetingId", id) === undefined;
  if (mayAsk) (isNamed ? inbox.ids : again).add(id);
  else report.setMissing(id, [missingPiece({ id }, "meeting", OVERWRITTEN)]);
}

const failedGap = (message: string): Gap => ({ reason: "failed", retryable: true, message });
const PAUSED: Gap = { reason: "failed", status: 429, retryable: true, message: "the service has asked for a pause" };
const UNANSWERED = failedGap("the service answers a request for its id with other meetings");
const OVERWRITTEN = failedGap("other runs write this meeting again and again");
