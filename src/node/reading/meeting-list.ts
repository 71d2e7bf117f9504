/**
 * Reads the meeting list page by page. Each meeting is returned once, even if the list repeats it. An invalid row does
 * not end the list.
 */
import { PaginationError } from "../../errors/call-errors.js";
import { CursorHistory } from "../../transport/cursor-history.js";
import { issueText } from "./issue-text.js";
import type { MeetingReader } from "./meeting-reader.js";
import type { Period } from "./period.js";
import { type MissingPiece, missingPiece } from "./pieces.js";
import { type ListedMeeting, readMeeting } from "./read-meeting.js";

/** Small enough for the checkpoint, which is written after every piece; large enough for few requests. */
const PAGE_SIZE = 50;
/** Without this limit, a list of empty pages would never end. */
const MAX_EMPTY_PAGES = 1000;

export interface MeetingPage {
  /** The meetings of the period that were on no earlier page. */
  meetings: ListedMeeting[];
  /** The rows that do not match the API specification. */
  missing: MissingPiece[];
  /** The cursor of the next page; `null` if this is the last one. */
  nextCursor: string | null;
}

export class MeetingList {
  readonly #reader: MeetingReader;
  readonly #period: Period;
  readonly #seenIds: Set<string>;
  #cursors = new CursorHistory();
  #hasBegun = false;
  #emptyPages = 0;

  /** `seenIds`: the meetings that earlier runs have listed. */
  constructor(reader: MeetingReader, period: Period, seenIds: Iterable<string> = []) {
    this.#reader = reader;
    this.#period = period;
    this.#seenIds = new Set(seenIds);
  }

  /** The ids of all meetings that were listed so far. */
  get seenIds(): ReadonlySet<string> {
    return this.#seenIds;
  }

  /** Whether a page was read in this run. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * Reads the page at `cursor`; `null` is the first page. `pageNumber` starts at 1 and is used to report rows without
   * an id.
   */
  async readPage(cursor: string | null, pageNumber: number, signal: AbortSignal): Promise<MeetingPage> {
    const { startDate, endDate } = this.#period;
    const params = {
      limit: PAGE_SIZE,
      expand: ["documents" as const],
      ...(startDate !== undefined && { start_date: startDate }),
      ...(endDate !== undefined && { end_date: endDate }),
      ...(cursor !== null && { cursor }),
    };
    const page = await this.#reader.page(params, signal);
    this.#hasBegun = true;
    if (cursor !== null) this.#cursors = this.#cursors.followedBy(cursor);
    this.#emptyPages = page.rows.length === 0 ? this.#emptyPages + 1 : 0;
    const nextCursor = page.hasMore ? this.#checkNextCursor(page.nextCursor) : null;
    return { ...this.#readRows(page.rows, pageNumber), nextCursor };
  }

  #readRows(rows: readonly unknown[], pageNumber: number): Omit<MeetingPage, "nextCursor"> {
    const meetings: ListedMeeting[] = [];
    const missing: MissingPiece[] = [];
    for (const [index, row] of rows.entries()) {
      const listed = readMeeting(row);
      if (listed === undefined) {
        missing.push(unreadableRow(pageNumber, index + 1));
        continue;
      }
      const { meeting, issues } = listed;
      if (this.#seenIds.has(meeting.id) || !this.#period.includes(meeting.start_time)) continue;
      this.#seenIds.add(meeting.id);
      meetings.push(listed);
      const issue = issueText(issues[0]);
      if (issue !== undefined) missing.push(missingPiece(meeting, "meeting", "invalid", issue));
    }
    return { meetings, missing };
  }

  #checkNextCursor(nextCursor: unknown): string {
    const fail = (problem: string) => new PaginationError(`meetings.list: ${problem}`);
    if (typeof nextCursor !== "string" || nextCursor === "") throw fail("has_more is true, but next_cursor is empty");
    if (this.#cursors.includes(nextCursor)) throw fail("next_cursor repeats an earlier cursor");
    if (this.#emptyPages >= MAX_EMPTY_PAGES) throw fail(`${MAX_EMPTY_PAGES} pages in a row are empty`);
    return nextCursor;
  }
}

const unreadableRow = (pageNumber: number, rowNumber: number): MissingPiece => ({
  meeting_id: "",
  title: null,
  what: `meeting (page ${pageNumber}, row ${rowNumber})`,
  reason: "invalid",
  message: "the row of the meeting list has no meeting id",
});
