import { abortable, followSignal, throwIfAborted } from "../async/abort.js";
import { HOUR_MS, pause } from "../async/timers.js";
import { checkClient } from "../errors/check-arguments.js";
import { abortOnReturn } from "../lists/abort-on-return.js";
import { atOwnPace } from "../resources/at-own-pace.js";
import {
  isUnreadable,
  type ListedPage,
  ListPages,
  type MeetingClient,
  type RequestPage,
  requestPage,
} from "../sync/meeting-list.js";
import { Period } from "../sync/period.js";
import type { MeetingRow } from "../sync/rows.js";
import { fetchMeeting, type WalkedMeeting } from "./fetch-meeting.js";
import { acceptedParts, formatPosition, type WalkOptions, type WalkPosition, walkPlan } from "./walk-options.js";

/** How many ids of earlier pages a position keeps, besides all those of the page that is being read. */
const MAX_EARLIER_IDS = 100;
/** The pause before a page is requested again that could not be read. */
const UNREADABLE_PAUSE_MS = 5_000;
/** A walk has more patience than a single call. A wait of more than an hour is not started: the user can decide. */
const PATIENCE = { maxRetries: 4, maxRetryDelayMs: HOUR_MS };

/**
 * Iterates over every meeting with its transcript and documents once: into a warehouse, a file, an index. `checkpoint`
 * of the last item, passed as `resume`, continues after it. To keep a database or a folder up to date, use
 * `syncMeetings`.
 * @throws {InvalidArgumentError} for an invalid option; nothing was sent
 * @throws {UnauthorizedError} at once, {@link RateLimitedError} or {@link ConnectionError} after five attempts
 * @throws {PaginationError} or {@link ResponseValidationError} if a page of the list cannot be read five times in a row
 * @beta It reads the meeting list, which the API specification mentions but does not define.
 * @example
 * for await (const { meeting, transcript, checkpoint } of walkMeetings(notetaker, { resume: await warehouse.checkpoint() })) {
 *   await warehouse.append(meeting, transcript, checkpoint);
 * }
 */
export function walkMeetings(
  notetaker: MeetingClient,
  options: WalkOptions = {},
): AsyncGenerator<WalkedMeeting, void, undefined> {
  return abortOnReturn((controller) => walk(notetaker, options, controller));
}

async function* walk(
  notetaker: MeetingClient,
  options: WalkOptions,
  controller: AbortController,
): AsyncGenerator<WalkedMeeting, void, undefined> {
  checkClient("walkMeetings", notetaker);
  const { position, wanted, concurrency, requestsPerMinute } = walkPlan(options);
  const following = followSignal(options.signal, controller);
  const { signal } = following;
  const pace = { perMinute: requestsPerMinute };
  const client = notetaker.withOptions?.({ ...atOwnPace(notetaker.meetings, pace), ...PATIENCE }) ?? notetaker;
  const request: RequestPage = (params) => requestPage(client, params, signal);
  const list = new ListPages(request, new Period(position), position, position.seen);
  const fetchRow = async (row: MeetingRow) => {
    throwIfAborted(signal);
    const parts = await abortable(acceptedParts(row.meeting, wanted, options.wants), signal);
    return parts && fetchMeeting(client, row, parts, signal);
  };
  let current: WalkPosition = position;
  try {
    while (!list.isAtEnd) {
      const page = await nextPage(list, signal);
      for (const row of page.unreadable) await abortable((async () => options.onInvalid?.(row))(), signal);
      for await (const { item: row, result } of inOrder(page.rows, concurrency, fetchRow)) {
        // A meeting that is left out counts as returned.
        current = positionAfter(current, page, row);
        if (result) yield { ...result, checkpoint: formatPosition(current) };
      }
    }
  } finally {
    following.release();
    // Cancels the requests for items that will not be read.
    following.abort();
  }
}

async function nextPage(list: ListPages, signal: AbortSignal): Promise<ListedPage> {
  for (;;) {
    try {
      return await list.next();
    } catch (error) {
      if (!isUnreadable(error) || !list.mayTryAgain(error)) throw error;
      await pause(UNREADABLE_PAUSE_MS, signal);
    }
  }
}

function positionAfter(before: WalkPosition, { rows, position, next }: ListedPage, row: MeetingRow): WalkPosition {
  const seen = [...before.seen, row.meeting.id];
  if (row !== rows.at(-1)) return { ...before, ...position, seen };
  return { ...before, ...next, seen: seen.slice(-MAX_EARLIER_IDS) };
}

/** Results in the order of the items, `limit` in work ahead of the reader. Throws where the failed item is. */
async function* inOrder<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<{ item: T; result: R }, void, undefined> {
  const started: Promise<R>[] = [];
  let next = 0;
  for (const [index, item] of items.entries()) {
    for (; next < Math.min(items.length, index + limit); next++) {
      const promise = work(items[next] as T);
      // A failure is thrown when its item is reached. If the loop is left before that, it is ignored.
      promise.catch(() => {});
      started.push(promise);
    }
    const result = await (started.shift() as Promise<R>);
    yield { item, result };
  }
}
