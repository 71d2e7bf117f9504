import fc from "fast-check";
import { expect, it } from "vitest";
import type { QueryRecord } from "../../src/transport/query.js";
import { queryString } from "../../src/transport/query.js";
import { clientOf, json } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const scalar = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean());
const value: fc.Arbitrary<QueryRecord[string]> = fc.oneof(scalar, fc.constant(undefined), fc.array(scalar));
const record = fc.dictionary(fc.string({ unit: "grapheme" }), value);

const sent = (one: QueryRecord[string]) =>
  (Array.isArray(one) ? one : [one]).filter((item) => item !== undefined).map(String);

it("the query contains each value in order; additional parameters replace those of the same name unless undefined", () => {
  fc.assert(
    fc.property(record, record, (params, extra) => {
      const read = new URL(`https://a.example/${queryString(params, {}, extra)}`).searchParams;
      const names = new Set([...Object.keys(params), ...Object.keys(extra)]);
      const expected = [...names].flatMap((name) => {
        const own = (from: typeof params) => (Object.hasOwn(from, name) ? from[name] : undefined);
        const values = sent(own(extra) === undefined ? own(params) : own(extra));
        expect(read.getAll(name)).toEqual(values);
        return values;
      });
      expect([...read]).toHaveLength(expected.length);
    }),
  );
});

it("the assumptions option changes only the names that it contains, also for the next page", async () => {
  const answers = ["/rooms", "/documents/doc_1", "/meetings/mtg_1/permissions"];
  const bodies = [samples.page([samples.room], "c2"), { ...samples.document, format: "raw" }, samples.permissionPage];
  const { notetaker, seen } = clientOf(
    ({ path, query }) =>
      json(query.length > 2 || path === "/meetings" ? samples.page([]) : bodies[answers.indexOf(path)]),
    {
      assumptions: {
        rooms: { ids: "room_ids", cursor: "after", limit: undefined as never },
        meetings: { ids: "meeting", q: "semantic" },
        permissions: { cursor: "after", limit: "page_size" },
        documents: { format: "as" },
      },
    },
  );
  await notetaker.rooms.list({ ids: ["room_1"], limit: 5 }).toArray({ max: 10 });
  await notetaker.meetings.list({ ids: ["mtg_1"], q: "x", limit: 5 });
  await notetaker.permissions.list("mtg_1", { cursor: "c", limit: 2 });
  await notetaker.documents.get("doc_1", { format: "raw" });
  expect(seen.map(({ search }) => search)).toEqual([
    "room_ids=room_1&limit=5",
    "room_ids=room_1&after=c2&limit=5",
    "meeting=mtg_1&semantic=x&limit=5",
    "after=c&page_size=2",
    "as=raw",
  ]);
});
