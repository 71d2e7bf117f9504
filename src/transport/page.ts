/** Paginated lists: a page, and the walks across pages. */

import { followSignal } from "../async/abort.js";
import { ASYNC_ITERATOR } from "../async/symbols.js";
import { checkArgument } from "../errors/argument-errors.js";
import { PaginationError } from "../errors/call-errors.js";
import { addCallFacts } from "../errors/notetaker-error.js";
import type { PageEnvelope, ReceivedPage } from "../schemas/page.js";
import type { InvalidRow } from "../schemas/page-rows.js";
import { ApiPromise, type ApiResponse } from "./api-promise.js";
import { withCallerStack } from "./caller-stack.js";
import type { CursorHistory } from "./cursor-history.js";
import { hiddenField } from "./hidden-field.js";
import { type ListOptions, type ToArrayOptions, toArrayOptionsSchema } from "./list-options.js";
import type { RequestOptions } from "./request-options.js";

/** A walk fails after this many empty pages in a row that all have `has_more`: such a list may have no end. */
const MAX_EMPTY_PAGES = 1_000;

/** The position of a page in its list, and the way to the next page. */
export interface PagePosition<T, P extends Page<T> = Page<T>> {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** The cursor that this page was requested with; `undefined` for the beginning of a list. */
  readonly cursor: string | undefined;
  /** The cursors that led to this page. */
  readonly history: CursorHistory;
  /** How many empty pages came right before this one. */
  readonly emptyPages: number;
  /** The rows of this page that were left out. */
  readonly invalid: readonly InvalidRow[];
  /** The options of the list. */
  readonly listOptions: ListOptions;
  /** Fetches the page that `cursor` leads to. */
  fetch(next: { cursor: string; options: RequestOptions; emptyPages: number }): PagePromise<T, P>;
}

const positions = /* @__PURE__ */ hiddenField<PagePosition<never, never>>("position");
const listOptions = /* @__PURE__ */ hiddenField<ListOptions>("options");

/**
 * The valid rows before the first invalid row of a page, stored in the error about that row. A walk returns these rows
 * before it rejects.
 */
const rows = /* @__PURE__ */ hiddenField<readonly unknown[] | undefined>("rowsBefore");

export const keepRowsBefore = (error: object, valid: readonly unknown[]): void => rows.set(error, valid);

export const rowsBefore = <T>(error: unknown): readonly T[] =>
  error instanceof Error ? ((rows.get(error) ?? []) as readonly T[]) : [];

const positionOf = <T, P extends Page<T>>(page: P) => positions.get(page) as unknown as PagePosition<T, P>;

/** Adds the cursor from which the walk can be continued, if there is one. */
const withCursor = (error: PaginationError, cursor: string | undefined) =>
  cursor === undefined ? error : addCallFacts(error, { cursor });

/** One page of a list. Further fields of the envelope are kept. */
export class Page<T> implements AsyncIterable<T> {
  /** The items of this page, in the service's order. */
  readonly data: T[];
  /** Where the next page begins: pass it to the list as `cursor`. `null` if there is no further page. */
  readonly next_cursor: string | null;
  /** Whether there is a further page. */
  readonly has_more: boolean;

  /** @internal Only list methods create pages. */
  constructor(envelope: ReceivedPage<T>, position: PagePosition<T>) {
    // Without validation, the response can be anything.
    if (!Array.isArray(envelope?.data)) throw new PaginationError(`${position.operation}: the response is not a page`);
    this.data = envelope.data;
    this.next_cursor = envelope.next_cursor ?? null;
    this.has_more = envelope.has_more;
    positions.set(this, position as unknown as PagePosition<never, never>);
    for (const [name, value] of Object.entries(envelope)) {
      if (!(name in this)) Object.defineProperty(this, name, { value, enumerable: true });
    }
  }

  /**
   * The rows of this page that do not match their schema, in the order of the page. Empty if `onInvalid` is `"throw"`.
   */
  get invalid(): readonly InvalidRow[] {
    return positionOf<T, Page<T>>(this).invalid;
  }

  /** Whether the list has a further page. */
  hasNextPage(): boolean {
    return this.has_more;
  }

  /**
   * Fetches the next page. Rejects with `PaginationError` if this is the last page, if `next_cursor` is missing or
   * repeats an earlier cursor, and after 1,000 empty pages in a row. For this one request, `options` override the
   * options of the list.
   */
  nextPage(options: RequestOptions = {}): PagePromise<T, this> {
    const position = positionOf<T, this>(this);
    const { operation, history } = position;
    const cursor = this.next_cursor;
    const fail = (problem: string, continueAt = position.cursor) => {
      const error = new PaginationError(`${operation}: ${problem}`);
      return new PagePromise<T, this>(Promise.reject(withCursor(error, continueAt)), {});
    };
    if (!this.has_more) return fail("this is the last page");
    if (!cursor) return fail("has_more is true, but next_cursor is empty");
    if (history.includes(cursor)) return fail("next_cursor repeats an earlier cursor");
    const isEmpty = this.data.length === 0 && position.invalid.length === 0;
    const emptyPages = isEmpty ? position.emptyPages + 1 : 0;
    if (emptyPages >= MAX_EMPTY_PAGES) {
      return fail(
        `${MAX_EMPTY_PAGES.toLocaleString("en-US")} empty pages in a row, and has_more is still true`,
        cursor,
      );
    }
    return position.fetch({ cursor, options, emptyPages });
  }

  /** The items of this page, then those of all pages after it. */
  [ASYNC_ITERATOR](): AsyncGenerator<T, void, undefined> {
    return walkItems<T, this>(Promise.resolve(this), positionOf<T, this>(this).listOptions);
  }

  /** This page as plain data: `data`, `next_cursor`, `has_more`, and any further fields (`share_url`). */
  toJSON(): PageEnvelope<T> & Omit<this, keyof Page<T>> {
    return { ...this } as never;
  }
}

/**
 * A promise of the first page of a list. `for await` over it returns the items of all pages.
 *
 * @example
 * for await (const room of notetaker.rooms.list({ scope: "owned" })) console.log(room.title);
 */
export class PagePromise<T, P extends Page<T> = Page<T>> extends ApiPromise<P> implements AsyncIterable<T> {
  /** @internal Only list methods create these promises. */
  constructor(first: Promise<ApiResponse<P>>, options: ListOptions) {
    super(first);
    listOptions.set(this, options);
  }

  /**
   * Walks the list page by page. Each page has the `next_cursor` from which to continue. Leaving the loop cancels a
   * page that is being prefetched.
   */
  pages(): AsyncGenerator<P, void, undefined> {
    return walkPages<T, P>(this, listOptions.get(this));
  }

  /** Walks the items of all pages. */
  [ASYNC_ITERATOR](): AsyncGenerator<T, void, undefined> {
    return walkItems<T, P>(this, listOptions.get(this));
  }

  /**
   * The first `max` items as an array. `max` is required, because a list may not fit into memory.
   *
   * @throws {InvalidArgumentError} {@link InvalidArgumentError} if `max` is missing, or neither an integer of 0 or more
   * nor `Infinity`
   * @throws {PaginationError} {@link PaginationError} if the list has more than `max` items, and `overflow` is
   * `"throw"`
   */
  async toArray(options: ToArrayOptions): Promise<T[]> {
    try {
      checkArgument("toArray", toArrayOptionsSchema, options);
    } catch (error) {
      // The first page has already been requested. Its failure must not become an unhandled rejection.
      this.catch(() => {});
      throw error;
    }
    const { max, overflow = "truncate" } = options;
    const items: T[] = [];
    for await (const page of walkPages<T, P>(this, listOptions.get(this))) {
      const space = max - items.length;
      for (const item of page.data.slice(0, space)) items.push(item);
      if (overflow === "truncate" && items.length >= max) break;
      if (page.data.length > space) {
        const { operation, cursor } = positionOf<T, P>(page);
        throw withCursor(new PaginationError(`${operation}: toArray: the list has more than ${max} items`), cursor);
      }
    }
    return items;
  }
}

/** At most one page is fetched ahead of the one that is consumed. */
async function* walkPages<T, P extends Page<T>>(
  first: PromiseLike<P>,
  { prefetch, signal, ...options }: ListOptions,
): AsyncGenerator<P, void, undefined> {
  // Aborted when the walk ends, which cancels a page that is being prefetched.
  const walkEnd = followSignal(signal);
  const fetchAfter = (page: P) => {
    const next = page.nextPage({ ...options, signal: walkEnd.signal });
    // If it fails, the error is reported when the walk reaches that page.
    next.catch(() => {});
    return next;
  };
  try {
    let page = await first;
    for (;;) {
      const prefetched = prefetch && page.has_more ? fetchAfter(page) : undefined;
      yield page;
      if (!page.has_more) return;
      page = await (prefetched ?? fetchAfter(page));
    }
  } catch (error) {
    throw withCallerStack(error);
  } finally {
    walkEnd.release();
    walkEnd.abort();
  }
}

async function* walkItems<T, P extends Page<T>>(
  first: PromiseLike<P>,
  options: ListOptions,
): AsyncGenerator<T, void, undefined> {
  try {
    // `yield*` would create further promises for every item.
    for await (const page of walkPages<T, P>(first, options)) for (const item of page.data) yield item;
  } catch (error) {
    yield* rowsBefore<T>(error);
    throw withCallerStack(error);
  }
}
