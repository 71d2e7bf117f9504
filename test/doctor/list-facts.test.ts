/** What each probe of a list sends, and what it makes of the page that comes. */
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

/** The facts of a list that begins with `first`; each further request gets the next of the answers. */
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
    ["an array", rows("a"), { ...none, rows: rows("a"), ids: ["a"] }],
    [
      "rows of which one has no id",
      page([{ id: "a" }, { id: 5 }]),
      { ...none, rows: rows("a", 5), ids: ["a"], hasIds: false },
    ],
    ["rows that are none", page([{ id: "a" }, null]), { ...none, rows: rows("a"), ids: ["a"], hasIds: false }],
    ["has_more that is not true", { data: [], has_more: "yes" }, none],
    ["an empty cursor", { data: [], next_cursor: "" }, none],
    ["a cursor that is a number", { data: [], next_cursor: 5 }, none],
    ["no page", { items: [] }, undefined],
    ["nothing", null, undefined],
    ["a text", "data", undefined],
  ])("reads %s", (_, body, read) => {
    expect(readPage(body)).toEqual(read);
  });
});

it("an account holds two items if the page does, or if there are more", () => {
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
  { title: "limit: a page of one", first: AB, probe: limit, answers: [A_MORE], sent: ["n=1"], shows: HONOURED },
  { title: "limit: the same page", first: AB, probe: limit, answers: [AB], sent: ["n=1"], shows: IGNORED },
  { title: "limit: an empty page", first: AB, probe: limit, answers: [page([])], sent: ["n=1"], shows: IGNORED },
  { title: "limit: two of a page of one", first: A_MORE, probe: limit, answers: [AB], sent: ["n=2"], shows: HONOURED },
  {
    title: "limit: one of a page of one",
    first: A_MORE,
    probe: limit,
    answers: [A_MORE],
    sent: ["n=2"],
    shows: IGNORED,
  },
  {
    title: "limit: several names",
    first: AB,
    probe: limit,
    names: ["n", "m"],
    answers: [A_MORE],
    sent: ["n=1&m=1"],
    shows: HONOURED,
  },
  {
    title: "a refusal, and what it names",
    first: AB,
    probe: limit,
    answers: [json({ error: { code: "bad", message: "m", details: [{ field: "n", message: "m" }] } }, 400)],
    sent: ["n=1"],
    shows: { shows: "refused", names: ["n"] },
  },
  { title: "no page", first: AB, probe: limit, answers: [{ items: 1 }], sent: ["n=1"], shows: UNCLEAR },
  {
    title: "cursor: another page",
    first: A_MORE,
    probe: cursor,
    answers: [page(rows("b"))],
    sent: ["n=c"],
    shows: HONOURED,
  },
  { title: "cursor: the same page", first: A_MORE, probe: cursor, answers: [A_MORE], sent: ["n=c"], shows: IGNORED },
  {
    title: "cursor: part of the same page",
    first: page(rows("a", "b"), "c"),
    probe: cursor,
    answers: [page(rows("b", "d"))],
    sent: ["n=c"],
    shows: IGNORED,
  },
  { title: "cursor: an empty page", first: A_MORE, probe: cursor, answers: [page([])], sent: ["n=c"], shows: UNCLEAR },
  {
    title: "cursor: rows without ids",
    first: A_MORE,
    probe: cursor,
    answers: [page([{ id: "b" }, {}])],
    sent: ["n=c"],
    shows: UNCLEAR,
  },
  {
    title: "cursor: no ids before",
    first: page([{ id: "a" }, {}], "c"),
    probe: cursor,
    answers: [page(rows("b"))],
    sent: ["n=c"],
    shows: UNCLEAR,
  },
  { title: "cursor: an empty page before", first: page([], "c"), probe: cursor, answers: [], sent: [], shows: UNCLEAR },
  { title: "cursor: no next page", first: AB, probe: cursor, answers: [], sent: [], shows: UNCLEAR },
  {
    title: "cursor: refused",
    first: A_MORE,
    probe: cursor,
    answers: [refusal(404, "x")],
    sent: ["n=c"],
    shows: { shows: "refused", names: [] },
  },
  {
    title: "ids: the last one alone",
    first: AB,
    probe: ids,
    answers: [page(rows("b"))],
    sent: ["n=b"],
    shows: { ...HONOURED, names: ["n"] },
  },
  { title: "ids: another one alone", first: AB, probe: ids, answers: [page(rows("a"))], sent: ["n=b"], shows: IGNORED },
  { title: "ids: both", first: AB, probe: ids, answers: [AB], sent: ["n=b"], shows: IGNORED },
  { title: "ids: none", first: AB, probe: ids, answers: [page([])], sent: ["n=b"], shows: IGNORED },
  { title: "ids: no page", first: AB, probe: ids, answers: [5], sent: ["n=b"], shows: UNCLEAR },
  {
    title: "ids: several names carry an id each",
    first: AB,
    probe: ids,
    names: ["n", "m", "o"],
    answers: [page(rows("b"))],
    sent: ["n=b&m=a&o=b"],
    shows: { ...HONOURED, names: ["n", "o"] },
  },
  {
    title: "scope: what is shared, and what is owned",
    first: AB,
    probe: scope,
    answers: [page(rows("b")), page(rows("a"))],
    sent: ["n=shared", "n=owned"],
    shows: HONOURED,
  },
  {
    title: "scope: nothing is shared",
    first: AB,
    probe: scope,
    answers: [page([]), AB],
    sent: ["n=shared", "n=owned"],
    shows: HONOURED,
  },
  { title: "scope: the same as without", first: AB, probe: scope, answers: [AB], sent: ["n=shared"], shows: IGNORED },
  {
    title: "scope: the same in another order",
    first: AB,
    probe: scope,
    answers: [page(rows("b", "a")), page([])],
    sent: ["n=shared", "n=owned"],
    shows: HONOURED,
  },
  {
    title: "scope: one is both",
    first: AB,
    probe: scope,
    answers: [page(rows("b")), page(rows("b", "a"))],
    sent: ["n=shared", "n=owned"],
    shows: IGNORED,
  },
  {
    title: "scope: nothing of either",
    first: AB,
    probe: scope,
    answers: [page([]), page([])],
    sent: ["n=shared", "n=owned"],
    shows: IGNORED,
  },
  { title: "scope: no ids", first: AB, probe: scope, answers: [page([{}])], sent: ["n=shared"], shows: UNCLEAR },
  {
    title: "scope: no ids of what is owned",
    first: AB,
    probe: scope,
    answers: [page(rows("b")), page([{}])],
    sent: ["n=shared", "n=owned"],
    shows: UNCLEAR,
  },
  { title: "scope: no page", first: AB, probe: scope, answers: [5], sent: ["n=shared"], shows: UNCLEAR },
  {
    title: "scope: no page of what is owned",
    first: AB,
    probe: scope,
    answers: [page(rows("b")), refusal(404, "x")],
    sent: ["n=shared", "n=owned"],
    shows: { shows: "refused", names: [] },
  },
  {
    title: "scope of an account to which all is shared",
    first: AB,
    probe: (facts) => facts.ownedProbe,
    answers: [page([]), AB],
    sent: ["n=owned", "n=shared"],
    shows: HONOURED,
  },
  { title: "empty: nothing", first: AB, probe: empty, answers: [page([])], sent: ["n=x"], shows: HONOURED },
  { title: "empty: something", first: AB, probe: empty, answers: [page(rows("a"))], sent: ["n=x"], shows: IGNORED },
  { title: "empty: nothing yet", first: AB, probe: empty, answers: [page([], "c")], sent: ["n=x"], shows: IGNORED },
  { title: "empty: no page", first: AB, probe: empty, answers: [5], sent: ["n=x"], shows: UNCLEAR },
  {
    title: "meaning: nothing",
    first: AB,
    probe: semantic,
    answers: [page([])],
    sent: [`n=${IMPROBABLE_TEXT}`],
    shows: HONOURED,
  },
  {
    title: "meaning: something",
    first: AB,
    probe: semantic,
    answers: [AB],
    sent: [`n=${IMPROBABLE_TEXT}`],
    shows: UNCLEAR,
  },
  {
    title: "expand: a field of one row",
    first: AB,
    probe: expand,
    answers: [page([{ id: "a" }, { id: "b", meetings: [] }])],
    sent: ["n=documents&n=meetings"],
    shows: HONOURED,
  },
  {
    title: "expand: no such field",
    first: AB,
    probe: expand,
    answers: [page([{ id: "a", meetings: 5 }])],
    sent: ["n=documents&n=meetings"],
    shows: IGNORED,
  },
  {
    title: "filter: only rows that pass",
    first: AB,
    probe: status,
    answers: [page([{ status: "done" }])],
    sent: ["n=done"],
    shows: HONOURED,
  },
  {
    title: "filter: one that does not pass",
    first: AB,
    probe: status,
    answers: [page([{ status: "done" }, {}])],
    sent: ["n=done"],
    shows: IGNORED,
  },
  {
    title: "subset: some of them",
    first: AB,
    probe: subset,
    answers: [page(rows("b"))],
    sent: ["n=room_1"],
    shows: HONOURED,
  },
  { title: "subset: the same page", first: AB, probe: subset, answers: [AB], sent: ["n=room_1"], shows: IGNORED },
  {
    title: "subset: one of another room",
    first: AB,
    probe: subset,
    answers: [page(rows("b", "d"))],
    sent: ["n=room_1"],
    shows: UNCLEAR,
  },
  { title: "subset: nothing", first: AB, probe: subset, answers: [page([])], sent: ["n=room_1"], shows: UNCLEAR },
])("$title", async ({ first, probe, names = ["n"], answers, sent, shows }) => {
  const { facts, sent: queries } = factsOf(first, ...answers);
  expect(await probe(facts)?.(names)).toEqual(shows);
  expect(queries()).toEqual(sent);
});

describe("there is no probe", () => {
  it("of ids for an account that has shown one item", () => {
    expect(factsOf(page(rows("a"))).facts.idsProbe).toBeUndefined();
    expect(factsOf(page([])).facts.idsProbe).toBeUndefined();
  });

  it("of an expansion that comes unasked", () => {
    expect(factsOf(page([{ documents: [] }, {}])).facts.expandProbe(["documents"])).toBeUndefined();
    expect(factsOf(page([{ documents: null }])).facts.expandProbe(["documents"])).toBeDefined();
  });

  it("of a filter that all rows pass", () => {
    const probe = (...data: object[]) => factsOf(page(data)).facts.filterProbe("x", (row) => row.is === true);
    expect(probe({ is: true })).toBeUndefined();
    expect(probe({ is: true }, {})).toBeDefined();
  });
});

describe("what a list has shown", () => {
  it("are the ids of every page, in their order", async () => {
    const { facts } = factsOf(page(rows("a"), "c"), page(rows("b", "a")));
    await facts.emptyProbe("x")(["n"]);
    expect([...facts.ids]).toEqual(["a", "b"]);
  });

  it("an id that another page has shown can be asked for, but not the only one of a page of one", async () => {
    const { facts, sent } = factsOf(page(rows("a"), "c"), page(rows("b")), page(rows("b")));
    await facts.cursorProbe(["n"]);
    expect(await facts.idsProbe?.(["n", "m"])).toEqual({ ...HONOURED, names: ["n", "m"] });
    expect(sent()[1]).toBe("n=b&m=b");
  });

  it("are rows with the fields of an expansion, once they came", async () => {
    const { facts } = factsOf(AB, page([{ id: "a" }]), page([{ id: "a", meetings: [] }]));
    expect(facts.expanded).toEqual(rows("a", "b"));
    const probe = facts.expandProbe(["meetings"]) as Probe;
    await probe(["n"]);
    expect(facts.expanded).toEqual(rows("a", "b"));
    await probe(["n"]);
    expect(facts.expanded).toEqual([{ id: "a", meetings: [] }]);
  });

  it("leads to a next page if a page has more and a cursor", () => {
    expect(factsOf(A_MORE).facts.hasNextPage).toBe(true);
    expect(factsOf(AB).facts.hasNextPage).toBe(false);
    expect(factsOf({ data: [], next_cursor: "c", has_more: false }).facts.hasNextPage).toBe(false);
    expect(factsOf({ data: [], has_more: true }).facts.hasNextPage).toBe(false);
  });

  it("leads on from the page of one that a probe of the size brought, with the query that brought it", async () => {
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
    ["is no page of one", page(rows("a", "b"), "c"), ["n"]],
  ])("leads to no next page if a page of one %s", async (_, answer, names) => {
    const { facts } = factsOf(AB, answer);
    await facts.limitProbe(names);
    expect(facts.hasNextPage).toBe(false);
  });

  it.each<[string, unknown, unknown, number | undefined]>([
    ["a page that is cut", A_MORE, page(rows("a", "b"), "d"), 2],
    ["the last page", A_MORE, page(rows("a", "b")), undefined],
    ["no page", A_MORE, refusal(404, "x"), undefined],
    [
      "a page of a hundred",
      A_MORE,
      page(
        Array.from({ length: 100 }, () => ({})),
        "d",
      ),
      undefined,
    ],
    [
      "a page of ninety-nine",
      A_MORE,
      page(
        Array.from({ length: 99 }, () => ({})),
        "d",
      ),
      99,
    ],
  ])("is a size that the service cuts pages to: %s", async (_, first, answer, cap) => {
    const { facts, sent } = factsOf(first, answer);
    expect(await facts.pageSizeCap("size")).toBe(cap);
    expect(sent()).toEqual(["size=100"]);
  });

  it("is no such size if the first page holds all", async () => {
    const { facts, sent } = factsOf(AB);
    expect(await facts.pageSizeCap("size")).toBeUndefined();
    expect(sent()).toEqual([]);
  });
});

it("the reason says why a list cannot be read", () => {
  expect(failureReason({ outcome: "failed", reason: "lost" })).toBe("lost");
  expect(failureReason({ outcome: "refused", status: 403, names: [] })).toBe("the endpoint responds with 403");
  expect(failureReason({ outcome: "read", body: 5 })).toBe("the response is not a page");
});
