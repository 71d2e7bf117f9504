/** The one reader of the meeting list: page by page, or by ids. A row that cannot be read does not end it. */
import * as z from "zod/mini";
import { listMeetings } from "../endpoints/meetings.js";
import { ApiError } from "../errors/api-error.js";
import { ConnectionError, PaginationError, ResponseValidationError, TimeoutError } from "../errors/call-errors.js";
import { CursorHistory } from "../lists/cursor-history.js";
import type { NotetakerLike } from "../notetaker-like.js";
import { idProblem } from "../schemas/ids.js";
import type { MeetingListParams } from "../schemas/meeting-list.js";
import { pageSchema, type ReceivedPage } from "../schemas/page.js";
import { nonEmptyString, nullish } from "../schemas/primitives.js";
import type { ClientOptions } from "../transport/client-options.js";
import { transportOf } from "../transport/resource.js";
import type { Period } from "./period.js";
import { invalidGap, type MissingPiece } from "./pieces.js";
import { type MeetingRow, readRow } from "./rows.js";

const PAGE_SIZE = 100;
/** A list may have no end if so many pages in a row show no meeting that is new. */
const MAX_IDLE_PAGES = 1_000;
/** After this many failures in a row to read a page as a whole, its error is final. */
const MAX_UNREADABLE = 5;
/** Pages of an answer by ids may be small, but so many may not be empty. */
const SPARE_PAGES = 5;

/** The client, or the used part of it. */
export interface MeetingClient {
  /** Reads meetings, transcripts and recordings. */
  readonly meetings: Pick<NotetakerLike["meetings"], "list" | "getTranscript" | "downloadRecording">;
  /** Reads documents. */
  readonly documents: Pick<NotetakerLike["documents"], "get">;
  /** A client has this method. A fake without it is called without a pace and without retries. */
  withOptions?(options: ClientOptions): MeetingClient;
}

/** A page of which each row may be anything. */
type RawPage = ReceivedPage<unknown>;
const rawPageSchema = /* @__PURE__ */ pageSchema(z.unknown());

export type RequestPage = (params: MeetingListParams) => Promise<RawPage>;

/**
 * Requests a page with its rows as they were received. The client's own check reads a missing list of documents as an
 * empty one: then a row without the list would say that all its documents are gone.
 */
export async function requestPage(
  { meetings }: MeetingClient,
  params: MeetingListParams,
  signal: AbortSignal,
): Promise<RawPage> {
  const expanded = { ...params, expand: ["documents"] as const };
  const read = (data: unknown) => ({ data });
  const raw = transportOf(meetings)?.call({ ...listMeetings, params: expanded, read }, { signal });
  const page: unknown = raw === undefined ? await meetings.list(expanded, { signal }) : (await raw).data;
  if (z.safeParse(rawPageSchema, page).success) return page as RawPage;
  throw listError("the response is not a page");
}

export interface ListPosition {
  /** `null`: the first page. `undefined`: the list has ended. */
  readonly cursor?: string | null | undefined;
  /** The number of the page, from 1. */
  readonly page: number;
}

export const LIST_START: ListPosition = { cursor: null, page: 1 };

/** The schema of a {@link ListPosition} that is read back. */
/* @__NO_SIDE_EFFECTS__ */
export const listPositionShape = () =>
  ({
    cursor: nullish(nonEmptyString()),
    page: z.number().check(z.int(), z.positive()),
  }) satisfies Record<keyof ListPosition, z.ZodMiniType>;

export interface ListedPage {
  /** The meetings of the period that were on no earlier page. */
  readonly rows: readonly MeetingRow[];
  /** The rows that have no meeting id. */
  readonly unreadable: readonly MissingPiece[];
  /** When the page was requested, in milliseconds since 1970. */
  readonly requestedMs: number;
  readonly position: ListPosition;
  /** The position after this page. */
  readonly next: ListPosition;
}

/** The pages of the meeting list, from any position in it. */
export class ListPages {
  /** The page that is read next. */
  position: ListPosition;
  /** The ids of all listed meetings. */
  readonly seen: Set<string>;
  /** The ids of the latest page that has some that can be sent back, whatever the period. */
  shown: readonly string[] = [];
  /** Whether it was read from its beginning. */
  readonly isWhole: boolean;
  readonly #request: RequestPage;
  readonly #period: Period;
  /** Known cursors: a list whose cursors come again has no end. */
  #history = new CursorHistory();
  /** The number of the last page that was read, before the list began again as well. */
  #furthest: number;
  /** The value of `#furthest` when a cursor has expired last. */
  #expiredAfter = -1;
  #unreadable = 0;
  #idlePages = 0;

  /** `seen`: meetings that are left out. */
  constructor(request: RequestPage, period: Period, from = LIST_START, seen: Iterable<string> = []) {
    this.position = from;
    this.seen = new Set(seen);
    this.#request = request;
    this.#period = period;
    this.#furthest = from.page - 1;
    this.isWhole = from.page === 1;
  }

  get isAtEnd(): boolean {
    return this.position.cursor === undefined;
  }

  /**
   * The next page. Throws if it cannot be read: see {@link mayTryAgain}. A cursor that has expired begins the list again,
   * once for each page of progress.
   */
  async next(): Promise<ListedPage> {
    for (;;) {
      const requestedMs = Date.now();
      const { cursor } = this.position;
      const { startDate: start_date, endDate: end_date } = this.#period;
      const days = { ...(start_date && { start_date }), ...(end_date && { end_date }) };
      try {
        return this.#accept(await this.#request({ limit: PAGE_SIZE, ...days, ...(cursor && { cursor }) }), requestedMs);
      } catch (error) {
        if (!cursor || !hasExpired(error)) throw error;
        this.position = LIST_START;
        this.#history = new CursorHistory();
        const isStuck = this.#furthest <= this.#expiredAfter;
        this.#expiredAfter = this.#furthest;
        if (isStuck) throw listError("the service refuses its own cursor", error);
      }
    }
  }

  /**
   * Whether `next` may be called again after this error of it. Not if the service refuses the list, nor after the fifth
   * page in a row that cannot be read.
   */
  mayTryAgain(error: unknown): boolean {
    if (!isUnreadable(error)) return isOfService(error) && !isRefused(error);
    this.#unreadable += 1;
    return this.#unreadable < MAX_UNREADABLE;
  }

  #accept(page: ReceivedPage<unknown>, requestedMs: number): ListedPage {
    const { position } = this;
    const cursor = page.has_more ? page.next_cursor : undefined;
    const seenBefore = this.seen.size;
    const listed = this.#rowsOf(page, position.page);
    this.#idlePages = this.seen.size > seenBefore ? 0 : this.#idlePages + 1;
    const problem = this.#problemWith(cursor);
    // The rows of such a page are returned once. Then the list cannot be continued.
    if (problem !== undefined && listed.rows.length === 0) throw listError(problem);
    if (problem === undefined && position.page > this.#furthest) {
      this.#furthest = position.page;
      this.#unreadable = 0;
    }
    if (cursor) this.#history = this.#history.followedBy(cursor);
    this.position = problem === undefined ? { cursor, page: position.page + 1 } : position;
    return { ...listed, requestedMs, position, next: this.position };
  }

  #problemWith(cursor: string | null | undefined): string | undefined {
    if (cursor === undefined) return undefined;
    if (!cursor) return "has_more is true, but next_cursor is empty";
    if (this.#idlePages >= MAX_IDLE_PAGES) return `${MAX_IDLE_PAGES} pages in a row show no new meeting`;
    return this.#history.includes(cursor) ? "next_cursor repeats an earlier cursor" : undefined;
  }

  #rowsOf({ data }: RawPage, page: number): Pick<ListedPage, "rows" | "unreadable"> {
    const read = data.map(readRow);
    const listed = read.filter((row) => row !== undefined);
    const ids = listed.map(({ meeting }) => meeting.id).filter((id) => idProblem("meetingId", id) === undefined);
    if (ids.length > 0) this.shown = ids;
    const isNew = ({ meeting: { id } }: MeetingRow) => !this.seen.has(id) && this.seen.add(id).has(id);
    const gap = invalidGap("the row of the meeting list has no meeting id");
    return {
      rows: listed.filter(isNew).filter(({ meeting }) => this.#period.includes(meeting.start_time)),
      unreadable: read.flatMap((row, index) => {
        const what = `meeting (page ${page}, row ${index + 1})`;
        return row === undefined ? { meeting_id: "", title: null, what, ...gap } : [];
      }),
    };
  }
}

const listError = (problem: string, cause?: unknown) =>
  new PaginationError({ message: `meetings.list: ${problem}`, ...(cause !== undefined && { cause }) });

/** The service does not accept the cursor any more. */
const hasExpired = (error: unknown): boolean => error instanceof ApiError && [400, 404, 422].includes(error.status);

/** Whether the service has failed, or the way to it, and not a program on this side. */
const isOfService = (error: unknown): boolean =>
  error instanceof ApiError || error instanceof ConnectionError || error instanceof TimeoutError || isUnreadable(error);

/** Whether fewer ids may help after this error of a request by ids: whoever is refused as such is refused by the list. */
export const mayHalve = (error: unknown): boolean => isOfService(error) && !(isRefused(error) && error.status !== 404);

/** The service itself refuses the list, and not a firewall on the way to it. */
const isRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.fromService && [401, 403, 404].includes(error.status);

/** Whether a page was received that is none, or that cannot be continued. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof ResponseValidationError || error instanceof PaginationError;

export interface FoundMeetings {
  /** Each meeting once, and none that was not requested. */
  readonly rows: ReadonlyMap<string, MeetingRow>;
  /**
   * Whether the list has no other of these meetings. `false` if the answer has a row that cannot be read or that was not
   * requested, or does not end: then nothing is known of the other ids.
   */
  readonly isComplete: boolean;
}

/** Requests meetings by their ids. */
export async function requestByIds(request: RequestPage, ids: readonly string[]): Promise<FoundMeetings> {
  const rows = new Map<string, MeetingRow>();
  let cursor: string | null | undefined;
  for (let pages = 0; pages < ids.length + SPARE_PAGES; pages += 1) {
    const page: RawPage = await request({ ids: [...ids], limit: ids.length, ...(cursor && { cursor }) });
    const wanted = page.data.flatMap((row) => readRow(row) ?? []).filter(({ meeting }) => ids.includes(meeting.id));
    for (const row of wanted) if (!rows.has(row.meeting.id)) rows.set(row.meeting.id, row);
    if (wanted.length < page.data.length) break;
    if (!page.has_more) return { rows, isComplete: true };
    cursor = page.next_cursor;
    if (!cursor) break;
  }
  return { rows, isComplete: false };
}
