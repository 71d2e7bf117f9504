import type { ListedPage, MeetingReader } from "./meeting-reader.js";
import { readMeeting } from "./read-meeting.js";

/** How many ids are requested at once: fewer than a page of any service has rows. */
const BATCH_SIZE = 20;

/**
 * Asks the service for each of `ids` and returns those that it no longer has. An id counts as gone only if the answer
 * shows it: not if a row of the answer cannot be read, and not if the service answers with other meetings.
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

/** The ids on a page, or `undefined` if the page may hide one. */
function listedIds({ rows, hasMore }: ListedPage): string[] | undefined {
  if (hasMore) return undefined;
  const ids = rows.map((row) => readMeeting(row)?.meeting.id);
  return ids.every((id) => id !== undefined) ? ids : undefined;
}
