/** How a watch reads the meeting list: what it reads of a row, and how it continues after a failure. */
import { RateLimitedError, ServerError, UnauthorizedError } from "notetaker-sdk";
import { describe, expect, it, vi } from "vitest";
import type { RowPage } from "../../src/waiting/poll/meeting-lookup.js";
import { type ListPagesSince, walkMeetings } from "../../src/waiting/poll/meeting-walk.js";
import { rejection } from "../support/recorder.js";
import { inTime, useFakeClock } from "./service.js";

useFakeClock();

type Step = { data: unknown[]; next?: string } | Error;

/** A list whose requests get these pages and failures in turn. */
function walkOver(...steps: Step[]) {
  const requests: { atMs: number; params: Parameters<ListPagesSince>[0] }[] = [];
  const listPages: ListPagesSince = async function* (params) {
    requests.push({ atMs: Date.now(), params });
    for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
      if (step instanceof Error) throw step;
      const { data, next = null } = step;
      const page: RowPage = { data, next_cursor: next, hasNextPage: () => next !== null };
      yield page;
    }
  };
  const controller = new AbortController();
  return { requests, controller, walk: () => walkMeetings(listPages, "2025-06-01", controller.signal) };
}

const END = Date.parse("2025-06-02T10:00:00Z");
const times = { end_time: "2025-06-02T10:00:00Z", start_time: "2025-06-02T09:00:00Z", created_at: "2025-06-01" };

describe("a row of the list that a watch reads", () => {
  it.each([
    ["its end", times, END],
    ["its start if it has no end", { ...times, end_time: null }, Date.parse(times.start_time)],
    ["its creation if it has neither", { created_at: times.created_at }, Date.parse(times.created_at)],
    ["its start if the end is not a valid time", { ...times, end_time: "soon" }, Date.parse(times.start_time)],
    ["its start if the end is not a string", { ...times, end_time: END }, Date.parse(times.start_time)],
    ["infinity if it has none of them", {}, Number.POSITIVE_INFINITY],
  ])("has the time of %s", async (_, fields, time) => {
    const row = { id: "mtg_1", status: "completed", ...fields };
    const { value } = await inTime(walkOver({ data: [row] }).walk());
    expect(value).toEqual([{ id: "mtg_1", status: "completed", time, meeting: row }]);
  });

  it("is ignored without an id, and has no status if the status is not a string", async () => {
    const odd = { id: "mtg_odd", status: 5 };
    const { value } = await inTime(walkOver({ data: [null, 5, {}, { id: 7 }, odd] }).walk());
    expect(value).toEqual([{ id: "mtg_odd", status: undefined, time: Number.POSITIVE_INFINITY, meeting: odd }]);
  });

  it("counts once, with its last listed state", async () => {
    const [before, after] = ["processing", "completed"].map((status) => ({ id: "mtg_1", status }));
    const { value } = await inTime(walkOver({ data: [before], next: "c1" }, { data: [after] }).walk());
    expect(value).toMatchObject([{ id: "mtg_1", status: "completed" }]);
  });
});

describe("a temporary failure of the list that a watch reads", () => {
  const down = () => new ServerError({ status: 503 });

  it("is followed by a retry of the same page, after 5 seconds and then twice as long each time, up to a minute", async () => {
    const { walk, requests } = walkOver({ data: [], next: "c1" }, ...Array.from({ length: 6 }, down), { data: [] });
    await inTime(walk());
    expect(requests.map(({ atMs }) => atMs / 1_000)).toEqual([0, 5, 15, 35, 75, 135, 195]);
    const params = { start_date: "2025-06-01", limit: 100 };
    expect(requests.map((request) => request.params)).toEqual([
      { ...params, cursor: undefined },
      ...Array.from({ length: 6 }, () => ({ ...params, cursor: "c1" })),
    ]);
  });

  it("causes the first pause again if a page came since the last failure", async () => {
    const { walk, requests } = walkOver(down(), down(), { data: [], next: "c1" }, down(), { data: [] });
    await inTime(walk());
    expect(requests.map(({ atMs }) => atMs / 1_000)).toEqual([0, 5, 15, 20]);
  });

  it("does not lose the rows of the pages before", async () => {
    const { walk } = walkOver({ data: [{ id: "mtg_1" }], next: "c1" }, down(), { data: [{ id: "mtg_2" }] });
    expect((await inTime(walk())).value?.map(({ id }) => id)).toEqual(["mtg_1", "mtg_2"]);
  });

  it.each([
    [90_000, 90],
    [1_000, 5],
  ])("is followed by a longer pause if the service requests one: %i ms", async (retryAfterMs, expected) => {
    const { walk, requests } = walkOver(new RateLimitedError({ retryAfterMs }), { data: [] });
    await inTime(walk());
    expect(requests.map(({ atMs }) => atMs / 1_000)).toEqual([0, expected]);
  });

  it("ends the reading if no watch waits for it", async () => {
    const { walk, controller, requests } = walkOver(down(), { data: [] });
    const walking = rejection(walk());
    await vi.advanceTimersByTimeAsync(4_999);
    controller.abort("gone");
    expect(await walking).toBe("gone");
    expect(requests).toHaveLength(1);

    const late = walkOver(down(), { data: [] });
    late.controller.abort("gone");
    expect((await inTime(late.walk())).error).toBeInstanceOf(ServerError);
    expect(late.requests).toHaveLength(1);
  });
});

it("a permanent failure of the list ends its reading at once", async () => {
  const error = new UnauthorizedError({ status: 401 });
  const { walk, requests } = walkOver(error);
  expect(await inTime(walk())).toMatchObject({ error, at: 0 });
  expect(requests).toHaveLength(1);
});
