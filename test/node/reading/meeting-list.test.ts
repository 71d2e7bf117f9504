/** How the meeting list is read: which pages are requested, which rows count, and where the list ends. */
import { PaginationError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { MeetingList } from "../../../src/node/reading/meeting-list.js";
import { MeetingReader } from "../../../src/node/reading/meeting-reader.js";
import { Period } from "../../../src/node/reading/period.js";
import { clientOf, json, rejectionOf } from "../../support/recorder.js";

const rowOf = (id: string, fields: object = {}) => ({
  id,
  title: "Weekly",
  status: "completed",
  source: "zoom",
  start_time: "2025-01-10T12:00:00Z",
  ...fields,
});
interface PageBody {
  data?: unknown[];
  has_more?: boolean;
  next_cursor?: unknown;
}

/** A list whose service responds with these pages in turn, and repeats the last one. */
function listOf(pages: PageBody[], period: ConstructorParameters<typeof Period>[0] = {}, seen: string[] = []) {
  const { notetaker, seen: requests } = clientOf((_, index) =>
    json({ data: [], has_more: false, next_cursor: null, ...pages[Math.min(index, pages.length - 1)] }),
  );
  const clock = { now: () => 0, sleep: async () => {} };
  const reader = new MeetingReader(notetaker, { requestsPerMinute: 1e6, clock, onWait: () => {} });
  const list = new MeetingList(reader, new Period(period), seen);
  const read = (cursor: string | null, page = 1) => list.readPage(cursor, page, new AbortController().signal);
  return { list, read, queries: () => requests.map(({ query }) => Object.fromEntries(query)), reader };
}
const more = (next_cursor: unknown, data: unknown[] = [rowOf("mtg_9")]) => ({ data, has_more: true, next_cursor });

describe("a page of the meeting list", () => {
  it("is requested with 50 meetings and their documents, from the cursor on and within the period", async () => {
    const { read, queries, reader } = listOf([more("next"), {}], { since: "2025-01-01", until: "2025-01-31" });
    expect((await read(null)).nextCursor).toBe("next");
    expect((await read("next")).nextCursor).toBeNull();
    const [first, second] = queries();
    expect(first).toMatchObject({ limit: "50", start_date: "2025-01-01", end_date: "2025-01-31" });
    expect(Object.values(first ?? {})).toContain("documents");
    expect(first).not.toHaveProperty("cursor");
    expect(second).toEqual({ ...first, cursor: "next" });
    expect(reader.requests).toBe(2);
  });

  it("is requested without dates if there is no period", async () => {
    const { read, queries } = listOf([{}]);
    await read(null);
    expect(Object.keys(queries()[0] ?? {}).filter((name) => name.includes("date"))).toEqual([]);
  });

  it("returns each meeting of the period that was not listed before", async () => {
    const early = rowOf("mtg_4", { start_time: "2025-01-10T11:59:59Z" });
    const data = [rowOf("mtg_1"), rowOf("mtg_2"), rowOf("mtg_1"), rowOf("mtg_3"), early];
    const { list, read } = listOf([{ data }], { since: new Date("2025-01-10T12:00:00Z") }, ["mtg_3"]);
    const { meetings, missing } = await read(null);
    expect(meetings.map(({ meeting }) => meeting.id)).toEqual(["mtg_1", "mtg_2"]);
    expect(missing).toEqual([]);
    expect([...list.seenIds].sort()).toEqual(["mtg_1", "mtg_2", "mtg_3"]);
  });

  it("reports invalid rows with their positions", async () => {
    const odd = rowOf("mtg_1", { duration: 1.5, title: 5 });
    const { meetings, missing } = await listOf([{ data: [null, odd, { id: "room_1" }] }]).read(null, 7);
    expect(meetings.map(({ meeting }) => meeting.id)).toEqual(["mtg_1"]);
    const unreadable = (row: number) => ({
      meeting_id: "",
      title: null,
      what: `meeting (page 7, row ${row})`,
      reason: "invalid",
      message: "the row of the meeting list has no meeting id",
    });
    const reported = { meeting_id: "mtg_1", title: null, what: "meeting", reason: "invalid" };
    expect(missing).toEqual([
      unreadable(1),
      { ...reported, message: expect.stringMatching(/^(title|duration): expected/) },
      unreadable(3),
    ]);
  });

  it.each([null, "saved"])("marks the list as begun once the page at %j has been read", async (cursor) => {
    const { list, read } = listOf([more("next")]);
    expect(list.hasBegun).toBe(false);
    await read(cursor);
    expect(list.hasBegun).toBe(true);
  });
});

describe("a meeting list without an end", () => {
  it.each([null, ""])("causes an error if there are more pages but the next cursor is %j", async (cursor) => {
    const { read } = listOf([more(cursor)]);
    const error = await rejectionOf(PaginationError, read(null));
    expect(error.message).toBe("meetings.list: has_more is true, but next_cursor is empty");
  });

  it("causes an error if a cursor repeats", async () => {
    const { read } = listOf([more("a"), more("b"), more("a")]);
    await read(null);
    await read("a");
    const error = await rejectionOf(PaginationError, read("b"));
    expect(error.message).toBe("meetings.list: next_cursor repeats an earlier cursor");
  });

  it("is allowed to have no cursor on its last page", async () => {
    expect((await listOf([{ has_more: false, next_cursor: "ignored" }]).read(null)).nextCursor).toBeNull();
  });
});
