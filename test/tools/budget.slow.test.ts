/** However large an account is, a result fits into the context of a model, and says what is lacking. */
import { tools } from "notetaker-sdk/tools";
import { describe, expect, it } from "vitest";
import { clientOf, json } from "../support/recorder.js";
import * as samples from "../support/samples.js";
import { allResults, toolOf } from "./tool-of.js";

const LONG = '"\n\u0001é😀'.repeat(30);

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}_${index}`);

const person = { name: LONG, email: LONG, title: null, company: null };
const documents = ids("doc", 50).map((id) => ({ ...samples.documentReference, id, title: LONG }));
const meetings = ids("mtg", 30).map((id) => ({
  ...{ ...samples.meeting, id, title: LONG, host: { id: "usr_1", name: LONG, email: null }, documents },
  participants: Array.from({ length: 63 }, () => person),
}));
const rooms = ids("room", 250).map((id) => ({ ...samples.room, id, title: LONG, meeting_count: 1 }));
const permissions = ids("perm", 250).map((id) => ({ ...samples.permission, id, role: LONG }));
const events = ids("evt", 250).map((id) => ({ id, title: LONG, start_time: "2026-01-01T09:00:00Z" }));

const service = () =>
  clientOf(({ path, query }) => {
    if (path === "/meetings/upcoming") return json(events);
    const rows: object[] =
      ({ "/meetings": meetings, "/rooms": rooms } as Record<string, object[]>)[path] ?? permissions;
    const given = Object.fromEntries(query) as { cursor?: string; limit?: string };
    const from = Number(given.cursor?.slice(1) ?? 0);
    const to = from + Number(given.limit ?? 50);
    const page = samples.page(rows.slice(from, to), to < rows.length ? `@${to}` : null);
    return json({ ...page, share_url: "https://app.example.com/m/1" });
  }).notetaker;

describe("the budget of 20,000 characters", () => {
  it.each([
    ["find_meetings", { limit: 7 }, "meetings", ids("mtg", 30)],
    ["find_meetings", {}, "meetings", ids("mtg", 30)],
    ["list_rooms", { limit: 20 }, "rooms", ids("room", 250)],
    ["list_permissions", { meeting_id: "mtg_1" }, "permissions", ids("perm", 250)],
  ])("%s %j returns every item once, in pages", async (name, input, key, expected) => {
    const results = await allResults(service(), name, input);
    expect(results.flatMap((result) => (result[key] as { id: string }[]).map(({ id }) => id))).toEqual(expected);
  });

  it.each([
    ["next", "next", []],
    ["c".repeat(3_000), null, [{ reason: "what follows: the cursor of the service is too long" }]],
  ])(
    "returns 20 items and the service's cursor, and says what it left out: %.9s",
    async (cursor, next_cursor, left) => {
      const { notetaker, seen } = clientOf(() =>
        json(samples.page([{ id: "room_x" }, ...rooms.slice(0, 100)], cursor)),
      );
      const result = await toolOf(notetaker, "list_rooms").execute({ limit: 7, cursor: "@3@x" });
      expect((result.rooms as { id: string }[]).map(({ id }) => id)).toEqual(ids("room", 20));
      const left_out = [
        { reason: expect.stringContaining("unexpected form") },
        { reason: "80 further rooms" },
        ...left,
      ];
      expect(result).toMatchObject({ left_out, next_cursor });
      expect(Object.fromEntries(seen[0]?.query ?? [])).toEqual({ limit: "7", cursor: "@3@x" });
    },
  );

  it("keeps the main facts of 20 meetings whose every field is long, and shortens their lists", async () => {
    const long = "\u0001".repeat(2_000);
    const rows = ids("mtg", 20).map((id) => ({
      ...{ ...samples.meeting, id: `${id}${long}`, title: long, status: long, source: long },
      ...{ participants: Array(63).fill({ ...person, name: long }), host: { id: "usr_1", name: long, email: null } },
      documents: Array(50).fill({ ...samples.documentReference, id: `doc_${long}`, title: long }),
    }));
    const { notetaker } = clientOf(() => json(samples.page(rows)));
    const [result] = await allResults(notetaker, "find_meetings", {});
    expect(result?.meetings).toHaveLength(20);
    expect(result?.left_out).toHaveLength(40);
    const short = rows.map((row, index) => ({
      ...row,
      ...meetings[index],
      participants: Array(63).fill(samples.meeting.host),
    }));
    const page = clientOf(() => json(samples.page(short.map(({ documents: _, ...row }) => row)))).notetaker;
    const [other] = await allResults(page, "find_meetings", {});
    for (const { participants } of (other as { meetings: { participants: string[] }[] }).meetings)
      expect(participants).toHaveLength(20);
  });

  it("lists 20 participants and 20 documents of a meeting, and says how many are lacking", async () => {
    const { notetaker } = clientOf(() => json(samples.page([meetings[0]])));
    const [result] = await allResults(notetaker, "get_meeting", { meeting_id: "mtg_0" });
    const { participants, title } = (result as { meeting: unknown }).meeting as {
      participants: string[];
      title: string;
    };
    expect(participants).toHaveLength(20);
    expect(title).toMatch(/…$/);
    expect(result?.left_out).toEqual([
      { id: "mtg_0", reason: "43 further participants" },
      { id: "mtg_0", reason: "30 further documents" },
    ]);
  });

  const text = `${LONG}${"x".repeat(3_000)}\n`.repeat(3);
  const answers: Record<string, unknown> = {
    "/meetings": samples.page([{ ...samples.meeting, documents: [samples.documentReference] }]),
    "/documents/doc_1": { ...samples.document, title: LONG, format: "markdown", content: text },
    "/meetings/mtg_1/transcript": {
      ...{ ...samples.transcript, language: LONG, speakers: [{ id: "spk_1", name: LONG }] },
      segments: [0, 1, 2].map((time) => ({ speaker_id: "spk_1", start_time: time, end_time: time, text })),
    },
  };

  it.each([
    ["get_transcript", { meeting_id: "mtg_1" }],
    ["get_document", { document_id: "doc_1" }],
    ["find_document", { meeting_id: "mtg_1", kind: "summary" }],
  ])("%s returns the whole text in parts of at most max_characters", async (name, input) => {
    const { notetaker } = clientOf(({ path }) => json(answers[path]));
    for (const max_characters of [500, 20_000]) {
      const results = await allResults(notetaker, name, { ...input, max_characters }, max_characters);
      const parts = results.map((result) => ((result.document ?? result) as { text: string }).text);
      for (const part of parts) expect(part).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
      const letters = (value: string) => value.replace(/[^x😀]/gu, "").length;
      expect(letters(parts.join(""))).toBeGreaterThanOrEqual(letters(text) * (name === "get_transcript" ? 3 : 1));
    }
  });

  it("search_transcript returns each match with up to 500 characters around it, and counts the others", async () => {
    const said = (words: string) => [{ speaker_id: "spk_1", start_time: 750, end_time: 760, text: words }];
    const searched = (words: string, input: object) => {
      const { notetaker } = clientOf(() => json({ ...samples.transcript, segments: said(words) }));
      return allResults(notetaker, "search_transcript", { meeting_id: "mtg_1", ...input });
    };
    expect(await searched("The Budget is fixed.", { query: "budget" })).toEqual([
      { matches: [{ time: "00:12:30", speaker: "Ada", text: "The Budget is fixed." }] },
    ]);
    const long = `${"a ".repeat(600)}budget${" b".repeat(600)}`;
    const [result] = await searched(`${long} ${long}`, { query: "budget", limit: 1 });
    const [match] = (result as { matches: { text: string }[] }).matches;
    expect(match?.text).toMatch(/^….*a budget b.*…$/);
    expect(match?.text.length).toBeLessThanOrEqual(500);
    expect(result?.left_out).toEqual([{ reason: "1 further matches" }]);
    await searched(LONG.repeat(50), { query: "é", limit: 50 });
    expect(await searched("nothing", { query: "budget" })).toEqual([{ matches: [] }]);
  });

  it("an error is short as well, and options that are null are no error", async () => {
    const { notetaker } = clientOf(() => json({ error: { code: "bad_request", message: LONG } }, 400));
    const result = await toolOf(notetaker, "get_meeting").execute({ meeting_id: "mtg_1" }, null);
    expect(result).toHaveProperty("error");
    expect(JSON.stringify(result).length).toBeLessThanOrEqual(20_000);
  });
});

it("every tool has a title, and annotations by which a host decides whether to ask", () => {
  const given = tools(service(), { write: true });
  expect(given.filter(({ title }) => !/^[A-Z][a-z ]+$/.test(title))).toEqual([]);
  const named = (hint: "readOnlyHint" | "destructiveHint" | "idempotentHint") =>
    given.filter(({ annotations }) => annotations[hint]).map(({ name }) => name);
  const reading = tools(service()).map(({ name }) => name);
  expect(named("readOnlyHint")).toEqual([...reading, "list_permissions"]);
  expect(named("destructiveHint")).toEqual(["cancel_bot", "set_automation", "revoke_permission"]);
  const repeatable = given.map(({ name }) => name).filter((name) => !["send_bot", "schedule_bot"].includes(name));
  expect(named("idempotentHint")).toEqual(repeatable);
});
