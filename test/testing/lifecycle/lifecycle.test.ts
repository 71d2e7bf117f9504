/** Interface, "States and transitions". */
import { aDocument, EmulatorError } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { type EmulatorClient, emulatorClient, listed, sendBot } from "../emulator-client.js";

const teamsLink = (thread: string) => `https://teams.microsoft.com/l/meetup-join/${thread}/0?context=x`;

describe("the emulator's bot for a link", () => {
  test("has a meeting after it is created, and a transcript after its call is transcribed", async () => {
    const { service, ask } = emulatorClient({ stepTimes: "manual" });
    const id = await sendBot(ask);
    expect(await listed(ask, id)).toBeUndefined();
    expect((await ask("GET", `/meetings/${id}/transcript`)).status).toBe(404);

    service.bots.create(id);
    expect(await listed(ask, id)).toMatchObject({ status: "scheduled", source: "zoom", duration: null });
    service.bots.admit(id);
    expect(service.bots.get(id)).toMatchObject({ state: "in_call" });
    service.bots.leave(id);
    expect(await listed(ask, id)).toMatchObject({ status: "processing" });
    expect((await ask("GET", `/meetings/${id}/transcript`)).status).toBe(404);
    expect((await ask("GET", `/meetings/${id}/recording`)).body).toEqual({ meeting_id: id, recording_url: null });

    service.meetings.transcribe(id);
    expect(await listed(ask, id)).toMatchObject({ status: "completed", title: expect.any(String) });
    const { body: transcript } = await ask("GET", `/meetings/${id}/transcript`);
    expect(transcript.meeting_id).toBe(id);
    expect(transcript.segments.length).toBeGreaterThan(0);
    expect((await ask("GET", `/meetings?id=${id}&expand=documents`)).body.data[0].documents).toEqual([]);

    service.meetings.summarise(id);
    const [meeting] = (await ask("GET", `/meetings?id=${id}&expand=documents`)).body.data;
    expect((await ask("GET", `/documents/${meeting.documents[0].id}`)).body.content).toContain("Summary");
  });

  test("joins, leaves and is transcribed as the clock advances, each step after its duration or the default one", async () => {
    const { service, ask } = emulatorClient({ stepTimes: { createMs: undefined, admitMs: 1_000 } });
    const id = await sendBot(ask);
    service.clock.advance(1_999);
    expect(await listed(ask, id)).toBeUndefined();
    service.clock.advance(1);
    expect(await listed(ask, id)).toMatchObject({ status: "scheduled" });
    service.clock.advance(61_000);
    expect(await listed(ask, id)).toMatchObject({ status: "processing", duration: 61 });
    service.clock.advance(20_000);
    expect(await listed(ask, id)).toMatchObject({ status: "completed", duration: 61 });
  });

  test("performs each step at its own time, even if the clock advances far in one step", async () => {
    const { service, ask } = emulatorClient();
    const other = emulatorClient();
    const id = await sendBot(ask);
    expect(await sendBot(other.ask)).toBe(id);
    await service.clock.advance(200_000);
    for (let second = 0; second < 200; second++) await other.service.clock.advance(1_000);
    expect(await listed(ask, id)).toEqual(await listed(other.ask, id));
    expect(await listed(ask, id)).toMatchObject({ status: "completed" });
  });

  test("is not sent twice to the same call: the second id never gets a meeting", async () => {
    const { service, ask } = emulatorClient();
    const first = await sendBot(ask, "https://us02web.zoom.us/j/1234567890?pwd=secret");
    const second = await sendBot(ask, "https://zoom.us/j/1234567890");
    expect(second).not.toBe(first);
    expect(() => service.meetings.finish(second)).toThrow(EmulatorError);
    await service.meetings.finish(first);
    await service.clock.advance(3_600_000);
    expect(await listed(ask, second)).toBeUndefined();
    expect(await listed(ask, first)).toMatchObject({ status: "completed" });
    // The call is over, so another bot may be sent.
    const third = await sendBot(ask, "https://zoom.us/j/1234567890");
    service.bots.create(third);
    expect(await listed(ask, third)).toBeDefined();
  });

  test.each([
    ["https://zoom.us/j/1234567890", "https://us02web.zoom.us/wc/1234567890/join?pwd=x", true],
    ["https://zoom.us/j/1234567890", "https://zoom.us/j/1234567891", false],
    ["https://meet.google.com/abc-defg-hij", "https://meet.google.com/abc-defg-hij/?authuser=1", true],
    ["https://acme.webex.com/acme/j.php?MTID=m1", "https://acme.webex.com/acme/j.php?MTID=m2", false],
    ["https://acme.webex.com/meet/jane", "https://other.webex.com/meet/jane", false],
    ["https://teams.live.com/meet/1", "https://meet.google.com/meet/1", false],
    [teamsLink("19:meeting_x@thread.v2"), teamsLink("19%3ameeting_x%40thread.v2"), true],
    [teamsLink("19:meeting_x@thread.v2"), teamsLink("19%3ameeting_y%40thread.v2"), false],
    [teamsLink("%zz1"), teamsLink("%zz2"), false],
  ])("recognises whether two links lead to the same call: %s %s", async (one, other, same) => {
    const { service, ask } = emulatorClient({ stepTimes: "manual" });
    const before = service.bots.list().length;
    await sendBot(ask, one);
    await sendBot(ask, other);
    expect(service.bots.list()).toHaveLength(before + (same ? 1 : 2));
  });

  test("is not sent to a call for which a calendar event has already booked a bot", async () => {
    const { service, ask } = emulatorClient();
    const { meetingUrl, meetingId } = service.bots.list()[0]!;
    const id = await sendBot(ask, meetingUrl);
    expect(service.bots.get(id)).toBeUndefined();
    expect(service.bots.list().filter((bot) => bot.meetingUrl === meetingUrl)).toEqual([
      expect.objectContaining({ meetingId, state: "scheduled" }),
    ]);
  });

  test("never has a meeting if it cannot be created", async () => {
    const { service, ask } = emulatorClient();
    const id = await sendBot(ask);
    service.bots.refuse(id);
    await service.clock.advance(3_600_000);
    expect(await listed(ask, id)).toBeUndefined();
  });

  test("cannot perform a step that its state does not allow, and the error says so", async () => {
    const { service, ask } = emulatorClient();
    const id = await sendBot(ask);
    await service.meetings.finish(id);
    expect(() => service.bots.admit(id)).toThrow(/bots\.admit: the bot for mtg_\w+ is finished, expected scheduling/);
    expect(() => service.meetings.finish(id)).toThrow(/meeting mtg_\w+ is completed/);
    expect(() => service.bots.create("mtg_nobody")).toThrow("bots.create: there is no bot for mtg_nobody");
    expect(() => service.meetings.fail("mtg_nobody")).toThrow("meetings.fail: there is no meeting mtg_nobody");
  });
});

describe("a meeting of the emulator", () => {
  test.each<[string, (ask: EmulatorClient["ask"]) => Promise<string>]>([
    ["a bot", sendBot],
    ["an upload", async (ask) => (await ask("PUT", "/meetings/upload", new Uint8Array(100))).body.id],
  ])("can fail, and then stays without a transcript: that of %s", async (_, begin) => {
    const { service, ask } = emulatorClient();
    const id = await begin(ask);
    service.meetings.fail(id);
    await service.clock.advance(3_600_000);
    expect(await listed(ask, id)).toMatchObject({ status: "failed" });
    expect((await ask("GET", `/meetings/${id}/transcript`)).status).toBe(404);
  });

  test("gets a document that arrives later; a summary is announced by its event", async () => {
    const { service, ask } = emulatorClient({ stepTimes: "manual" });
    const kinds = () => service.webhooks.deliveries.map(({ kind, meetingId }) => `${kind} ${meetingId}`);
    const notes = service.meetings.addDocument("mtg_1", aDocument());
    expect(notes).toMatchObject({ title: "Notes", created_at: "2025-06-02T09:00:00.000Z" });
    expect(kinds()).toEqual([]);
    await service.clock.advance(60_000);
    const summary = service.meetings.addDocument("mtg_1", aDocument({ id: "doc_late", title: "Weekly Summary" }));
    expect(summary).toMatchObject({ id: "doc_late", created_at: "2025-06-02T09:01:00.000Z" });
    expect(kinds()).toEqual(["meeting.initial_summary_ready mtg_1"]);
    const [meeting] = (await ask("GET", "/meetings?id=mtg_1&expand=documents")).body.data;
    expect(meeting.documents.slice(2).map(({ id }: { id: string }) => id)).toEqual([notes.id, "doc_late"]);
    expect((await ask("GET", "/documents/doc_late?format=markdown")).body.content).toContain("# Weekly Summary");
  });

  test("gets a summary with the title that the client's assumptions name, and no second one by itself", async () => {
    const { service, ask } = emulatorClient({
      assumptions: { documents: { titles: { summary: "Zusammenfassung" } } },
      stepTimes: "manual",
    });
    const { body } = await ask("PUT", "/meetings/upload", new Uint8Array(100));
    service.meetings.transcribe(body.id);
    service.meetings.addDocument(body.id, aDocument({ title: "Zusammenfassung" }));
    expect(service.webhooks.deliveries.at(-1)).toMatchObject({ kind: "meeting.initial_summary_ready" });
    expect(() => service.meetings.summarise(body.id)).toThrow("expected completed and not summarised");
  });

  test("is deleted with its transcript, recording, documents and permissions, and does not come back", async () => {
    const { service, ask } = emulatorClient();
    const { recording_url } = (await ask("GET", "/meetings/mtg_1/recording")).body;
    const [{ meeting_count: before }] = (await ask("GET", "/rooms?id=room_1")).body.data;
    service.meetings.delete("mtg_1");
    expect(service.meetings.get("mtg_1")).toBeUndefined();
    for (const path of ["/meetings/mtg_1/transcript", "/meetings/mtg_1/permissions", "/documents/doc_1"]) {
      expect((await ask("GET", path)).status).toBe(404);
    }
    expect((await service.fetch(recording_url)).status).toBe(403);
    const [room] = (await ask("GET", "/rooms?id=room_1&expand=meetings&expand=documents")).body.data;
    expect(room.meeting_count).toBe(before - 1);
    expect(JSON.stringify(room)).not.toContain("mtg_1");

    const id = await sendBot(ask);
    await service.clock.advance(10_000);
    service.meetings.delete(id);
    await service.clock.advance(3_600_000);
    expect(await listed(ask, id)).toBeUndefined();
  });

  test("must exist for these, and the document must be valid", () => {
    const { meetings } = emulatorClient().service;
    expect(() => meetings.delete("mtg_9")).toThrow(new EmulatorError("meetings.delete: there is no meeting mtg_9"));
    expect(() => meetings.addDocument("mtg_9", aDocument())).toThrow("addDocument: there is no meeting mtg_9");
    expect(() => meetings.addDocument("mtg_1", aDocument({ id: "doc_1" }))).toThrow("already the id of a document");
    expect(() => meetings.addDocument("mtg_1", { ...aDocument(), block: [] } as never)).toThrow("did you mean blocks?");
  });
});

describe("an upload to the emulator", () => {
  test("is processed, then transcribed in the requested language, then summarised", async () => {
    const { service, ask } = emulatorClient();
    const { body } = await ask("PUT", "/meetings/upload?title=Panel%20%F0%9F%8E%99&language=fr", new Uint8Array(100));
    expect(body.status).toBe("processing");
    expect(await listed(ask, body.id)).toMatchObject({ status: "processing", source: "upload", title: "Panel 🎙" });
    service.meetings.transcribe(body.id);
    expect((await ask("GET", `/meetings/${body.id}/transcript`)).body.language).toBe("fr");
    expect(await listed(ask, body.id)).toMatchObject({ status: "completed", title: "Panel 🎙" });
    service.meetings.summarise(body.id);
    expect((await ask("GET", `/meetings?id=${body.id}&expand=documents`)).body.data[0].documents).toHaveLength(2);
  });

  test("is returned as the meeting's recording, byte for byte", async () => {
    const { service, ask } = emulatorClient();
    const file = Uint8Array.from({ length: 5_000 }, (_, index) => index % 251);
    const { body } = await ask("PUT", "/meetings/upload", file);
    const { recording_url } = (await ask("GET", `/meetings/${body.id}/recording`)).body;
    const download = await service.fetch(recording_url);
    expect(download.headers.get("content-type")).toBe("audio/wav");
    expect(new Uint8Array(await download.arrayBuffer())).toEqual(file);
  });
});

describe("the emulator's calendar events", () => {
  const scheduled = async (ask: ReturnType<typeof emulatorClient>["ask"]) =>
    (await ask("GET", "/meetings/upcoming")).body
      .filter((event: { bot_scheduled: boolean }) => event.bot_scheduled)
      .map((event: { title: string }) => event.title);

  test("have their bots scheduled and cancelled at once when the automation mode changes", async () => {
    const { ask } = emulatorClient();
    expect(await scheduled(ask)).toEqual(["Contoso: second call", "Weekly product sync"]);
    await ask("PUT", "/settings/notetaker-automation", { automation: "JOIN_ALL_EVENTS" });
    expect(await scheduled(ask)).toEqual(["Contoso: second call", "All hands", "Weekly product sync"]);
    await ask("PUT", "/settings/notetaker-automation", { automation: "MANUAL" });
    expect(await scheduled(ask)).toEqual([]);
    expect((await ask("GET", "/settings/notetaker-automation")).body).toEqual({ automation: "MANUAL" });
  });

  test("keep a bot that the user booked when the mode changes", async () => {
    const { ask } = emulatorClient();
    const [event] = (await ask("GET", "/meetings/upcoming")).body;
    await ask("PUT", "/settings/notetaker-automation", { automation: "MANUAL" });
    expect((await ask("POST", `/meetings/${event.id}/bot`)).body).toEqual({ event_id: event.id, status: "scheduling" });
    await ask("PUT", "/settings/notetaker-automation", { automation: "JOIN_AS_HOST" });
    await ask("PUT", "/settings/notetaker-automation", { automation: "MANUAL" });
    expect(await scheduled(ask)).toEqual([event.title]);
  });

  test("have a cancelled bot a little after the cancellation was queued", async () => {
    const { service, ask } = emulatorClient();
    const [event] = (await ask("GET", "/meetings/upcoming")).body;
    const cancelled = await ask("DELETE", `/meetings/${event.id}/bot`);
    expect(cancelled).toMatchObject({ status: 202, body: { event_id: event.id, status: "cancelling" } });
    expect(await scheduled(ask)).toContain(event.title);
    // A second cancellation changes nothing.
    expect((await ask("DELETE", `/meetings/${event.id}/bot`)).status).toBe(202);
    service.clock.advance(2_000);
    expect(await scheduled(ask)).not.toContain(event.title);
    expect((await ask("DELETE", `/meetings/${event.id}/bot`)).status).toBe(202);
  });

  test("can have a cancelled bot after the automation has overridden an earlier cancellation", async () => {
    const { service, ask } = emulatorClient();
    const [event] = (await ask("GET", "/meetings/upcoming")).body;
    await ask("DELETE", `/meetings/${event.id}/bot`);
    await ask("PUT", "/settings/notetaker-automation", { automation: "JOIN_ALL_EVENTS" });
    service.clock.advance(2_000);
    expect(await scheduled(ask)).toContain(event.title);
    await ask("DELETE", `/meetings/${event.id}/bot`);
    service.clock.advance(2_000);
    expect(await scheduled(ask)).not.toContain(event.title);
  });

  test("get no bot without a calendar, beyond the plan, or when they are over", async () => {
    const { service, ask } = emulatorClient();
    const [event] = (await ask("GET", "/meetings/upcoming")).body;
    const schedule = async () => (await ask("POST", `/meetings/${event.id}/bot`)).status;
    service.account.usageLimitReached = true;
    expect(await schedule()).toBe(403);
    service.account.calendarConnected = false;
    expect(await schedule()).toBe(400);
    Object.assign(service.account, { calendarConnected: true, usageLimitReached: false });
    service.clock.advance(Date.parse(event.end_time) - service.clock.now() - 1);
    expect(await schedule()).toBe(202);
    service.clock.advance(1);
    const { body } = await ask("POST", `/meetings/${event.id}/bot`);
    expect(body.error.message).toBe(`the event ${event.id} has ended`);
    expect((await ask("DELETE", `/meetings/${event.id}/bot`)).status).toBe(400);
  });

  test("send their bot to the call when they start", async () => {
    const { service, ask } = emulatorClient();
    const [event] = (await ask("GET", "/meetings/upcoming")).body;
    await service.clock.advance(Date.parse(event.start_time) - service.clock.now() + 200_000);
    const { data } = (await ask("GET", "/meetings?search=contoso%3A%20second")).body;
    expect(data).toEqual([expect.objectContaining({ title: event.title, source: "teams", status: "completed" })]);
    expect(data[0].start_time).toBe(event.start_time);
    expect((await ask("GET", "/meetings/upcoming")).body).toHaveLength(2);
  });

  test("keep a bot whose call begins before its cancellation, which is then no longer queued", async () => {
    const { service, ask } = emulatorClient();
    const [event] = (await ask("GET", "/meetings/upcoming")).body;
    service.clock.advance(Date.parse(event.start_time) - service.clock.now() - 1);
    await ask("DELETE", `/meetings/${event.id}/bot`);
    service.clock.advance(1_999);
    expect(service.bots.get(event.id)).toMatchObject({ state: "joining", cancelling: true });
    service.clock.advance(1);
    expect(service.bots.get(event.id)).toMatchObject({ state: "joining", cancelling: false });
  });

  test("name the meeting of their bot, to finish it or to make it fail", async () => {
    const { service } = emulatorClient({ stepTimes: "manual" });
    const [finished, failed] = service.bots.list();
    await service.meetings.finish(finished!.eventId!);
    await service.meetings.fail(failed!.eventId!);
    expect(service.meetings.get(finished!.meetingId)).toMatchObject({ status: "completed", summarised: true });
    expect(service.meetings.get(failed!.meetingId)).toMatchObject({ status: "failed" });
  });

  test("have a bot in the controls under the event's id", async () => {
    const { service, ask } = emulatorClient({ stepTimes: "manual" });
    const [event] = (await ask("GET", "/meetings/upcoming")).body;
    await ask("DELETE", `/meetings/${event.id}/bot`);
    expect(service.bots.get(event.id)).toMatchObject({ cancelling: true, state: "scheduled" });
    service.bots.cancel(event.id);
    expect(service.bots.get(event.id)).toMatchObject({ state: "cancelled" });
  });
});

test.each([
  ["in different weeks", "2025-06-16T09:00:00Z", 2],
  ["one after the other", "2025-06-09T09:30:00Z", 2],
  ["at overlapping times", "2025-06-09T09:29:00Z", 1],
])("the emulator's calendar events with one link get a bot for each call: %s", (_, start_time, bots) => {
  const meeting_url = "https://zoom.us/j/1234567890";
  const events = ["2025-06-09T09:00:00Z", start_time].map((start_time) => ({
    title: "Weekly",
    start_time,
    meeting_url,
  }));
  const { service } = emulatorClient({ seed: { account: { automation: "JOIN_ALL_EVENTS" }, events } });
  expect(service.bots.list()).toHaveLength(bots);
});

describe("the emulator's permissions", () => {
  test("are granted, changed by a second grant, listed and revoked", async () => {
    const { service, ask } = emulatorClient({ strict: false });
    const { id } = service.meetings.list().find(({ owned, permissions }) => owned && permissions.length === 0)!;
    const path = `/meetings/${id}/permissions`;
    const teammate = { type: "teammate", email: "ben@lovelace.example" };
    const { body: granted } = await ask("POST", path, { recipient: teammate, role: "read" });
    const { body: changed } = await ask("POST", path, { recipient: { ...teammate }, role: "edit" });
    expect(changed).toEqual({ ...granted, role: "edit" });
    await ask("POST", path, { recipient: { type: "anyone" }, role: "read" });
    expect((await ask("GET", path)).body.data).toHaveLength(2);
    expect((await ask("DELETE", `${path}/${granted.id}`)).status).toBe(204);
    expect((await ask("DELETE", `${path}/${granted.id}`)).status).toBe(404);
    expect((await ask("GET", path)).body).toMatchObject({
      data: [{ recipient: { type: "anyone" }, role: "read" }],
      share_url: expect.stringContaining(id),
    });
  });
});

test.each([
  ["another type", { type: "user", email: "ben@lovelace.example" }, "read", "recipient.type"],
  ["a teammate who is not named", { type: "teammate" }, "read", "recipient"],
  ["another role", { type: "team" }, "edit", "role"],
  ["another role of public access", { type: "anyone" }, "edit", "role"],
])("the emulator's permissions, unless it is lenient, refuse %s", async (_, recipient, role, field) => {
  for (const [strict, status] of [
    [true, 400],
    [false, 200],
  ] as const) {
    const { service, ask } = emulatorClient({ strict });
    const { id } = service.meetings.list().find(({ owned }) => owned)!;
    const answer = await ask("POST", `/meetings/${id}/permissions`, { recipient, role });
    expect(answer.status).toBe(status);
    if (strict) expect(answer.body.error.details).toMatchObject([{ field }]);
  }
});

test("the emulator's permissions refuse an address that cannot be one", async () => {
  const { ask } = emulatorClient();
  const recipient = { type: "teammate", email: "Ben" };
  const { status, body } = await ask("POST", "/meetings/mtg_1/permissions", { recipient, role: "read" });
  expect([status, body.error.details[0].field]).toEqual([400, "recipient"]);
});

test("the emulator's webhooks return their secret only when they are created", async () => {
  const { service, ask } = emulatorClient();
  const url = "https://hooks.example.com/x";
  const { body: created } = await ask("POST", "/webhooks", { url, events: ["meeting.transcript_ready"] });
  const { secret, ...shown } = created;
  expect(secret).toMatch(/^whsec_/);
  expect((await ask("GET", "/webhooks")).body).toContainEqual(shown);
  service.clock.advance(5_000);
  const { body: changed } = await ask("PATCH", `/webhooks/${created.id}`, { enabled: false });
  expect(changed).toEqual({ ...shown, enabled: false, updated_at: "2025-06-02T09:00:05.000Z" });
  expect((await ask("DELETE", `/webhooks/${created.id}`)).status).toBe(204);
  expect((await ask("GET", "/webhooks")).body).toHaveLength(1);
});
