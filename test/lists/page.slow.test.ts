/** Paginated lists: pages, iterations across them, and their checks. */

import { getEventListeners } from "node:events";
import fc from "fast-check";
import { InvalidArgumentError, Page, PagePromise, PaginationError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import { never } from "../support/failures.js";
import { collect, collectUntilError, pagesOf, room } from "../support/pages.js";
import { clientOf, type Handler, json, refusal, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const numbers = (rooms: readonly { id: string }[]) => rooms.map(({ id }) => Number(id.slice("room_".length)));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

const sizes = fc.array(fc.nat({ max: 5 }), { minLength: 1, maxLength: 12 });
const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);

describe("an iteration of a list", () => {
  it("returns every item once and in order, for all page sizes", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, async (all) => {
        const { notetaker, seen } = clientOf(pagesOf(all));
        const { signal } = new AbortController();
        expect(numbers(await collect(notetaker.rooms.list({}, { signal })))).toEqual(upTo(sum(all)));
        expect(seen).toHaveLength(all.length);
        expect(getEventListeners(signal, "abort")).toEqual([]);
      }),
    );
  });

  it("by pages() returns every page once, also empty ones, and continues in the same way from any page's cursor", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), async (all, stop) => {
        const { notetaker } = clientOf(pagesOf(all));
        const pages: Page<{ id: string }>[] = [];
        for await (const page of notetaker.rooms.list().pages()) {
          pages.push(page);
          if (pages.length > stop % all.length) break;
        }
        expect(pages.map(({ data }) => data.length)).toEqual(all.slice(0, pages.length));
        expect(pages.map((page) => page.hasNextPage())).toEqual(pages.map((_, index) => index + 1 < all.length));
        const items = pages.flatMap(({ data }) => data);
        const cursor = pages.at(-1)?.next_cursor ?? undefined;
        if (cursor !== undefined) items.push(...(await collect(notetaker.rooms.list({ cursor }))));
        expect(numbers(items)).toEqual(upTo(sum(all)));
      }),
    );
  });

  it("by toArray returns the first max items, and requests only the pages that it needs", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat({ max: 70 }), async (all, max) => {
        const { notetaker, seen } = clientOf(pagesOf(all));
        const items = await notetaker.rooms.list().toArray({ max });
        expect(numbers(items)).toEqual(upTo(Math.min(max, sum(all))));
        let [needed, had] = [1, all[0]!];
        while (had < max && needed < all.length) had += all[needed++]!;
        expect(seen).toHaveLength(needed);
      }),
    );
  });

  it("can be repeated, and its list can also be awaited", async () => {
    const { notetaker, seen } = clientOf(pagesOf([2, 1]));
    const list = notetaker.rooms.list();
    expect(numbers(await collect(list))).toEqual([0, 1, 2]);
    expect(numbers(await collect(list))).toEqual([0, 1, 2]);
    expect((await list).data).toHaveLength(2);
    // The first page is requested once.
    expect(seen.filter(({ query }) => query.length === 0)).toHaveLength(1);
  });

  it("sends the parameters of its call for each page, also if the caller has changed the object since", async () => {
    const { notetaker, seen } = clientOf(pagesOf([1, 1, 1]));
    const params = { scope: "owned" as "owned" | "all", limit: 1 };
    const list = notetaker.rooms.list(params, { query: { x: 1 }, headers: { "x-a": "b" } });
    params.scope = "all";
    await collect(list);
    const searches = ["", "cursor=c1&", "cursor=c2&"].map((cursor) => `scope=owned&${cursor}limit=1&x=1`);
    expect(seen.map(({ search }) => search)).toEqual(searches);
    for (const { headers } of seen) expect(headers["x-a"]).toBe("b");
  });
});

describe("a page of a list", () => {
  it("is a Page with the fields of the envelope", async () => {
    const { notetaker } = clientOf(() => json({ ...samples.page([room(0)], "c1"), total: 7 }));
    const page = await notetaker.rooms.list();
    expect(page).toBeInstanceOf(Page);
    expect(page.hasNextPage()).toBe(true);
    expect(JSON.parse(JSON.stringify(page))).toEqual({ ...samples.page([room(0)], "c1"), total: 7 });
  });

  it("returns the next page, which returns the one after it", async () => {
    const { notetaker } = clientOf(pagesOf([1, 0, 2]));
    const first = await notetaker.rooms.list();
    const second = await first.nextPage();
    const third = await second.nextPage();
    expect([first, second, third].map(({ data }) => numbers(data))).toEqual([[0], [], [1, 2]]);
    expect(third.hasNextPage()).toBe(false);
    // One page may be continued more than once.
    expect(numbers((await second.nextPage()).data)).toEqual([1, 2]);
  });

  it("is returned together with its response by withResponse()", async () => {
    const { notetaker } = clientOf(pagesOf([1, 1]));
    const { data, response } = await notetaker.rooms.list().withResponse();
    expect(data).toBeInstanceOf(Page);
    expect(response.status).toBe(200);
    const next = data.nextPage();
    expect(next).toBeInstanceOf(PagePromise);
    expect((await next.withResponse()).data.data).toHaveLength(1);
  });

  it("uses the options of nextPage() for that one request, and keeps the list's option that is undefined in them", async () => {
    const { notetaker, seen } = clientOf(pagesOf([1, 1, 1]));
    const first = await notetaker.rooms.list({}, { headers: { "x-a": "list" } });
    const second = await first.nextPage({ headers: { "x-a": "next" } });
    await second.nextPage();
    await first.nextPage({ headers: undefined, signal: undefined });
    for (const options of [null, 5, true, []])
      await rejectionOf(InvalidArgumentError, first.nextPage(options as never));
    await collect(first.nextPage({ headers: { "x-a": "walk" } }));
    expect(seen.map(({ headers }) => headers["x-a"])).toEqual(["list", "next", "list", "list", "walk", "walk"]);
  });
});

describe("a page that cannot be continued", () => {
  const guarded = async (answer: Handler, ...message: string[]) => {
    const { notetaker, seen } = clientOf(answer);
    const error = await rejectionOf(PaginationError, collect(notetaker.rooms.list()));
    for (const part of ["rooms.list: ", ...message]) expect(error.message).toContain(part);
    expect(seen.length).toBeLessThan(10);
    expect(error.attempts).toBe(seen.length);
  };

  it("causes an error if has_more is true but there is no cursor", async () => {
    for (const next_cursor of [null, "", undefined]) {
      await guarded(() => json({ data: [room(0)], next_cursor, has_more: true }), "next_cursor is empty");
    }
  });

  it.each([
    ["its own", { c1: "c1" }],
    ["that of an earlier page", { c1: "c2", c2: "c3", c3: "c1" }],
  ])("causes an error if its next cursor is %s", (_, next: Record<string, string>) =>
    guarded(({ query }) => json(samples.page([room(0)], next[query[0]?.[1] ?? ""] ?? "c1")), "repeats an earlier"),
  );

  it("causes an error if its next cursor is that with which the iteration started", async () => {
    const { notetaker } = clientOf(({ query }) => json(samples.page([room(0)], query[0]![1] === "a" ? "b" : "a")));
    await rejectionOf(PaginationError, collect(notetaker.rooms.list({ cursor: "a" })));
  });

  it("does not prevent the items before it from being returned", async () => {
    const { notetaker } = clientOf((_, index) => json({ data: [room(index)], next_cursor: "c1", has_more: true }));
    const { items, error } = await collectUntilError(notetaker.rooms.list());
    expect(error).toBeInstanceOf(PaginationError);
    expect(items).toHaveLength(2);
  });

  it("has no next page if it is the last one, even with a cursor", async () => {
    const { notetaker, seen } = clientOf(() => json({ data: [], next_cursor: "c1", has_more: false }));
    const page = await notetaker.rooms.list();
    const error = await rejectionOf(PaginationError, page.nextPage());
    expect(error.message).toBe("rooms.list: this is the last page");
    expect(await collect(notetaker.rooms.list())).toEqual([]);
    expect(seen).toHaveLength(2);
  });

  it("causes an error even without validation if the response is not a page", async () => {
    for (const body of [null, [], {}, { data: {} }, "x"]) {
      const { notetaker } = clientOf(() => json(body), { validation: "off" });
      expect((await rejectionOf(PaginationError, notetaker.rooms.list())).message).toContain(
        "the response is not a page",
      );
    }
  });
});

describe("an iteration that is left while it waits for a page", () => {
  it.each<[string, (list: PagePromise<unknown>) => AsyncGenerator<unknown>]>([
    ["its items", (list) => list[Symbol.asyncIterator]()],
    ["its pages", (list) => list.pages()],
  ])("cancels the request for that page: %s", async (_, start) => {
    const { notetaker, seen } = clientOf((_, index) => (index === 0 ? json(samples.page([room(0)], "c1")) : never()));
    const walk = start(notetaker.rooms.list());
    await walk.next();
    const next = walk.next();
    await vi.waitFor(() => expect(seen).toHaveLength(2));
    expect(await walk.return(undefined)).toMatchObject({ done: true });
    expect(await next).toMatchObject({ done: true });
    expect(seen[1]!.request.signal.aborted).toBe(true);
  });

  it("leaves its pages as they are", async () => {
    const { notetaker } = clientOf(pagesOf([1, 1, 1, 1]));
    const walk = notetaker.rooms.list().pages();
    await walk.next();
    const { value } = await walk.next();
    await walk.return();
    expect(numbers((await value!.nextPage()).data)).toEqual([2]);
  });
});

describe("toArray", () => {
  it.each([undefined, null, {}, { max: undefined }, { max: "5" }, { max: -1 }, { max: Number.NaN }, { max: 1.5 }, 5])(
    "rejects without a valid max, as in %o",
    async (options) => {
      // An unhandled rejection of the first page would fail the test run.
      const { notetaker } = clientOf(() => refusal(404, "not_found"));
      const error = await rejectionOf(InvalidArgumentError, notetaker.rooms.list().toArray(options as never));
      expect(error.issues).toHaveLength(1);
    },
  );

  it("returns a page with very many items", async () => {
    const { notetaker } = clientOf(() => json(samples.page(Array.from({ length: 200_000 }, () => 1))), {
      validation: "off",
    });
    expect(await notetaker.rooms.list().toArray({ max: 1_000_000 })).toHaveLength(200_000);
  });
});
