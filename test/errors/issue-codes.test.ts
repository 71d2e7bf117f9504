/**
 * Each invalid argument has a code that does not change, for which an application writes its own sentence, a path, and
 * a message, which `messages.txt` keeps for review.
 */
import { readFileSync } from "node:fs";
import { InvalidArgumentError, type IssueCode, type Notetaker, ResponseValidationError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import * as zod from "zod";
import { clientOf, json, rejectionOf } from "../support/recorder.js";

const LINK = "https://zoom.us/j/123456789";
const url = "https://a.example";
const events = ["meeting.transcript_ready"] as const;
const blob = new Blob(["x"]);
const signal = AbortSignal.abort();
const anyone = { type: "anyone" };
const wrong = (value: unknown) => value as never;

const ROWS: [code: IssueCode, path: string, call: (notetaker: Notetaker) => Promise<unknown>][] = [
  ["missing", "meeting_url", ({ meetings }) => meetings.sendBot(wrong({}))],
  ["missing", "meetingId", ({ meetings }) => meetings.getTranscript(wrong(undefined))],
  ["missing", "", ({ webhooks }) => webhooks.update("whk_1", {})],
  ["missing", "source", ({ meetings }) => meetings.upload(wrong(undefined))],
  ["wrong_type", "meeting_url", ({ meetings }) => meetings.sendBot(wrong({ meeting_url: 5 }))],
  ["wrong_type", "limit", ({ rooms }) => rooms.list(wrong({ limit: "5" }))],
  ["wrong_type", "ids", ({ rooms }) => rooms.list(wrong({ ids: "room_1" }))],
  ["wrong_type", "signal", ({ rooms }) => rooms.list({}, wrong({ signal: 5 }))],
  ["wrong_type", "recipient", ({ permissions }) => permissions.set("mtg_1", wrong({ recipient: 1, role: "viewer" }))],
  ["too_short", "ids", ({ rooms }) => rooms.list({ ids: [] })],
  ["too_short", "cursor", ({ rooms }) => rooms.list({ cursor: "" })],
  ["too_short", "events", ({ webhooks }) => webhooks.create({ url, events: [] })],
  ["too_long", "meeting_url", ({ meetings }) => meetings.sendBot({ meeting_url: LINK.padEnd(1025, "0") })],
  ["too_long", "title", ({ meetings }) => meetings.upload(blob, { title: "x".repeat(501) })],
  // A character outside of the first 65,536 counts once.
  ["too_long", "title", ({ meetings }) => meetings.upload(blob, { title: "😀".repeat(501) })],
  ["too_long", "ids", ({ rooms }) => rooms.list({ ids: Array(101).fill("room_1") })],
  ["too_small", "limit", ({ rooms }) => rooms.list({ limit: 0 })],
  ["too_small", "timeoutMs", ({ rooms }) => rooms.list({}, { timeoutMs: 0 })],
  ["too_large", "limit", ({ rooms }) => rooms.list({ limit: 101 })],
  ["not_one_of", "scope", ({ rooms }) => rooms.list(wrong({ scope: "mine" }))],
  ["not_one_of", "scope", ({ rooms }) => rooms.list(wrong({ scope: "x".repeat(61) }))],
  ["not_one_of", "expand[0]", ({ meetings }) => meetings.list(wrong({ expand: ["x"] }))],
  ["not_one_of", "contentType", ({ meetings }) => meetings.upload(blob, { contentType: "text/plain" })],
  ["not_one_of", "events[0]", ({ webhooks }) => webhooks.create({ url, events: wrong(["x"]) })],
  ["unknown_option", "serch", ({ rooms }) => rooms.list(wrong({ serch: "weekly" }))],
  ["unknown_option", "colour", ({ rooms }) => rooms.list(wrong({ colour: 5 }))],
  ["unknown_option", "timeoutMS", ({ rooms }) => rooms.list({}, wrong({ timeoutMS: 5 }))],
  ["unknown_option", "contenttype", ({ meetings }) => meetings.upload(blob, wrong({ contenttype: "audio/wav" }))],
  ["unknown_option", "colour", ({ meetings }) => meetings.upload(blob, wrong({ colour: 1 }))],
  ["unknown_option", "shema", (notetaker) => notetaker.request("GET", "/x", wrong({ shema: 1 }))],
  // Names that belong in another argument.
  ["unknown_option", "signal", ({ meetings }) => meetings.upload(blob, wrong({ signal }))],
  ["unknown_option", "title", ({ meetings }) => meetings.upload(blob, {}, wrong({ title: "x" }))],
  ["unknown_option", "timeoutMs", ({ meetings }) => meetings.sendBot(wrong({ meeting_url: LINK, timeoutMs: 1 }))],
  ["unknown_option", "onInvalid", ({ rooms }) => rooms.list(wrong({ onInvalid: "skip" }))],
  ["unknown_option", "limit", ({ rooms }) => rooms.list({}, wrong({ limit: 5 }))],
  ["unknown_option", "signal", ({ rooms }) => rooms.get("room_1", wrong({ signal }))],
  ["unknown_option", "signal", ({ documents }) => documents.get("doc_1", wrong({ signal }))],
  ["unknown_option", "signal", ({ documents }) => documents.find("mtg_1", "summary", wrong({ signal }))],
  ["invalid_id", "meetingId", ({ meetings }) => meetings.getTranscript("room_1")],
  ["invalid_id", "meetingId", ({ meetings }) => meetings.get("mtg_/")],
  ["invalid_id", "meetingId", ({ meetings }) => meetings.waitForTranscript("doc_1")],
  ["invalid_id", "permissionId", ({ permissions }) => permissions.revoke("mtg_1", "")],
  ["invalid_id", "ids[0]", ({ rooms }) => rooms.list({ ids: ["mtg_1"] })],
  ["not_a_link", "meeting_url", ({ meetings }) => meetings.sendBot({ meeting_url: "see you at ten" })],
  ["not_a_link", "url", ({ webhooks }) => webhooks.create({ url: "nonsense", events })],
  ["unsupported_link", "meeting_url", ({ meetings }) => meetings.sendBot({ meeting_url: "https://example.com/call" })],
  ["unsupported_link", "url", ({ webhooks }) => webhooks.update("whk_1", { url: "http://example.com/hook" })],
  ["invalid", "limit", ({ rooms }) => rooms.list({ limit: 1.5 })],
  ["invalid", "secretStore", ({ webhooks }) => webhooks.ensure(wrong({ url, events, secretStore: {} }))],
  ["invalid", "start_date", ({ meetings }) => meetings.list({ start_date: "soon" })],
  ["invalid", "role", ({ permissions }) => permissions.set("mtg_1", { recipient: anyone, role: "edit" })],
];

const refusalOf = async (call: (typeof ROWS)[number][2]) => {
  const { notetaker, seen } = clientOf(() => json({}));
  const error = await rejectionOf(InvalidArgumentError, call(notetaker));
  expect(seen).toEqual([]);
  return error;
};

it.each(ROWS)("the code is %s for this value of %s, and nothing has the wording of zod", async (code, path, call) => {
  const error = await refusalOf(call);
  expect(error.issues).toEqual([{ path, code, message: expect.stringMatching(/./) }]);
  expect(error.cause).toBeUndefined();
  expect(JSON.stringify(error)).not.toMatch(/invalid input|zod|unrecognized|invalid_(?!id)|custom/i);
});

it("the messages are those that were reviewed", async () => {
  const messages = await Promise.all(ROWS.map(async ([, , call]) => (await refusalOf(call)).message));
  await expect(`${messages.join("\n")}\n`).toMatchFileSnapshot("./messages.txt");
});

it("the table of docs/errors.md has each code once, in the order of this table", () => {
  const table = readFileSync("docs/errors.md", "utf8").split("<!-- issue codes -->")[1]?.split("<!-- end -->")[0] ?? "";
  const codes = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  expect(codes.slice(1)).toEqual([...new Set(ROWS.map(([code]) => code))]);
});

describe("the code of an issue", () => {
  it("is invalid for an issue without a code", () => {
    const shown = [{ path: "a", code: "invalid", message: "m" }];
    expect(new InvalidArgumentError({ issues: [{ path: "a", message: "m" }] }).issues).toEqual(shown);
    expect(new ResponseValidationError({ issues: [{ path: "a", message: "m" }] }).issues).toEqual(shown);
  });

  it.each<[IssueCode, unknown]>([
    ["too_short", { text: "" }],
    ["too_long", { text: "long" }],
    ["too_small", { number: 0 }],
    ["too_large", { number: 9 }],
    ["too_short", { list: [] }],
    ["not_one_of", { choice: "c" }],
    ["wrong_type", { text: 5 }],
    ["missing", {}],
    ["invalid", { text: "b" }],
  ])("is %s for a value that a schema of zod refuses with its own checks", async (code, value) => {
    const [name = "text"] = Object.keys(value as object);
    const fields = {
      text: zod.string().min(1).max(3).regex(/^a/),
      number: zod.number().min(1).max(5),
      list: zod.array(zod.string()).min(1),
      choice: zod.enum(["a", "b"]),
    };
    const schema = zod.object({ [name]: fields[name as keyof typeof fields] });
    const { notetaker } = clientOf(() => json(value));
    const failed = await rejectionOf(ResponseValidationError, notetaker.request("GET", "/x", { schema }));
    expect(failed.issues[0]).toMatchObject({ path: name, code });
  });
});
