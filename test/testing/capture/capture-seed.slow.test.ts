/** A capture of an account has the same shapes as the original, but none of its content. */
import * as fc from "fast-check";
import { EVENT_KINDS, Notetaker, UnauthorizedError } from "notetaker-sdk";
import {
  aMeeting,
  anEvent,
  aPermission,
  aRoom,
  aTranscript,
  aWebhook,
  captureSeed,
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type Seed,
} from "notetaker-sdk/testing";
import { describe, expect, test } from "vitest";
import { isRecord } from "../../../src/json/is-record.js";
import { runs } from "../../support/property-seed.js";
import { clientOf } from "../emulator-client.js";

const notetakerOf = ({ clientOptions }: Emulator) => new Notetaker({ ...clientOptions, maxRetries: 0 });

const emulating = (options: EmulatorOptions = {}) => {
  const service = createEmulator({ limits: "none", ...options });
  return { service, notetaker: notetakerOf(service) };
};

/** All responses of an account. */
async function everything(service: Emulator): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const ask = clientOf(service);
  const get = async (path: string) => {
    const { status, body } = await ask("GET", path);
    answers[path] = status === 200 ? body : status;
    return body;
  };
  for (const path of ["/rooms", "/webhooks", "/meetings/upcoming", "/settings/notetaker-automation"]) await get(path);
  for (const scope of ["owned", "shared"]) await get(`/rooms?limit=100&scope=${scope}`);
  await get("/rooms?limit=100&expand=meetings&expand=documents");
  const { data } = await get("/meetings?limit=100&expand=documents");
  for (const { id, documents } of data) {
    const { recording_url } = await get(`/meetings/${id}/recording`);
    answers[`/meetings/${id}/recording`] = recording_url === null;
    await get(`/meetings/${id}/transcript`);
    await get(`/meetings/${id}/permissions`);
    for (const reference of documents ?? []) await get(`/documents/${reference.id}?format=json`);
  }
  return answers;
}

const KEPT = ["status", "source", "type", "role", "format", "language", "automation", "events"];

/** The shape of a value: the number of words in each text, and each number that is not private. */
function shapeOf(value: unknown, name = ""): unknown {
  if (typeof value === "string") {
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return "time";
    if (/^https?:/.test(value)) return "url";
    if (/^\[/.test(value)) return JSON.stringify(shapeOf(JSON.parse(value)));
    if (/^(mtg|room|doc|whk|evt|spk|usr|perm)_\w+$/.test(value)) return value.slice(0, value.indexOf("_") + 1);
    return KEPT.includes(name) ? value : `${value.split(" ").length} words`;
  }
  if (Array.isArray(value)) return value.map((item) => shapeOf(item, name));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, shapeOf(field, key)]));
}

/** The shape of each response, in the order of the requests. */
const shapesOf = async (service: Emulator) => Object.values(await everything(service)).map((answer) => shapeOf(answer));

/** Every private text in an account's responses: names, titles, sentences, ids, URLs and dates. */
function textsIn(value: unknown, texts = new Set<string>()): Set<string> {
  if (typeof value === "string") texts.add(value);
  else if (Array.isArray(value)) for (const item of value) textsIn(item, texts);
  else if (isRecord(value)) for (const field of Object.values(value)) textsIn(field, texts);
  return texts;
}

const PUBLIC = new Set([
  ..."completed processing scheduled failed google_meet zoom teams upload anyone read teammate json".split(" "),
  ..."JOIN_AS_HOST MANUAL heading paragraph list table".split(" "),
  ...EVENT_KINDS,
]);

describe("captureSeed", () => {
  test("captures the default account as an account with the same shapes", async () => {
    const { service, notetaker } = emulating();
    const seed = await captureSeed(notetaker);
    const captured = createEmulator({ seed, limits: "none" });
    expect(await shapesOf(captured)).toEqual(await shapesOf(service));
  });

  test("leaves no original content in the seed or in the emulator's responses", async () => {
    const { service, notetaker } = emulating();
    const seed = await captureSeed(notetaker);
    const file = JSON.stringify([seed, await everything(createEmulator({ seed, limits: "none" }))]);
    const texts = [...textsIn(await everything(service))].filter((text) => text.length > 3 && !PUBLIC.has(text));
    expect(texts.length).toBeGreaterThan(100);
    for (const text of texts) expect(file).not.toContain(text);
    for (const word of ["Okafor", "lovelace", "Northwind", "onboarding", "2025-06-02", service.token]) {
      expect(file).not.toContain(word);
    }
  });

  test("returns the same seed in each capture, at any time and with any client", async () => {
    const { service, notetaker } = emulating();
    const first = JSON.stringify(await captureSeed(notetaker));
    expect(JSON.stringify(await captureSeed(notetakerOf(service)))).toBe(first);
  });

  test("returns the same seed for accounts that differ only in private content", async () => {
    const seedOf = (name: string, word: string): Seed => ({
      rooms: [
        aRoom({ id: `room_${name}`, title: word, meetings: [aMeeting({ id: `mtg_${name}`, title: `${word} 1` })] }),
      ],
    });
    const captured = async (seed: Seed) => JSON.stringify(await captureSeed(emulating({ seed }).notetaker));
    expect(await captured(seedOf("one", "Merger"))).toBe(await captured(seedOf("two", "Budget")));
  });

  test("keeps unknown states, nulls, absent and unknown fields, and invalid values", async () => {
    const seed: Seed = {
      rooms: [
        aRoom({
          id: "room_1",
          title: "Secret room",
          share_url: null,
          owned: false,
          extra: { updated_at: null, owner: { id: "usr_9", title: "Chief", weight: 12.75, tags: ["private words"] } },
          meetings: ["mtg_1", "mtg_2"],
        }),
      ],
      meetings: [
        aMeeting({
          id: "mtg_1",
          title: "Secret one",
          extra: { status: "archived by_Eve", duration: "half an hour", language: "Klingon", reviewed: null },
          absent: ["host"],
          documents: ["doc_1"],
          summary: { absent: ["duration"] },
          permissions: [aPermission({ recipient: { type: "guest", email: "eve@evil.example" }, role: "comment" })],
          transcript: {
            language: "tlh",
            speakers: [{ id: "spk_1", name: "Eve" }],
            segments: [{ speaker_id: "spk_1", start_time: 1.5, end_time: 2.25, text: "שלום 🎙 привет 12" }],
            extra: { segments: [{ speaker_id: "spk_1", start_time: null, end_time: 2, text: null }] },
          },
        }),
        aMeeting({ id: "mtg_2", title: null, status: "failed", duration: null, recording: false, owned: false }),
      ],
      documents: [
        {
          id: "doc_1",
          title: "Secret notes",
          blocks: [{ type: "other", json: { type: "quote", text: "Do not tell" } }],
        },
      ],
      webhooks: [
        { id: "whk_1", url: "http://localhost:3000/secret", enabled: false, events: ["meeting.transcript_ready"] },
      ],
    };
    const { notetaker } = emulating({ seed });
    const captured = await captureSeed(notetaker);
    const answers = await everything(createEmulator({ seed: captured, limits: "none" }));
    const rooms = answers["/rooms?limit=100&expand=meetings&expand=documents"] as { data: Record<string, unknown>[] };
    expect(rooms.data[0]).toMatchObject({
      updated_at: null,
      meetings: [expect.not.objectContaining({ duration: expect.anything() }), { title: null, duration: null }],
    });
    // The unknown field `owner`, whose own fields `weight` and `tags` are unknown, too.
    const owner = Object.values(rooms.data[0] ?? {}).find((value) => isRecord(value)) as object;
    expect(Object.values(owner)).toEqual([
      expect.stringMatching(/^usr_/),
      expect.stringMatching(/^[a-z]+$/),
      expect.any(Number),
      [expect.stringMatching(/^[a-z]+ [a-z]+$/)],
    ]);
    expect(Object.keys(owner).slice(0, 2)).toEqual(["id", "title"]);
    const { data } = answers["/meetings?limit=100&expand=documents"] as { data: Record<string, unknown>[] };
    const meeting = data.find(({ status }) => status === "archived by_Eve");
    expect(meeting).toMatchObject({ duration: expect.stringMatching(/^[a-z]+ [a-z]+ [a-z]+$/) });
    expect(Object.values(meeting ?? {})).toContain(null);
    expect(meeting).not.toHaveProperty("host");
    const file = JSON.stringify(captured);
    for (const kept of ['"guest"', '"comment"', '"tlh"', '"meeting.transcript_ready"']) expect(file).toContain(kept);
    for (const text of ["12.75", "private", "Secret", "eve@", "Klingon", "שלום", "привет", "tell", "quote", "3000"]) {
      expect(file).not.toContain(text);
    }
  });

  test("replaces text in every script, and every field name that no schema has", async () => {
    const texts = ["ⓐⓒⓜⓔ", "⠁⠉⠍⠑", "\u{e0041}\u{e0043}", "東京会議", "Ünïted 42", "𝔄𝔠𝔪𝔢", "boss@acme.example"];
    const extra = { ...Object.fromEntries(texts.map((text) => [text, text])), deal_with_acme: true };
    const { notetaker } = emulating({ seed: { meetings: [aMeeting({ title: texts.join(" "), extra })] } });
    const seed = await captureSeed(notetaker);
    const file = JSON.stringify(seed);
    for (const text of [...texts, "acme", "42", "京", "𝔠"]) expect(file).not.toContain(text);
    const fields = Object.keys(seed.meetings?.[0]?.extra ?? {});
    expect(fields).toHaveLength(texts.length + 1);
    expect(fields.filter((name) => /^[a-z]+_[a-z]+_[a-z]+$/.test(name))).toHaveLength(2);
  });

  test("moves all dates by the same time, so that the newest date is a fixed one", async () => {
    const { service, notetaker } = emulating();
    const seed = await captureSeed(notetaker);
    const times = (text: string) =>
      [...text.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g)].map(([time]) => Date.parse(time)).sort((a, b) => a - b);
    const original = times(JSON.stringify(await everything(service)));
    const moved = times(JSON.stringify(await everything(createEmulator({ seed, limits: "none" }))));
    expect(moved.at(-1)).toBe(Date.UTC(2025, 4, 30, 17));
    const newest = original.at(-1) ?? 0;
    expect(moved.map((time) => (moved.at(-1) ?? 0) - time)).toEqual(original.map((time) => newest - time));
  });

  test("moves only the account's dates: a date of this library in the seed would show by how much", async () => {
    const start_time = "2021-03-04T10:00:00Z";
    const events = [anEvent({ start_time }), anEvent({ start_time, extra: { start_time: "soon" } })];
    const now = "2021-03-03T00:00:00Z";
    const meetings = [aMeeting({ start_time: "2021-03-01T10:00:00Z", documents: [] })];
    const captured = [];
    for (const seed of [
      { now, meetings, events },
      { now, meetings, events: [anEvent({ start_time })] },
    ]) {
      captured.push(await captureSeed(emulating({ seed }).notetaker));
    }
    const [withOddEvent, usual] = captured;
    expect(withOddEvent?.meetings?.[0]?.start_time).toBe(usual?.meetings?.[0]?.start_time);
    expect(withOddEvent?.events?.map((event) => event.start_time)).toEqual([
      usual?.events?.[0]?.start_time,
      "2025-06-30T09:00:00Z",
    ]);
    expect(() => createEmulator({ seed: withOddEvent as Seed })).not.toThrow();
  });

  test("schedules bots for captured events of one call, as for other events", async () => {
    const start_time = "2021-03-04T10:00:00Z";
    const meeting_url = "https://zoom.us/j/123456789";
    const events = ["evt_1", "evt_2", "evt_3"].map((id) => anEvent({ id, start_time, meeting_url }));
    const bots = async (service: Emulator) => {
      const { body } = await clientOf(service)("GET", "/meetings/upcoming");
      return body.map(({ bot_scheduled }: { bot_scheduled: unknown }) => bot_scheduled);
    };
    for (const automation of ["MANUAL", "JOIN_ALL_EVENTS"] as const) {
      const seed = { now: "2021-03-03T00:00:00Z", account: { automation }, events };
      const { service, notetaker } = emulating({ seed });
      const captured = createEmulator({ seed: await captureSeed(notetaker) });
      expect(await bots(captured)).toEqual(await bots(service));
      const [first] = await notetakerOf(captured).meetings.upcoming();
      if (automation === "MANUAL") await notetakerOf(captured).meetings.scheduleBot(first?.id as string);
      else await notetakerOf(captured).settings.setNotetakerAutomation({ automation: "MANUAL" });
      expect(await bots(captured)).toEqual([automation === "MANUAL", false, false]);
    }
  });

  test("reads at most `rooms` rooms, and only their meetings", async () => {
    const { service, notetaker } = emulating();
    const seed = await captureSeed(notetaker, { rooms: 2 });
    expect(seed.rooms).toHaveLength(2);
    expect(seed.meetings).toHaveLength(5);
    expect(service.requests.filter(({ path }) => path.endsWith("/transcript"))).toHaveLength(5);
    expect(service.requests.every(({ method }) => method === "GET")).toBe(true);
  });

  test("keeps the content with `anonymize: false`", async () => {
    const { service, notetaker } = emulating();
    const seed = await captureSeed(notetaker, { anonymize: false });
    const [original, captured] = [service, createEmulator({ seed, limits: "none" })].map(everything);
    const withoutLinks = (answers: unknown) =>
      JSON.parse(JSON.stringify(answers).replace(/"share_url":"[^"]*"/g, '"share_url":""'));
    expect(withoutLinks(await captured)).toEqual(withoutLinks(await original));
  });

  test("uses only operations that the API specification defines", async () => {
    const { service, notetaker } = emulating();
    for (const route of ["GET /meetings", "GET /meetings/upcoming", "GET /settings/notetaker-automation"]) {
      service.faults.next(route, { status: 404, times: Number.POSITIVE_INFINITY });
    }
    const seed = await captureSeed(notetaker);
    expect(seed.rooms).toHaveLength(5);
    expect(seed.meetings).toHaveLength(9);
    expect(seed.meetings?.filter(({ owned }) => owned)).toHaveLength(8);
    const again = createEmulator({ seed, limits: "none" });
    const [room] = (await notetakerOf(again).rooms.list({ expand: ["meetings", "documents"] })).data;
    expect(room?.documents).toHaveLength(6);
    expect(room?.meetings.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
  });

  test("waits after a 429, a few times, and rejects if the wait is too long, the service fails or it is aborted", async () => {
    const { service, notetaker } = emulating({ seed: { rooms: [aRoom()] } });
    const always = Number.POSITIVE_INFINITY;
    service.faults.next("GET /rooms", { status: 429, retryAfterSeconds: 0, times: 5 });
    expect((await captureSeed(notetaker)).rooms).toHaveLength(1);
    for (const status of [429, 500]) {
      service.faults.next("GET /webhooks", { status, retryAfterSeconds: 0, times: always });
      await expect(captureSeed(notetaker)).rejects.toMatchObject({ status, attempts: 6 });
      service.faults.clear();
    }
    service.faults.next("GET /webhooks", { status: 429, retryAfterSeconds: 3_600 });
    await expect(captureSeed(notetaker)).rejects.toMatchObject({ name: "RateLimitedError", attempts: 1 });
    service.revokeToken(service.token);
    await expect(captureSeed(notetaker)).rejects.toThrow(UnauthorizedError);
    const reason = new Error("enough");
    await expect(captureSeed(notetaker, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("accepts hostile responses: deep and long values, invalid rows, and endless lists", async () => {
    const { service, notetaker } = emulating({ seed: { rooms: [aRoom({ id: "room_1" })] } });
    const deep = `${"[".repeat(4_000)}"bottom"${"]".repeat(4_000)}`;
    const row = `{"id":"room_1","title":["x"],"deep":${deep},"__proto__":{"polluted":"yes"},"long":"${"a".repeat(500_000)}","half":"\\ud83c","\\udf99":1,"status":"\\ud800"}`;
    const page = `{"data":[${row},null,7,{"id":5,"title":null}],"next_cursor":null,"has_more":false}`;
    const headers = { "content-type": "application/json" };
    for (const anonymize of [true, false]) {
      service.faults.next("GET /rooms", { status: 200, body: page, headers });
      const seed = await captureSeed(notetaker, { anonymize });
      expect(seed.rooms).toMatchObject([
        { id: expect.stringMatching(/^room_/), extra: { title: [expect.any(String)] } },
        {},
      ]);
      expect(createEmulator({ seed }).baseUrl).toBeDefined();
      expect({}).not.toHaveProperty("polluted");
      expect(JSON.stringify(seed)).not.toMatch(/\\ud[89a-f]/);
    }
    let cursor = 0;
    const endless = new Notetaker({
      baseUrl: "https://api.example.com/v1",
      token: "t",
      fetch: async () => Response.json({ data: [], next_cursor: `c${++cursor}`, has_more: true }),
    });
    expect((await captureSeed(endless)).rooms).toEqual([]);
  });

  test("captures an item once if a list repeats it, and each item without an id", async () => {
    const { service, notetaker } = emulating({ seed: { meetings: [aMeeting({ id: "mtg_1", documents: [] })] } });
    const rows = ["room_1", "room_1", null, null].map((id) => ({ id, title: "Sales" }));
    const page = (data: unknown[]) => ({ status: 200, body: { data, next_cursor: null, has_more: false } });
    service.faults.next("GET /rooms", page(rows));
    const documents = [{ id: "doc_1", title: "Notes" }];
    const meeting = { id: "mtg_1", title: "Weekly", documents };
    service.faults.next("GET /meetings", page([meeting, meeting]));
    const webhook = { id: "whk_1", url: "https://acme.example/hook" };
    service.faults.next("GET /webhooks", { status: 200, body: [webhook, webhook, { ...webhook, id: "whk_2" }] });
    const permission = { id: "perm_1", recipient: { type: "anyone" }, role: "read" };
    service.faults.next("GET /meetings/:id/permissions", { ...page([permission, permission]), times: 2 });
    const event = { start_time: "2025-06-09T09:00:00Z" };
    const events = [{ ...event, id: "evt_1" }, { ...event, id: "evt_1" }, event, event];
    service.faults.next("GET /meetings/upcoming", { status: 200, body: events });
    const seed = await captureSeed(notetaker);
    expect(() => createEmulator({ seed })).not.toThrow();
    const counts = [seed.rooms, seed.webhooks, seed.events, seed.meetings].map((list) => list?.length);
    expect(counts).toEqual([3, 2, 3, 1]);
    expect(seed.meetings?.[0]?.documents).toHaveLength(1);
    expect(seed.meetings?.[0]?.permissions).toHaveLength(1);
  });

  test("makes a valid seed of dates, URLs and numbers in unusual forms", async () => {
    const extra = {
      start_time: "2025-05-02T09:00:00+01",
      end_time: "Mon, 05 May 2025 09:00:00 GMT",
      created_at: "2025",
    };
    const seed: Seed = {
      meetings: [aMeeting({ extra }), aMeeting({ extra: { duration: 1e17 }, absent: ["end_time"] })],
      events: [anEvent({ start_time: "2025-06-03", extra: { meeting_url: " https://zoom.us/j/5551234567 " } })],
      webhooks: [aWebhook({ extra: { url: " https://acme.example/hook", created_at: "May 5 275000" } })],
    };
    for (const anonymize of [true, false]) {
      const captured = await captureSeed(emulating({ seed }).notetaker, { anonymize });
      const answers = await everything(createEmulator({ seed: captured, limits: "none" }));
      const { data } = answers["/meetings?limit=100&expand=documents"] as { data: Record<string, string>[] };
      expect(data[1]?.start_time).toMatch(/^2025-0\d-\d\dT/);
      if (!anonymize) expect(data).toMatchObject([{ duration: 1e17 }, extra]);
      expect(answers["/meetings/upcoming"]).toHaveLength(1);
      expect(JSON.stringify(captured).includes("acme")).toBe(!anonymize);
    }
  });

  test("reports its progress as counts", async () => {
    const seen: string[] = [];
    const onProgress = ({ step, done, total }: { step: string; done: number; total: number | undefined }) =>
      void seen.push(`${step} ${done}/${total}`);
    await captureSeed(emulating({ seed: { rooms: [aRoom({ meetings: [aMeeting()] })] } }).notetaker, { onProgress });
    expect(seen).toEqual([
      "rooms 1/undefined",
      "rooms 1/1",
      "meetings 0/1",
      "meetings 1/1",
      "documents 1/2",
      "documents 2/2",
      "account 1/1",
    ]);
  });

  test.each([
    [{ rooms: 0 }, "captureSeed: rooms: expected "],
    [{ anonymise: false }, "captureSeed: anonymise: unknown option; did you mean anonymize?"],
  ])("refuses the options %j", async (options, message) => {
    await expect(captureSeed(emulating().notetaker, options as never)).rejects.toThrow(message);
  });

  test("keeps only the shapes of any account", async () => {
    const word = fc
      .string({ unit: "grapheme", minLength: 8, maxLength: 30 })
      .filter((text) => /\p{L}.*\p{L}.*\p{L}/u.test(text));
    const odd = fc.oneof(word, fc.integer({ min: 1_000_000 }), fc.constant(null), fc.boolean());
    const fields = ["host", "participants", "created_at"];
    const meeting = fc.record({
      title: fc.option(word),
      owned: fc.boolean(),
      recording: fc.boolean(),
      status: fc.constantFrom("completed" as const, "failed" as const, "scheduled" as const),
      extra: fc.dictionary(fc.constantFrom("note", "score", "duration", "end_time"), odd),
      absent: fc.subarray(fields),
      documents: fc.constant<string[]>([]),
      transcript: fc
        .array(word, { maxLength: 3 })
        .map((spoken) => aTranscript({ lines: spoken.map((text) => ["Somebody", text]) })),
    });
    const rooms = fc.array(
      fc.record({ title: word, owned: fc.boolean(), meetings: fc.array(meeting, { maxLength: 3 }) }),
      { maxLength: 3 },
    );
    const statesOf = (service: Emulator) =>
      service.meetings.list().map(({ status, owned, recording }) => [status, owned, recording]);
    await fc.assert(
      fc.asyncProperty(rooms, async (rooms) => {
        const { service, notetaker } = emulating({ seed: { rooms } });
        const captured = await captureSeed(notetaker);
        const file = JSON.stringify(captured);
        const isPrivate = (text: string) => text.length >= 8 && !PUBLIC.has(text) && !fields.includes(text);
        const texts = [...textsIn(rooms)].filter(isPrivate);
        expect(texts.filter((text) => file.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
        const again = createEmulator({ seed: captured, limits: "none" });
        expect(statesOf(again)).toEqual(expect.arrayContaining(statesOf(service)));
        expect(JSON.stringify(await captureSeed(notetaker))).toBe(file);
      }),
      { numRuns: runs(15) },
    );
  });
});
