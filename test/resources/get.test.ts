/** One meeting or room by its id: the list is requested with this id, and the ids in the response are compared. */
import {
  InvalidArgumentError,
  Notetaker,
  NotFoundError,
  PaginationError,
  ResponseValidationError,
} from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { BASE_URL, clientOf, json, refusal, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const stranger = { ...samples.meeting, id: "mtg_stranger" };

describe("meetings.get", () => {
  it("requests the list with one id, and resolves to that meeting", async () => {
    // The expansion is an empty list if the service leaves it out, or sends `null`.
    for (const documents of [undefined, null]) {
      const { notetaker, seen } = clientOf(() => json(samples.page([stranger, { ...samples.meeting, documents }])));
      const meeting = await notetaker.meetings.get("mtg_1", { expand: ["documents"] });
      expect(meeting).toMatchObject({ id: "mtg_1", documents: [] });
      expect(seen.map(({ method, request }) => [method, request.url])).toEqual([
        ["GET", `${BASE_URL}/meetings?expand=documents&id=mtg_1`],
      ]);
    }
  });

  it("rejects with a NotFoundError if the list contains only other meetings", async () => {
    for (const rows of [[], [stranger], [null, 5]]) {
      const { notetaker, seen } = clientOf(() => json(samples.page<unknown>(rows)));
      const error = await rejectionOf(NotFoundError, notetaker.meetings.get("mtg_1"));
      expect(error).toMatchObject({ status: 404, code: "not_found", outcome: "rejected", attempts: 1 });
      expect(error.message).toBe("meetings.get: the list has no mtg_1");
      expect(seen).toHaveLength(1);
    }
  });

  describe("if the service ignores the filter", () => {
    /** A list of so many pages with one meeting each, except for the empty one. */
    const pages = (count: number, empty?: number) =>
      clientOf(({ query }) => {
        const number = Number(new Map(query).get("cursor") ?? 0);
        const rows = number === empty ? [] : [{ ...samples.meeting, id: `mtg_${number}` }];
        return json(samples.page(rows, number + 1 < count ? String(number + 1) : null));
      });

    it("finds the meeting on one of 20 further pages", async () => {
      const { notetaker, seen } = pages(1_000);
      expect((await notetaker.meetings.get("mtg_20")).id).toBe("mtg_20");
      expect(seen.map(({ query }) => new Map(query).get("id"))).toEqual(Array(21).fill("mtg_20"));
    });

    it("finds the meeting behind an empty page", async () => {
      expect((await pages(5, 2).notetaker.meetings.get("mtg_3")).id).toBe("mtg_3");
    });

    it("rejects with a NotFoundError if the list ends without it", async () => {
      const error = await rejectionOf(NotFoundError, pages(3).notetaker.meetings.get("mtg_9"));
      expect(error).toMatchObject({ attempts: 3, outcome: "rejected" });
    });

    it("rejects with a PaginationError that names the filter and the doctor if the list goes on", async () => {
      const { notetaker, seen } = pages(1_000);
      const error = await rejectionOf(PaginationError, notetaker.meetings.get("mtg_21"));
      expect(error.message).toMatch(/^meetings.get: the service ignores the filter id .*mtg_21.*notetaker-sdk doctor/);
      expect([error.attempts, seen.length]).toEqual([21, 21]);
      const stuck = clientOf(() => json(samples.page([stranger], "same")));
      expect((await rejectionOf(PaginationError, stuck.notetaker.rooms.get("room_1"))).attempts).toBe(2);
    });
  });

  it("ignores an invalid row of another meeting", async () => {
    const { notetaker } = clientOf(() => json(samples.page([{ ...stranger, title: 5 }, null, samples.meeting])));
    expect(await notetaker.meetings.get("mtg_1")).toEqual(samples.meeting);
  });

  it("rejects with a ResponseValidationError if this meeting is invalid or the response is not a page", async () => {
    for (const body of [samples.page([{ ...samples.meeting, title: 5 }]), null, [], {}, "x"]) {
      const { notetaker } = clientOf(() => json(body));
      await rejectionOf(ResponseValidationError, notetaker.meetings.get("mtg_1"));
    }
  });

  it("returns the meeting unchanged if validation is off", async () => {
    const odd = { ...samples.meeting, title: 5 };
    const { notetaker } = clientOf(() => json(samples.page([odd])), { validation: "off" });
    expect(await notetaker.meetings.get("mtg_1")).toEqual(odd);
  });

  it("is retried, has a response, and uses the parameter name of the assumptions option", async () => {
    const { notetaker, seen } = clientOf(
      (_, index) => (index === 0 ? refusal(503, "x") : json(samples.page([samples.meeting]))),
      { assumptions: { meetings: { ids: "meeting_ids" } } },
    );
    const { data, response } = await notetaker.meetings.get("mtg_1").withResponse();
    expect(data.id).toBe("mtg_1");
    expect(response.status).toBe(200);
    expect(seen.map(({ query }) => query)).toEqual(Array(2).fill([["meeting_ids", "mtg_1"]]));
  });

  it.each<[string, string, unknown, string]>([
    ["an id of another kind", "room_1", {}, "meetingId"],
    ["no id", undefined as unknown as string, {}, "meetingId"],
    ["an unknown expansion", "mtg_1", { expand: ["meetings"] }, "expand[0]"],
    ["a parameter of the list", "mtg_1", { limit: 5 }, "limit"],
    ["null as parameters", "mtg_1", null, ""],
  ])("rejects %s before it sends a request", async (_, id, params, path) => {
    const { notetaker, seen } = clientOf(() => json(samples.page([])));
    const error = await rejectionOf(InvalidArgumentError, notetaker.meetings.get(id, params as object));
    expect(error.issues.map((issue) => issue.path)).toEqual([path]);
    expect(seen).toEqual([]);
  });
});

describe("rooms.get", () => {
  it("resolves to the room with this id and its requested expansions", async () => {
    const service = createEmulator();
    const notetaker = new Notetaker(service.clientOptions);
    const [first] = await notetaker.rooms.list().toArray({ max: 1 });
    const room = await notetaker.rooms.get(first!.id, { expand: ["meetings"] });
    expect(room.id).toBe(first!.id);
    expect(room.meetings.length).toBe(room.meeting_count);
    await rejectionOf(NotFoundError, notetaker.rooms.get("room_none"));
    await rejectionOf(InvalidArgumentError, notetaker.rooms.get("mtg_1"));
  });
});
