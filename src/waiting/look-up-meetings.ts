/** Looks up several meetings in the meeting list with as few requests as possible, also if rows are invalid. */

import { ASSUMED_PAGE_SIZE } from "../assumptions.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { isNotetakerError } from "../errors/error-of-record.js";
import { isRefusal } from "../errors/is-refusal.js";
import { isRateLimited } from "../errors/is-temporary.js";
import { isRecord } from "../json/is-record.js";
import { ignoredFilterError, MAX_SEARCHED_PAGES } from "../lists/ignored-filter.js";
import type { Page } from "../lists/page.js";
import { IDS_MAX } from "../schemas/ids.js";
import type { Meeting } from "../schemas/meeting.js";
import type { MeetingListParams } from "../schemas/meeting-list.js";
import type { TranscriptTurns } from "./transcript-turns.js";
import type { WaitAnswer, WaitQuestion } from "./wait-question.js";

/** Requests the pages of the meeting list, one by one. */
type ListMeetingPages = (params: MeetingListParams) => AsyncIterable<Page<unknown>>;

/** The meetings that were found. If `isComplete`, the list certainly does not contain the others. */
interface Found {
  readonly meetings: Map<string, Meeting>;
  readonly isComplete: boolean;
  readonly error?: unknown;
}

const hasId = (row: unknown): row is Meeting => isRecord(row) && typeof row.id === "string";

/**
 * Reads the pages until all meetings are found. If a page contains others, the service does not filter by id: then at
 * most 20 further pages are read, and none if `searches` is false.
 */
async function findOnPages(
  pages: AsyncIterable<Page<unknown>>,
  ids: readonly string[],
  { filter, searches }: { filter: string; searches: boolean },
): Promise<Found> {
  const meetings = new Map<string, Meeting>();
  let searched = 0;
  try {
    for await (const page of pages) {
      const rows = page.data.filter(hasId);
      const wanted = rows.filter(({ id }) => ids.includes(id));
      for (const row of wanted) meetings.set(row.id, row);
      if (!page.hasNextPage()) return { meetings, isComplete: true };
      const hasOthers = wanted.length < rows.length;
      if (meetings.size === ids.length || (hasOthers && !searches)) break;
      searched += Number(hasOthers);
      if (searched > MAX_SEARCHED_PAGES)
        throw ignoredFilterError("meetings.list", ids.find((id) => !meetings.has(id)) ?? "", filter, searched);
    }
  } catch (error) {
    // The meetings of earlier pages are still valid, but the list was not read completely.
    if (!isNotetakerError(error)) throw error;
    return { meetings, isComplete: false, error };
  }
  return { meetings, isComplete: false };
}

/**
 * Whether an error of the list ends the poll of a wait: a 401 or a rate limit, after which any further request would
 * fail, too. After any other error, a transcript is still requested, because the API specification does not define the
 * list.
 */
export const endsPoll = (error: unknown): boolean => error instanceof UnauthorizedError || isRateLimited(error);

function answerFrom({ meetings, isComplete, error }: Found, { meetingId, documents }: WaitQuestion) {
  const meeting = meetings.get(meetingId);
  if (meeting !== undefined && !(documents && error !== undefined)) return { meeting, isListed: true };
  if (error !== undefined) return { isListed: undefined, error };
  return { isListed: isComplete ? false : undefined };
}

/**
 * Looks up all meetings, with one request for each 100 meetings. Then one of the waits for transcripts has its turn.
 * `filter` is the name of the query parameter for the ids.
 */
export async function lookUpMeetings(
  listPages: ListMeetingPages,
  questions: readonly WaitQuestion[],
  { filter, turns }: { filter: string; turns: TranscriptTurns },
): Promise<(question: WaitQuestion) => WaitAnswer> {
  const expandsDocuments = questions.some(({ documents }) => documents);
  // The list answers the events so far, except of a wait for a transcript.
  for (const { transcript, wake } of questions) if (!transcript) wake?.answer();

  // A transcript is requested whatever the list says, so a search for its meeting is not worth the requests.
  const how = { filter, searches: questions.some(({ transcript }) => !transcript) };
  const find = async (ids: readonly string[]): Promise<Found> => {
    // The service's own page size is left as it is where it is enough.
    const params = ids.length > ASSUMED_PAGE_SIZE ? { ids, limit: ids.length } : { ids };
    if (!expandsDocuments) return findOnPages(listPages(params), ids, how);
    const found = await findOnPages(listPages({ ...params, expand: ["documents"] }), ids, how);
    // If the service refuses the expansion, the waits that need no documents still get the status of their meetings.
    if (!isRefusal(found.error) || questions.every(({ documents }) => documents)) return found;
    return { ...(await findOnPages(listPages(params), ids, how)), error: found.error };
  };

  const ids = [...new Set(questions.map(({ meetingId }) => meetingId))];
  const foundById = new Map<string, Found>();
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    const some = ids.slice(start, start + IDS_MAX);
    const found = await find(some);
    for (const id of some) foundById.set(id, found);
  }

  const foundFor = ({ meetingId }: WaitQuestion) => foundById.get(meetingId) as Found;
  const candidates = questions.filter(
    (wait) => wait.transcript && !wait.signal.aborted && !endsPoll(foundFor(wait).error),
  );
  const next = turns.next(candidates, (wait) => foundFor(wait).meetings.get(wait.meetingId)?.status);
  next?.wake?.answer();
  return (wait) => ({ ...answerFrom(foundFor(wait), wait), hasTurn: wait === next });
}
