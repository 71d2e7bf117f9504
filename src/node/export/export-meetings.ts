/** `exportMeetings`: locks the sink, runs the export and sums it up. */
import { type FollowingSignal, followSignal } from "../reading/concurrently.js";
import { type MeetingClient, pacedClient } from "../reading/pace.js";
import type { MissingPiece } from "../reading/pieces.js";
import { SinkWriter } from "../sink/sink.js";
import { Checkpoint } from "./checkpoint.js";
import type { ExportProgress, ExportSummary } from "./export-options.js";
import { type ExportOptions, type ExportPlan, exportPlan } from "./export-options.js";
import { ExportRun } from "./export-run.js";

/** Shorter waits are not reported: near the rate limit, most requests wait for a moment. */
const MIN_REPORTED_WAIT_MS = 1_000;

/**
 * Saves every meeting that the user can access: its transcript, its documents and, on request, its recording, as files
 * in a folder or in a sink of your own. A file that already has the same bytes is not written again.
 *
 * An abort, an error or a kill may end the export at any point. The next call with the same `into`, `since`, `until`
 * and `formats` resumes it: nothing is lost, and only unfinished pieces are fetched again. The export stays within the
 * rate limit, and waits if the service asks it to.
 *
 * If a piece of one meeting cannot be fetched, the export lists it in the summary's `missing` and continues. It ends if
 * the token is not accepted, the service cannot be reached or the sink fails.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} for an invalid option, or another export is writing into
 * the folder; nothing was sent
 * @throws {UnauthorizedError} {@link UnauthorizedError} if the token is not accepted
 * @throws {RateLimitedError} {@link RateLimitedError} if the service responds 429 to one request five times, or asks
 * for a wait of more than an hour
 * @throws {ConnectionError} {@link ConnectionError} if the service could not be reached in five attempts
 * @throws the error of the sink, of `onProgress` or of `onGone`, or the reason of `signal`
 * @beta It reads the meeting list, which the API specification mentions but does not define.
 * @example
 * const { saved, missing } = await exportMeetings(notetaker, { into: "meetings", since: "2026-01-01" });
 * for (const { title, what, message } of missing) console.warn(`${title}: no ${what}: ${message}`);
 */
export async function exportMeetings(notetaker: MeetingClient, options: ExportOptions): Promise<ExportSummary> {
  const plan = exportPlan(options);
  if (options.signal?.aborted) throw options.signal.reason;
  const unlock = await plan.sink.lock?.();
  const stop = followSignal(options.signal);
  try {
    const summary = await runExport(notetaker, plan, options, stop);
    await unlock?.();
    return summary;
  } catch (error) {
    // If the disk fails, the lock may remain. The first error is thrown, because it says why.
    await unlock?.().catch(() => {});
    throw error;
  } finally {
    stop.release();
  }
}

async function runExport(
  notetaker: MeetingClient,
  plan: ExportPlan,
  { onGone, onProgress }: ExportOptions,
  { signal, abort }: FollowingSignal,
): Promise<ExportSummary> {
  const sink = new SinkWriter(plan.sink);
  const checkpoint = await Checkpoint.load(sink, plan.key);
  // An async function, so that an error of `onProgress` ends the export whether it is thrown or rejected.
  const callOnProgress = async (progress: ExportProgress) => onProgress?.(progress);
  let reported = Promise.resolve();
  const report = (phase: ExportProgress["phase"], current?: string, waitMs?: number) => {
    reported = callOnProgress({ phase, ...run.progress, current, waitMs }).catch(abort);
  };
  const onWait = (waitMs: number) => {
    if (waitMs >= MIN_REPORTED_WAIT_MS) report("waiting", undefined, waitMs);
  };
  const { client, requests } = pacedClient(notetaker, plan, onWait);
  const run = new ExportRun({ plan, client, sink, checkpoint, onGone, onStep: report }, signal);
  await run.run();
  report("done");
  await reported;
  if (signal.aborted) throw signal.reason;
  const { meetings, saved } = run.progress;
  const missing = run.missing.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const { written, unchanged } = sink;
  return { meetings, saved, missing, written, unchanged, requests: requests(), resumed: checkpoint.resumed };
}

const nameOf = ({ meeting_id, what }: MissingPiece) => `${meeting_id} ${what}`;
