/** Each tool by itself: its input from a model, its requests, and its result. */
import { Notetaker } from "notetaker-sdk";
import { type Tool, tools } from "notetaker-sdk/tools";
import { describe, expect, it } from "vitest";
import { clientOf, json } from "../support/recorder.js";
import * as samples from "../support/samples.js";
import { allResults, toolOf } from "./tool-of.js";

type JsonSchema = Record<string, unknown>;

const all = () => tools(new Notetaker({ baseUrl: "https://api.example.com/v1", token: "t" }), { write: true });
const schemaOf = ({ jsonSchema }: Tool) =>
  jsonSchema as { properties: Record<string, JsonSchema>; required?: string[] };

/** The fields of a tool's input without their descriptions. A question mark marks an optional field. */
const fieldsOf = (tool: Tool) => {
  const { properties, required = [] } = schemaOf(tool);
  return Object.fromEntries(
    Object.entries(properties).map(([name, { description: _, ...rules }]) => [
      required.includes(name) ? name : `${name}?`,
      rules,
    ]),
  );
};

const text = { type: "string", minLength: 1, maxLength: 1024 };
const id = (prefix: string) => ({ type: "string", pattern: `^${prefix}.+`, maxLength: 200 });
const day = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d$" };
const cursor = { type: "string", minLength: 1, maxLength: 4096 };
const limit = { type: "integer", minimum: 1, maximum: 20 };
const part = { "cursor?": cursor, "max_characters?": { type: "integer", minimum: 500, maximum: 20_000 } };
const oneOf = (...values: string[]) => ({ type: "string", enum: values });

describe("the definition of a tool", () => {
  it.each<[string, object]>([
    [
      "find_meetings",
      {
        ...{ "search?": text, "q?": text, "participant?": text, "company?": text, "room_id?": text, "status?": text },
        ...{ "start_date?": day, "end_date?": day, "limit?": limit, "cursor?": cursor },
      },
    ],
    ["get_meeting", { meeting_id: id("mtg_") }],
    ["list_rooms", { "search?": text, "scope?": oneOf("owned", "shared", "all"), "limit?": limit, "cursor?": cursor }],
    ["get_transcript", { meeting_id: id("mtg_"), ...part }],
    ["get_document", { document_id: id("doc_"), ...part }],
    ["find_document", { meeting_id: id("mtg_"), kind: oneOf("summary", "action_items"), ...part }],
    ["search_transcript", { meeting_id: id("mtg_"), query: text, "limit?": { ...limit, maximum: 50 } }],
    ["list_upcoming_meetings", {}],
    ["send_bot", { meeting_url: text }],
    ["schedule_bot", { event_id: id("evt_") }],
    ["cancel_bot", { event_id: id("evt_") }],
    ["set_automation", { automation: oneOf("MANUAL", "JOIN_AS_HOST", "JOIN_ALL_EVENTS") }],
    [
      "share_meeting",
      { meeting_id: id("mtg_"), recipient_type: oneOf("teammate", "team"), "email?": text, role: text },
    ],
    ["share_meeting_with_anyone", { meeting_id: id("mtg_") }],
    ["list_permissions", { meeting_id: id("mtg_"), "limit?": limit, "cursor?": cursor }],
    ["revoke_permission", { meeting_id: id("mtg_"), permission_id: text }],
  ])("has exactly the expected input fields: %s", (name, fields) => {
    const tool = all().find((one) => one.name === name) as Tool;
    expect(fieldsOf(tool)).toEqual(fields);
  });

  it("describes each input field", () => {
    for (const tool of all()) {
      for (const [field, { description }] of Object.entries(schemaOf(tool).properties)) {
        expect(description, `${tool.name}.${field}`).toMatch(/^[A-Z][^.:…]+/);
      }
    }
  });
});

const MEETING = {
  ...{ id: "mtg_1", title: "Weekly", status: "completed", source: "zoom", duration_seconds: 1800 },
  ...{ start_time: "2026-03-01T10:00:00Z", end_time: "2026-03-01T10:30:00Z" },
};
const ID = { meeting_id: "mtg_1" };
const ROOM = { id: "room_1", title: "Design", meeting_count: 1, created_at: "2026-01-01T00:00:00Z" };
const NO_NAMES = {
  host: { id: "usr_1", name: null, email: "ada@example.com" },
  participants: [{ name: null, email: "bo@example.com" }, { name: null }],
};
const withDocument = { ...samples.meeting, documents: [samples.documentReference] };
const FOUND = { ...{ ...MEETING, host: "ada@example.com", participants: ["bo@example.com"] } };
const markdown = (content: string) => ({ ...samples.document, format: "markdown", content });
const lastPage = { ...samples.page([]), next_cursor: "left over" };
const LINE = { language: "en", text: "[00:00:00] Ada: Hello.", next_cursor: null };
const SUMMARY = { id: "doc_1", title: "Summary", text: "# Summary", next_cursor: null };
const [BOT, SCHEDULED, CANCELLED] = [
  { ...ID, status: "scheduling" },
  { event_id: "evt_1", status: "scheduling" },
  { event_id: "evt_1", status: "cancelling" },
];
const HOST = { automation: "JOIN_AS_HOST" };
const ZOOM = "https://zoom.us/j/123456";
const LIN = { recipient_type: "teammate", email: "lin@example.com", role: "read" };
const GRANTS = "/meetings/mtg_1/permissions";
const granted = (id: string, recipient: object) => ({ id, recipient, role: "read" });
const GRANTED = { id: "perm_1", recipient_type: "anyone", role: "read" };
const oddPage = { ...samples.page([samples.permission, { id: 5 }], "next"), share_url: "https://app.example.com/m/1" };
const ODD = [{ reason: "the service sent it in an unexpected form (id, recipient, role)" }];
const EXPANDED = "GET /meetings?expand=documents&id=mtg_1";

/** Each request (method, path with its query, and body) with its answer, and what a model gets. */
type Row = [tool: string, input: object | undefined, exchange: Record<string, unknown>, result: unknown];
const ROWS: Row[] = [
  [
    "find_meetings",
    undefined,
    { "GET /meetings?limit=20": samples.page([samples.meeting], "next") },
    { meetings: [{ ...MEETING, host: "Ada", participants: ["Bo"] }], next_cursor: "next" },
  ],
  [
    "find_meetings",
    { q: "budget", start_date: "2026-01-01", limit: 5, cursor: "c" },
    { "GET /meetings?cursor=c&limit=5&q=budget&start_date=2026-01-01": lastPage },
    { meetings: [], next_cursor: null },
  ],
  [
    "get_meeting",
    ID,
    { [EXPANDED]: samples.page([{ ...withDocument, ...NO_NAMES }]) },
    { meeting: { ...FOUND, documents: [{ id: "doc_1", title: "Summary" }] } },
  ],
  [
    "list_rooms",
    undefined,
    { "GET /rooms?limit=20": samples.page([samples.room], "next") },
    { rooms: [ROOM], next_cursor: "next" },
  ],
  [
    "list_rooms",
    { scope: "shared", search: "x", limit: 1 },
    { "GET /rooms?limit=1&scope=shared&search=x": lastPage },
    { rooms: [], next_cursor: null },
  ],
  ["get_transcript", ID, { "GET /meetings/mtg_1/transcript": samples.transcript }, { ...ID, ...LINE }],
  [
    "get_document",
    { document_id: "doc_1" },
    { "GET /documents/doc_1?format=markdown": markdown("# Summary\n\nHello") },
    { ...SUMMARY, text: "# Summary\n\nHello" },
  ],
  [
    "find_document",
    { ...ID, kind: "summary" },
    { [EXPANDED]: samples.page([withDocument]), "GET /documents/doc_1?format=markdown": markdown("# Summary") },
    { document: SUMMARY },
  ],
  ["find_document", { ...ID, kind: "action_items" }, { [EXPANDED]: samples.page([withDocument]) }, { document: null }],
  ["send_bot", { meeting_url: ZOOM }, { [`POST /meetings/bot {"meeting_url":"${ZOOM}"}`]: BOT }, BOT],
  ["schedule_bot", { event_id: "evt_1" }, { "POST /meetings/evt_1/bot": SCHEDULED }, SCHEDULED],
  ["cancel_bot", { event_id: "evt_1" }, { "DELETE /meetings/evt_1/bot": CANCELLED }, CANCELLED],
  ["set_automation", HOST, { [`PUT /settings/notetaker-automation ${JSON.stringify(HOST)}`]: HOST }, HOST],
  [
    "share_meeting",
    { ...ID, ...LIN },
    {
      [`POST ${GRANTS} {"recipient":{"type":"teammate","email":"lin@example.com"},"role":"read"}`]: granted("perm_1", {
        type: "teammate",
        email: "lin@example.com",
      }),
    },
    { id: "perm_1", role: "read" },
  ],
  [
    "share_meeting",
    { ...ID, recipient_type: "team", role: "read" },
    { [`POST ${GRANTS} {"recipient":{"type":"team"},"role":"read"}`]: granted("perm_2", { type: "team" }) },
    { id: "perm_2", role: "read" },
  ],
  [
    "share_meeting_with_anyone",
    ID,
    { [`POST ${GRANTS} {"recipient":{"type":"anyone"},"role":"read"}`]: samples.permission },
    { id: "perm_1", role: "read" },
  ],
  [
    "list_permissions",
    { ...ID, limit: 3, cursor: "c" },
    { [`GET ${GRANTS}?cursor=c&limit=3`]: oddPage },
    { permissions: [GRANTED], left_out: ODD, next_cursor: "next" },
  ],
  [
    "list_permissions",
    ID,
    { [`GET ${GRANTS}?limit=20`]: { ...samples.permissionPage, next_cursor: "x" } },
    { permissions: [GRANTED], next_cursor: null },
  ],
  ["revoke_permission", { ...ID, permission_id: "perm_1" }, { [`DELETE ${GRANTS}/perm_1`]: null }, { revoked: true }],
];

function neededInput(tool: Tool): object {
  const { required = [] } = schemaOf(tool);
  const [, input = {}] = ROWS.find(([name]) => name === tool.name) ?? ["", { ...ID, query: "x" }];
  return Object.fromEntries(Object.entries(input).filter(([name]) => required.includes(name)));
}

describe("a tool", () => {
  it.each(ROWS)(
    "sends the right requests and returns the right result: %s %o",
    async (tool, input, exchange, result) => {
      const answers = Object.values(exchange);
      const { notetaker, seen } = clientOf((_, index) =>
        answers[index] === null ? new Response(null, { status: 204 }) : json(answers[index]),
      );
      expect(await toolOf(notetaker, tool).execute(input)).toEqual(result);
      const sent = seen.map(({ method, path, query, body }) => {
        const parameters = query.map(([name, value]) => `${name}=${value}`);
        return `${method} ${path}${parameters.length > 0 ? `?${parameters.sort().join("&")}` : ""}${body && ` ${body}`}`;
      });
      expect(sent).toEqual(Object.keys(exchange));
    },
  );

  it("reads an optional field that a host fills with null, with nothing or as a text as the model meant it", async () => {
    for (const tool of all()) {
      const { properties } = schemaOf(tool);
      const needed = neededInput(tool);
      const sentFor = async (input: object) => {
        const { notetaker, seen } = clientOf(() => json({ error: { code: "forbidden", message: "no" } }, 403));
        const result = await toolOf(notetaker, tool.name).execute(input);
        expect(result, tool.name).toMatchObject({ error: { name: "ForbiddenError" } });
        return seen.map(({ method, path, query, body }) => ({ method, path, query, body }));
      };
      const expected = await sentFor(needed);
      for (const value of [null, ""]) {
        const filled = Object.fromEntries(Object.keys(properties).map((name) => [name, value]));
        expect(await sentFor({ ...filled, ...needed }), tool.name).toEqual(expected);
      }
    }
  });

  it("reads a number that a host sends as a text, and a cursor that it sends as a number", async () => {
    const { notetaker, seen } = clientOf(() => json(samples.page([samples.meeting])));
    await toolOf(notetaker, "find_meetings").execute({ limit: "5", cursor: 12 });
    expect(seen[0]?.query.toSorted()).toEqual([
      ["cursor", "12"],
      ["limit", "5"],
    ]);
    for (const limit of ["five", "5.5", " 5", "21", "-1"]) {
      expect(await toolOf(notetaker, "find_meetings").execute({ limit })).toMatchObject({
        error: { message: expect.stringContaining("limit: expected an integer from 1 to 20, received") },
      });
    }
    const part = await toolOf(notetaker, "find_meetings").inputSchema["~standard"].validate({
      search: null,
      limit: "5",
    });
    expect(part).toMatchObject({ value: { limit: 5 } });
  });

  it("search_transcript finds a quotation as findQuotes does, and a part of a word as search does, each place once", async () => {
    const text = "We\u2011 really\n “ship” – on   Friday… The shipping is paid.";
    const { notetaker } = clientOf(() =>
      json({ ...samples.transcript, segments: [{ ...samples.transcript.segments[0], text }] }),
    );
    for (const [query, count] of [
      ['we-really "ship" - on friday. the', 1],
      ["ship", 2],
      ["ON FRIDAY", 1],
      ["shi on", 0],
    ] as const) {
      const result = await toolOf(notetaker, "search_transcript").execute({ meeting_id: "mtg_1", query });
      expect(result.matches, query).toHaveLength(count);
    }
  });

  it("returns 20 upcoming events at once, with the fields that a model needs: list_upcoming_meetings", async () => {
    const events = Array.from({ length: 21 }, (_, index) => ({
      id: `evt_${index}`,
      title: "Weekly",
      start_time: "2026-01-01T09:00:00Z",
      meeting_url: "https://zoom.us/j/1",
    }));
    const { notetaker } = clientOf(() => json(events));
    const [first] = await allResults(notetaker, "list_upcoming_meetings", {});
    expect(first?.events).toHaveLength(20);
    expect(first).toHaveProperty("events.0", { id: "evt_0", title: "Weekly", start_time: "2026-01-01T09:00:00Z" });
    expect(first).toMatchObject({ left_out: [{ reason: "1 further events" }], next_cursor: null });
  });

  it("divides a long turn of a transcript into lines of 2,000 characters, so that each part is short enough", async () => {
    const segments = Array.from({ length: 3 }, (_, index) => ({
      ...{ speaker_id: "spk_1", start_time: index, end_time: index + 1 },
      text: "x".repeat(1_500),
    }));
    const { notetaker } = clientOf(() => json({ ...samples.transcript, segments }));
    const { text } = await toolOf(notetaker, "get_transcript").execute({ meeting_id: "mtg_1" });
    expect(
      String(text)
        .split("\n")
        .map((line) => line.slice(0, 17)),
    ).toEqual(["[00:00:00] Ada: x", "[00:00:01] Ada: x", "[00:00:02] Ada: x"]);
  });

  it("gives each part of a transcript its speaker, so that no spoken text looks like another speaker's turn", async () => {
    const said = `Hello\n[00:00:09] Grace: I agree ${"x".repeat(5_000)}`;
    const segments = [{ speaker_id: "spk_1", start_time: 3, end_time: 9, text: said }];
    const speakers = [{ id: "spk_1", name: "Ada\n[00:00:01] Grace" }];
    const { notetaker } = clientOf(() => json({ ...samples.transcript, speakers, segments }));
    const input = { meeting_id: "mtg_1", max_characters: 500 };
    const parts = await allResults(notetaker, "get_transcript", input, 500);
    const lines = parts.flatMap(({ text }) => String(text).split("\n"));
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatch(/^\[00:00:03\] Ada \[00:00:01\] Grace: /);
  });

  it("divides a document into lines of 2,000 characters and parts of 20,000, and no character in half", async () => {
    const content = `${"x".repeat(1_999)}😀${"y".repeat(40_000)}\n\nend\ud83d`;
    const { notetaker } = clientOf(() => json({ ...samples.document, format: "markdown", content }));
    const results = await allResults(notetaker, "get_document", { document_id: "doc_1" });
    const parts = results.map(({ text }) => String(text));
    expect(parts.map(({ length }) => length)).toEqual([18_009, 18_008, 6_008]);
    expect(parts[0]?.split("\n")[0]).toBe(`${"x".repeat(1_999)}😀`);
    expect(parts.join("").replaceAll("\n", "")).toBe(content.replaceAll("\n", "").replace(/\p{Surrogate}/u, "\ufffd"));
    for (const cursor of ["-1", "1.5", "x1", "1x", "1234567890", "0x1", "99", "0:99999"]) {
      const message = "get_document: cursor: expected the next_cursor of a previous result";
      const call = toolOf(notetaker, "get_document").execute({ document_id: "doc_1", cursor });
      expect(await call).toMatchObject({ error: { message } });
    }
  });

  it("ends its call if the signal aborts", async () => {
    for (const { name } of all()) {
      const { notetaker } = clientOf(() => new Promise<Response>(() => {}));
      const tool = toolOf(notetaker, name);
      const controller = new AbortController();
      const call = tool.execute(neededInput(tool), { signal: controller.signal });
      controller.abort(`${name} was stopped`);
      await expect(call, name).rejects.toBe(`${name} was stopped`);
      const late = tool.execute(neededInput(tool), { signal: controller.signal });
      await expect(late, name).rejects.toBe(`${name} was stopped`);
    }
  });
});
