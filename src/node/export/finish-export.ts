/** The last steps of an export: it finds meetings that no longer exist, and writes the index. */
import { findGone } from "../reading/find-gone.js";
import type { MeetingReader } from "../reading/meeting-reader.js";
import type { SinkWriter } from "../sink/sink-writer.js";
import type { ExportOptions, ExportPlan } from "./export-options.js";
import { forEachConcurrently } from "./for-each-concurrently.js";
import { entriesOf, type IndexEntry, readIndex, writeIndex } from "./index-file.js";
import { deleteMeeting, readRecord } from "./meeting-records.js";

export interface FinishOptions {
  plan: ExportPlan;
  reader: MeetingReader;
  sink: SinkWriter;
  /** All meetings of the export. */
  listedIds: ReadonlySet<string>;
  onGone: ExportOptions["onGone"];
}

/** Reports and prunes the meetings that no longer exist, and writes the index of all saved files. */
export async function finishExport(options: FinishOptions, signal: AbortSignal): Promise<void> {
  const { plan, sink, listedIds, onGone } = options;
  const earlier = (await readIndex(sink)).filter(({ meeting_id }) => !listedIds.has(meeting_id));
  const gone = plan.prune || onGone !== undefined ? await goneMeetings(options, earlier, signal) : [];
  for (const id of gone) {
    const record = plan.prune ? await readRecord(sink, id) : undefined;
    if (record !== undefined) await deleteMeeting(sink, record);
    await onGone?.(id);
  }
  const pruned = new Set(plan.prune ? gone : []);
  const kept = earlier.filter(({ meeting_id }) => !pruned.has(meeting_id));
  const entries: IndexEntry[] = [...kept];
  await forEachConcurrently([...listedIds], plan.concurrency, signal, async (id) => {
    const record = await readRecord(sink, id);
    for (const entry of record === undefined ? [] : entriesOf(record)) entries.push(entry);
  });
  await writeIndex(sink, entries);
}

/**
 * The meetings that an earlier run has saved, that are surely in the period of this run, and that the service does not
 * return by id.
 */
function goneMeetings(
  { plan, reader }: FinishOptions,
  earlier: readonly IndexEntry[],
  signal: AbortSignal,
): Promise<string[]> {
  const candidates = earlier.filter(({ date }) => plan.period.surelyIncludes(date));
  const ids = new Set(candidates.map(({ meeting_id }) => meeting_id));
  return findGone(reader, [...ids], signal);
}
