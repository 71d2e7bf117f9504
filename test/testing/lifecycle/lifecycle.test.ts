/** Interface, "States and transitions". */
import { aDocument, EmulatorError } from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { type EmulatorClient, emulatorClient, listed, sendBot } from "../emulator-client.js";

const teamsLink = (thread: string) => `https://teams.microsoft.com/l/meetup-join/${thread}/0?context=x`;
const manual = () => emulatorClient({ stepTimes: "manual" });
const upload = async ({ ask }: EmulatorClient, query = ""): Promise<string> =>
  (await ask("PUT", `/meetings/upload${query}`, new Uint8Array(100))).body.id;

describe("the emulator's bot for a link", () => {
  test("has a meeting after it is created, and a transcript after its call is transcribed", async () => {
    const emulator = manual();
    const { service, ask, read } = emulator;
    const id = await sendBot(emulator);
    expect(await listed(emulator, id)).toBeUndefined();

    service.bots.create(id);
    expect(await listed(emulator, id)).toMatchObject({ status: "scheduled", source: "zoom", duration: null });
    service.bots.admit(id);
    expect(service.bots.get(id)).toMatchObject({ state: "in_call" });
    service.bots.leave(id);
    expect(await listed(emulator, id)).toMatchObject({ status: "processing" });
    expect((await ask("GET", `/meetings/${id}/transcript`)).status).toBe(404);
    expect(await read(`/meetings/${id}/recording`)).toEqual({ meeting_id: id, recording_url: null });

    service.meetings.transcribe(id);
    const completed = await listed(emulator, id);
    expect(completed).toMatchObject({ status: "completed", title: expect.any(String), documents: [] });
    const transcript = await read(`/meetings/${id}/transcript`);
    expect(transcript).toMatchObject({ meeting_id: id, segments: expect.arrayContaining([expect.anything()]) });

    service.meetings.summarise(id);
    const { documents } = await listed(emulator, id);
    expect((await read(`/documents/${documents[0].id}`)).content).toContain("Summary");
  });

  test("takes each step at its own time as the clock advances, even far in one step", async () => {
    const options = { stepTimes: { createMs: undefined, admitMs: 1_000 } };
    const [slow, fast] = [emulatorClient(options), emulatorClient(options)];
    const id = await sendBot(slow);
    expect(await sendBot(fast)).toBe(id);
    slow.service.clock.advance(1_999);
    expect(await listed(slow, id)).toBeUndefined();
    slow.service.clock.advance(1);
    expect(await listed(slow, id)).toMatchObject({ status: "scheduled" });
    slow.service.clock.advance(61_000);
    expect(await listed(slow, id)).toMatchObject({ status: "processing", duration: 61 });
    slow.service.clock.advance(20_000);
    expect(await listed(slow, id)).toMatchObject({ status: "completed", duration: 61, documents: [] });
    slow.service.clock.advance(10_000);
    fast.service.clock.advance(200_000);
    expect(await listed(fast, id)).toEqual(await listed(slow, id));
  });

  test("is not sent twice to the same call: the second id never gets a meeting", async () => {
    const emulator = emulatorClient();
    const { service } = emulator;
    const first = await sendBot(emulator, "https://us02web.zoom.us/j/1234567890?pwd=secret");
    const second = await sendBot(emulator);
    expect(second).not.toBe(first);
    expect(() => service.meetings.finish(second)).toThrow(EmulatorError);
    await service.meetings.finish(first);
    await service.clock.advance(3_600_000);
    expect(await listed(emulator, second)).toBeUndefined();
    // The call is over, so another bot may be sent.
    const third = await sendBot(emulator);
    service.bots.create(third);
    expect(await listed(emulator, third)).toBeDefined();
    // A calendar event has already booked a bot for its call.
    const booked = service.bots.list().find(({ state }) => state === "scheduled")!;
    expect(service.bots.get(await sendBot(emulator, booked.meetingUrl))).toBeUndefined();
  });

  test.each([
    ["https://zoom.us/j/1234567890", "https://us02web.zoom.us/wc/1234567890/join?pwd=x", true],
    ["https://zoom.us/j/1234567890", "https://zoom.us/j/1234567891", false],
    ["https://meet.google.com/abc-defg-hij", "https://meet.google.com/abc-defg-hij/?authuser=1", true],
    ["https://acme.webex.com/acme/j.php?MTID=m1", "https://acme.webex.com/acme/j.php?MTID=m2", false],
    ["https://acme.webex.com/meet/jane", "https://other.webex.com/meet/jane", false],
    [teamsLink("19:meeting_x@thread.v2"), teamsLink("19%3ameeting_x%40thread.v2"), true],
    [teamsLink("%zz1"), teamsLink("%zz2"), false],
  ])("recognises whether two links lead to the same call: %s %s", async (one, other, same) => {
    const emulator = manual();
    const before = emulator.service.bots.list().length;
    await sendBot(emulator, one);
    await sendBot(emulator, other);
    expect(emulator.service.bots.list()).toHaveLength(before + (same ? 1 : 2));
  });

  test("never has a meeting if it cannot be created", async () => {
    const emulator = emulatorClient();
    const id = await sendBot(emulator);
    emulator.service.bots.refuse(id);
    await emulator.service.clock.advance(3_600_000);
    expect(await listed(emulator, id)).toBeUndefined();
  });

  test("cannot take a step that its state does not allow, and the error says so", async () => {
    const emulator = emulatorClient();
    const { bots, meetings } = emulator.service;
    const id = await sendBot(emulator);
    await meetings.finish(id);
    expect(() => bots.admit(id)).toThrow(/bots\.admit: the bot for mtg_\w+ is finished, expected scheduling/);
    expect(() => meetings.finish(id)).toThrow(/meeting mtg_\w+ is completed/);
    expect(() => bots.create("mtg_nobody")).toThrow("bots.create: there is no bot for mtg_nobody");
  });
});

describe("a meeting of the emulator", () => {
  test.each([
    ["a bot", sendBot],
    ["an upload", upload],
  ])("can fail, and then stays without a transcript: that of %s", async (_, begin) => {
    const emulator = emulatorClient();
    const id = await begin(emulator);
    emulator.service.meetings.fail(id);
    await emulator.service.clock.advance(3_600_000);
    expect(await listed(emulator, id)).toMatchObject({ status: "failed" });
    expect((await emulator.ask("GET", `/meetings/${id}/transcript`)).status).toBe(404);
  });

  test("gets a document that arrives later; one with the title of a summary is announced by its event", async () => {
    const assumptions = { documents: { titles: { summary: "Zusammenfassung" } } };
    const emulator = emulatorClient({ stepTimes: "manual", assumptions });
    const { meetings, webhooks, clock } = emulator.service;
    const id = await upload(emulator);
    meetings.transcribe(id);
    const sent = webhooks.deliveries.length;
    const notes = meetings.addDocument(id, aDocument());
    expect(webhooks.deliveries).toHaveLength(sent);
    await clock.advance(60_000);
    const summary = meetings.addDocument(id, aDocument({ id: "doc_late", title: "Die Zusammenfassung" }));
    expect(summary).toMatchObject({ id: "doc_late", created_at: "2025-06-02T09:01:00.000Z" });
    expect(webhooks.deliveries.slice(sent)).toMatchObject([{ kind: "meeting.initial_summary_ready", meetingId: id }]);
    expect((await listed(emulator, id)).documents).toMatchObject([{ id: notes.id }, { id: "doc_late" }]);
    // It is the initial summary: no other one is made.
    expect(() => meetings.summarise(id)).toThrow("expected completed and not summarised");
  });

  test("is deleted with its transcript, recording, documents and permissions, and does not come back", async () => {
    const emulator = emulatorClient();
    const { service, ask, read } = emulator;
    const { recording_url } = await read("/meetings/mtg_1/recording");
    const [{ meeting_count: before }] = (await read("/rooms?id=room_1")).data;
    service.meetings.delete("mtg_1");
    expect(service.meetings.get("mtg_1")).toBeUndefined();
    for (const path of ["/meetings/mtg_1/transcript", "/meetings/mtg_1/permissions", "/documents/doc_1"]) {
      expect((await ask("GET", path)).status).toBe(404);
    }
    expect((await service.fetch(recording_url)).status).toBe(403);
    const [room] = (await read("/rooms?id=room_1&expand=meetings&expand=documents")).data;
    expect(room.meeting_count).toBe(before - 1);
    expect(JSON.stringify(room)).not.toContain("mtg_1");

    const ids = [await sendBot(emulator), await upload(emulator)];
    await service.clock.advance(10_000);
    for (const id of ids) service.meetings.delete(id);
    await service.clock.advance(3_600_000);
    for (const id of ids) expect(await listed(emulator, id)).toBeUndefined();
    for (const { meetingId } of service.webhooks.deliveries) expect(ids).not.toContain(meetingId);
  });

  test("must exist for these, and the document must be valid", () => {
    const { meetings } = emulatorClient().service;
    expect(() => meetings.delete("mtg_9")).toThrow(new EmulatorError("meetings.delete: there is no meeting mtg_9"));
    expect(() => meetings.fail("mtg_9")).toThrow("meetings.fail: there is no meeting mtg_9");
    expect(() => meetings.addDocument("mtg_9", aDocument())).toThrow("addDocument: there is no meeting mtg_9");
    expect(() => meetings.addDocument("mtg_1", aDocument({ id: "doc_1" }))).toThrow("already the id of a document");
    expect(() => meetings.addDocument("mtg_1", { ...aDocument(), block: [] } as never)).toThrow("did you mean blocks?");
  });

  test("of an upload is processed, then transcribed in the requested language, then summarised", async () => {
    const emulator = emulatorClient();
    const id = await upload(emulator, "?title=Panel%20%F0%9F%8E%99&language=fr");
    expect(await listed(emulator, id)).toMatchObject({ status: "processing", source: "upload", title: "Panel 🎙" });
    emulator.service.meetings.transcribe(id);
    expect((await emulator.read(`/meetings/${id}/transcript`)).language).toBe("fr");
    expect(await listed(emulator, id)).toMatchObject({ status: "completed", title: "Panel 🎙" });
    emulator.service.meetings.summarise(id);
    expect((await listed(emulator, id)).documents).toHaveLength(2);
  });
});

describe("the emulator's calendar events", () => {
  function calendar(emulator = emulatorClient()) {
    const { ask, read, service } = emulator;
    return {
      service,
      upcoming: () => read("/meetings/upcoming"),
      /** The titles of the events for which a bot is scheduled. */
      scheduled: async () =>
        (await read("/meetings/upcoming"))
          .filter((event: { bot_scheduled: boolean }) => event.bot_scheduled)
          .map((event: { title: string }) => event.title),
      setMode: (automation: string) => ask("PUT", "/settings/notetaker-automation", { automation }),
      schedule: (id: string) => ask("POST", `/meetings/${id}/bot`),
      cancel: (id: string) => ask("DELETE", `/meetings/${id}/bot`),
      advanceTo: (timestamp: string, ms: number) =>
        service.clock.advance(Date.parse(timestamp) - service.clock.now() + ms),
    };
  }

  test("have their bots scheduled and cancelled at once when the automation mode changes", async () => {
    const { scheduled, setMode } = calendar();
    expect(await scheduled()).toEqual(["Contoso: second call", "Weekly product sync"]);
    await setMode("JOIN_ALL_EVENTS");
    expect(await scheduled()).toEqual(["Contoso: second call", "All hands", "Weekly product sync"]);
    await setMode("MANUAL");
    expect(await scheduled()).toEqual([]);
  });

  test("keep the bots that the user booked when the mode changes, also those that the automation had booked", async () => {
    const { upcoming, scheduled, setMode, schedule } = calendar();
    const [automatic, free] = await upcoming();
    expect((await schedule(free.id)).body).toEqual({ event_id: free.id, status: "scheduling" });
    await schedule(automatic.id);
    await setMode("JOIN_ALL_EVENTS");
    await setMode("MANUAL");
    expect(await scheduled()).toEqual([automatic.title, free.title]);
  });

  test("have a cancelled bot a little after the cancellation, unless the automation overrides it", async () => {
    const { service, upcoming, scheduled, setMode, cancel } = calendar();
    const [event] = await upcoming();
    await cancel(event.id);
    await setMode("JOIN_ALL_EVENTS");
    service.clock.advance(2_000);
    expect(await scheduled()).toContain(event.title);
    expect(await cancel(event.id)).toMatchObject({ status: 202, body: { event_id: event.id, status: "cancelling" } });
    service.clock.advance(1_999);
    // A second cancellation changes nothing.
    expect((await cancel(event.id)).status).toBe(202);
    expect(await scheduled()).toContain(event.title);
    service.clock.advance(1);
    expect(await scheduled()).not.toContain(event.title);
    expect((await cancel(event.id)).status).toBe(202);
  });

  test("get no bot without a calendar, beyond the plan, or when they are over", async () => {
    const emulator = emulatorClient();
    const { service, upcoming, schedule, cancel, advanceTo } = calendar(emulator);
    const [event] = await upcoming();
    service.account.usageLimitReached = true;
    expect((await schedule(event.id)).status).toBe(403);
    await expect(sendBot(emulator)).rejects.toThrow("send bot: 403");
    service.account.calendarConnected = false;
    expect((await schedule(event.id)).status).toBe(400);
    await expect(sendBot(emulator)).rejects.toThrow("send bot: 400");
    Object.assign(service.account, { calendarConnected: true, usageLimitReached: false });
    await advanceTo(event.end_time, -1);
    expect((await schedule(event.id)).status).toBe(202);
    await advanceTo(event.end_time, 0);
    expect((await schedule(event.id)).body.error.message).toBe(`the event ${event.id} has ended`);
    expect((await cancel(event.id)).status).toBe(400);
  });

  test("send their bot to the call when they start", async () => {
    const emulator = emulatorClient();
    const { upcoming, advanceTo } = calendar(emulator);
    const [event] = await upcoming();
    await advanceTo(event.start_time, 200_000);
    const { data } = await emulator.read("/meetings?search=contoso%3A%20second");
    const { title, start_time } = event;
    expect(data).toMatchObject([{ title, start_time, source: "teams", status: "completed" }]);
    expect(await upcoming()).toHaveLength(2);
  });

  test("keep a bot whose call begins before its cancellation, which is then no longer queued", async () => {
    const { service, upcoming, cancel, advanceTo } = calendar();
    const [event] = await upcoming();
    await advanceTo(event.start_time, -1);
    await cancel(event.id);
    service.clock.advance(1_999);
    expect(service.bots.get(event.id)).toMatchObject({ state: "joining", cancelling: true });
    service.clock.advance(1);
    expect(service.bots.get(event.id)).toMatchObject({ state: "joining", cancelling: false });
  });

  test("name their bot and its meeting in the controls", async () => {
    const { service, upcoming } = calendar(manual());
    const [first, second] = service.bots.list();
    await service.meetings.finish(first!.eventId!);
    await service.meetings.fail(second!.eventId!);
    expect(service.meetings.get(first!.meetingId)).toMatchObject({ status: "completed", summarised: true });
    expect(service.meetings.get(second!.meetingId)).toMatchObject({ status: "failed" });
    service.reset();
    const [event] = await upcoming();
    service.bots.cancel(event.id);
    expect(service.bots.get(event.id)).toMatchObject({ state: "cancelled" });
  });

  test.each([
    ["one after the other", "2025-06-09T09:30:00Z", 2],
    ["at overlapping times", "2025-06-09T09:29:00Z", 1],
  ])("with one link get a bot for each call: %s", (_, start_time, bots) => {
    const event = { title: "Weekly", meeting_url: "https://zoom.us/j/1234567890" };
    const events = ["2025-06-09T09:00:00Z", start_time].map((start_time) => ({ ...event, start_time }));
    const { service } = emulatorClient({ seed: { account: { automation: "JOIN_ALL_EVENTS" }, events } });
    expect(service.bots.list()).toHaveLength(bots);
  });
});

describe("the emulator's permissions", () => {
  test("are granted, changed by a second grant, listed and revoked", async () => {
    const { service, ask, read } = emulatorClient({ strict: false });
    const { id } = service.meetings.list().find(({ owned, permissions }) => owned && permissions.length === 0)!;
    const path = `/meetings/${id}/permissions`;
    const teammate = { type: "teammate", email: "ben@lovelace.example" };
    const { body: granted } = await ask("POST", path, { recipient: teammate, role: "read" });
    const { body: changed } = await ask("POST", path, { recipient: { ...teammate }, role: "edit" });
    expect(changed).toEqual({ ...granted, role: "edit" });
    await ask("POST", path, { recipient: { type: "anyone" }, role: "read" });
    expect((await read(path)).data).toHaveLength(2);
    expect((await ask("DELETE", `${path}/${granted.id}`)).status).toBe(204);
    expect((await ask("DELETE", `${path}/${granted.id}`)).status).toBe(404);
    const remaining = [{ recipient: { type: "anyone" }, role: "read" }];
    expect(await read(path)).toMatchObject({ data: remaining, share_url: expect.stringContaining(id) });
  });

  test.each([
    ["another type", { type: "user", email: "ben@lovelace.example" }, "read", "recipient.type", 200],
    ["a teammate who is not named", { type: "teammate" }, "read", "recipient", 200],
    ["another role", { type: "team" }, "edit", "role", 200],
    ["another role of public access", { type: "anyone" }, "edit", "role", 200],
    ["an address that cannot be one", { type: "teammate", email: "Ben" }, "read", "recipient", 400],
  ])("refuse %s, unless the emulator is lenient", async (_, recipient, role, field, lenient) => {
    const set = (strict: boolean) =>
      emulatorClient({ strict }).ask("POST", "/meetings/mtg_1/permissions", { recipient, role });
    expect(await set(true)).toMatchObject({ status: 400, body: { error: { details: [{ field }] } } });
    expect((await set(false)).status).toBe(lenient);
  });
});

test("the emulator's webhooks return their secret only when they are created", async () => {
  const { service, ask, read } = emulatorClient();
  const url = "https://hooks.example.com/x";
  const { body: created } = await ask("POST", "/webhooks", { url, events: ["meeting.transcript_ready"] });
  const { secret, ...shown } = created;
  expect(secret).toMatch(/^whsec_/);
  expect(await read("/webhooks")).toContainEqual(shown);
  service.clock.advance(5_000);
  const { body: changed } = await ask("PATCH", `/webhooks/${created.id}`, { enabled: false });
  expect(changed).toEqual({ ...shown, enabled: false, updated_at: "2025-06-02T09:00:05.000Z" });
  expect((await ask("DELETE", `/webhooks/${created.id}`)).status).toBe(204);
  expect(await read("/webhooks")).toHaveLength(1);
});
