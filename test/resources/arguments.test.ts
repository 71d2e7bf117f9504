/** Each rule for arguments, at its limit and just beyond: an invalid argument rejects, and no request is sent. */
import { ConfigurationError, InvalidArgumentError, type Notetaker } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "../interface/interface.js";
import { METHODS } from "../interface/methods.js";
import { idsOf, paramsOf } from "../interface/sample.js";
import { CALLS, success } from "../support/calls.js";
import { clientOf, json, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

type Make = (notetaker: Notetaker) => PromiseLike<unknown>;

/** Passes a value that TypeScript would refuse, as JavaScript code can. */
const wrong = (value: unknown) => value as never;

async function refused(make: Make): Promise<InvalidArgumentError> {
  let asked = 0;
  const { notetaker, seen } = clientOf(() => json({}), {
    token: () => {
      asked += 1;
      return "tok_1234";
    },
  });
  const promise = make(notetaker);
  const error = await rejectionOf(InvalidArgumentError, promise);
  expect(seen).toEqual([]);
  expect(asked).toBe(0);
  expect(error).toMatchObject({ name: "InvalidArgumentError", outcome: "not_sent", retryable: false, attempts: 0 });
  expect(error.message).not.toMatch(/[\r\n]/);
  return error;
}

async function accepted(make: Make): Promise<void> {
  const call = { seen: 0 };
  const { notetaker } = clientOf(
    () => {
      call.seen += 1;
      return json({});
    },
    { validation: "off" },
  );
  // The response is not a page, which does not matter: only the request is tested.
  await Promise.resolve(make(notetaker)).catch(() => {});
  expect(call.seen).toBe(1);
}

const zoom = (length: number) => `https://zoom.us/j/${"1".repeat(length - "https://zoom.us/j/".length)}`;
const hook = (length: number) => `https://a.example/${"h".repeat(length - "https://a.example/".length)}`;
const astral = "😀";
const events = ["meeting.transcript_ready"] as const;
const upload =
  (params: object, source: unknown = samples.audio): Make =>
  ({ meetings }) =>
    meetings.upload(source as Blob, params);

const REFUSED: readonly [rule: string, path: string, make: Make][] = [
  ["a missing link", "meeting_url", ({ meetings }) => meetings.sendBot(wrong({}))],
  ["an empty link", "meeting_url", ({ meetings }) => meetings.sendBot({ meeting_url: "" })],
  ["a link that is not a string", "meeting_url", ({ meetings }) => meetings.sendBot(wrong({ meeting_url: 5 }))],
  ["a link of 1025 characters", "meeting_url", ({ meetings }) => meetings.sendBot({ meeting_url: zoom(1025) })],
  ...[
    "zoom",
    "zoom.us/j/1",
    "ftp://zoom.us/j/1",
    "https://example.com/j/1",
    "https://zoom.us.example.com/j/1",
    "https://notzoom.us/j/1",
    "https://user:pass@zoom.us/j/1",
    "https://zoom.us/j/1\r\nx: y",
    "https://zoom.us /j/1",
    "javascript:alert(1)//zoom.us",
    "https://",
  ].map((meeting_url): [string, string, Make] => [
    `the link ${JSON.stringify(meeting_url)}`,
    "meeting_url",
    ({ meetings }) => meetings.sendBot({ meeting_url }),
  ]),
  [
    "an unknown field beside the link",
    "url",
    ({ meetings }) => meetings.sendBot(wrong({ meeting_url: zoom(30), url: 1 })),
  ],
  ["an unknown mode", "automation", ({ settings }) => settings.setNotetakerAutomation(wrong({ automation: "NEVER" }))],
  [
    "a mode in lower case",
    "automation",
    ({ settings }) => settings.setNotetakerAutomation(wrong({ automation: "manual" })),
  ],
  ["no mode", "automation", ({ settings }) => settings.setNotetakerAutomation(wrong({}))],
  ["a title of 501 characters", "title", upload({ title: "t".repeat(501) })],
  ["a title of 501 characters beyond the BMP", "title", upload({ title: astral.repeat(501) })],
  ["a title that is not a string", "title", upload({ title: 5 })],
  ["a language of 11 characters", "language", upload({ language: "l".repeat(11) })],
  ["an unlisted media type", "contentType", upload({ contentType: "video/x-msvideo" })],
  ["a media type with a line break", "contentType", upload({ contentType: "audio/wav\r\nx: y" })],
  ["an empty media type", "contentType", upload({ contentType: "" })],
  ["a source without a media type", "contentType", upload({}, new Blob(["a"]))],
  ["a string as source", "source", upload({ contentType: "audio/wav" }, "/tmp/a.wav")],
  ["a media type that is not a string", "contentType", upload({ contentType: 5 })],
  ["no source", "source", ({ meetings }) => meetings.upload(wrong(undefined), { contentType: "audio/wav" })],
  ["null as source", "source", upload({ contentType: "audio/wav" }, null)],
  ["an unknown field beside the title", "name", upload({ name: "x" })],
  ["an unknown scope", "scope", ({ rooms }) => rooms.list(wrong({ scope: "mine" }))],
  ["an empty scope", "scope", ({ rooms }) => rooms.list(wrong({ scope: "" }))],
  ["a scope of null", "scope", ({ rooms }) => rooms.list(wrong({ scope: null }))],
  ["an unknown expansion", "expand[1]", ({ rooms }) => rooms.list(wrong({ expand: ["meetings", "people"] }))],
  ["an expansion that is not a list", "expand", ({ rooms }) => rooms.list(wrong({ expand: "meetings" }))],
  ["meetings expanded in meetings", "expand[0]", ({ meetings }) => meetings.list(wrong({ expand: ["meetings"] }))],
  ["no room id", "ids", ({ rooms }) => rooms.list({ ids: [] })],
  [
    "101 room ids",
    "ids",
    ({ rooms }) => rooms.list({ ids: Array.from({ length: 101 }, (_, index) => `room_${index}`) }),
  ],
  ["101 meeting ids", "ids", ({ meetings }) => meetings.list({ ids: Array(101).fill("mtg_1") })],
  ["a meeting id among room ids", "ids[1]", ({ rooms }) => rooms.list({ ids: ["room_1", "mtg_1"] })],
  ["a search that is not a string", "search", ({ rooms }) => rooms.list(wrong({ search: 5 }))],
  ["an empty cursor", "cursor", ({ rooms }) => rooms.list({ cursor: "" })],
  ...[0, 101, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "50", null].flatMap((limit): [string, string, Make][] => [
    [`a limit of ${JSON.stringify(limit)} (rooms)`, "limit", ({ rooms }) => rooms.list(wrong({ limit }))],
    [`a limit of ${JSON.stringify(limit)} (meetings)`, "limit", ({ meetings }) => meetings.list(wrong({ limit }))],
    [
      `a limit of ${JSON.stringify(limit)} (permissions)`,
      "limit",
      ({ permissions }) => permissions.list("mtg_1", wrong({ limit })),
    ],
  ]),
  ["an unknown parameter", "page", ({ rooms }) => rooms.list(wrong({ page: 2 }))],
  ["an empty status", "status", ({ meetings }) => meetings.list({ status: "" })],
  ["a date with a time", "start_date", ({ meetings }) => meetings.list({ start_date: "2026-01-01T00:00:00Z" })],
  ["a day that does not exist", "end_date", ({ meetings }) => meetings.list({ end_date: "2026-02-30" })],
  ["a room id without prefix", "room_id", ({ meetings }) => meetings.list({ room_id: "1" })],
  ["an unknown format", "format", ({ documents }) => documents.get("doc_1", wrong({ format: "pdf" }))],
  ["no recipient", "recipient", ({ permissions }) => permissions.set("mtg_1", wrong({ role: "read" }))],
  [
    "a recipient without type",
    "recipient.type",
    ({ permissions }) => permissions.set("mtg_1", wrong({ recipient: {}, role: "read" })),
  ],
  [
    "a recipient of null",
    "recipient",
    ({ permissions }) => permissions.set("mtg_1", wrong({ recipient: null, role: "read" })),
  ],
  [
    "an empty recipient type",
    "recipient.type",
    ({ permissions }) => permissions.set("mtg_1", { recipient: { type: "" }, role: "read" }),
  ],
  ["no role", "role", ({ permissions }) => permissions.set("mtg_1", wrong({ recipient: { type: "user" } }))],
  [
    "public access with write permission",
    "role",
    ({ permissions }) => permissions.set("mtg_1", { recipient: { type: "anyone" }, role: "edit" }),
  ],
  [
    "a recipient that cannot be serialised as JSON",
    "body",
    ({ permissions }) => permissions.set("mtg_1", { recipient: { type: "user", n: 1n }, role: "read" }),
  ],
  ["a webhook URL with plain http", "url", ({ webhooks }) => webhooks.create({ url: "http://a.example/in", events })],
  ["a relative webhook URL", "url", ({ webhooks }) => webhooks.create({ url: "/in", events })],
  ["a webhook URL of 2049 characters", "url", ({ webhooks }) => webhooks.create({ url: hook(2049), events })],
  ["a webhook without events", "events", ({ webhooks }) => webhooks.create({ url: hook(30), events: [] })],
  [
    "an unknown event",
    "events[0]",
    ({ webhooks }) => webhooks.create({ url: hook(30), events: wrong(["meeting.deleted"]) }),
  ],
  [
    "a webhook enabled by a string",
    "enabled",
    ({ webhooks }) => webhooks.create({ url: hook(30), events, enabled: wrong("yes") }),
  ],
  [
    "a webhook with the caller's own secret",
    "secret",
    ({ webhooks }) => webhooks.create(wrong({ url: hook(30), events, secret: "s" })),
  ],
  ["a webhook update without fields", "", ({ webhooks }) => webhooks.update("whk_1", {})],
  ["a webhook update with only undefined", "", ({ webhooks }) => webhooks.update("whk_1", { url: undefined })],
  ["a webhook update without events", "events", ({ webhooks }) => webhooks.update("whk_1", { events: [] })],
];

const ACCEPTED: readonly [edge: string, make: Make][] = [
  ["a link of 1024 characters", ({ meetings }) => meetings.sendBot({ meeting_url: zoom(1024) })],
  ["a link in capital letters", ({ meetings }) => meetings.sendBot({ meeting_url: "HTTPS://ZOOM.US/j/1" })],
  ["a title of 500 characters", upload({ title: "t".repeat(500) })],
  ["a title of 500 characters beyond the BMP", upload({ title: astral.repeat(500) })],
  ["a language of 10 characters", upload({ language: "l".repeat(10) })],
  ["a limit of 1", ({ rooms }) => rooms.list({ limit: 1 })],
  ["a limit of 100", ({ rooms }) => rooms.list({ limit: 100 })],
  ["an unknown meeting status", ({ meetings }) => meetings.list({ status: "archived" })],
  ["a leap day", ({ meetings }) => meetings.list({ start_date: "2028-02-29" })],
  ["a webhook URL of 2048 characters", ({ webhooks }) => webhooks.create({ url: hook(2048), events })],
  [
    "a webhook URL with a loopback address",
    ({ webhooks }) => webhooks.create({ url: "http://localhost:3000/in", events }),
  ],
  ["a webhook that is disabled", ({ webhooks }) => webhooks.update("whk_1", { enabled: false })],
  [
    "a role that the API specification does not document",
    ({ permissions }) => permissions.set("mtg_1", { recipient: { type: "user" }, role: "edit" }),
  ],
];

describe("an invalid argument", () => {
  it.each(REFUSED)("rejects before a request is sent: %s", async (_, path, make) => {
    const { issues, message } = await refused(make);
    expect(issues.map((issue) => issue.path)).toContain(path);
    expect(message).toContain(path);
  });

  it("is reported together with every other invalid argument", async () => {
    const { issues, message } = await refused(({ permissions }) =>
      permissions.list("room_1", { limit: 0 }, wrong({ timeoutMs: 0, retries: 3, headers: { "a b": "c" } })),
    );
    expect(issues.map(({ path }) => path).sort()).toEqual(["limit", "meetingId", "retries", "timeoutMs"]);
    expect(message).toMatch(/^permissions\.list: meetingId: .*, and 1 more$/);
  });
});

describe("a valid argument at its limit", () => {
  it.each(ACCEPTED)("is sent: %s", (_, make) => accepted(make));
});

const NO_OBJECT = [null, 5, "text", true, [], [1], () => {}];

describe("a value that is not an object", () => {
  it.each(CALLS.map((call) => call.operation))(
    "makes the call reject if it is passed as the options of %s",
    async (operation) => {
      const call = CALLS.find((one) => one.operation === operation)!;
      for (const options of NO_OBJECT) {
        const error = await refused((notetaker) => call.make(notetaker, wrong(options)));
        expect(error.message).toContain(`${operation}: expected an object`);
      }
    },
  );

  const withParams: Record<string, (notetaker: Notetaker, params: never) => PromiseLike<unknown>> = {
    "meetings.upload": ({ meetings }, params) => meetings.upload(samples.audio, params),
    "rooms.list": ({ rooms }, params) => rooms.list(params),
    "meetings.list": ({ meetings }, params) => meetings.list(params),
    "meetings.sendBot": ({ meetings }, params) => meetings.sendBot(params),
    "documents.get": ({ documents }, params) => documents.get("doc_1", params),
    "permissions.list": ({ permissions }, params) => permissions.list("mtg_1", params),
    "permissions.set": ({ permissions }, params) => permissions.set("mtg_1", params),
    "webhooks.create": ({ webhooks }, params) => webhooks.create(params),
    "webhooks.update": ({ webhooks }, params) => webhooks.update("whk_1", params),
    "settings.setNotetakerAutomation": ({ settings }, params) => settings.setNotetakerAutomation(params),
  };
  it.each(Object.entries(withParams))(
    "makes the call reject if it is passed as the parameters of %s",
    async (operation, make) => {
      for (const params of NO_OBJECT) {
        const error = await refused((notetaker) => make(notetaker, wrong(params)));
        expect(error.message).toContain(`${operation}: `);
      }
    },
  );

  it("makes the iteration of a list reject if it is passed as the options", async () => {
    await refused(({ rooms }) => rooms.list({}, wrong(null)).toArray({ max: 1 }));
    await refused(({ rooms }) => rooms.list(wrong(7)).pages().next());
    await refused(({ rooms }) => rooms.list({}, wrong({ prefetch: "yes" })));
  });
});

describe("the options of a call", () => {
  it.each<[string, object]>([
    ["timeoutMs", { timeoutMs: 0 }],
    ["timeoutMs", { timeoutMs: -1 }],
    ["timeoutMs", { timeoutMs: Number.NaN }],
    ["timeoutMs", { timeoutMs: 2_147_483_648 }],
    ["timeoutMs", { timeoutMs: "30" }],
    ["deadlineMs", { deadlineMs: 0 }],
    ["deadlineMs", { deadlineMs: Number.POSITIVE_INFINITY }],
    ["maxRetries", { maxRetries: -1 }],
    ["maxRetries", { maxRetries: 1.5 }],
    ["signal", { signal: {} }],
    ["signal", { signal: new AbortController() }],
    ["headers", { headers: "x: y" }],
    ["headers", { headers: [["a"]] }],
    ["headers", { headers: 5 }],
    ["fetchOptions", { fetchOptions: { redirect: "follow" } }],
    ["fetchOptions", { fetchOptions: "cache" }],
    ["query", { query: "a=b" }],
    ["query", { query: new URLSearchParams("a=b") }],
    ["query", { query: { a: { b: 1 } } }],
    ["query", { query: { a: null } }],
    ["prefetch", { prefetch: true }],
    ["retries", { retries: 5 }],
  ])("are refused if %s is invalid: %o", async (path, options) => {
    const { issues } = await refused(({ webhooks }) => webhooks.list(wrong(options)));
    expect(issues.map((issue) => issue.path)).toEqual([path]);
  });

  it.each([
    ["a name with a line break", { "x\r\ny": "1" }, "headers.x\r\ny"],
    ["an empty name", { "": "1" }, "headers."],
    ["a value with a line break", { x: "1\r\ny: 2" }, "headers.x"],
    ["a value with a null character", { x: "\0" }, "headers.x"],
    ["a value beyond Latin-1", { x: "✓" }, "headers.x"],
    ["a value that is not a string", { x: 5 }, "headers.x"],
    ["host", { Host: "example.com" }, "headers.Host"],
    ["content-length", { "content-length": "5" }, "headers.content-length"],
    ["transfer-encoding", { "Transfer-Encoding": "chunked" }, "headers.Transfer-Encoding"],
    ["connection", { connection: "close" }, "headers.connection"],
    ["authorization", { Authorization: "Basic x" }, "headers.Authorization"],
    ["content-type", { "Content-Type": "text/plain" }, "headers.Content-Type"],
  ])("are refused, as are those of a client, if a header is %s", async (_, headers, path) => {
    const { issues } = await refused(({ webhooks }) => webhooks.list({ headers: wrong(headers) }));
    expect(issues.map((issue) => issue.path)).toEqual([path]);

    const construct = () => clientOf(() => json([]), { headers: wrong(headers) });
    expect(construct).toThrow(ConfigurationError);
    expect(construct).toThrow(issues[0]?.message);
  });

  it("are refused with an error that does not show a header's value", async () => {
    const error = await refused(({ webhooks }) => webhooks.list({ headers: { x: "s3cr3t\n" } }));
    expect(JSON.stringify(error)).not.toContain("s3cr3t");
  });

  it("may contain time limits at the minimum and the maximum", async () => {
    const call = CALLS.find(({ operation }) => operation === "webhooks.list")!;
    const { notetaker, seen } = clientOf(() => success(call));
    await notetaker.webhooks.list({
      timeoutMs: 2_147_483_647,
      deadlineMs: 1_000,
      maxRetries: 0,
      headers: {},
      query: {},
    });
    await notetaker.webhooks.list({ signal: undefined, timeoutMs: undefined, headers: undefined, query: undefined });
    expect(seen).toHaveLength(2);
  });
});

describe("an id argument", () => {
  type WithId = (notetaker: Notetaker, id: string) => PromiseLike<unknown>;
  const inPaths = ENDPOINTS.flatMap((row) =>
    row.pathParameters.map(({ name, type }, index): [string, [prefix: string, WithId]] => {
      const { operation, call } = METHODS[row.operation];
      const withId: WithId = (notetaker, id) => call(notetaker, idsOf(row).with(index, id), paramsOf(row));
      return [`${operation} (${name})`, [type.kind === "id" ? type.prefix : "", withId]];
    }),
  );
  const IDS: Record<string, [prefix: string, WithId]> = {
    ...Object.fromEntries(inPaths),
    "rooms.list": ["room_", ({ rooms }, id) => rooms.list({ ids: [id] })],
    "meetings.list": ["mtg_", ({ meetings }, id) => meetings.list({ ids: [id] })],
    "meetings.list (room)": ["room_", ({ meetings }, id) => meetings.list({ room_id: id })],
  };
  const RESTS = [
    "",
    ".",
    "..",
    "..;x",
    ".;",
    "a/b",
    "../x",
    "a\\b",
    "a?b",
    "a#b",
    "%2e%2e",
    "a b",
    "a\u00a0b",
    "a\nb",
    "a\0b",
    "\u0085",
    "\ud800",
  ];

  it.each(Object.entries(IDS))("of %s is refused if it is not an id of the right kind", async (_, [prefix, make]) => {
    for (const rest of RESTS) await refused((notetaker) => make(notetaker, prefix + rest));
    for (const none of [null, 5, {}, [`${prefix}1`]]) await refused((notetaker) => make(notetaker, wrong(none)));
    if (prefix === "") return;
    for (const other of ["1", prefix.slice(0, -1), `x${prefix}1`, ` ${prefix}1`, prefix.toUpperCase() + 1]) {
      await refused((notetaker) => make(notetaker, other));
    }
  });

  it("is refused if it is missing and belongs in the path", async () => {
    await refused(({ documents }) => documents.get(wrong(undefined)));
    await refused(({ permissions }) => permissions.revoke("mtg_1", wrong(undefined)));
  });

  it("may contain any characters that calendars use if it is a calendar event's id", async () => {
    const { notetaker, seen } = clientOf(() => json({ event_id: "evt_1", status: "cancelling" }));
    const id = "evt_ada+x@example.com:2026=(a)!*'~,;&$.é日";
    await notetaker.meetings.cancelBot(id);
    expect(decodeURIComponent(seen[0]!.path.split("/")[2]!)).toBe(id);
    expect(seen[0]!.path.split("/")).toHaveLength(4);
  });
});
