import { type Meeting, meetingSchema, transcriptSchema } from "notetaker-sdk";
import { aDocument, aMeeting, anEvent, aRoom, aTranscript, aWebhook, createEmulator } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { emulatorClient, mistakesOf } from "../emulator-client.js";

describe("the seed of an emulator", () => {
  test("becomes the content of the account", async () => {
    const { ask, read } = emulatorClient({
      seed: {
        rooms: [
          aRoom({
            id: "room_1",
            title: "Sales",
            meetings: [
              aMeeting({
                id: "mtg_1",
                title: "Contoso",
                transcript: { language: "de", lines: ["Ada: Guten Morgen.", ["Ben", "Hallo."], "Ada: Gut: das Ziel."] },
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
    const room = (await read("/rooms?expand=meetings&expand=documents")).data[0];
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
    expect(await read("/meetings/mtg_1/transcript")).toMatchObject({
      meeting_id: "mtg_1",
      language: "de",
      speakers: [
        { id: "spk_1", name: "Ada" },
        { id: "spk_2", name: "Ben" },
      ],
      segments: [
        { text: "Guten Morgen." },
        { speaker_id: "spk_2", start_time: 1, end_time: 2 },
        { speaker_id: "spk_1", text: "Gut: das Ziel." },
      ],
    });
    expect(await read("/meetings/upcoming")).toMatchObject([{ id: "evt_a@b.com", bot_scheduled: true }]);
    expect((await read("/meetings?scope=shared")).data).toMatchObject([{ id: "mtg_2" }]);
    expect((await ask("DELETE", `/meetings/${encodeURIComponent("evt_a@b.com")}/bot`)).status).toBe(202);
  });

  test("may be of built parts, which are also records of the service", () => {
    const meetings = [
      aMeeting(),
      aMeeting({ status: "processing" }),
      aMeeting({ id: "mtg_1", documents: [aDocument()] }),
    ] satisfies Meeting[];
    for (const meeting of meetings) expect(meetingSchema.safeParse(meeting)).toMatchObject({ success: true });
    expect(transcriptSchema.safeParse({ meeting_id: "mtg_1", ...aTranscript() })).toMatchObject({ success: true });
    expect(new Set(meetings.map(({ id }) => id)).size).toBe(3);
    expect(createEmulator({ seed: { meetings } }).meetings.list()).toHaveLength(3);
  });

  test("may be empty", async () => {
    const { read } = emulatorClient({ seed: {} });
    for (const path of ["/rooms", "/meetings"]) {
      expect(await read(path)).toEqual({ data: [], next_cursor: null, has_more: false });
    }
    expect(await read("/webhooks")).toEqual([]);
  });

  test("gives a recording to each meeting with a transcript, unless it says otherwise", async () => {
    const meetings = [
      { id: "mtg_1" },
      { id: "mtg_2", recording: true },
      aMeeting({ id: "mtg_3" }),
      aMeeting({ id: "mtg_4", recording: false }),
    ];
    const { read } = emulatorClient({ seed: { meetings } });
    const links = await Promise.all(
      meetings.map(async ({ id }) => (await read(`/meetings/${id}/recording`)).recording_url),
    );
    expect(links.map((link) => link !== null)).toEqual([false, true, true, false]);
  });

  test("may have timestamps with an offset of whole hours, `+02`", async () => {
    const start_time = "2025-06-03T09:00:00+02";
    const seed = { meetings: [aMeeting({ id: "mtg_1", start_time })], events: [anEvent({ start_time, bot: true })] };
    const { service, read } = emulatorClient({ seed, now: "2025-06-02T11:00:00+02" });
    expect(service.clock.now()).toBe(Date.UTC(2025, 5, 2, 9));
    expect(service.meetings.get("mtg_1")?.end_time).toMatch(/^2025-06-03T07:00/);
    expect((await read("/meetings?start_date=2025-06-03")).data).toMatchObject([{ id: "mtg_1", start_time }]);
    expect(await read("/meetings/upcoming")).toMatchObject([{ end_time: "2025-06-03T07:30:00.000Z" }]);
    await service.clock.advance(22 * 3_600_000);
    expect(service.bots.list()[0]?.state).toBe("joining");
  });

  const { speakers, segments } = aTranscript();
  const twoAs = ["A", "B"].map((name) => ({ id: "spk_1", name }));
  const unordered = [segments[1], segments[0], segments[2]];
  const start_time = "2025-06-03T09:00:00Z";
  const anyone = { type: "anyone" };
  const quote = { type: "quote" } as never;
  test.each<[path: string, seed: unknown]>([
    ["", []],
    ["rooms", { rooms: {} }],
    ["rooms[0].title", { rooms: [{}] }],
    ["rooms[0].name", { rooms: [{ title: "A", name: "A" }] }],
    ["meetings[0].id", { meetings: [{ id: "mtg_1" }], rooms: [aRoom({ meetings: [{ id: "mtg_1" }] })] }],
    ["meetings[0].start_time", { meetings: [{ start_time: "yesterday" }] }],
    ["meetings[0].status", { meetings: [{ status: "done" }] }],
    ["meetings[0].permissions[0].role", { meetings: [{ permissions: [{ recipient: anyone, role: "edit" }] }] }],
    ["meetings[0].documents[0].blocks[0].type", { meetings: [{ documents: [aDocument({ blocks: [quote] })] }] }],
    ["meetings[0].transcript", { meetings: [{ transcript: {} }] }],
    ["meetings[0].transcript.lines[1]", { meetings: [{ transcript: { lines: ["Ada: Hello.", "Hello."] } }] }],
    [
      "meetings[0].transcript.segments[1].start_time",
      { meetings: [{ transcript: { speakers, segments: unordered } }] },
    ],
    [
      "meetings[0].transcript.segments[0].speaker_id",
      { meetings: [{ transcript: { speakers: [], segments: segments.slice(0, 1) } }] },
    ],
    ["meetings[0].transcript.speakers[1].id", { meetings: [{ transcript: { speakers: twoAs, segments: [] } }] }],
    ["events[0].meeting_url", { events: [anEvent({ start_time, meeting_url: "https://example.com" })] }],
    ["webhooks[0].id", { webhooks: [aWebhook({ id: "hook" })] }],
    ["webhooks[0].url", { webhooks: [aWebhook({ url: "http://example.com" })] }],
    ["webhooks[0].secret", { webhooks: [aWebhook({ secret: " " })] }],
    ["webhooks[0].events", { webhooks: [aWebhook({ events: [] })] }],
    ["account.automation", { account: { automation: "ALWAYS" } }],
  ])("is refused with the path of the mistake: %s", (path, seed) => {
    expect(mistakesOf({ seed }).map((mistake) => mistake.path)).toEqual([path]);
  });

  test("is refused with all of its mistakes in one error", () => {
    const mistakes = mistakesOf({ seed: { rooms: [{ title: 7 }], meetings: [{ id: "m" }], now: 5 } });
    expect(mistakes.map(({ path }) => path)).toEqual(["rooms[0].title", "meetings[0].id", "now"]);
  });
});

describe("the emulator's default account", () => {
  test("has the ids of the guides' examples: a completed meeting with everything, and an event with a bot", async () => {
    const { ask, read } = emulatorClient();
    const [room] = (await read("/rooms?id=room_1&expand=meetings")).data;
    expect(room.meetings[0]).toMatchObject({ id: "mtg_1", status: "completed" });
    for (const path of ["transcript", "recording", "permissions"]) {
      expect((await ask("GET", `/meetings/mtg_1/${path}`)).status).toBe(200);
    }
    const [meeting] = (await read("/meetings?id=mtg_1&expand=documents")).data;
    expect(meeting.documents[0]).toMatchObject({ id: "doc_1", title: expect.stringContaining("summary") });
    expect((await ask("DELETE", "/meetings/evt_1/bot")).status).toBe(202);
    // The second account has other ids, so that a shared meeting keeps its own.
    const { as } = createEmulator({ accounts: { a: 1, b: 1 } });
    expect([as("a").meetings.get("mtg_1")?.id, as("b").meetings.get("mtg_1")]).toEqual(["mtg_1", undefined]);
  });

  test("has meetings that are as long as their transcript and their recording", async () => {
    const { read } = emulatorClient();
    const { data } = await read("/meetings?limit=100");
    const recorded = data.filter(({ status }: Meeting) => status === "completed");
    expect(recorded.length).toBeGreaterThan(5);
    for (const { id, duration } of recorded) {
      const { segments } = await read(`/meetings/${id}/transcript`);
      expect(duration).toBe(segments.at(-1).end_time);
    }
  });
});
