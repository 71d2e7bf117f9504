/** Invalid rows of a list: `onInvalid`, `page.invalid`, and the rows before an invalid row in an iteration. */
import { InvalidArgumentError, type InvalidRow, ResponseValidationError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { collectUntilError } from "../support/pages.js";
import { clientOf, type Handler, json, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const meeting = (number: number) => ({ ...samples.meeting, id: `mtg_${number}` });
/** Invalid values that real services have sent. */
const ODD: readonly [field: string, fields: object][] = [
  ["duration", { duration: 1860.5 }],
  ["title", { title: 5 }],
  ["start_time", { start_time: null }],
  ["documents", { documents: {} }],
  ["participants[0]", { participants: [null] }],
];

/** Two pages; the third of the four meetings on the first page is invalid. */
const withOddRow =
  (fields: object): Handler =>
  ({ query }) =>
    query.some(([name]) => name === "cursor")
      ? json(samples.page([meeting(5), meeting(6)]))
      : json(samples.page([meeting(1), meeting(2), { ...meeting(3), ...fields }, meeting(4)], "c1"));

async function walk(list: AsyncIterable<{ id: string }>) {
  const { items, error } = await collectUntilError(list);
  return { ids: items.map(({ id }) => id), error };
}

describe.each(ODD)("a meeting with an invalid %s", (path, fields) => {
  it("ends an iteration by default, after the rows before it, and makes the page, pages() and toArray reject", async () => {
    const { notetaker } = clientOf(withOddRow(fields));
    const { ids, error } = await walk(notetaker.meetings.list());
    expect(ids).toEqual(["mtg_1", "mtg_2"]);
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect((error as ResponseValidationError).issues[0]!.path).toBe(`data[2].${path}`);
    await rejectionOf(ResponseValidationError, notetaker.meetings.list({}, { onInvalid: "throw" }));
    await rejectionOf(ResponseValidationError, notetaker.meetings.list().toArray({ max: 10 }));
    await rejectionOf(ResponseValidationError, notetaker.meetings.list().pages().next());
  });

  it('is left out if onInvalid is "skip" or a function, and in page.invalid or passed once', async () => {
    const { notetaker } = clientOf(withOddRow(fields));
    const page = await notetaker.meetings.list({}, { onInvalid: "skip" });
    expect(page.data.map(({ id }) => id)).toEqual(["mtg_1", "mtg_2", "mtg_4"]);
    const row = { index: 2, id: "mtg_3", issues: [{ path, message: expect.any(String) }] };
    expect(page.invalid).toMatchObject([{ ...row, value: { ...meeting(3), ...fields } }]);
    const rows: InvalidRow[] = [];
    for (const onInvalid of ["skip" as const, (row: InvalidRow) => void rows.push(row)]) {
      const { ids, error } = await walk(notetaker.meetings.list({}, { onInvalid }));
      expect([ids, error]).toEqual([["mtg_1", "mtg_2", "mtg_4", "mtg_5", "mtg_6"], undefined]);
    }
    expect(rows).toMatchObject([row]);
  });
});

describe("onInvalid", () => {
  it("does not affect a field named invalid of the service", async () => {
    const rows = { ...samples.page([samples.room]), invalid: [{ index: 0 }] };
    const { notetaker } = clientOf(() => json(rows));
    expect((await notetaker.rooms.list()).invalid).toEqual([]);
    expect((await notetaker.rooms.list({}, { onInvalid: "skip" })).invalid).toEqual([]);
  });

  it("reports a row that is not an object, without an id", async () => {
    for (const row of [null, 5, "x", [], true]) {
      const { notetaker } = clientOf(() => json(samples.page([row, samples.room])));
      const page = await notetaker.rooms.list({}, { onInvalid: "skip" });
      expect(page.data).toEqual([samples.room]);
      expect(page.invalid).toMatchObject([{ index: 0, value: row }]);
      expect(page.invalid[0]).not.toHaveProperty("id");
    }
  });

  it("keeps the page's other fields, and leaves invalid rows out of its JSON", async () => {
    const { notetaker } = clientOf(() => json({ ...samples.permissionPage, data: [samples.permission, null] }));
    const page = await notetaker.permissions.list("mtg_1", {}, { onInvalid: "skip" });
    expect(page.share_url).toBe(samples.permissionPage.share_url);
    expect(JSON.parse(JSON.stringify(page))).toEqual({ ...samples.permissionPage, data: [samples.permission] });
    expect(page.invalid).toHaveLength(1);
  });

  it("does not accept an invalid envelope", async () => {
    for (const body of [null, {}, [], { data: {}, has_more: false }, { data: [], has_more: "no" }]) {
      const { notetaker } = clientOf(() => json(body));
      await rejectionOf(ResponseValidationError, notetaker.rooms.list({}, { onInvalid: "skip" }));
    }
  });

  it("is refused with its page if the page has more than 1,000 invalid rows", async () => {
    const listOf = (count: number) =>
      clientOf(() => json(samples.page(Array(count).fill(5)))).notetaker.rooms.list({}, { onInvalid: "skip" });
    expect((await listOf(1_000)).invalid).toHaveLength(1_000);
    const { issues } = await rejectionOf(ResponseValidationError, listOf(1_001));
    expect(issues).toEqual([
      { path: "data", code: "invalid", message: "more than 1,000 rows do not match their schema" },
    ]);
  });

  it("leaves page.invalid empty if every row is valid, or if validation is off", async () => {
    const { notetaker } = clientOf(() => json(samples.page([samples.room])));
    expect((await notetaker.rooms.list()).invalid).toEqual([]);
    expect((await notetaker.rooms.list({}, { onInvalid: "skip" })).invalid).toEqual([]);
    const off = clientOf(() => json(samples.page([5])), { validation: "off" }).notetaker;
    const page = await off.rooms.list({}, { onInvalid: "skip" });
    expect(page.data).toEqual([5]);
    expect(page.invalid).toEqual([]);
  });

  it("passes on the error of its function unchanged", async () => {
    const mistake = new Error("mine");
    const { notetaker } = clientOf(() => json(samples.page([null])));
    const onInvalid = () => {
      throw mistake;
    };
    await expect(notetaker.rooms.list({}, { onInvalid })).rejects.toBe(mistake);
  });

  it.each(["ignore", 5, null, {}])("is refused before a request is sent if it is %o", async (onInvalid) => {
    const { notetaker, seen } = clientOf(() => json(samples.page([])));
    const error = await rejectionOf(InvalidArgumentError, notetaker.rooms.list({}, { onInvalid: onInvalid as "skip" }));
    expect(error.issues).toMatchObject([{ path: "onInvalid" }]);
    expect(seen).toEqual([]);
  });

  it("skips a row in nextPage, and in an iteration that starts at a page", async () => {
    const { notetaker } = clientOf(({ query }) =>
      query.length === 0
        ? json(samples.page([meeting(1)], "c1"))
        : json(samples.page([{ ...meeting(2), title: 5 }, meeting(3)])),
    );
    const first = await notetaker.meetings.list({}, { onInvalid: "skip" });
    expect((await first.nextPage()).invalid).toHaveLength(1);
    expect((await walk(first)).ids).toEqual(["mtg_1", "mtg_3"]);
  });
});
