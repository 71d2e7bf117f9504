/** `exportMeetings`: locks the sink, and runs the export. */
import { followSignal, throwIfAborted } from "../../async/abort.js";
import type { MeetingClient } from "../../sync/pace.js";
import { type ExportOptions, type ExportSummary, exportPlan } from "./export-options.js";
import { ExportRun } from "./export-run.js";

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
  throwIfAborted(options.signal);
  const unlock = await plan.sink.lock?.();
  const stop = followSignal(options.signal);
  try {
    const summary = await new ExportRun(notetaker, plan, stop).run();
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
