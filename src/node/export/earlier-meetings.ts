/** The meetings that only earlier exports have saved. */
import type { SinkWriter } from "../sink/sink.js";
import { entriesOf, type IndexEntry, readIndex } from "./index-file.js";
import { readSavedMeeting } from "./saved-meetings.js";

/** What earlier exports have saved of a meeting. The index lacks a meeting that was never finished. */
export interface EarlierMeeting {
  readonly date: string;
  readonly indexed: readonly IndexEntry[];
}

/**
 * The meetings of the index and of `known` that are not in `current`. What the index does not tell is in the meeting's
 * record.
 */
export async function earlierMeetings(
  sink: SinkWriter,
  known: ReadonlySet<string>,
  current: ReadonlyMap<string, unknown>,
): Promise<Map<string, EarlierMeeting>> {
  const index = await readIndex(sink);
  const earlier = new Map<string, EarlierMeeting>();
  for (const id of new Set([...index.keys(), ...known])) {
    if (current.has(id)) continue;
    const indexed = index.get(id);
    const record = indexed === undefined ? await readSavedMeeting(sink, id) : undefined;
    if (indexed?.[0] !== undefined) earlier.set(id, { date: indexed[0].date, indexed });
    if (record !== undefined) {
      earlier.set(id, { date: record.date, indexed: record.open.length === 0 ? entriesOf(record) : [] });
    }
  }
  return earlier;
}
