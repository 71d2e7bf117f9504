/** Where responses break the API specification, and which fields they have: paths and types, never content. */
import { diagnose } from "notetaker-sdk/doctor";
import { expect, it } from "vitest";
import { clientOf, json, refusal } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const { page } = samples;
const ROOMS = page([{ ...samples.room, meetings: [samples.meetingSummary], documents: [samples.documentReference] }]);
const ANSWERS: Readonly<Record<string, unknown>> = {
  "/rooms": ROOMS,
  "/meetings": page([{ ...samples.meeting, documents: [samples.documentReference] }]),
  "/meetings/mtg_1/permissions": samples.permissionPage,
  "/documents/doc_1": samples.document,
};

/** Diagnoses a service that matches the API specification, except for `answers`. */
async function diagnosed(answers: Readonly<Record<string, unknown>>) {
  const service = { ...ANSWERS, ...answers };
  const { notetaker } = clientOf(({ path }) => (path in service ? json(service[path]) : refusal(404, "not_found")));
  const { drift, fields } = await diagnose(notetaker);
  return {
    /** Each place that breaks the API specification: `operation path: expected, received`. */
    drift: drift.map(({ operation, path, expected, received }) => `${operation} ${path}: ${expected}, ${received}`),
    unknown: fields.filter(({ known }) => !known).map(({ path }) => path),
    fields,
  };
}

it("responses that match the API specification cause no drift, and have no unknown field", async () => {
  expect(await diagnosed({})).toMatchObject({ drift: [], unknown: [] });
  expect(await diagnosed({ "/rooms": { data: [], has_more: false } })).toMatchObject({ drift: [], unknown: [] });
});

it("each place that breaks the API specification is listed with the expected and the received type", async () => {
  const room = (fields: object) => page([{ ...samples.room, ...fields }]);
  const meeting = (fields: object) => page([{ ...samples.meeting, ...fields }]);
  const cases: [path: string, body: unknown, ...drift: string[]][] = [
    ["/meetings", "text", "meetings.list : object, string"],
    ["/meetings", {}, "meetings.list data: array, missing", "meetings.list has_more: boolean, missing"],
    ["/rooms", page([5]), "rooms.list data[]: object, number"],
    ["/meetings/mtg_1/permissions", page([]), "permissions.list share_url: string, missing"],
    ["/documents/doc_1", { ...samples.document, content: null }, "documents.get content: string, null"],
    ["/meetings", meeting({ start_time: "soon" }), "meetings.list data[].start_time: an ISO 8601 timestamp, string"],
    [
      "/meetings",
      meeting({ participants: [{ name: 5 }, null], documents: [{ id: "x" }] }),
      "meetings.list data[].participants[].name: string, number",
      "meetings.list data[].participants[]: object, null",
      "meetings.list data[].documents[].id: an id of the form doc_…, string",
    ],
    [
      "/rooms",
      room({ meetings: "none", documents: [null] }),
      "rooms.list data[].meetings: array, string",
      "rooms.list data[].documents[]: object, null",
    ],
    ["/meetings", meeting({ host: { name: 5 } }), "meetings.list data[].host.name: string, number"],
    ["/rooms", room({ meeting_count: 1.5 }), "rooms.list data[].meeting_count: an integer, number"],
    ...([null, [], {}, true, 5] as const).map((title): (typeof cases)[number] => {
      const kind = title === null ? "null" : Array.isArray(title) ? "array" : typeof title;
      return ["/rooms", room({ title }), `rooms.list data[].title: string, ${kind}`];
    }),
  ];
  for (const [path, body, ...drift] of cases) expect((await diagnosed({ [path]: body })).drift).toEqual(drift);
});

it("each field is listed with its types and a count, known or not, and without the fields inside an unknown one", async () => {
  const rows = ["a", null, "b"].map((owner) => ({ ...samples.room, owner, other: { inner: 1 } }));
  const { fields, unknown } = await diagnosed({ "/rooms": page(rows) });
  const field = (path: string) => fields.find((one) => one.operation === "rooms.list" && one.path === path);
  const times = field("data")?.count ?? 0;
  expect(times).toBeGreaterThan(0);
  expect(field("data")).toMatchObject({ known: true, kinds: ["array"] });
  expect(field("data[].title")).toMatchObject({ known: true, kinds: ["string"], count: 3 * times });
  expect(field("data[].owner")).toMatchObject({ known: false, kinds: ["string", "null"], count: 3 * times });
  expect(unknown).toEqual(["data[].owner", "data[].other"]);
});

it("the name of an unknown field is shown only if it looks like an identifier", async () => {
  const shown = ["a", "Ab_9", "x".repeat(50)];
  const hidden = ["", "9a", "_a", "a-b", "a b", "a@b.example", "é", "x".repeat(51)];
  const body = Object.fromEntries([...shown, ...hidden].map((name) => [name, 1]));
  expect((await diagnosed({ "/rooms": { ...ROOMS, ...body } })).unknown).toEqual([...shown, "(another name)"]);
});
