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
 * Saves the transcript, the documents and, on request, the recording of every meeting as files, in a folder or a
 * storage. After a stop at any point, the same call resumes it. What could not be fetched is in `missing`. Guide:
 * docs/export.md.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} for an invalid option, or while another export uses the
 * folder
 * @throws {UnauthorizedError} {@link UnauthorizedError} at once, {@link RateLimitedError} or {@link ConnectionError}
 * after five attempts
 * @throws the error of the storage or a callback, or the reason of `signal`
 * @beta It reads the meeting list, which the API specification only mentions.
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
