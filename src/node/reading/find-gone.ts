/** Finds meetings that were saved earlier, and that the service no longer has. */
import type { ListedPage, MeetingReader } from "./meeting-reader.js";
import { readMeeting } from "./read-meeting.js";

/** How many ids are requested at once. They fit into one page of the list. */
const BATCH_SIZE = 20;

/**
 * Requests the meetings with these ids, and returns the ids that the service no longer lists. If a response has an
 * unreadable row or other meetings, it proves nothing: then no id of that request counts as gone.
 */
export async function findGone(reader: MeetingReader, ids: readonly string[], signal: AbortSignal): Promise<string[]> {
  const gone: string[] = [];
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const batch = ids.slice(start, start + BATCH_SIZE);
    const listed = listedIds(await reader.page({ ids: batch, limit: BATCH_SIZE }, signal));
    if (listed === undefined || listed.some((id) => !batch.includes(id))) continue;
    for (const id of batch) if (!listed.includes(id)) gone.push(id);
  }
  return gone;
}

/** The ids on a page, or `undefined` if the page may lack an id. */
function listedIds({ rows, hasMore }: ListedPage): string[] | undefined {
  if (hasMore) return undefined;
  const ids = rows.map((row) => readMeeting(row)?.meeting.id);
  return ids.every((id) => id !== undefined) ? ids : undefined;
}
