/** Paginated lists: the page envelope, and the walks across pages. */
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import { PaginationError } from "../errors/pagination-error.js";
import type { ListOptions, RequestOptions } from "../options.js";
import type { ReceivedPage } from "../schemas/page.js";
import { ApiPromise, type ApiResponse } from "./api-promise.js";
import { type Operation, type ValueWithSchema, withSchema } from "./operation.js";
import { listOptionsSchema } from "./request-options-schema.js";
import type { Transport } from "./transport.js";

/** An operation that answers with a page; the cursor is one of its query parameters. */
export interface ListOperation<T> extends Operation<ReceivedPage<T>> {
  readonly query: ValueWithSchema;
}

/** The cursors that led to a page, the latest first. Every page of a walk shares those of the pages before it. */
interface Trail {
  readonly cursor: string;
  readonly before: Trail | undefined;
}

/** Where a page stands in its list, and how the next one is fetched. */
interface Place {
  readonly operation: string;
  readonly trail: Trail | undefined;
  fetch(cursor: string, options: RequestOptions): PagePromise<never, never>;
}

function isUsed(cursor: string, trail: Trail | undefined): boolean {
  for (let step = trail; step !== undefined; step = step.before) if (step.cursor === cursor) return true;
  return false;
}

/** One page of a list. Fields of the envelope that are not named here are kept, too. */
export class Page<T> {
  readonly data: T[];
  /** Where the next page begins; `null` when there is none. */
  readonly next_cursor: string | null;
  readonly has_more: boolean;
  readonly #place: Place;

  constructor(envelope: ReceivedPage<T>, place: Place) {
    // Only without validation can the answer be anything but a page.
    if (!Array.isArray(envelope?.data)) throw new PaginationError(`${place.operation}: the answer is not a page`);
    this.data = envelope.data;
    this.next_cursor = envelope.next_cursor ?? null;
    this.has_more = envelope.has_more;
    this.#place = place;
    for (const [name, value] of Object.entries(envelope)) {
      if (!(name in this)) Object.defineProperty(this, name, { value, enumerable: true });
    }
  }

  /** Whether the list goes on. */
  hasNextPage(): boolean {
    return this.has_more;
  }

  /**
   * Fetches the next page. Rejects with `PaginationError` when there is none, when this page promises one and gives
   * no cursor, or when it gives a cursor that was used before. `options` take the place of the list's own for this
   * one request.
   */
  nextPage(options: RequestOptions = {}): PagePromise<T, this> {
    const { operation, trail, fetch } = this.#place;
    const cursor = this.next_cursor;
    const fail = (why: string) =>
      new PagePromise<T, this>(Promise.reject(new PaginationError(`${operation}: ${why}`)), options);
    if (!this.has_more) return fail("this is the last page");
    if (!cursor) return fail("the page gives no cursor to the next one");
    if (isUsed(cursor, trail)) return fail("the page gives a cursor used before");
    return fetch(cursor, options);
  }
}

/**
 * A promise of the first page that can be walked: `for await` gives every item across pages.
 *
 * @example
 * for await (const room of notetaker.rooms.list({ scope: "owned" })) console.log(room.title);
 */
export class PagePromise<T, P extends Page<T> = Page<T>> extends ApiPromise<P> implements AsyncIterable<T> {
  readonly #options: ListOptions;

  constructor(first: Promise<ApiResponse<P>>, options: ListOptions) {
    super(first);
    this.#options = options;
  }

  /** Page by page, each with the `next_cursor` to go on from. Leaving the walk cancels a page that is being prefetched. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    let page = await this;
    const { prefetch = false, ...own } = this.#options;
    const left = new AbortController();
    const signal = own.signal === undefined ? left.signal : AbortSignal.any([own.signal, left.signal]);
    const onward: RequestOptions = prefetch ? { ...own, signal } : own;
    try {
      for (;;) {
        const ahead = prefetch && page.hasNextPage() ? page.nextPage(onward) : undefined;
        // Its failure is reported when the walk gets there.
        ahead?.catch(() => {});
        yield page;
        if (!page.hasNextPage()) return;
        page = await (ahead ?? page.nextPage(onward));
      }
    } finally {
      left.abort();
    }
  }

  /** Every item, across pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** The first `max` items as an array. `max` is required: a list may be longer than memory. */
  async toArray(options: { max: number }): Promise<T[]> {
    const max: unknown = options?.max;
    if (typeof max !== "number" || !(max >= 0) || max % 1) {
      // The first page is on its way: should it fail, that is not what is wrong here.
      this.catch(() => {});
      throw new InvalidArgumentError("toArray", [{ path: "max", message: "expected an integer of 0 or more" }]);
    }
    const items: T[] = [];
    for await (const page of this.pages()) {
      for (const item of page.data) if (items.length < max) items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }
}

/** Sends a list operation: what comes back is its first page, and the way to the others. */
export function list<T, P extends Page<T> = Page<T>>(
  transport: Transport,
  operation: ListOperation<T>,
  options: ListOptions = {},
): PagePromise<T, P> {
  const { schema, value: params } = operation.query;
  const fetch = (value: unknown, before: Trail | undefined, now: ListOptions): PagePromise<T, P> => {
    const { cursor } = (value ?? {}) as { cursor?: string };
    const trail = cursor === undefined ? before : { cursor, before };
    const place: Place = {
      operation: operation.operation,
      trail,
      fetch: (next, more) =>
        fetch({ ...(params as object), cursor: next }, trail, { ...options, ...more }) as PagePromise<never, never>,
    };
    const page = async (): Promise<ApiResponse<P>> => {
      const request = { ...operation, query: withSchema(schema, value), options: listOptionsSchema };
      const { data, ...rest } = await transport.call(request, now);
      return { ...rest, data: new Page(data, place) as P };
    };
    return new PagePromise(page(), now);
  };
  return fetch(params, undefined, options);
}
