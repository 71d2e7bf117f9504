/** Paginated lists: the page envelope, and the walks across pages. */
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import { PaginationError } from "../errors/pagination-error.js";
import type { ListOptions, RequestOptions } from "../options.js";
import type { PageEnvelope } from "../schemas/page.js";
import { ApiPromise, type ApiResponse } from "./api-promise.js";
import { type Checked, checked, type Operation } from "./operation.js";
import type { Transport } from "./transport.js";

/** An operation that answers with a page; the cursor is one of its query parameters. */
export interface ListOperation<T> extends Operation<PageEnvelope<T>> {
  readonly query: Checked;
}

/** Where a page stands in its list, and how the next one is fetched. */
interface Place {
  readonly operation: string;
  /** The cursors that led here. */
  readonly used: ReadonlySet<string>;
  fetch(cursor: string, options: RequestOptions): PagePromise<never, never>;
}

/** One page of a list. Fields of the envelope that are not named here are kept, too. */
export class Page<T> {
  readonly data: T[];
  /** Where the next page begins; `null` when there is none. */
  readonly next_cursor: string | null;
  readonly has_more: boolean;
  readonly #place: Place;

  constructor(envelope: PageEnvelope<T>, place: Place) {
    // Only without validation can the answer be anything but a page.
    if (!Array.isArray(envelope?.data)) throw new PaginationError(`${place.operation}: the answer is not a page`);
    this.data = envelope.data;
    this.next_cursor = envelope.next_cursor;
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
   * no cursor, or when it gives a cursor that was used before. `options` take the place of the list's own.
   */
  nextPage(options: RequestOptions = {}): PagePromise<T, this> {
    const { operation, used, fetch } = this.#place;
    const cursor = this.next_cursor;
    const fail = (why: string) =>
      new PagePromise<T, this>(Promise.reject(new PaginationError(`${operation}: ${why}`)), options);
    if (!this.has_more) return fail("this is the last page");
    if (!cursor) return fail("the page promises more and gives no cursor to it");
    if (used.has(cursor)) return fail("the page gives a cursor that was used before");
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
    const { prefetch = false, signal } = this.#options;
    const left = new AbortController();
    const onward: RequestOptions = prefetch
      ? { signal: signal === undefined ? left.signal : AbortSignal.any([signal, left.signal]) }
      : {};
    try {
      for (let page = await this; ; ) {
        const ahead = prefetch && page.hasNextPage() ? page.nextPage(onward) : undefined;
        // Its failure is reported when the walk gets there.
        ahead?.catch(() => {});
        yield page;
        if (!page.hasNextPage()) return;
        page = await (ahead ?? page.nextPage());
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
    if (typeof max !== "number" || !(max >= 0)) {
      const message = "expected a number: how many items at the most";
      throw new InvalidArgumentError("toArray", [{ path: "max", message }]);
    }
    const items: T[] = [];
    if (max > 0) {
      for await (const item of this) {
        if (items.push(item) >= max) break;
      }
    }
    return items;
  }
}

/** Sends a list operation: what comes back is its first page, and the way to the others. */
export function list<T, P extends Page<T> = Page<T>>(
  transport: Transport,
  operation: ListOperation<T>,
  options: ListOptions | undefined,
): PagePromise<T, P> {
  const params = operation.query.value;
  const fetch = (cursor: string | undefined, before: ReadonlySet<string>, own: ListOptions): PagePromise<T, P> => {
    const value = cursor === undefined ? params : { ...(params as object), cursor };
    const used = new Set(before).add((value as { cursor?: string } | null)?.cursor ?? "");
    const { prefetch: _, ...requestOptions } = own;
    const place: Place = {
      operation: operation.operation,
      used,
      fetch: (next, more) => fetch(next, used, { ...own, ...more }) as PagePromise<never, never>,
    };
    const answer = transport.send({ ...operation, query: checked(operation.query.schema, value) }, requestOptions);
    const page = answer.withResponse().then((rest) => ({ ...rest, data: new Page(rest.data, place) as P }));
    return new PagePromise(page, own);
  };
  return fetch(undefined, new Set(), options ?? {});
}
