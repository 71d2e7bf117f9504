import fc from "fast-check";
import { expect, it } from "vitest";
import { meetingSchema } from "../../../src/schemas/meeting.js";
import { eventFromBody, isMeetingEvent, readObject } from "../../../src/webhooks/event/event.js";
import { meetingBody } from "../signed-delivery.js";

const read = eventFromBody;
const parsed = (json: string) => readObject(new TextEncoder().encode(json));

it('the kind is that of the body, or "unknown"', () => {
  for (const kind of ["meeting.transcript_ready", "meeting.initial_summary_ready", "room.created", "__proto__"]) {
    expect(read({ event: kind }).kind).toBe(kind);
  }
  for (const event of [undefined, null, "", 7, {}, []]) expect(read({ event, id: "mtg_1" }).kind).toBe("unknown");
  expect(read({ type: "a", event: "b" }, { kind: "type" }).kind).toBe("a");
});

it.each([
  [{ id: "mtg_1" }, "mtg_1"],
  [{ meeting_id: "mtg_1" }, "mtg_1"],
  // Both fields are present: `id` is the one that the service's public reference documents.
  [{ id: "mtg_1", meeting_id: "mtg_2" }, "mtg_1"],
  // If `id` does not belong to a meeting, `meeting_id` is used.
  [{ id: "evt_9", meeting_id: "mtg_2" }, "mtg_2"],
  [{ id: 5, meeting_id: "mtg_2" }, "mtg_2"],
  [{ id: null, meeting_id: "mtg_2" }, "mtg_2"],
  [{ id: "room_1" }, undefined],
  [{ id: "" }, undefined],
  [{}, undefined],
  [JSON.parse('{"__proto__": {"id": "mtg_1"}}'), undefined],
])("the meeting id of %j is %s", (body, id) => {
  expect(read(body).meetingId).toBe(id);
});

it("the meeting id is read only from the field that the options name", () => {
  const fields = { meetingId: "meeting" };
  expect(read({ meeting: "mtg_3", id: "mtg_1" }, fields).meetingId).toBe("mtg_3");
  expect(read({ id: "mtg_1" }, fields).meetingId).toBeUndefined();
});

it("the payload is the received body, unchanged, whatever it contains", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
      const json = JSON.stringify(body);
      expect(JSON.stringify(eventFromBody(parsed(json)).payload)).toBe(JSON.stringify(JSON.parse(json)));
    }),
  );
});

it("the payload can be validated as a meeting, and is kept if it is invalid", () => {
  const { payload } = eventFromBody(parsed(meetingBody({ participants: [{ name: null }], added_later: 1 })));
  expect(meetingSchema.safeParse(payload).data).toEqual(payload);
  const other = parsed(meetingBody({ start_time: "yesterday" }));
  expect(meetingSchema.safeParse(other).success).toBe(false);
  expect(eventFromBody(other)).toMatchObject({ meetingId: "mtg_1", payload: other });
});

it("isMeetingEvent is true for a known kind with a meeting id, and compares the kind of its second argument", () => {
  const event = read({ event: "meeting.transcript_ready", id: "mtg_1" });
  expect(isMeetingEvent(event)).toBe(true);
  expect(isMeetingEvent(event, "meeting.transcript_ready")).toBe(true);
  expect(isMeetingEvent(event, "meeting.initial_summary_ready")).toBe(false);
  expect(isMeetingEvent(read({ event: "meeting.transcript_ready" }))).toBe(false);
  expect(isMeetingEvent(read({ event: "meeting.deleted", id: "mtg_1" }))).toBe(false);
});
