/** Looks up several meetings in the meeting list with as few requests as possible, also if rows are invalid. */
import * as z from "zod/mini";
import { ASSUMED_PAGE_SIZE } from "../assumptions.js";
import { listMeetings } from "../endpoints/meetings.js";
import { isNotetakerError } from "../errors/error-of-record.js";
import { isRefusal } from "../errors/is-temporary.js";
import { isRecord } from "../json/is-record.js";
import { ignoredFilterError, MAX_SEARCHED_PAGES } from "../lists/ignored-filter.js";
import { list } from "../lists/list.js";
import { IDS_MAX } from "../schemas/ids.js";
import type { Meeting } from "../schemas/meeting.js";
import type { MeetingListParams } from "../schemas/meeting-list.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";

/** The meetings that were found. If `isComplete`, the list certainly does not contain the others. */
export interface FoundMeetings {
  readonly meetings: Map<string, Meeting>;
  readonly isComplete: boolean;
  /** Why the list could not be read completely. The meetings of earlier pages are still valid. */
  readonly error?: unknown;
}

interface LookUp {
  readonly transport: Transport;
  readonly sending: Sending;
  readonly onRequest: () => void;
  /** Whether to read up to 20 further pages if the service does not filter by id. */
  readonly searches: boolean;
  readonly expandsDocuments: boolean;
  /** Whether to look the meetings up without documents if the service refuses to expand them. */
  readonly worksWithoutDocuments: boolean;
}

export interface Sending extends Pick<RequestOptions, "headers" | "signal"> {
  readonly token: string;
}

/** The next poll is the retry of a request, and no cache may answer it. */
export const OF_POLL = { retriedByCaller: true, isFresh: true } as const;

/** The pages of the meeting list. Their rows are not checked: one invalid row must not end a poll. */
async function* requestPages(params: MeetingListParams, { transport, sending, onRequest }: LookUp) {
  const { token, ...options } = sending;
  const operation = { ...listMeetings, params, response: z.unknown(), ...OF_POLL, token, renewsToken: true };
  onRequest();
  for await (const page of list(transport, operation, options).pages()) {
    yield page;
    if (page.hasNextPage()) onRequest();
  }
}

const hasId = (row: unknown): row is Meeting => isRecord(row) && typeof row.id === "string";

/** Reads the pages until all meetings are found. If a page contains others, the service does not filter by id. */
async function findOnPages(params: MeetingListParams, ids: readonly string[], how: LookUp): Promise<FoundMeetings> {
  const meetings = new Map<string, Meeting>();
  let searched = 0;
  try {
    for await (const page of requestPages(params, how)) {
      const rows = page.data.filter(hasId);
      const wanted = rows.filter(({ id }) => ids.includes(id));
      for (const row of wanted) meetings.set(row.id, row);
      if (!page.hasNextPage()) return { meetings, isComplete: true };
      const hasOthers = wanted.length < rows.length;
      if (meetings.size === ids.length || (hasOthers && !how.searches)) break;
      searched += Number(hasOthers);
      if (searched > MAX_SEARCHED_PAGES)
        throw ignoredFilterError(
          listMeetings.name,
          ids.find((id) => !meetings.has(id)) ?? "",
          how.transport.config.names.meetings.ids,
          searched,
        );
    }
  } catch (error) {
    if (!isNotetakerError(error)) throw error;
    return { meetings, isComplete: false, error };
  }
  return { meetings, isComplete: false };
}

/** Looks up meetings with one request for each 100 of them. Resolves to what was found for each id. */
export async function lookUpMeetings(ids: readonly string[], how: LookUp): Promise<(id: string) => FoundMeetings> {
  const foundById = new Map<string, FoundMeetings>();
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    const some = ids.slice(start, start + IDS_MAX);
    // The service's own page size is left as it is where it is enough.
    const params = some.length > ASSUMED_PAGE_SIZE ? { ids: some, limit: some.length } : { ids: some };
    const expanded = how.expandsDocuments ? { ...params, expand: ["documents" as const] } : params;
    let found = await findOnPages(expanded, some, how);
    if (how.expandsDocuments && how.worksWithoutDocuments && isRefusal(found.error)) {
      found = { ...(await findOnPages(params, some, how)), error: found.error };
    }
    for (const id of some) foundById.set(id, found);
  }
  return (id) => foundById.get(id) as FoundMeetings;
}
