/** Iterations across pages: where they end, what their errors contain, and what a page can be used for. */
import { InvalidArgumentError, type PagePromise, PaginationError, ServerError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { collect, pagesOf, room } from "../support/pages.js";
import { clientOf, type Handler, json, refusal, rejection, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const ones = (count: number) => pagesOf(Array.from({ length: count }, () => 1));

type Rooms = PagePromise<{ id: string }>;
const WALKS: [string, (list: () => Rooms) => Promise<unknown>][] = [
  ["for await", (list) => collect(list())],
  ["pages()", (list) => collect(list().pages())],
  ["toArray", (list) => list().toArray({ max: Number.POSITIVE_INFINITY })],
  [
    "nextPage",
    async (list) => {
      for (let page = await list(); page.hasNextPage(); ) page = await page.nextPage();
    },
  ],
  ["an iteration that starts at a page", async (list) => collect(await list())],
];

describe("empty pages of a list", () => {
  const empty: Handler = (_, index) => json(samples.page([], `c${index}`));
  it.each(WALKS)("end %s with a PaginationError after 1,000 in a row", async (_, walk) => {
    const { notetaker, seen } = clientOf(empty);
    const error = await rejectionOf(
      PaginationError,
      walk(() => notetaker.rooms.list()),
    );
    expect(error.message).toBe("rooms.list: 1,000 empty pages in a row, and has_more is still true");
    expect(seen).toHaveLength(1_000);
    expect(error.cursor).toBe("c999");
  });

  it("are counted from zero after a page with an item or an invalid row", async () => {
    for (const item of [room(1), null]) {
      const { notetaker } = clientOf((_, index) =>
        json(samples.page(index % 600 === 0 ? [item] : [], index < 1_300 ? `c${index}` : null)),
      );
      expect(await notetaker.rooms.list({}, { onInvalid: "skip" }).toArray({ max: 10 })).toHaveLength(
        item === null ? 0 : 3,
      );
    }
  });
});

describe("the last page of a list", () => {
  it.each([{}, { next_cursor: null }, { next_cursor: "" }])(
    "may have the fields %o besides has_more",
    async (cursor) => {
      const { notetaker } = clientOf(() => json({ data: [room(1)], has_more: false, ...cursor }));
      const page = await notetaker.rooms.list();
      expect(page.hasNextPage()).toBe(false);
      expect(await collect(notetaker.rooms.list())).toEqual([room(1)]);
      if (!("next_cursor" in cursor)) expect(page.next_cursor).toBeNull();
    },
  );
});

describe("the stack of a list's error", () => {
  const failing: Handler = (_, index) =>
    index < 2 ? json(samples.page([room(index)], `c${index}`)) : refusal(500, "x");
  it("contains the caller's line, and each line once", async () => {
    const { notetaker } = clientOf(failing, { maxRetries: 0 });
    const theCallersOwnLine = async () => void (await collect(notetaker.rooms.list()));
    const error = await rejectionOf(ServerError, theCallersOwnLine());
    expect(error.stack).toContain("theCallersOwnLine");
    const lines = error.stack!.split("\n");
    expect(lines.length).toBeLessThan(25);
    expect(new Set(lines).size).toBe(lines.length);
  });

  it("is not changed if the error belongs to the caller", async () => {
    const reason = new Error("the user left");
    const { stack } = reason;
    const { notetaker } = clientOf(ones(3));
    const walk = collect(notetaker.rooms.list({}, { signal: AbortSignal.abort(reason) }));
    expect(await rejection(walk)).toBe(reason);
    expect(reason.stack).toBe(stack);
  });
});

describe("an error that ends an iteration", () => {
  it.each(WALKS)("has the cursor from which the list can be continued (%s)", async (_, walk) => {
    let broken = true;
    const { notetaker } = clientOf(
      (seen, index) => (broken && seen.search === "cursor=c2" ? refusal(500, "x") : ones(4)(seen, index)),
      { maxRetries: 0 },
    );
    const error = await rejectionOf(
      ServerError,
      walk(() => notetaker.rooms.list()),
    );
    expect(error.cursor).toBe("c2");
    broken = false;
    const rest = await collect(notetaker.rooms.list({ cursor: error.cursor }));
    expect(rest.map(({ id }) => id)).toEqual(["room_2", "room_3"]);
  });

  it("has no cursor if the first request of the list failed", async () => {
    const { notetaker } = clientOf(() => refusal(500, "x"), { maxRetries: 0 });
    expect(await rejectionOf(ServerError, collect(notetaker.rooms.list()))).not.toHaveProperty("cursor");
  });
});

describe("a page of a list", () => {
  it("has plain JSON: the envelope and its additional fields", async () => {
    const { notetaker } = clientOf(() => json(samples.permissionPage));
    const plain = (await notetaker.permissions.list("mtg_1")).toJSON();
    expect(plain).toEqual(samples.permissionPage);
    expect(Object.getPrototypeOf(plain)).toBe(Object.prototype);
    expect(structuredClone(plain)).toEqual(samples.permissionPage);
  });

  it("works behind a proxy, with which frameworks observe objects", async () => {
    const { notetaker } = clientOf(ones(2));
    const page = new Proxy(await notetaker.rooms.list(), {});
    expect((await page.nextPage()).data).toEqual([room(1)]);
    expect(page.invalid).toEqual([]);
  });
});

describe("toArray with the option overflow", () => {
  it('"throw" rejects with a PaginationError if the list has more than max items', async () => {
    const { notetaker } = clientOf(ones(5));
    const error = await rejectionOf(PaginationError, notetaker.rooms.list().toArray({ max: 3, overflow: "throw" }));
    expect(error.message).toBe("rooms.list: toArray: the list has more than 3 items");
    expect(error.cursor).toBe("c3");
  });

  it('"throw" returns every item if the list has exactly max items, even before empty pages', async () => {
    const { notetaker } = clientOf(ones(5));
    expect(await notetaker.rooms.list().toArray({ max: 5, overflow: "throw" })).toHaveLength(5);
    const trailing = clientOf((_, index) =>
      json(samples.page(index === 0 ? [room(0)] : [], index < 3 ? `c${index}` : null)),
    );
    expect(await trailing.notetaker.rooms.list().toArray({ max: 1, overflow: "throw" })).toHaveLength(1);
  });

  it.each([
    { max: 5, overflow: "ignore" },
    { max: 5, maximum: 5 },
  ])("is refused if its options are %o", async (options) => {
    const { notetaker } = clientOf(ones(1));
    await rejectionOf(InvalidArgumentError, notetaker.rooms.list().toArray(options as { max: number }));
  });
});
