import { type FollowingSignal, followSignal } from "../async/abort.js";
import { ASYNC_ITERATOR } from "../async/symbols.js";
import { PaginationError } from "../errors/call-errors.js";
import { withCallerStack } from "../errors/caller-stack.js";
import { checkArgument } from "../errors/check-arguments.js";
import type { PageEnvelope, ReceivedPage } from "../schemas/page.js";
import type { InvalidRow } from "../schemas/page-rows.js";
import { ApiPromise, type ApiResponse } from "../transport/api-promise.js";
import { hiddenField } from "../transport/hidden-field.js";
import type { RequestOptions } from "../transport/request-options.js";
import { abortOnReturn } from "./abort-on-return.js";
import type { CursorHistory } from "./cursor-history.js";
import { type ListOptions, type ToArrayOptions, toArrayOptionsSchema } from "./list-options.js";

/** A walk fails after this many empty pages in a row that all have `has_more`: such a list may have no end. */
const MAX_EMPTY_PAGES = 1_000;

interface PageFacts {
  readonly operation: string;
  readonly attempts: number;
}

export interface PagePosition<T, P extends Page<T> = Page<T>> extends PageFacts {
  /** The cursor that this page was requested with; `undefined` for the beginning of a list. */
  readonly cursor: string | undefined;
  readonly history: CursorHistory;
  readonly emptyPages: number;
  readonly invalid: readonly InvalidRow[];
  readonly listOptions: ListOptions;
  fetch(next: { cursor: string; options: RequestOptions; emptyPages: number }): PagePromise<T, P>;
}

const positions = /* @__PURE__ */ hiddenField<PagePosition<never, never>>("position");
const beginnings = /* @__PURE__ */ hiddenField<Beginning<never>>("beginning");

/** What a walk needs that begins with a promise of a page. */
export interface Beginning<T> {
  readonly options: ListOptions;
  /** If the page is refused for an invalid row: the valid rows before it. A walk returns them before it rejects. */
  rowsBefore: readonly T[];
}

const optionsOf = (promise: object) => beginnings.get(promise).options;

const positionOf = <T, P extends Page<T>>(page: P) => positions.get(page) as unknown as PagePosition<T, P>;

/** The error that ends a walk at a page. `cursor` is where the walk can be continued. */
const paginationError = (problem: string, { operation, attempts }: PageFacts, cursor?: string) =>
  new PaginationError({ message: `${operation}: ${problem}`, attempts, cursor });

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
    if (!Array.isArray(envelope?.data)) throw paginationError("the response is not a page", position);
    this.data = envelope.data;
    this.next_cursor = envelope.next_cursor ?? null;
    this.has_more = envelope.has_more;
    positions.set(this, position as unknown as PagePosition<never, never>);
    for (const [name, value] of Object.entries(envelope)) {
      if (!(name in this)) Object.defineProperty(this, name, { value, enumerable: true });
    }
  }

  /** The rows of this page that do not match their schema, in their order. Empty if `onInvalid` is `"throw"`. */
  get invalid(): readonly InvalidRow[] {
    return positionOf<T, Page<T>>(this).invalid;
  }

  /** Whether the list has a further page. */
  hasNextPage(): boolean {
    return this.has_more;
  }

  /** `PaginationError` after the last page, a repeated cursor, or 1,000 empty pages. `options` are for this request. */
  nextPage(options: RequestOptions = {}): PagePromise<T, this> {
    const position = positionOf<T, this>(this);
    const { history } = position;
    const cursor = this.next_cursor;
    const fail = (problem: string, continueAt = position.cursor) => {
      const error = Promise.reject(paginationError(problem, position, continueAt));
      return new PagePromise<T, this>(error, { options: {}, rowsBefore: [] });
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
 * @example
 * for await (const room of notetaker.rooms.list({ scope: "owned" })) console.log(room.title);
 */
export class PagePromise<T, P extends Page<T> = Page<T>> extends ApiPromise<P> implements AsyncIterable<T> {
  /** @internal Only list methods create these promises. */
  constructor(first: Promise<ApiResponse<P>>, beginning: Beginning<T>) {
    super(first);
    beginnings.set(this, beginning as Beginning<never>);
  }

  /** Walks the list page by page; `next_cursor` continues from a page. Leaving the walk cancels its request. */
  pages(): AsyncGenerator<P, void, undefined> {
    return walkPages<T, P>(this, optionsOf(this));
  }

  /** Walks the items of all pages. */
  [ASYNC_ITERATOR](): AsyncGenerator<T, void, undefined> {
    return walkItems<T, P>(this, optionsOf(this));
  }

  /**
   * The first `max` items as an array. `max` is required, because a list may not fit into memory.
   * @throws {InvalidArgumentError} if `max` is missing, or neither an integer of 0 or more nor `Infinity`
   * @throws {PaginationError} if the list has more than `max` items, and `overflow` is `"throw"`
   */
  async toArray(options: ToArrayOptions): Promise<T[]> {
    try {
      checkArgument("toArray({ max })", toArrayOptionsSchema, options ?? {});
    } catch (error) {
      // The first page has already been requested. Its failure must not become an unhandled rejection.
      this.catch(() => {});
      throw error;
    }
    const { max, overflow = "truncate" } = options;
    const items: T[] = [];
    for await (const page of walkPages<T, P>(this, optionsOf(this))) {
      const space = max - items.length;
      for (const item of page.data.slice(0, space)) items.push(item);
      if (overflow === "truncate" && items.length >= max) break;
      if (page.data.length > space) {
        const position = positionOf<T, P>(page);
        throw paginationError(`toArray: the list has more than ${max} items`, position, position.cursor);
      }
    }
    return items;
  }
}

/** A page of a walk; or the error that ends it, with the rows that came before it on its page. */
type WalkStep<T, P> = { readonly page: P } | { readonly rows: readonly T[]; readonly error: unknown };

async function* walkSteps<T, P extends Page<T>>(
  first: PromiseLike<P>,
  options: ListOptions,
  controller: AbortController,
): AsyncGenerator<WalkStep<T, P>, void, undefined> {
  let walk: FollowingSignal | undefined;
  let next = first;
  try {
    for (;;) {
      const page = await next;
      // Not before there is a page: the request for the first one checks the options.
      walk ??= followSignal(options.signal, controller);
      yield { page };
      if (!page.has_more) return;
      next = page.nextPage({ ...options, signal: walk.signal });
    }
  } catch (error) {
    const rows = (beginnings.get(next)?.rowsBefore ?? []) as readonly T[];
    yield { rows, error: withCallerStack(error) };
  } finally {
    walk?.release();
  }
}

/** Leaving the loop cancels a page that is being requested. */
const walkPages = <T, P extends Page<T>>(first: PromiseLike<P>, options: ListOptions) =>
  abortOnReturn<P>(async function* pages(controller) {
    for await (const step of walkSteps<T, P>(first, options, controller)) {
      if ("error" in step) throw step.error;
      yield step.page;
    }
  });

const walkItems = <T, P extends Page<T>>(first: PromiseLike<P>, options: ListOptions) =>
  abortOnReturn<T>(async function* items(controller) {
    // `yield*` would create further promises for every item.
    for await (const step of walkSteps<T, P>(first, options, controller)) {
      for (const item of "page" in step ? step.page.data : step.rows) yield item;
      if ("error" in step) throw step.error;
    }
  });
