/** Requests meetings by their ids. */
import { isRefusal } from "../../errors/is-refusal.js";
import type { MeetingListParams } from "../../schemas/meeting-list.js";
import type { Attempt } from "./list-pass.js";
import type { MeetingClient } from "./meeting-client.js";
import { type MeetingRow, readRow } from "./received.js";
import { type RawPage, requestPage } from "./request-page.js";

/** How many ids are requested at once. */
export const IDS_AT_ONCE = 48;
/** Pages may be small, but not empty. */
const SPARE_PAGES = 5;

export interface FoundMeetings {
  /** Each meeting once, and none that was not requested. */
  readonly rows: ReadonlyMap<string, MeetingRow>;
  /**
   * Whether the list has no other of these meetings. `false` if the answer has a row that cannot be read or that was not
   * requested, does not end, or was refused: then nothing is known of the other ids.
   */
  readonly isComplete: boolean;
}

/** If the service refuses the ids, each is requested alone. */
export async function requestByIds(
  client: MeetingClient,
  ids: readonly string[],
  attempt: Attempt,
  signal: AbortSignal,
): Promise<FoundMeetings> {
  try {
    return await requestOnce(client, ids, attempt, signal);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (ids.length === 1) return { rows: new Map(), isComplete: false };
  }
  const rows = new Map<string, MeetingRow>();
  let isComplete = true;
  for (const id of ids) {
    const found = await requestByIds(client, [id], attempt, signal);
    for (const [id, row] of found.rows) rows.set(id, row);
    isComplete &&= found.isComplete;
  }
  return { rows, isComplete };
}

async function requestOnce(
  client: MeetingClient,
  ids: readonly string[],
  attempt: Attempt,
  signal: AbortSignal,
): Promise<FoundMeetings> {
  const rows = new Map<string, MeetingRow>();
  let cursor: string | null = null;
  for (let pages = 0; pages < ids.length + SPARE_PAGES; pages += 1) {
    const params: MeetingListParams = {
      ids: [...ids],
      limit: ids.length,
      ...(cursor && { cursor }),
    };
    const page: RawPage = await attempt(() => requestPage(client, params, signal));
    const read = page.data.map(readRow);
    for (const row of read) {
      const id = row?.meeting.id;
      if (id !== undefined && ids.includes(id) && !rows.has(id)) rows.set(id, row as MeetingRow);
    }
    if (!read.every((row) => row !== undefined && ids.includes(row.meeting.id))) return { rows, isComplete: false };
    if (!page.has_more) return { rows, isComplete: true };
    cursor = page.next_cursor ?? null;
    if (!cursor) break;
  }
  return { rows, isComplete: false };
}
