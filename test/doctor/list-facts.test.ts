/** Which request each probe of a list sends, and what the probe concludes from the response. */
import { describe, expect, it } from "vitest";
import type { Probe } from "../../src/doctor/checks/find-name.js";
import {
  failureReason,
  IMPROBABLE_TEXT,
  ListFacts,
  type ReadPage,
  readPage,
} from "../../src/doctor/checks/list-facts.js";
import { ServiceReader } from "../../src/doctor/service/service-reader.js";
import { clientOf, json, refusal } from "../support/recorder.js";

const rows = (...ids: (string | number)[]) => ids.map((id) => ({ id }));
const page = (data: unknown[], next_cursor: string | null = null) => ({
  ...{ data, next_cursor, has_more: next_cursor !== null },
});

/** The facts of a list whose first response is `first`. Further requests get the further answers in turn. */
function factsOf(first: unknown, ...answers: unknown[]) {
  const { notetaker, seen } = clientOf((_, index) => {
    const answer = answers[index];
    return answer instanceof Response ? answer : json(answer);
  });
  const reader = new ServiceReader(notetaker, undefined);
  const facts = new ListFacts(reader, "rooms.list", "/rooms", readPage(first) as ReadPage);
  const sent = () => seen.map(({ query }) => query.map(([name, value]) => `${name}=${value}`).join("&"));
  return { facts, sent };
}

const HONOURED = { shows: "honoured" };
const IGNORED = { shows: "ignored" };
const UNCLEAR = { shows: "unclear" };

describe("readPage", () => {
  const none = { rows: [], ids: [], hasIds: true, hasMore: false, nextCursor: undefined };

  it.each<[string, unknown, object | undefined]>([
    ["a page", page(rows("a"), "c"), { ...none, rows: rows("a"), ids: ["a"], hasMore: true, nextCursor: "c" }],
    ["an array instead of a page", rows("a"), { ...none, rows: rows("a"), ids: ["a"] }],
    [
      "a page with a row without a valid id",
      page([{ id: "a" }, { id: 5 }]),
      { ...none, rows: rows("a", 5), ids: ["a"], hasIds: false },
    ],
    [
      "a page with a row that is null",
      page([{ id: "a" }, null]),
      { ...none, rows: rows("a"), ids: ["a"], hasIds: false },
    ],
    ["has_more with another value than true", { data: [], has_more: "yes" }, none],
    ["an empty cursor", { data: [], next_cursor: "" }, none],
    ["a cursor that is a number", { data: [], next_cursor: 5 }, none],
    ["an object that is not a page", { items: [] }, undefined],
    ["null", null, undefined],
    ["a string", "data", undefined],
  ])("reads %s", (_, body, read) => {
    expect(readPage(body)).toEqual(read);
  });
});

it("an account has two items if the page has two, or has one and a next page", () => {
  expect(factsOf(page(rows("a", "b"))).facts.hasTwo).toBe(true);
  expect(factsOf(page(rows("a"), "c")).facts.hasTwo).toBe(true);
  expect(factsOf(page(rows("a"))).facts.hasTwo).toBe(false);
});

interface Row {
  title: string;
  first: unknown;
  probe: (facts: ListFacts) => Probe | undefined;
  names?: string[];
  answers: unknown[];
  sent: string[];
  shows: object;
}

const limit = (facts: ListFacts) => facts.limitProbe;
const cursor = (facts: ListFacts) => facts.cursorProbe;
const ids = (facts: ListFacts) => facts.idsProbe;
const scope = (facts: ListFacts) => facts.scopeProbe;
const expand = (facts: ListFacts) => facts.expandProbe(["documents", "meetings"]);
const empty = (facts: ListFacts) => facts.emptyProbe("x");
const semantic = (facts: ListFacts) => facts.semanticProbe;
const status = (facts: ListFacts) => facts.filterProbe("done", (row) => row.status === "done");
const subset = (facts: ListFacts) => facts.subsetProbe("room_1", ["a", "b"]);

const AB = page(rows("a", "b"));
const A_MORE = page(rows("a"), "c");

it.each<Row>([
  {
    title: "a probe of limit shows that the name is heeded if a page of one comes",
    first: AB,
    probe: limit,
    answers: [A_MORE],
    sent: ["n=1"],
    shows: HONOURED,
  },
  {
    title: "a probe of limit shows that the name is ignored if the same page comes",
    first: AB,
    probe: limit,
    answers: [AB],
    sent: ["n=1"],
    shows: IGNORED,
  },
  {
    title: "a probe of limit shows that the name is ignored if an empty page comes",
    first: AB,
    probe: limit,
    answers: [page([])],
    sent: ["n=1"],
    shows: IGNORED,
  },
  {
    title: "a probe of limit after a page of one shows that the name is heeded if two rows come",
    first: A_MORE,
    probe: limit,
    answers: [AB],
    sent: ["n=2"],
    shows: HONOURED,
  },
  {
    title: "a probe of limit after a page of one shows that the name is ignored if one row comes",
    first: A_MORE,
    probe: limit,
    answers: [A_MORE],
    sent: ["n=2"],
    shows: IGNORED,
  },
  {
    title: "a probe of limit sends several names in one request",
    first: AB,
    probe: limit,
    names: ["n", "m"],
    answers: [A_MORE],
    sent: ["n=1&m=1"],
    shows: HONOURED,
  },
  {
    title: "a probe returns the names that a refusal mentions",
    first: AB,
    probe: limit,
    answers: [json({ error: { code: "bad", message: "m", details: [{ field: "n", message: "m" }] } }, 400)],
    sent: ["n=1"],
    shows: { shows: "refused", names: ["n"] },
  },
  {
    title: "a probe of limit is unclear if the response is not a page",
    first: AB,
    probe: limit,
    answers: [{ items: 1 }],
    sent: ["n=1"],
    shows: UNCLEAR,
  },
  {
    title: "a probe of cursor shows that the name is heeded if another page comes",
    first: A_MORE,
    probe: cursor,
    answers: [page(rows("b"))],
    sent: ["n=c"],
    shows: HONOURED,
  },
  {
    title: "a probe of cursor shows that the name is ignored if the same page comes",
    first: A_MORE,
    probe: cursor,
    answers: [A_MORE],
    sent: ["n=c"],
    shows: IGNORED,
  },
  {
    title: "a probe of cursor shows that the name is ignored if a row of the same page comes",
    first: page(rows("a", "b"), "c"),
    probe: cursor,
    answers: [page(rows("b", "d"))],
    sent: ["n=c"],
    shows: IGNORED,
  },
  {
    title: "a probe of cursor is unclear if an empty page comes",
    first: A_MORE,
    probe: cursor,
    answers: [page([])],
    sent: ["n=c"],
    shows: UNCLEAR,
  },
  {
    title: "a probe of cursor is unclear if rows without ids come",
    first: A_MORE,
    probe: cursor,
    answers: [page([{ id: "b" }, {}])],
    sent: ["n=c"],
    shows: UNCLEAR,
  },
  {
    title: "a probe of cursor is unclear if the first page has rows without ids",
    first: page([{ id: "a" }, {}], "c"),
    probe: cursor,
    answers: [page(rows("b"))],
    sent: ["n=c"],
    shows: UNCLEAR,
  },
  {
    title: "a probe of cursor sends nothing after an empty first page",
    first: page([], "c"),
    probe: cursor,
    answers: [],
    sent: [],
    shows: UNCLEAR,
  },
  {
    title: "a probe of cursor sends nothing if there is no next page",
    first: AB,
    probe: cursor,
    answers: [],
    sent: [],
    shows: UNCLEAR,
  },
  {
    title: "a probe of cursor returns a refusal",
    first: A_MORE,
    probe: cursor,
    answers: [refusal(404, "x")],
    sent: ["n=c"],
    shows: { shows: "refused", names: [] },
  },
  {
    title: "a probe of ids shows that the name is heeded if only the requested row comes",
    first: AB,
    probe: ids,
    answers: [page(rows("b"))],
    sent: ["n=b"],
    shows: { ...HONOURED, names: ["n"] },
  },
  {
    title: "a probe of ids shows that the name is ignored if only another row comes",
    first: AB,
    probe: ids,
    answers: [page(rows("a"))],
    sent: ["n=b"],
    shows: IGNORED,
  },
  {
    title: "a probe of ids shows that the name is ignored if both rows come",
    first: AB,
    probe: ids,
    answers: [AB],
    sent: ["n=b"],
    shows: IGNORED,
  },
  {
    title: "a probe of ids shows that the name is ignored if no row comes",
    first: AB,
    probe: ids,
    answers: [page([])],
    sent: ["n=b"],
    shows: IGNORED,
  },
  {
    title: "a probe of ids is unclear if the response is not a page",
    first: AB,
    probe: ids,
    answers: [5],
    sent: ["n=b"],
    shows: UNCLEAR,
  },
  {
    title: "a probe of ids sends an id with each of several names, and returns the names of the row that came",
    first: AB,
    probe: ids,
    names: ["n", "m", "o"],
    answers: [page(rows("b"))],
    sent: ["n=b&m=a&o=b"],
    shows: { ...HONOURED, names: ["n", "o"] },
  },
  {
    title: "a probe of scope shows that the name is heeded if shared and owned rows differ",
    first: AB,
    probe: scope,
    answers: [page(rows("b")), page(rows("a"))],
    sent: ["n=shared", "n=owned"],
    shows: HONOURED,
  },
  {
    title: "a probe of scope shows that the name is heeded if no row is shared",
    first: AB,
    probe: scope,
    answers: [page([]), AB],
    sent: ["n=shared", "n=owned"],
    shows: HONOURED,
  },
  {
    title: "a probe of scope shows that the name is ignored if the first page comes again",
    first: AB,
    probe: scope,
    answers: [AB],
    sent: ["n=shared"],
    shows: IGNORED,
  },
  {
    title: "a probe of scope shows that the name is heeded if all rows are shared and none is owned",
    first: AB,
    probe: scope,
    answers: [page(rows("b", "a")), page([])],
    sent: ["n=shared", "n=owned"],
    shows: HONOURED,
  },
  {
    title: "a probe of scope shows that the name is ignored if a row is both shared and owned",
    first: AB,
    probe: scope,
    answers: [page(rows("b")), page(rows("b", "a"))],
    sent: ["n=shared", "n=owned"],
    shows: IGNORED,
  },
  {
    title: "a probe of scope shows that the name is ignored if no row is shared or owned",
    first: AB,
    probe: scope,
    answers: [page([]), page([])],
    sent: ["n=shared", "n=owned"],
    shows: IGNORED,
  },
  {
    title: "a probe of scope is unclear if shared rows have no ids",
    first: AB,
    probe: scope,
    answers: [page([{}])],
    sent: ["n=shared"],
    shows: UNCLEAR,
  },
  {
    title: "a probe of scope is unclear if owned rows have no ids",
    first: AB,
    probe: scope,
    answers: [page(rows("b")), page([{}])],
    sent: ["n=shared", "n=owned"],
    shows: UNCLEAR,
  },
  {
    title: "a probe of scope is unclear if the response is not a page",
    first: AB,
    probe: scope,
    answers: [5],
    sent: ["n=shared"],
    shows: UNCLEAR,
  },
  {
    title: "a probe of scope returns a refusal of the owned rows",
    first: AB,
    probe: scope,
    answers: [page(rows("b")), refusal(404, "x")],
    sent: ["n=shared", "n=owned"],
    shows: { shows: "refused", names: [] },
  },
  {
    title: "a probe of scope starts with owned rows for an account whose rows are all shared",
    first: AB,
    probe: (facts) => facts.ownedProbe,
    answers: [page([]), AB],
    sent: ["n=owned", "n=shared"],
    shows: HONOURED,
  },
  {
    title: "a probe of an empty result shows that the name is heeded if no row comes",
    first: AB,
    probe: empty,
    answers: [page([])],
    sent: ["n=x"],
    shows: HONOURED,
  },
  {
    title: "a probe of an empty result shows that the name is ignored if a row comes",
    first: AB,
    probe: empty,
    answers: [page(rows("a"))],
    sent: ["n=x"],
    shows: IGNORED,
  },
  {
    title: "a probe of an empty result shows that the name is ignored if an empty page has a next page",
    first: AB,
    probe: empty,
    answers: [page([], "c")],
    sent: ["n=x"],
    shows: IGNORED,
  },
  {
    title: "a probe of an empty result is unclear if the response is not a page",
    first: AB,
    probe: empty,
    answers: [5],
    sent: ["n=x"],
    shows: UNCLEAR,
  },
  {
    title: "a probe of semantic search shows that the name is heeded if no row comes",
    first: AB,
    probe: semantic,
    answers: [page([])],
    sent: [`n=${IMPROBABLE_TEXT}`],
    shows: HONOURED,
  },
  {
    title: "a probe of semantic search is unclear if rows come",
    first: AB,
    probe: semantic,
    answers: [AB],
    sent: [`n=${IMPROBABLE_TEXT}`],
    shows: UNCLEAR,
  },
  {
    title: "a probe of expand shows that the name is heeded if one row has a requested field",
    first: AB,
    probe: expand,
    answers: [page([{ id: "a" }, { id: "b", meetings: [] }])],
    sent: ["n=documents&n=meetings"],
    shows: HONOURED,
  },
  {
    title: "a probe of expand shows that the name is ignored if no row has a requested list",
    first: AB,
    probe: expand,
    answers: [page([{ id: "a", meetings: 5 }])],
    sent: ["n=documents&n=meetings"],
    shows: IGNORED,
  },
  {
    title: "a probe of a filter shows that the name is heeded if only matching rows come",
    first: AB,
    probe: status,
    answers: [page([{ status: "done" }])],
    sent: ["n=done"],
    shows: HONOURED,
  },
  {
    title: "a probe of a filter shows that the name is ignored if a row does not match",
    first: AB,
    probe: status,
    answers: [page([{ status: "done" }, {}])],
    sent: ["n=done"],
    shows: IGNORED,
  },
  {
    title: "a probe of a subset shows that the name is heeded if fewer of the rows come",
    first: AB,
    probe: subset,
    answers: [page(rows("b"))],
    sent: ["n=room_1"],
    shows: HONOURED,
  },
  {
    title: "a probe of a subset shows that the name is ignored if the same page comes",
    first: AB,
    probe: subset,
    answers: [AB],
    sent: ["n=room_1"],
    shows: IGNORED,
  },
  {
    title: "a probe of a subset is unclear if a row of another room comes",
    first: AB,
    probe: subset,
    answers: [page(rows("b", "d"))],
    sent: ["n=room_1"],
    shows: UNCLEAR,
  },
  {
    title: "a probe of a subset is unclear if no row comes",
    first: AB,
    probe: subset,
    answers: [page([])],
    sent: ["n=room_1"],
    shows: UNCLEAR,
  },
])("$title", async ({ first, probe, names = ["n"], answers, sent, shows }) => {
  const { facts, sent: queries } = factsOf(first, ...answers);
  expect(await probe(facts)?.(names)).toEqual(shows);
  expect(queries()).toEqual(sent);
});

describe("a list has no probe", () => {
  it("of ids if the account has shown only one item", () => {
    expect(factsOf(page(rows("a"))).facts.idsProbe).toBeUndefined();
    expect(factsOf(page([])).facts.idsProbe).toBeUndefined();
  });

  it("of an expansion that comes without being requested", () => {
    expect(factsOf(page([{ documents: [] }, {}])).facts.expandProbe(["documents"])).toBeUndefined();
    expect(factsOf(page([{ documents: null }])).facts.expandProbe(["documents"])).toBeDefined();
  });

  it("of a filter that all rows match", () => {
    const probe = (...data: object[]) => factsOf(page(data)).facts.filterProbe("x", (row) => row.is === true);
    expect(probe({ is: true })).toBeUndefined();
    expect(probe({ is: true }, {})).toBeDefined();
  });
});

describe("the facts of a list", () => {
  it("contain the ids of every page, in the order of the pages", async () => {
    const { facts } = factsOf(page(rows("a"), "c"), page(rows("b", "a")));
    await facts.emptyProbe("x")(["n"]);
    expect([...facts.ids]).toEqual(["a", "b"]);
  });

  it("allow a probe of ids with an id of another page, but not with the only id of a page of one", async () => {
    const { facts, sent } = factsOf(page(rows("a"), "c"), page(rows("b")), page(rows("b")));
    await facts.cursorProbe(["n"]);
    expect(await facts.idsProbe?.(["n", "m"])).toEqual({ ...HONOURED, names: ["n", "m"] });
    expect(sent()[1]).toBe("n=b&m=b");
  });

  it("contain the rows with the fields of an expansion, after they came", async () => {
    const { facts } = factsOf(AB, page([{ id: "a" }]), page([{ id: "a", meetings: [] }]));
    expect(facts.expanded).toEqual(rows("a", "b"));
    const probe = facts.expandProbe(["meetings"]) as Probe;
    await probe(["n"]);
    expect(facts.expanded).toEqual(rows("a", "b"));
    await probe(["n"]);
    expect(facts.expanded).toEqual([{ id: "a", meetings: [] }]);
  });

  it("have a next page if the page has more rows and a cursor", () => {
    expect(factsOf(A_MORE).facts.hasNextPage).toBe(true);
    expect(factsOf(AB).facts.hasNextPage).toBe(false);
    expect(factsOf({ data: [], next_cursor: "c", has_more: false }).facts.hasNextPage).toBe(false);
    expect(factsOf({ data: [], has_more: true }).facts.hasNextPage).toBe(false);
  });

  it("find a next page through a probe that got a page of one, and use the query of that probe", async () => {
    const { facts, sent } = factsOf(AB, page(rows("a"), "c"), page(rows("b")));
    expect(facts.hasNextPage).toBe(false);
    await facts.limitProbe(["n"]);
    expect(facts.hasNextPage).toBe(true);
    expect(await facts.cursorProbe(["m"])).toEqual(HONOURED);
    expect(sent()).toEqual(["n=1", "n=1&m=c"]);
  });

  it.each([
    ["came without a cursor", { data: rows("a"), has_more: true }, ["n"]],
    ["is the last one", page(rows("a")), ["n"]],
    ["came for several names", page(rows("a"), "c"), ["n", "m"]],
    ["has two rows", page(rows("a", "b"), "c"), ["n"]],
  ])("have no next page if a probe got a page that %s", async (_, answer, names) => {
    const { facts } = factsOf(AB, answer);
    await facts.limitProbe(names);
    expect(facts.hasNextPage).toBe(false);
  });

  it.each<[string, unknown, unknown, number | undefined]>([
    ["a page cut to 2 rows has the cap 2", A_MORE, page(rows("a", "b"), "d"), 2],
    ["the last page has no cap", A_MORE, page(rows("a", "b")), undefined],
    ["a refusal has no cap", A_MORE, refusal(404, "x"), undefined],
    [
      "a page of 100 rows has no cap",
      A_MORE,
      page(
        Array.from({ length: 100 }, () => ({})),
        "d",
      ),
      undefined,
    ],
    [
      "a page of 99 rows has the cap 99",
      A_MORE,
      page(
        Array.from({ length: 99 }, () => ({})),
        "d",
      ),
      99,
    ],
  ])("contain the size to which the service cuts pages: %s", async (_, first, answer, cap) => {
    const { facts, sent } = factsOf(first, answer);
    expect(await facts.pageSizeCap("size")).toBe(cap);
    expect(sent()).toEqual(["size=100"]);
  });

  it("contain no such size if the first page holds all rows", async () => {
    const { facts, sent } = factsOf(AB);
    expect(await facts.pageSizeCap("size")).toBeUndefined();
    expect(sent()).toEqual([]);
  });
});

it("failureReason says why a list cannot be read", () => {
  expect(failureReason({ outcome: "failed", reason: "lost" })).toBe("lost");
  expect(failureReason({ outcome: "refused", status: 403, names: [] })).toBe("the endpoint responds with 403");
  expect(failureReason({ outcome: "read", body: 5 })).toBe("the response is not a page");
});
