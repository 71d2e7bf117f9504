import { meetingSchema, transcriptSchema } from "notetaker-sdk";
import { aDocument, aMeeting, anEvent, aRoom, aTranscript, aWebhook, createEmulator } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { emulatorClient } from "../emulator-client.js";
import { mistakesOf } from "../mistakes-of.js";

const mistakesIn = (seed: unknown) => mistakesOf({ seed }).map(({ path, message }) => `${path}: ${message}`);

describe("the seed of an emulator", () => {
  test("becomes the content of the account", async () => {
    const { ask } = emulatorClient({
      seed: {
        rooms: [
          aRoom({
            id: "room_1",
            title: "Sales",
            meetings: [
              aMeeting({
                id: "mtg_1",
                title: "Contoso",
                transcript: aTranscript({
                  language: "de",
                  lines: ["Ada: Guten Morgen.", ["Ben", "Hallo."], ["Ada", "Gut."]],
                }),
                documents: [aDocument({ id: "doc_1", title: "Notizen" })],
                permissions: [{ recipient: { type: "anyone" }, role: "read" }],
              }),
              aMeeting({ id: "mtg_2", owned: false, status: "failed" }),
            ],
          }),
        ],
        events: [anEvent({ id: "evt_a@b.com", start_time: "2025-06-03T09:00:00Z", bot: true })],
        webhooks: [aWebhook({ id: "whk_1", secret: "whsec_mine" })],
      },
    });
    const room = (await ask("GET", "/rooms?expand=meetings&expand=documents")).body.data[0];
    expect(room).toMatchObject({
      id: "room_1",
      title: "Sales",
      meeting_count: 2,
      meetings: [
        { id: "mtg_1", title: "Contoso", status: "completed" },
        { id: "mtg_2", status: "failed", duration: null },
      ],
      documents: [{ id: "doc_1", title: "Notizen" }],
    });
    expect((await ask("GET", "/meetings/mtg_1/transcript")).body).toMatchObject({
      meeting_id: "mtg_1",
      language: "de",
      speakers: [
        { id: "spk_1", name: "Ada" },
        { id: "spk_2", name: "Ben" },
      ],
      segments: [{ text: "Guten Morgen." }, { speaker_id: "spk_2" }, { speaker_id: "spk_1", text: "Gut." }],
    });
    expect((await ask("GET", "/meetings/upcoming")).body).toMatchObject([{ id: "evt_a@b.com", bot_scheduled: true }]);
    expect((await ask("GET", "/meetings?scope=shared")).body.data).toMatchObject([{ id: "mtg_2" }]);
    expect((await ask("DELETE", `/meetings/${encodeURIComponent("evt_a@b.com")}/bot`)).status).toBe(202);
  });

  test("may be of built parts, which are also records of the service", () => {
    const meetings = [
      aMeeting(),
      aMeeting({ status: "processing" }),
      aMeeting({ id: "mtg_1", documents: [aDocument()] }),
    ];
    for (const meeting of meetings) expect(meetingSchema.safeParse(meeting)).toMatchObject({ success: true });
    expect(transcriptSchema.safeParse({ meeting_id: "mtg_1", ...aTranscript() })).toMatchObject({ success: true });
    expect(new Set(meetings.map(({ id }) => id)).size).toBe(3);
    expect(createEmulator({ seed: { meetings } }).meetings.list()).toHaveLength(3);
  });

  test("may have the lines of a transcript as texts, as a JSON file has them", async () => {
    const lines = ["Ada: Shall we begin?", "Eun-ji: Please: the plan."];
    const { ask } = emulatorClient({ seed: { meetings: [{ id: "mtg_1", transcript: { lines } }] } });
    expect((await ask("GET", "/meetings/mtg_1/transcript")).body).toMatchObject({
      ...{ language: "en", speakers: [{ name: "Ada" }, { name: "Eun-ji" }] },
      segments: [{ text: "Shall we begin?" }, { speaker_id: "spk_2", text: "Please: the plan." }],
    });
  });

  test("may be empty", async () => {
    const { ask } = emulatorClient({ seed: {} });
    for (const path of ["/rooms", "/meetings"]) {
      expect((await ask("GET", path)).body).toEqual({ data: [], next_cursor: null, has_more: false });
    }
    expect((await ask("GET", "/webhooks")).body).toEqual([]);
  });

  test("gives a recording to each meeting with a transcript, unless it says otherwise", async () => {
    const meetings = [
      { id: "mtg_1" },
      { id: "mtg_2", recording: true },
      aMeeting({ id: "mtg_3" }),
      aMeeting({ id: "mtg_4", recording: false }),
    ];
    const { ask } = emulatorClient({ seed: { meetings } });
    const links = await Promise.all(
      meetings.map(async ({ id }) => (await ask("GET", `/meetings/${id}/recording`)).body.recording_url),
    );
    expect(links.map((link) => link !== null)).toEqual([false, true, true, false]);
  });

  test("may have timestamps with an offset of whole hours, `+02`", async () => {
    const start_time = "2025-06-03T09:00:00+02";
    const seed = {
      meetings: [aMeeting({ id: "mtg_1", start_time })],
      events: [anEvent({ start_time, bot: true })],
    };
    const { service, ask } = emulatorClient({ seed, now: "2025-06-02T11:00:00+02" });
    expect(service.clock.now()).toBe(Date.UTC(2025, 5, 2, 9));
    expect(service.meetings.get("mtg_1")?.end_time).toMatch(/^2025-06-03T07:00/);
    expect((await ask("GET", "/meetings?start_date=2025-06-03")).body.data).toMatchObject([
      { id: "mtg_1", start_time },
    ]);
    expect((await ask("GET", "/meetings/upcoming")).body).toMatchObject([{ end_time: "2025-06-03T07:30:00.000Z" }]);
    await service.clock.advance(22 * 3_600_000);
    expect(service.bots.list()[0]?.state).toBe("joining");
  });

  test("gets a different id for each part without an id", () => {
    const service = createEmulator({ seed: { rooms: [aRoom({ meetings: [aMeeting(), aMeeting()] }), aRoom()] } });
    const ids = service.meetings.list().flatMap(({ id, documents }) => [id, ...documents]);
    expect(new Set(ids).size).toBe(6);
  });

  const { speakers, segments } = aTranscript();
  const MISTAKES: Record<string, unknown> = {
    "meetings[0].transcript.segments[1].start_time: start_time is earlier than the previous segment's; segments must be in chronological order":
      { meetings: [{ transcript: { speakers, segments: [segments[1], segments[0], segments[2]] } }] },
    "meetings[0].transcript.segments[0].speaker_id: this transcript has no speaker spk_1": {
      meetings: [aMeeting({ transcript: { speakers: [], segments: segments.slice(0, 1) } })],
    },
    'meetings[0].transcript.lines[1]: expected a speaker, a colon and a text, such as "Ada: Good morning.", received a string':
      { meetings: [{ transcript: { lines: ["Ada: Good morning.", "Good morning."] } }] },
    "meetings[0].transcript: expected either lines, or speakers and segments": { meetings: [{ transcript: {} }] },
    "meetings[0].id: mtg_1 is already the id of rooms[0].meetings[0]": {
      meetings: [{ id: "mtg_1" }],
      rooms: [aRoom({ meetings: [{ id: "mtg_1" }] })],
    },
    'webhooks[0].id: expected an id of the form whk_…, without white space, control characters, / \\ ? # and %, received "hook"':
      { webhooks: [aWebhook({ id: "hook" })] },
    "meetings[0].transcript.speakers[1].id: spk_1 is already the id of another speaker": {
      meetings: [{ transcript: { speakers: ["A", "B"].map((name) => ({ id: "spk_1", name })), segments: [] } }],
    },
    "rooms[0].name: unknown field; expected one of id, title, created_at, updated_at, share_url, meetings, owned": {
      rooms: [{ title: "A", name: "A" }],
    },
    "rooms[0].title: expected a string, received nothing": { rooms: [{}] },
    "meetings[0].start_time: expected an ISO 8601 timestamp, received a string": {
      meetings: [{ start_time: "yesterday" }],
    },
    'meetings[0].status: expected one of completed, processing, scheduled, failed, received "done"': {
      meetings: [{ status: "done" }],
    },
    "events[0].meeting_url: expected a Zoom, Google Meet, Microsoft Teams or Webex join link": {
      events: [anEvent({ start_time: "2025-06-03T09:00:00Z", meeting_url: "https://example.com" })],
    },
    "webhooks[0].url: expected an absolute https: URL (http: only for loopback)": {
      webhooks: [aWebhook({ url: "http://example.com" })],
    },
    "webhooks[0].secret: expected a string that is not blank, received a string": {
      webhooks: [aWebhook({ secret: " " })],
    },
    "webhooks[0].events: expected at least 1 kind of event, received 0": { webhooks: [aWebhook({ events: [] })] },
    'meetings[0].permissions[0].role: expected "read": access for anyone with the link is read-only': {
      meetings: [{ permissions: [{ recipient: { type: "anyone" }, role: "edit" }] }],
    },
    'account.automation: expected one of MANUAL, JOIN_AS_HOST, JOIN_ALL_EVENTS, received "ALWAYS"': {
      account: { automation: "ALWAYS" },
    },
    "meetings[0].documents[0].blocks[0].type: expected one of heading, paragraph, list, table": {
      meetings: [{ documents: [aDocument({ blocks: [{ type: "quote" } as never] })] }],
    },
    ": expected an object, received an array": [],
    "rooms: expected an array, received an object": { rooms: {} },
  };
  test.each(Object.entries(MISTAKES))("is refused with the path of the mistake: %s", (mistake, seed) => {
    expect(mistakesIn(seed)).toEqual([mistake]);
  });

  test("is refused with all of its mistakes in one error", () => {
    expect(mistakesIn({ rooms: [{ title: 7 }], meetings: [{ id: "m" }], now: 5 })).toHaveLength(3);
  });
});

describe("the emulator's default account", () => {
  test("has what the tour needs: pages, every status, transcripts, documents, permissions, events and a webhook", async () => {
    const { service, ask } = emulatorClient();
    const rooms = (await ask("GET", "/rooms?limit=2")).body;
    expect(rooms).toMatchObject({ has_more: true, data: [{}, {}] });
    const statuses = new Set(service.meetings.list().map(({ status }) => status));
    expect([...statuses].sort()).toEqual(["completed", "failed", "processing"]);
    expect(service.meetings.list().some(({ owned }) => !owned)).toBe(true);
    expect(service.meetings.list().some(({ permissions }) => permissions.length > 0)).toBe(true);
    expect((await ask("GET", "/meetings/upcoming")).body).toHaveLength(3);
    expect(service.webhooks.list()).toHaveLength(1);
  });

  test("has the ids of the guides' examples: a completed meeting with everything, and an event with a bot", async () => {
    const { ask } = emulatorClient();
    const [room] = (await ask("GET", "/rooms?id=room_1&expand=meetings")).body.data;
    expect(room.meetings[0]).toMatchObject({ id: "mtg_1", status: "completed" });
    for (const path of ["transcript", "recording", "permissions"]) {
      expect((await ask("GET", `/meetings/mtg_1/${path}`)).status).toBe(200);
    }
    const [meeting] = (await ask("GET", "/meetings?id=mtg_1&expand=documents")).body.data;
    expect(meeting.documents[0]).toMatchObject({ id: "doc_1", title: expect.stringContaining("summary") });
    expect((await ask("DELETE", "/meetings/evt_1/bot")).status).toBe(202);
    // The second account has other ids, so that a shared meeting keeps its own.
    const { as } = createEmulator({ accounts: { a: 1, b: 1 } });
    expect([as("a").meetings.get("mtg_1")?.id, as("b").meetings.get("mtg_1")]).toEqual(["mtg_1", undefined]);
  });
});
