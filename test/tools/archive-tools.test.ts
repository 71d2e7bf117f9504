/** The tools over an archive, and `search_meetings` beside those of a client. */
import { ConfigurationError, Notetaker } from "notetaker-sdk";
import { openArchive, sqliteStore } from "notetaker-sdk/sql";
import { createEmulator } from "notetaker-sdk/testing";
import { type Tool, tools } from "notetaker-sdk/tools";
import { afterAll, beforeAll, expect, it } from "vitest";
import { talk } from "../sql/search/search-contract.js";
import { wasmDatabase } from "../sql/wasm-sqlite.js";
import { documentOf, itemOf, write } from "../sync/store/store-items.js";

const db = wasmDatabase();
const archive = openArchive(db);
const long = "The renewal costs a lot. ".repeat(30);
const NAMES = [
  ...["find_meetings", "get_meeting", "get_transcript", "search_transcript", "get_document", "find_document"],
  "search_meetings",
];

beforeAll(() =>
  write(sqliteStore(db), [
    itemOf("mtg_1", {
      transcript: talk("mtg_1", "Hi.", "The renewal price is high."),
      documents: [documentOf("doc_1")],
    }),
    ...Array.from({ length: 20 }, (_, index) => itemOf(`mtg_x${index}`, { transcript: talk(`mtg_x${index}`, long) })),
  ]),
);
afterAll(() => db.close());

const call = async (name: string, input: object) => {
  const tool = tools(archive).find((one) => one.name === name);
  const result = await tool?.execute(input);
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(20_000);
  return result;
};

it("offers what an archive holds", () => {
  expect(tools(archive).map(({ name }) => name)).toEqual(NAMES);
  expect(tools(archive, { only: ["search_meetings"] })).toHaveLength(1);
  expect(() => tools(archive, { write: true })).toThrow(ConfigurationError);
  expect(() => tools(archive, { only: ["list_rooms"] })).toThrow(ConfigurationError);
});

it("find_meetings offers no filter that an archive cannot answer", async () => {
  const { jsonSchema, execute } = tools(archive, { only: ["find_meetings"] })[0] as Tool;
  const { properties } = jsonSchema as { properties: Record<string, { description: string }> };
  const [ofClient] = tools(new Notetaker(createEmulator().clientOptions), { only: ["find_meetings"] });
  const offered = Object.keys(ofClient?.jsonSchema.properties as object);
  expect(Object.keys(properties).sort()).toEqual(offered.filter((name) => name !== "room_id").sort());
  expect(properties.q?.description).not.toMatch(/meaning/);
  expect(await execute({ room_id: "room_1" })).toMatchObject({ error: { name: "InvalidArgumentError" } });
});

it("gives a client search_meetings as well, if it has an archive", () => {
  const notetaker = new Notetaker(createEmulator().clientOptions);
  const names = (options: object) => tools(notetaker, options).map(({ name }) => name);
  expect(names({})).not.toContain("search_meetings");
  expect(names({ archive })).toEqual([...names({}), "search_meetings"]);
  expect(names({ archive, write: true })).toContain("send_bot");
  // What reads a database reaches nobody.
  const open = [...tools(notetaker, { archive }), ...tools(archive)].filter(({ annotations: a }) => a.openWorldHint);
  expect(open.map(({ name }) => name)).toEqual(names({}));
  expect(() => tools(notetaker, { archive: {} as never })).toThrow(ConfigurationError);
});

it("search_meetings finds who said it, in which meeting and when, in at most 20,000 characters", async () => {
  expect(await call("search_meetings", { query: "renewal price", limit: "1", speaker: null })).toEqual({
    passages: [
      {
        ...{ meeting_id: "mtg_1", title: "Title of mtg_1", start_time: "2026-01-05T09:00:00+01:00" },
        ...{ time: "00:00:10", speaker: "Ben", text: "The renewal price is high.", exact: true },
      },
    ],
  });
  expect(await call("search_meetings", { query: "doc_1" })).toHaveProperty("passages.0.document_id", "doc_1");
  const { passages } = (await call("search_meetings", { query: "renewal", limit: 20 })) as { passages: object[] };
  expect(passages.length).toBeGreaterThan(15);
  expect(await call("search_meetings", { query: "horse" })).toEqual({ passages: [] });
  const of = async (meeting_ids: unknown) =>
    (await call("search_meetings", { query: "renewal", meeting_ids })) as object;
  expect(await of(["mtg_1"])).toMatchObject({ passages: [{ meeting_id: "mtg_1" }] });
  expect(await of([])).toEqual(await of(null));
  expect(await of(["mtg_1", 5])).toHaveProperty("error");
  expect(await call("search_meetings", { query: "x", since: "soon" })).toHaveProperty("error");
});

it("reads the archive with the tools of a client", async () => {
  expect(await call("find_meetings", { limit: 2 })).toMatchObject({
    meetings: [{}, {}],
    next_cursor: expect.any(String),
  });
  expect(await call("get_meeting", { meeting_id: "mtg_1" })).toMatchObject({
    meeting: { documents: [{ id: "doc_1" }] },
  });
  expect(await call("get_transcript", { meeting_id: "mtg_1" })).toMatchObject({
    text: expect.stringContaining("Ben: The"),
  });
  expect(await call("search_transcript", { meeting_id: "mtg_1", query: "price" })).toMatchObject({ matches: [{}] });
  expect(await call("get_document", { document_id: "doc_1" })).toMatchObject({ text: "Content of doc_1 in markdown" });
  expect(await call("get_meeting", { meeting_id: "mtg_9" })).toMatchObject({ error: { name: "NotFoundError" } });
});
