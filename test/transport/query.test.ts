import fc from "fast-check";
import { expect, it } from "vitest";
import type { QueryValue } from "../../src/transport/query.js";
import { queryString } from "../../src/transport/query.js";
import { clientOf, json } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const scalar = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean());
const value: fc.Arbitrary<QueryValue> = fc.oneof(scalar, fc.constant(undefined), fc.array(scalar));
const record = fc.dictionary(fc.string({ unit: "grapheme" }), value);

/** The query parameters as a server reads them. */
const sent = (one: QueryValue) => (Array.isArray(one) ? one : [one]).filter((item) => item !== undefined).map(String);

it("the query contains each value of each parameter, in order", () => {
  fc.assert(
    fc.property(record, (params) => {
      const read = new URL(`https://a.example/${queryString(params, {})}`).searchParams;
      for (const [name, one] of Object.entries(params)) expect(read.getAll(name)).toEqual(sent(one));
      expect([...read]).toHaveLength(Object.values(params).flatMap(sent).length);
    }),
  );
});

it("an additional query parameter replaces the method's parameter of the same name, unless its value is undefined", () => {
  fc.assert(
    fc.property(record, record, (params, extra) => {
      const read = new URL(`https://a.example/${queryString(params, {}, extra)}`).searchParams;
      for (const name of new Set([...Object.keys(params), ...Object.keys(extra)])) {
        const own = (from: typeof params) => (Object.hasOwn(from, name) ? from[name] : undefined);
        expect(read.getAll(name)).toEqual(sent(own(extra) === undefined ? own(params) : own(extra)));
      }
    }),
  );
});

it("the parameters of a list arrive unchanged, whatever their text", async () => {
  const { notetaker, seen } = clientOf(() => json(samples.page([])));
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: "grapheme", minLength: 1 }),
      async (search, cursor) => {
        seen.length = 0;
        await notetaker.rooms.list({ search, cursor });
        expect(seen[0]!.query).toEqual([
          ["search", search],
          ["cursor", cursor],
        ]);
      },
    ),
  );
});

it("the assumptions option changes only the names that it contains", async () => {
  const { notetaker, seen } = clientOf(() => json(samples.page([])), {
    assumptions: { rooms: { ids: "room_ids", limit: "page_size" }, meetings: { ids: "meeting", q: "semantic" } },
  });
  await notetaker.rooms.list({ ids: ["room_1"], scope: "all", limit: 5 });
  await notetaker.meetings.list({ ids: ["mtg_1"], q: "x", limit: 5 });
  expect(seen.map(({ query }) => query)).toEqual([
    [
      ["room_ids", "room_1"],
      ["scope", "all"],
      ["page_size", "5"],
    ],
    [
      ["meeting", "mtg_1"],
      ["semantic", "x"],
      ["limit", "5"],
    ],
  ]);
});

it("the assumptions option also applies to the next page", async () => {
  const { notetaker, seen } = clientOf((_, index) => json(samples.page([samples.room], index === 0 ? "c2" : null)), {
    assumptions: { rooms: { cursor: "after", ids: undefined as never } },
  });
  await notetaker.rooms.list({ ids: ["room_1"] }).toArray({ max: 10 });
  expect(seen.map(({ query }) => query)).toEqual([
    [["id", "room_1"]],
    [
      ["id", "room_1"],
      ["after", "c2"],
    ],
  ]);
});

it("the assumptions option also changes the parameter names of permissions and documents", async () => {
  const { notetaker, seen } = clientOf(
    ({ path }) => json(path.startsWith("/doc") ? samples.document : samples.permissionPage),
    { assumptions: { permissions: { cursor: "after", limit: "page_size" }, documents: { format: "as" } } },
  );
  await notetaker.permissions.list("mtg_1", { cursor: "c", limit: 2 });
  await notetaker.documents.get("doc_1", { format: "raw" });
  expect(seen.map(({ query }) => query)).toEqual([
    [
      ["after", "c"],
      ["page_size", "2"],
    ],
    [["as", "raw"]],
  ]);
});
