/** The client's operations as tools for language models, against the emulator. */
import { ConfigurationError, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { tools } from "notetaker-sdk/tools";
import { describe, expect, it } from "vitest";
import { clientOf, json, TOKEN } from "../support/recorder.js";
import * as samples from "../support/samples.js";
import { toolOf } from "./tool-of.js";

const READING = [
  ...["find_meetings", "get_meeting", "list_rooms", "get_transcript", "search_transcript", "get_document"],
  ...["find_document", "list_upcoming_meetings"],
];
const WRITING = [
  ...["send_bot", "schedule_bot", "cancel_bot", "set_automation", "share_meeting", "share_meeting_with_anyone"],
  ...["list_permissions", "revoke_permission"],
];

const notetaker = new Notetaker(createEmulator().clientOptions);

describe("tools()", () => {
  it("returns reading tools by default, and with `write` those that send, share and change: none for webhooks", () => {
    expect(tools(notetaker).map(({ name }) => name)).toEqual(READING);
    expect(tools(notetaker, { write: true }).map(({ name }) => name)).toEqual([...READING, ...WRITING]);
  });

  it("returns only the tools that the option `only` names, and refuses an unknown name", () => {
    expect(tools(notetaker, { only: ["get_transcript"] }).map(({ name }) => name)).toEqual(["get_transcript"]);
    expect(() => tools(notetaker, { only: ["get_transcripts"] })).toThrow(/did you mean get_transcript\?/);
  });

  it("describes each input in JSON Schema without additional properties", () => {
    for (const { name, description, jsonSchema } of tools(notetaker, { write: true })) {
      expect(description.length, name).toBeGreaterThan(20);
      expect(jsonSchema, name).toMatchObject({ type: "object", additionalProperties: false });
    }
  });
});

describe("a reading tool", () => {
  it("lists the upcoming events although one of them is invalid", async () => {
    const event = { id: "evt_1", title: "Weekly", start_time: "2026-01-01T09:00:00Z" };
    for (const [count, answer] of [
      [2, [{ id: 5 }, event, null]],
      [1, { data: [event, { id: "x" }] }],
    ]) {
      const { notetaker } = clientOf(() => json(answer));
      const left_out = [{ reason: `${count} events have no id of the form evt_…` }];
      expect(await toolOf(notetaker, "list_upcoming_meetings").execute({})).toEqual({
        events: [event],
        left_out,
        next_cursor: null,
      });
    }
    const { notetaker } = clientOf(() => json({ events: "none" }));
    expect(await toolOf(notetaker, "list_upcoming_meetings").execute({})).toMatchObject({
      error: { name: "ResponseValidationError" },
    });
  });

  it("names the meetings and rooms that it left out, without their content", async () => {
    const { notetaker } = clientOf(() => json(samples.page([{ id: "mtg_7", title: 5, status: "boss@acme.example" }])));
    const reason = expect.stringMatching(/^the service sent it in an unexpected form \(.*\)$/);
    for (const name of ["find_meetings", "list_rooms"]) {
      const result = await toolOf(notetaker, name).execute({});
      expect(result).toMatchObject({ left_out: [{ id: "mtg_7", reason }] });
      expect(JSON.stringify(result)).not.toContain("acme");
    }
  });
});

it("a writing tool refuses to share with anyone through the tool for teammates", async () => {
  const input = { meeting_id: "mtg_1", recipient_type: "anyone", role: "read" };
  const result = await toolOf(notetaker, "share_meeting").execute(input);
  expect(result).toMatchObject({ error: { name: "InvalidArgumentError" } });
});

describe("the result of a tool that fails", () => {
  it("says what is wrong with its input: what was expected, and what was received", async () => {
    const integer = "limit: expected an integer from 1 to 20";
    const kinds = "kind: expected one of summary, action_items, received";
    const wrong: [name: string, input: unknown, message: string][] = [
      ["get_transcript", {}, "meeting_id"],
      ["get_transcript", { meeting_id: 5 }, "meeting_id"],
      ["get_transcript", { meeting_id: "room_1" }, 'meeting_id: expected an id of the form mtg_…, received "room_1"'],
      ["get_transcript", { meeting_id: "mtg_1", verbose: true }, "verbose"],
      ["get_transcript", "mtg_1", "expected an object"],
      ["find_meetings", { limit: 500 }, `${integer}, received 500`],
      ["find_meetings", { limit: 1.5 }, `${integer}, received 1.5`],
      ["send_bot", { meeting_url: "" }, 'meeting_url: expected 1 to 1024 characters, received ""'],
      ["find_meetings", { start_date: "today" }, 'start_date: expected a day, YYYY-MM-DD, received "today"'],
      ["find_document", { meeting_id: "mtg_1", kind: "notes" }, `${kinds} "notes"`],
      ["find_document", { meeting_id: "mtg_1" }, `${kinds} nothing`],
    ];
    for (const [name, input, message] of wrong) {
      const error = { name: "InvalidArgumentError", message: expect.stringContaining(message) };
      expect(await toolOf(notetaker, name).execute(input)).toMatchObject({ error });
    }
  });

  it("describes an error of the service, without a stack or a token", async () => {
    const { notetaker } = clientOf(() => json({ error: { code: "not_found", message: `nothing for ${TOKEN}` } }, 404));
    const tool = toolOf(notetaker, "get_transcript");
    const result = await tool.execute({ meeting_id: "mtg_1" }, { signal: new AbortController().signal });
    expect(result).toMatchObject({ error: { name: "NotFoundError" } });
    expect(JSON.stringify(result)).not.toContain(TOKEN);
    expect(JSON.stringify(result)).not.toContain("at ");
  });

  it.each([
    ["a TypeError", new TypeError(`cannot read ${TOKEN}`), "TypeError"],
    ["a string", "a text", "Error"],
    ["an object without a message", { name: "Odd" }, "Error"],
    ["null", null, "Error"],
  ])("shows only the name of an error that is not of this library: %s", async (_, thrown, name) => {
    const meetings = { get: () => Promise.reject(thrown) };
    const tool = toolOf({ meetings } as unknown as Notetaker, "get_meeting");
    const result = await tool.execute({ meeting_id: "mtg_1" });
    expect(result).toEqual({ error: { name, message: "the tool failed" } });
  });

  it("is an exception with the tool and the option for a mistake of the programmer", () => {
    const made = (options: unknown) => () => tools(notetaker, options as object);
    expect(made({ only: ["send_bot"] })).toThrow(ConfigurationError);
    expect(made({ only: ["send_bot"] })).toThrow(
      /^tools: only: "send_bot": unknown tool; expected one of find_meetings, /,
    );
    expect(made({ only: [5] })).toThrow(/^tools: only\[0\]: expected a string, received a number$/);
    expect(made({ write: "yes" })).toThrow(/^tools: write: expected a boolean, received a string$/);
    expect(made({ writes: true })).toThrow(/unknown option; did you mean write\?/);
    expect(made(null)).toThrow(/^tools: expected an object, received null$/);
    expect(() => tools(undefined as never)).toThrow(/^tools: expected a client, received nothing$/);
  });
});

it("returns no half of a character, which the API of a model would refuse in this and each later request", async () => {
  const half = "\ud83d";
  const { notetaker: broken } = clientOf(() =>
    json({
      ...samples.transcript,
      speakers: [{ id: "spk_1", name: half }],
      segments: [{ ...samples.transcript.segments[0], text: half }],
    }),
  );
  const input = { meeting_id: `mtg_${half}` };
  for (const [name, further] of [
    ["get_transcript", {}],
    ["search_transcript", { query: half }],
    ["find_meetings", { limit: half }],
  ] as const) {
    const result = JSON.stringify(await toolOf(broken, name).execute({ ...input, ...further }));
    expect(result, name).not.toMatch(/(?<!\\)\\ud[89a-f]|\p{Surrogate}/u);
  }
});
