import type { Notetaker } from "../../client.js";
import { Checkpoint } from "./checkpoint.js";
import { realClock } from "./export-clock.js";
import type { Run } from "./export-context.js";
import type { ExportOptions, ExportProgress, ExportSummary } from "./export-options.js";
import { queueNextPage } from "./list-meetings.js";
import { type ExportPlan, planOf } from "./parse-options.js";
import { RateGate } from "./rate-gate.js";
import { requestsThrough } from "./rate-limited-requests.js";
import { saveQueue } from "./save-queue.js";
import { Output, SinkFailure } from "./sink-writer.js";

/**
 * Takes every meeting out that the user can reach: its transcript, its documents and, if asked, its recording, as files in a
 * folder or in a sink of one's own. What is there already with the same bytes is not written again.
 *
 * It can be ended at any point, by an abort, an error or a kill, and goes on from there when it is called again with the same
 * `into`, `since` and `formats`: nothing is lost, and only what was under way is fetched again. It stays inside the rate limit,
 * and waits where the service asks it to. What cannot be had of one meeting is noted in the summary and does not stop the
 * rest; a token that is not accepted, a service that cannot be reached and a sink that fails do.
 *
 * @throws {InvalidArgumentError} an option that cannot be; nothing was sent
 * @throws {UnauthorizedError} the token is not accepted
 * @throws {RateLimitedError} the service refuses again and again, or asks for a wait of more than an hour
 * @throws {ConnectionError} the service could not be reached in five attempts
 * @throws what the sink or `onProgress` threw, or the reason of `signal`
 * @beta It reads the meeting list, which the interface refers to and does not define.
 * @example
 * const { saved, missing } = await exportMeetings(notetaker, { into: "meetings", since: "2026-01-01" });
 * for (const { title, what, message } of missing) console.warn(`${title}: no ${what}: ${message}`);
 */
export async function exportMeetings(
  notetaker: Pick<Notetaker, "meetings" | "documents">,
  options: ExportOptions,
): Promise<ExportSummary> {
  const plan = planOf(options);
  const { signal: given, clock = realClock, onProgress } = options;
  given?.throwIfAborted();

  const output = new Output(options.into);
  const end = new AbortController();
  const signal = given === undefined ? end.signal : AbortSignal.any([given, end.signal]);
  try {
    const checkpoint = await Checkpoint.load(output, planKey(plan));
    const report: Run["report"] = (phase, { current, waitMs } = {}) =>
      onProgress?.({ phase, ...progressOf(checkpoint), current, waitMs });
    const waiting = {
      clock,
      signal,
      onWait: (waitMs: number) => waitMs >= WORTH_TELLING_MS && report("waiting", { waitMs }),
    };
    const gate = new RateGate({ perMinute: plan.requestsPerMinute, ...waiting });
    const requests = requestsThrough(gate, waiting);
    const run: Run = {
      notetaker,
      plan,
      requests,
      output,
      checkpoint,
      signal,
      end: (reason) => end.abort(reason),
      report,
    };

    await runExport(run);
    report("done");
    const { missing, resumed, state } = checkpoint;
    const { written, unchanged } = output;
    return { meetings: state.meetings, saved: state.saved, missing, written, unchanged, requests: gate.count, resumed };
  } catch (error) {
    throw error instanceof SinkFailure ? error.reason : error;
  }
}

/** At the limit, each request waits for a place: mostly for a moment. */
const WORTH_TELLING_MS = 1_000;

/** What has to be the same for one run to go on with another. */
const planKey = ({ since, transcript, documents, recording }: ExportPlan) =>
  JSON.stringify({
    since: since ?? null,
    transcript: transcript.map((form) => (typeof form === "string" ? form : `.${form.extension}`)),
    documents,
    recording,
  });

async function runExport(run: Run): Promise<void> {
  const { checkpoint } = run;
  const { state } = checkpoint;
  const cursors = new Set<string>();
  for (;;) {
    await saveQueue(run);
    if (!state.allListed) await queueNextPage(run, cursors);
    else if (!state.secondRound) await checkpoint.turn({ queue: state.later, later: [], secondRound: true });
    else return checkpoint.turn({ complete: true });
  }
}

function progressOf(checkpoint: Checkpoint): Omit<ExportProgress, "phase" | "current" | "waitMs"> {
  const { queue, later, meetings, allListed, saved } = checkpoint.state;
  const open = new Set([...queue, ...later].map(({ meeting }) => meeting.id)).size;
  return { meetings, meetingsDone: meetings - open, allListed, saved, missing: checkpoint.missingCount };
}
