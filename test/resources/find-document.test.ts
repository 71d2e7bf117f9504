/** Finds the summary and the action items of a meeting. */
import { InvalidArgumentError, NotFoundError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { BASE_URL, clientOf, type Handler, json, rejectionOf } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const reference = (id: string, title: unknown, created_at: unknown = "2026-03-01T10:00:00Z") => ({
  id,
  title,
  created_at,
});

const withDocuments =
  (documents: unknown): Handler =>
  ({ path, query }) =>
    path === "/meetings"
      ? json(samples.page([{ ...samples.meeting, documents }]))
      : json({ ...samples.document, id: path.slice("/documents/".length), format: query[0]?.[1] ?? "html" });

const DOCUMENTS = [
  reference("doc_1", "Weekly: summary"),
  reference("doc_2", "Weekly: Action Items"),
  reference("doc_3", "Weekly: Summary", "2026-03-02T10:00:00Z"),
  reference("doc_4", "Notes", "2026-03-03T10:00:00Z"),
];

describe("documents.find", () => {
  it.each<["summary" | "action_items" | RegExp, string]>([
    ["summary", "doc_3"],
    ["action_items", "doc_2"],
    [/^notes$/i, "doc_4"],
    [/weekly/gi, "doc_3"],
  ])("returns the newest document of the kind %s", async (kind, id) => {
    const { notetaker, seen } = clientOf(withDocuments(DOCUMENTS));
    for (let turn = 0; turn < 2; turn += 1) {
      const found = await notetaker.documents.find("mtg_1", kind, { format: "markdown" });
      expect(found).toMatchObject({ id, format: "markdown" });
    }
    expect(seen.slice(0, 2).map(({ request }) => request.url.slice(BASE_URL.length))).toEqual([
      "/meetings?expand=documents&id=mtg_1",
      `/documents/${id}?format=markdown`,
    ]);
  });

  it("resolves to undefined if the meeting has no such document", async () => {
    for (const documents of [[], undefined, null, {}, [null, 5, reference("mtg_1", "summary")]]) {
      const { notetaker, seen } = clientOf(withDocuments(documents));
      expect(await notetaker.documents.find("mtg_1", "summary")).toBeUndefined();
      expect(seen).toHaveLength(1);
    }
  });

  it("ignores invalid documents, and treats documents without a time as the oldest", async () => {
    const odd = [
      reference("doc_1", "summary", null),
      reference("doc_2", "summary", "2026-03-02T10:00:00Z"),
      reference("doc_3", 5),
      { id: "doc_4" },
      null,
      reference("doc_5", "summary", "yesterday"),
    ];
    const { notetaker } = clientOf(withDocuments(odd));
    expect((await notetaker.documents.find("mtg_1", "summary"))!.id).toBe("doc_2");
  });

  it("requests no list if it gets a meeting with documents", async () => {
    const { notetaker, seen } = clientOf(withDocuments(DOCUMENTS));
    const [meeting] = (await notetaker.meetings.list({ expand: ["documents"] })).data;
    expect((await notetaker.documents.find(meeting!, "summary"))!.id).toBe("doc_3");
    expect(seen.map(({ path }) => path)).toEqual(["/meetings", "/documents/doc_3"]);
    expect((await notetaker.documents.find({ id: "mtg_1" }, "summary"))!.id).toBe("doc_3");
  });

  it("matches the titles of assumptions.documents.titles", async () => {
    const { notetaker } = clientOf(
      withDocuments([reference("doc_1", "Zusammenfassung"), reference("doc_2", "summary")]),
      { assumptions: { documents: { titles: { summary: "zusammenfassung" } } } },
    );
    expect((await notetaker.documents.find("mtg_1", "summary"))!.id).toBe("doc_1");
  });

  it("rejects with a NotFoundError if the meeting does not exist", async () => {
    const { notetaker } = clientOf(() => json(samples.page([])));
    await rejectionOf(NotFoundError, notetaker.documents.find("mtg_1", "summary"));
  });

  it.each<[string, unknown, unknown, object, string]>([
    ["an unknown kind", "mtg_1", "notes", {}, "kind"],
    ["no kind", "mtg_1", undefined, {}, "kind"],
    ["a kind that is a name of Object.prototype", "mtg_1", "toString", {}, "kind"],
    ["an unknown format", "mtg_1", "summary", { format: "pdf" }, "format"],
    ["an id of another kind", "doc_1", "summary", {}, "meetingId"],
    ["no meeting", undefined, "summary", {}, "meetingId"],
  ])("rejects %s before it sends a request", async (_, meeting, kind, params, path) => {
    const { notetaker, seen } = clientOf(withDocuments([]));
    const found = notetaker.documents.find(meeting as string, kind as "summary", params);
    const { issues, message } = await rejectionOf(InvalidArgumentError, found);
    expect([issues.map((issue) => issue.path), message]).toEqual([[path], expect.stringMatching(/^documents\.find: /)]);
    expect(seen).toEqual([]);
  });

  it("rejects an unknown option, also if there is nothing to request", async () => {
    const { notetaker } = clientOf(withDocuments([]));
    const found = notetaker.documents.find({ id: "mtg_1", documents: [] }, "summary", {}, { retries: 1 } as object);
    const { issues } = await rejectionOf(InvalidArgumentError, found);
    expect(issues).toMatchObject([{ path: "retries", code: "unknown_option" }]);
  });
});
