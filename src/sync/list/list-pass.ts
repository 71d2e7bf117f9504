/** Reads the meeting list page by page: the one reader of the list. A row that cannot be read does not end it. */
import * as z from "zod/mini";
import { ApiError } from "../../errors/api-error.js";
import { PaginationError, ResponseValidationError } from "../../errors/call-errors.js";
import { CursorHistory } from "../../lists/cursor-history.js";
import { idProblem } from "../../schemas/ids.js";
import type { MeetingListParams } from "../../schemas/meeting-list.js";
import { nonEmptyString, nullish } from "../../schemas/primitives.js";
import { invalidGap, type MissingPiece } from "../meeting/pieces.js";
import type { MeetingClient } from "./meeting-client.js";
import type { Period } from "./period.js";
import { type MeetingRow, readRow } from "./received.js";
import { type RawPage, requestPage } from "./request-page.js";

const PAGE_SIZE = 100;
/** A list may have no end if so many pages in a row show no meeting that is new. */
const MAX_IDLE_PAGES = 1_000;
/** After this many failures in a row to read a page as a whole, its error is final. */
const MAX_UNREADABLE = 5;

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
  /** The ids of all rows that can be sent back, whatever the period. */
  readonly ids: readonly string[];
  readonly position: ListPosition;
  /** The position after this page. */
  readonly next: ListPosition;
}

interface ListPassOptions {
  readonly client: MeetingClient;
  readonly period: Period;
  readonly from?: ListPosition;
  /** Meetings that are left out. The ids of all listed meetings are added. */
  readonly seen?: Set<string>;
  readonly signal: AbortSignal;
}

/** Makes a request, and may repeat it after a temporary failure. */
export type Attempt = <T>(request: () => Promise<T>) => Promise<T>;

/** One pass over the meeting list, from any position in it. */
export class ListPass {
  /** The page that is read next. */
  position: ListPosition;
  readonly seen: Set<string>;
  readonly #options: ListPassOptions;
  /** Known cursors, across all attempts: a list whose cursors come again has no end. */
  #history = new CursorHistory();
  /** How many pages were read since the beginning, or since the list began again. */
  #pages = 0;
  /** Whether a cursor was refused again without progress: `position` is the beginning of the list. */
  isRefused = false;
  /** How many pages were read when a cursor was refused last. */
  #refusedAfter = -1;
  #unreadable = 0;
  #idlePages = 0;

  constructor(options: ListPassOptions) {
    this.#options = options;
    this.position = options.from ?? LIST_START;
    this.seen = options.seen ?? new Set();
  }

  get isAtEnd(): boolean {
    return this.position.cursor === undefined;
  }

  /**
   * The next page. Throws if it cannot be read. A page that cannot be read as a whole may be tried again: see
   * {@link mayTryAgain}.
   *
   * A cursor that the service no longer accepts begins the list again, once for each page of progress. Without progress
   * the error is thrown, and `position` is the beginning.
   */
  async next(attempt: Attempt = (request) => request()): Promise<ListedPage> {
    for (;;) {
      const { cursor } = this.position;
      try {
        const page = await attempt(() => this.#request());
        return this.#accept(page);
      } catch (error) {
        if (!cursor || !isRefusedCursor(error)) throw error;
        this.position = LIST_START;
        this.#history = new CursorHistory();
        const hasProgress = this.#pages > this.#refusedAfter;
        this.#refusedAfter = this.#pages;
        this.#pages = 0;
        this.isRefused = !hasProgress;
        if (this.isRefused) throw error;
      }
    }
  }

  /** Whether `next` may be called again after this error of it. */
  mayTryAgain(error: unknown): boolean {
    if (!(error instanceof ResponseValidationError || error instanceof PaginationError)) return false;
    this.#unreadable += 1;
    return this.#unreadable < MAX_UNREADABLE;
  }

  async #request(): Promise<RawPage> {
    const { client, period, signal } = this.#options;
    const { startDate, endDate } = period;
    const { cursor } = this.position;
    const params: MeetingListParams = {
      limit: PAGE_SIZE,
      ...(startDate !== undefined && { start_date: startDate }),
      ...(endDate !== undefined && { end_date: endDate }),
      ...(cursor && { cursor }),
    };
    return requestPage(client, params, signal);
  }

  #accept(page: RawPage): ListedPage {
    const position = this.position;
    const cursor = page.has_more ? page.next_cursor : undefined;
    const seenBefore = this.seen.size;
    const listed = this.#rowsOf(page, position.page);
    this.#idlePages = this.seen.size > seenBefore ? 0 : this.#idlePages + 1;
    const problem = this.#problemWith(cursor);
    const next = problem === undefined ? { cursor, page: position.page + 1 } : position;
    // The rows of such a page are returned once. Then the list cannot be continued.
    if (problem !== undefined && listed.rows.length === 0)
      throw new PaginationError({ message: `meetings.list: ${problem}` });
    if (problem === undefined) this.#unreadable = 0;
    if (cursor) this.#history = this.#history.followedBy(cursor);
    this.#pages += 1;
    this.position = next;
    return { ...listed, position, next };
  }

  #problemWith(cursor: string | null | undefined): string | undefined {
    if (cursor === undefined) return undefined;
    if (!cursor) return "has_more is true, but next_cursor is empty";
    if (this.#idlePages >= MAX_IDLE_PAGES) return `${MAX_IDLE_PAGES} pages in a row show no new meeting`;
    return this.#history.includes(cursor) ? "next_cursor repeats an earlier cursor" : undefined;
  }

  #rowsOf({ data }: RawPage, number: number): Pick<ListedPage, "rows" | "unreadable" | "ids"> {
    const { period } = this.#options;
    const rows: MeetingRow[] = [];
    const unreadable: MissingPiece[] = [];
    const ids: string[] = [];
    for (const [index, value] of data.entries()) {
      const row = readRow(value);
      if (row === undefined) {
        unreadable.push(unreadableRow(number, index + 1));
        continue;
      }
      const { id, start_time } = row.meeting;
      if (idProblem("meetingId", id) === undefined) ids.push(id);
      if (this.seen.has(id)) continue;
      this.seen.add(id);
      if (period.includes(start_time)) rows.push(row);
    }
    return { rows, unreadable, ids };
  }
}

/** The service does not accept the cursor any more. */
const isRefusedCursor = (error: unknown): boolean =>
  error instanceof ApiError && [400, 404, 422].includes(error.status);

const unreadableRow = (page: number, row: number): MissingPiece => ({
  meeting_id: "",
  title: null,
  ...invalidGap(`meeting (page ${page}, row ${row})`, "the row of the meeting list has no meeting id"),
});
