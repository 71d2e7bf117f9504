/** An invalid argument rejects, and no request is sent. */
import { ConfigurationError, InvalidArgumentError, type Notetaker, type RequestOptions } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "../interface/interface.js";
import { METHODS } from "../interface/methods.js";
import { idsOf } from "../interface/sample.js";
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

const upload =
  (params: object): Make =>
  ({ meetings }) =>
    meetings.upload(samples.audio, params);
const grant =
  (recipient: object, role: string): Make =>
  ({ permissions }) =>
    permissions.set("mtg_1", { recipient: recipient as { type: string }, role });

/** What the rules of the API specification leave open, and `test/errors/issue-codes.test.ts` does not send. */
type Refused = readonly [rule: string, path: string, make: Make];
const REFUSED: readonly Refused[] = [
  ["a media type with a line break", "contentType", upload({ contentType: "audio/wav\r\nx: y" })],
  ["a media type that is not a string", "contentType", upload({ contentType: 5 })],
  ["a media type that cannot become a string", "contentType", upload({ contentType: Object.create(null) })],
  ["a size that cannot become a string", "size", upload({ size: Symbol("size") })],
  ["an unknown expansion", "expand[1]", ({ rooms }) => rooms.list(wrong({ expand: ["meetings", "people"] }))],
  ["meetings expanded in meetings", "expand[0]", ({ meetings }) => meetings.list(wrong({ expand: ["meetings"] }))],
  ["101 meeting ids", "ids", ({ meetings }) => meetings.list({ ids: Array(101).fill("mtg_1") })],
  ["a meeting id among room ids", "ids[1]", ({ rooms }) => rooms.list({ ids: ["room_1", "mtg_1"] })],
  ["a limit of NaN", "limit", ({ rooms }) => rooms.list({ limit: Number.NaN })],
  ["an infinite limit", "limit", ({ rooms }) => rooms.list({ limit: Number.POSITIVE_INFINITY })],
  ["an empty status", "status", ({ meetings }) => meetings.list({ status: "" })],
  ["an empty recipient type", "recipient.type", grant({ type: "" }, "read")],
  ...["Ada", "", "Ada <ada@example.com>", "ada@example.com, ben@example.com", "ada @example.com", null].map(
    (email): Refused => [`the address ${email}`, "recipient.email", grant({ type: "teammate", email }, "read")],
  ),
  ["public access with write permission", "role", grant({ type: "anyone" }, "edit")],
  ["a recipient that cannot be serialised as JSON", "body", grant({ type: "user", n: 1n }, "read")],
  ["a webhook update with only undefined", "", ({ webhooks }) => webhooks.update("whk_1", { url: undefined })],
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

it.each<[string, Make]>([
  ["100 room ids", ({ rooms }) => rooms.list({ ids: Array(100).fill("room_1") })],
  ["a link in capital letters", ({ meetings }) => meetings.sendBot({ meeting_url: "HTTPS://ZOOM.US/j/1" })],
  ["an address with letters of any script", grant({ type: "teammate", email: "josé@bücher.example" }, "read")],
  ["an unknown meeting status", ({ meetings }) => meetings.list({ status: "archived" })],
])("an unusual but valid argument is sent: %s", async (_, make) => {
  // The response is not a page, which does not matter: only the request is tested.
  const { notetaker, seen } = clientOf(() => json({}), { validation: "off" });
  await Promise.resolve(make(notetaker)).catch(() => {});
  expect(seen).toHaveLength(1);
});

const NO_OBJECT = [null, 5, "text", true, [], [1], () => {}];

describe("a value that is not an object", () => {
  it.each(CALLS)("makes $operation reject if it is passed as the options", async (call) => {
    for (const options of NO_OBJECT) await refused((notetaker) => call.make(notetaker, wrong(options)));
  });

  const withParams = ENDPOINTS.filter(
    (row) => METHODS[row.operation].params !== undefined && row.operation !== "upload",
  );
  it.each(withParams)("makes $operation reject if it is passed as the parameters", async (row) => {
    for (const params of NO_OBJECT) {
      await refused((notetaker) => METHODS[row.operation].call(notetaker, idsOf(row), params));
    }
  });

  it("makes an upload reject if it is passed as the parameters", async () => {
    for (const params of NO_OBJECT) await refused(({ meetings }) => meetings.upload(samples.audio, wrong(params)));
  });

  it("makes the iteration of a list reject if it is passed as the options", async () => {
    await refused(({ rooms }) => rooms.list({}, wrong(null)).toArray({ max: 1 }));
    await refused(({ rooms }) => rooms.list(wrong(7)).pages().next());
    await refused(({ rooms }) => rooms.list({}, wrong({ onInvalid: "yes" })));
  });
});

describe("the options of a call", () => {
  const INVALID: Record<keyof RequestOptions | "retries", [unknown, ...unknown[]]> = {
    timeoutMs: [0, -1, Number.NaN, 2_147_483_648, "30"],
    deadlineMs: [0, Number.POSITIVE_INFINITY],
    maxRetries: [-1, 1.5],
    signal: [{}, new AbortController()],
    headers: ["x: y", [["a"]], 5],
    fetchOptions: [{ redirect: "follow" }, "cache"],
    query: ["a=b", new URLSearchParams("a=b"), { a: { b: 1 } }, { a: null }],
    retries: [5],
  };
  const invalidOptions = Object.entries(INVALID).flatMap(([path, values]) =>
    values.map((value): [string, object] => [path, { [path]: value }]),
  );
  it.each(invalidOptions)("are refused if %s is invalid: %o", async (path, options) => {
    const { issues } = await refused(({ webhooks }) => webhooks.list(wrong(options)));
    expect(issues.map((issue) => issue.path)).toEqual([path]);
  });

  it.each<[string, (notetaker: Notetaker, options: RequestOptions) => PromiseLike<unknown>]>([
    ["an iteration", ({ rooms }, options) => rooms.list({}, options).pages().next()],
    [
      "webhooks.ensure",
      ({ webhooks }, options) =>
        webhooks.ensure(
          {
            url: "https://a.example",
            events: ["meeting.transcript_ready"],
            secretStore: { get: () => undefined, set() {} },
          },
          options,
        ),
    ],
  ])("are refused before their signal is used: %s", async (_, make) => {
    for (const signal of [null, 5, "stop", {}, { aborted: false }]) {
      const { issues } = await refused((notetaker) => make(notetaker, wrong({ signal })));
      expect(issues.map(({ path, code }) => [path, code])).toEqual([["signal", "wrong_type"]]);
    }
  });

  it.each([
    ["a name with a line break", { "x\r\ny": "1" }, "headers.x\r\ny"],
    ["an empty name", { "": "1" }, "headers."],
    ["a value with a line break", { x: "s3cr3t\r\ny: 2" }, "headers.x"],
    ["a value with a null character", { x: "\0" }, "headers.x"],
    ["a value beyond Latin-1", { x: "✓" }, "headers.x"],
    ["a value that is not a string", { x: 5 }, "headers.x"],
    ["host", { Host: "example.com" }, "headers.Host"],
    ["content-length", { "content-length": "5" }, "headers.content-length"],
    ["transfer-encoding", { "Transfer-Encoding": "chunked" }, "headers.Transfer-Encoding"],
    ["connection", { connection: "close" }, "headers.connection"],
    ["authorization", { Authorization: "Basic x" }, "headers.Authorization"],
    ["content-type", { "Content-Type": "text/plain" }, "headers.Content-Type"],
    ["null, of the connection", { host: null }, "headers.host"],
    ...[[["a"]], [["a", "1", "2"]], [[5, "1"]], ["ab"], [5]].map((pairs): [string, unknown, string] => [
      `no pair: ${JSON.stringify(pairs)}`,
      pairs,
      "headers",
    ]),
  ])("are refused, as are those of a client, if a header is %s", async (_, headers, path) => {
    const { issues } = await refused(({ webhooks }) => webhooks.list({ headers: wrong(headers) }));
    expect(issues.map((issue) => issue.path)).toEqual([path]);

    const construct = () => clientOf(() => json([]), { headers: wrong(headers) });
    expect(construct).toThrow(ConfigurationError);
    expect(construct).toThrow(issues[0]?.message);
    expect(JSON.stringify(issues)).not.toContain("s3cr3t");
  });

  it("may contain time limits at the minimum and the maximum", async () => {
    const call = CALLS.find(({ operation }) => operation === "webhooks.list")!;
    const { notetaker, seen } = clientOf(() => success(call));
    const least = { maxRetries: 0, headers: {}, query: {} };
    await notetaker.webhooks.list({ timeoutMs: 2_147_483_647, deadlineMs: 1_000, ...least });
    await notetaker.webhooks.list({ signal: undefined, timeoutMs: undefined, headers: undefined, query: undefined });
    expect(seen).toHaveLength(2);
  });
});

it("a calendar event's id may contain any characters that calendars use", async () => {
  const { notetaker, seen } = clientOf(() => json({ event_id: "evt_1", status: "cancelling" }));
  const id = "evt_ada+x@example.com:2026=(a)!*'~,;&$.é日";
  await notetaker.meetings.cancelBot(id);
  expect(seen[0]!.path.split("/").map(decodeURIComponent)).toEqual(["", "meetings", id, "bot"]);
});
