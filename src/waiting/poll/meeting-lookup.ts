/** Looks up several meetings in the meeting list with as few requests as possible, also if rows are invalid. */
import { ApiError } from "../../errors/api-error.js";
import { NotetakerError } from "../../errors/notetaker-error.js";
import { isRecord } from "../../json/is-record.js";
import type { Meeting } from "../../schemas/meeting.js";

/** The service's default page size: so a request for this many ids needs no page size. */
const IDS_PER_REQUEST = 25;

/** A meeting to look up. */
export interface MeetingQuestion {
  readonly meetingId: string;
  /** Whether the meeting's documents are needed. */
  readonly documents: boolean;
}

/** The result of looking up one meeting in the list. */
export interface ListedMeeting {
  /** The row of the meeting as received, even if it does not match its schema. */
  readonly meeting?: Meeting | undefined;
  /** Whether the list contains the meeting; `undefined` if the list could not be read completely. */
  readonly isListed: boolean | undefined;
  /** Why the list could not be read. */
  readonly error?: unknown;
}

/** A page of the list, with its rows as received. */
export interface RowPage {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
  hasNextPage(): boolean;
}

/** The signal and the token for requests of the list. */
export interface ListRequest {
  readonly signal: AbortSignal;
  readonly token: string | undefined;
}

/** Requests the pages of the meeting list, one by one. */
export type ListMeetingPages = (
  params: { ids: readonly string[]; expand?: readonly ["documents"] | undefined },
  request: ListRequest,
) => AsyncIterable<RowPage>;

/** The meetings that were found. If `isComplete`, the list certainly does not contain the others. */
interface Found {
  readonly meetings: Map<string, Meeting>;
  readonly isComplete: boolean;
  readonly error?: unknown;
}

/** Adds the wanted rows to `meetings`. Returns whether all rows were wanted. */
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
 * Walks the pages as long as they contain only wanted meetings. If a page contains others, the service does not filter
 * by id: to walk the whole list at each poll would take too many requests.
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
    // The meetings of earlier pages are still valid, but the list was not read completely.
    if (!(error instanceof NotetakerError)) throw error;
    return { meetings, isComplete: false, error };
  }
  return { meetings, isComplete: false };
}

/** If the service refuses the expansion, requests the list without it, for the status of the meetings. */
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

/** Looks up all meetings, with one request for each 25 meetings. */
export async function lookUpMeetings(
  listPages: ListMeetingPages,
  questions: readonly MeetingQuestion[],
  request: ListRequest,
): Promise<(question: MeetingQuestion) => ListedMeeting> {
  const documents = questions.some((question) => question.documents);
  const ids = [...new Set(questions.map(({ meetingId }) => meetingId))];
  const foundById = new Map<string, Found>();
  for (let start = 0; start < ids.length; start += IDS_PER_REQUEST) {
    const batch = ids.slice(start, start + IDS_PER_REQUEST);
    const result = await findMeetings(listPages, batch, documents, request);
    for (const id of batch) foundById.set(id, result);
  }
  return (question) => {
    const result = foundById.get(question.meetingId);
    return result === undefined ? { isListed: undefined } : answerFrom(result, question);
  };
}
