/** Looks several meetings up in the meeting list, in as few requests as it takes, and reads what can be read. */
import { ApiError } from "../../errors/api-error.js";
import { NotetakerError } from "../../errors/notetaker-error.js";
import { isRecord } from "../../json/is-record.js";
import type { Meeting } from "../../schemas/meeting.js";

/** As many meetings as the service lists on one page by default: no page size has to be asked for. */
const IDS_PER_REQUEST = 25;

/** What to find out about a meeting. */
export interface MeetingQuestion {
  readonly meetingId: string;
  /** Whether the meeting's documents are needed. */
  readonly documents: boolean;
}

/** What the list says of a meeting. */
export interface ListedMeeting {
  /** As received: a row that is not as promised is read as far as it can be. */
  readonly meeting?: Meeting | undefined;
  /** `undefined` if the list cannot be read to its end. */
  readonly isListed: boolean | undefined;
  /** Why the list could not be read. */
  readonly error?: unknown;
}

/** A page of the list, its rows as received. */
export interface RowPage {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
  hasNextPage(): boolean;
}

/** How the list is requested. */
export interface ListRequest {
  readonly signal: AbortSignal;
  readonly token: string | undefined;
}

/** Requests the pages of the meeting list, one by one. */
export type ListMeetingPages = (
  params: { ids: readonly string[]; expand?: readonly ["documents"] | undefined },
  request: ListRequest,
) => AsyncIterable<RowPage>;

/** The meetings of the ids that were found, and whether those that are missing are certainly not in the list. */
interface Found {
  readonly meetings: Map<string, Meeting>;
  readonly isComplete: boolean;
  readonly error?: unknown;
}

/** Adds the rows that were asked for. Returns whether there were no others. */
function addRows(rows: readonly unknown[], wanted: ReadonlySet<string>, meetings: Map<string, Meeting>): boolean {
  let isFiltered = true;
  for (const row of rows) {
    if (!isRecord(row) || typeof row.id !== "string") continue;
    if (wanted.has(row.id)) meetings.set(row.id, row as unknown as Meeting);
    else isFiltered = false;
  }
  return isFiltered;
}

/**
 * Walks the pages while they hold nothing but meetings that were asked for. A list with others does not filter by id,
 * and to walk all of it at each poll would cost more than it is worth.
 */
async function findOnPages(pages: AsyncIterable<RowPage>, ids: readonly string[]): Promise<Found> {
  const wanted = new Set(ids);
  const meetings = new Map<string, Meeting>();
  try {
    for await (const page of pages) {
      const isFiltered = addRows(page.data, wanted, meetings);
      if (!page.hasNextPage()) return { meetings, isComplete: true };
      if (!isFiltered || meetings.size === wanted.size) break;
    }
  } catch (error) {
    // What the pages before have shown is still known; the list as a whole is not.
    if (!(error instanceof NotetakerError)) throw error;
    return { meetings, isComplete: false, error };
  }
  return { meetings, isComplete: false };
}

/** A service that refuses the expansion still says what a meeting's status is. */
async function findMeetings(
  listPages: ListMeetingPages,
  ids: readonly string[],
  documents: boolean,
  request: ListRequest,
): Promise<Found> {
  if (!documents) return findOnPages(listPages({ ids }, request), ids);
  const found = await findOnPages(listPages({ ids, expand: ["documents"] }, request), ids);
  const isRefused = found.error instanceof ApiError && [400, 422].includes(found.error.status);
  if (!isRefused) return found;
  return { ...(await findOnPages(listPages({ ids }, request), ids)), error: found.error };
}

function answerFrom({ meetings, isComplete, error }: Found, { meetingId, documents }: MeetingQuestion): ListedMeeting {
  const meeting = meetings.get(meetingId);
  if (meeting !== undefined && !(documents && error !== undefined)) return { meeting, isListed: true };
  if (error !== undefined) return { isListed: undefined, error };
  return { isListed: isComplete ? false : undefined };
}

/** Answers all questions with one request for each 25 meetings. */
export async function lookUpMeetings(
  listPages: ListMeetingPages,
  questions: readonly MeetingQuestion[],
  request: ListRequest,
): Promise<(question: MeetingQuestion) => ListedMeeting> {
  const documents = questions.some((question) => question.documents);
  const ids = [...new Set(questions.map(({ meetingId }) => meetingId))];
  const found = new Map<string, Found>();
  for (let start = 0; start < ids.length; start += IDS_PER_REQUEST) {
    const some = ids.slice(start, start + IDS_PER_REQUEST);
    const result = await findMeetings(listPages, some, documents, request);
    for (const id of some) found.set(id, result);
  }
  return (question) => {
    const result = found.get(question.meetingId);
    return result === undefined ? { isListed: undefined } : answerFrom(result, question);
  };
}
