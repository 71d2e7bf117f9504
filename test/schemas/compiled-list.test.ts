/** The lists that the build for Node compiles: values and issues are those of a list that is not compiled. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { compiledList } from "../../src/schemas/compiled-list.node.js";
import { documentReferenceSchema, documentSchema } from "../../src/schemas/document.js";
import { expandedSchemas } from "../../src/schemas/expansion.js";
import { meetingExpansions, meetingFields, meetingSchema, meetingSummarySchema } from "../../src/schemas/meeting.js";
import { upcomingMeetingSchema } from "../../src/schemas/meeting-list.js";
import { plainPage } from "../../src/schemas/page.js";
import { permissionPageSchema, permissionSchema } from "../../src/schemas/permission.js";
import { checkItems, responseArray } from "../../src/schemas/response-array.js";
import { roomSchema } from "../../src/schemas/room.js";
import { segmentSchema, speakerSchema, transcriptSchema } from "../../src/schemas/transcript.js";
import { createdWebhookSchema, webhookSchema } from "../../src/schemas/webhook.js";
import { runs } from "../support/property-seed.js";

const AT = "2026-01-02T10:00:00+01:00";
const speaker = { id: "spk_1", name: "Ada" };
const segment = { speaker_id: "spk_1", start_time: 0, end_time: 1.5, text: "Hello" };
const document = { id: "doc_1", title: null, created_at: AT };
const summary = { id: "mtg_1", title: "Weekly", status: "completed", source: "zoom", start_time: AT, duration: 60 };
const meeting = { ...summary, host: { id: "usr_1" }, participants: [{ name: "Ada" }], documents: [document] };
const room = { id: "room_1", title: "Team", created_at: AT, updated_at: AT, meeting_count: 1, meetings: [summary] };
const permission = { id: "p", recipient: { type: "anyone", more: 1 }, role: "read" };
const webhook = { id: "whk_1", url: "u", events: ["e"], enabled: true, created_at: AT, updated_at: AT };
const page = { next_cursor: null, has_more: false };

const CASES: readonly (readonly [name: string, schema: z.core.$ZodType, valid: object])[] = [
  ["speaker", speakerSchema, speaker],
  ["segment", segmentSchema, segment],
  ["transcript", transcriptSchema, { meeting_id: "mtg_1", language: "en", speakers: [speaker], segments: [segment] }],
  ["document", documentSchema, { ...document, title: "Summary", format: "html", content: "" }],
  ["document reference", documentReferenceSchema, document],
  ["meeting of a room", meetingSummarySchema, summary],
  ["meeting", meetingSchema, meeting],
  ["meeting with documents", expandedSchemas(meetingFields, meetingExpansions)({ expand: ["documents"] }), meeting],
  ["upcoming meeting", upcomingMeetingSchema, { id: "evt_1", more: 1 }],
  ["room", roomSchema, room],
  ["page of rooms", plainPage(roomSchema), { ...page, data: [room] }],
  ["page of permissions", permissionPageSchema(permissionSchema), { ...page, data: [permission], share_url: "u" }],
  ["webhook", webhookSchema, webhook],
  ["webhook with its secret", createdWebhookSchema, { ...webhook, secret: "s" }],
];

/** Every field and item of a value. */
function placesOf(value: unknown): { owner: Record<string, unknown>; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const owner = value as Record<string, unknown>;
  return Object.keys(owner).flatMap((key) => [{ owner, key }, ...placesOf(owner[key])]);
}

/** `valid`, with some of its parts replaced, removed or added. */
const changed = (valid: object) =>
  fc
    .array(fc.record({ place: fc.nat(), key: fc.constantFrom("", "", "more", "__proto__"), part: anyPart }), {
      maxLength: 3,
    })
    .map((changes) => {
      const value = structuredClone(valid);
      for (const { place, key, part } of changes) {
        const places = placesOf(value);
        const { owner, key: old } = places[place % places.length] ?? { owner: {}, key: "" };
        if (part === "removed" && !Array.isArray(owner)) delete owner[old];
        else
          Object.defineProperty(owner, key || old, {
            value: structuredClone(part),
            enumerable: true,
            configurable: true,
          });
      }
      return value;
    });

const anyPart = fc.oneof(
  fc.constantFrom<unknown>("removed", null, "mtg_2", AT, "2026-02-30T10:00:00Z", "", 5, 1.5, -1, true, [], {}, [null]),
  fc.jsonValue({ maxDepth: 2 }),
);

const resultOf = (schema: z.core.$ZodType, value: unknown) => {
  const { success, data, error } = z.safeParse(schema, value);
  return success ? { json: JSON.stringify(data) } : { issues: JSON.stringify(error.issues) };
};

/** A list as the build for Node makes it, and how often its items were checked one by one. */
function compilable(item: z.core.$ZodType) {
  const counts = { slow: 0 };
  const check = compiledList(item, (payload) => {
    counts.slow += 1;
    checkItems(payload, item);
  });
  return { list: z.unknown().check((payload) => check(payload)), counts };
}

it.each(CASES)("a compiled list returns what the list returns: %s", (_name, schema, valid) => {
  const { list, counts } = compilable(schema);
  const plain = responseArray(schema);
  expect(z.safeParse(list, Array(100).fill(valid)).success).toBe(true);
  expect(counts.slow).toBe(0);
  fc.assert(
    fc.property(fc.array(changed(valid), { maxLength: 2 }), (values) => {
      for (const value of [values, values[0]]) expect(resultOf(list, value)).toEqual(resultOf(plain, value));
    }),
    { numRuns: runs(200) },
  );
});

describe("a list", () => {
  const item = z.looseObject({ a: z.string() });
  const items = (count: number) => Array(count).fill({ a: "x" });

  it("is compiled only when it has checked a hundred items", () => {
    const { list, counts } = compilable(item);
    for (const count of [0, 50, 49]) z.parse(list, items(count));
    expect(counts.slow).toBe(3);
    z.parse(list, items(1));
    expect(counts.slow).toBe(3);
  });

  it("is checked item by item where code generation is forbidden", () => {
    const usual = globalThis.Function;
    globalThis.Function = function forbidden() {
      throw new EvalError("Code generation from strings disallowed");
    } as never;
    try {
      const { list, counts } = compilable(item);
      expect(z.parse(list, items(100))).toEqual(items(100));
      expect(counts.slow).toBe(1);
      expect(z.safeParse(list, [5]).error?.issues).toMatchObject([{ path: [0] }]);
    } finally {
      globalThis.Function = usual;
    }
  });

  it("that is compiled keeps 20 issues, and counts the others", () => {
    const { list } = compilable(item);
    expect(z.safeParse(list, [...items(100), ...Array(1_000).fill(5)]).error?.issues).toHaveLength(21);
  });
});

it("a list of 300,000 items, with a value of any depth beside them, is checked without overflowing the stack", () => {
  let deep: unknown = [];
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
  const list = responseArray(segmentSchema);
  const items = Array.from({ length: 300_000 }, () => ({ ...segment, deep }));
  expect(z.safeParse(list, items).success).toBe(true);
  expect(z.safeParse(list, [...items, { ...segment, text: deep }]).error?.issues).toHaveLength(1);
});
