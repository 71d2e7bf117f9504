/** The waits for documents: for any document of a meeting, and for a certain one with its content. */
import { InvalidArgumentError, Notetaker } from "notetaker-sdk";
import { aDocument, createEmulator } from "notetaker-sdk/testing";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { clientOf, json, refusal, rejectionOf, type Seen } from "../support/recorder.js";
import { channel, inTime, meeting, notFound, page, TRANSCRIPT, useFakeClock } from "./service.js";

useFakeClock();

const ID = "mtg_1";
const seconds = () => Date.now() / 1_000;

describe("waitForDocuments", () => {
  it.each([
    ["missing", undefined],
    ["an empty list", []],
    ["an object", {}],
    ["invalid rows", [null, 5, { title: "no id" }]],
  ])("continues while the documents of the meeting are %s", async (_, documents) => {
    const client = clientOf(() =>
      page({ ...meeting("completed", ID), documents: seconds() < 10 ? documents : [{ id: "doc_1" }] }),
    );
    const { value, at } = await inTime(client.notetaker.meetings.waitForDocuments(ID));
    expect([value, at]).toEqual([[{ id: "doc_1" }], 10_000]);
    expect(client.seen[0]?.query).toEqual([
      ["id", ID],
      ["expand", "documents"],
    ]);
  });

  it("shares a poll with a wait for a transcript, and leaves it the turn for its transcript", async () => {
    const documents = [{ id: "doc_1" }];
    const { notetaker, seen } = clientOf(({ path, query }) => {
      if (path.endsWith("/transcript")) return json(TRANSCRIPT);
      return page({ ...meeting("processing", ID), ...(query.some(([name]) => name === "expand") && { documents }) });
    });
    const { meetings } = notetaker;
    const { value, at } = await inTime(Promise.all([meetings.waitForDocuments(ID), meetings.waitForTranscript(ID)]));
    expect([value, at, seen.length]).toEqual([[documents, TRANSCRIPT], 0, 2]);
  });

  it("alone fails if the service refuses to expand documents", async () => {
    for (const status of [400, 422]) {
      const client = clientOf(({ query }) =>
        query.some(([name]) => name === "expand") ? refusal(status, "bad_request") : page(meeting("completed", ID)),
      );
      const { meetings } = client.notetaker;
      const settled = Promise.allSettled([meetings.waitForDocuments(ID), meetings.waitForCompletion(ID)]);
      await vi.runAllTimersAsync();
      expect(await settled).toMatchObject([
        { status: "rejected", reason: { name: "BadRequestError" } },
        { status: "fulfilled", value: { id: ID } },
      ]);
      const sent = client.seen.length;
      await inTime(meetings.waitForDocuments(ID).catch(() => {}));
      expect([sent, client.seen.length]).toEqual([2, 3]);
    }
  });
});

interface Listed {
  id: string;
  title?: string | null;
  created_at?: string;
}

const summary: Listed = { id: "doc_1", title: "Weekly: summary", created_at: "2025-06-02T10:00:00Z" };
const contentOf = (id: string, format = "html") => ({
  ...summary,
  id,
  title: "Weekly: summary",
  format,
  content: `content of ${id}`,
});

/** A service whose meeting has these documents, by time in seconds. */
function accountOf(
  documents: (second: number) => Listed[],
  { status = "completed", get }: { status?: string; get?: (seen: Seen) => Response | undefined } = {},
) {
  return clientOf((seen) => {
    const { format } = Object.fromEntries(seen.query);
    const refused = seen.path.startsWith("/documents/") ? get?.(seen) : undefined;
    if (refused !== undefined) return refused;
    if (seen.path.startsWith("/documents/")) return json(contentOf(seen.path.slice("/documents/".length), format));
    return page({ ...meeting(status, ID), documents: documents(seconds()) });
  });
}

describe("waitForDocument", () => {
  it("resolves to the document with its content when one with such a title arrives", async () => {
    const notes = { id: "doc_2", title: "Notes" };
    const untitled = { id: "doc_3", title: null };
    const { notetaker, seen } = accountOf((second) => (second < 10 ? [notes, untitled] : [notes, untitled, summary]));
    const document = notetaker.meetings.waitForDocument(ID, "summary", { format: "markdown" });
    const { value, at } = await inTime(document);
    expect([value, at]).toEqual([contentOf("doc_1", "markdown"), 10_000]);
    expectTypeOf(value).toMatchTypeOf<{ format: "markdown" } | undefined>();
    expect(seen.map(({ path }) => path)).toEqual(["/meetings", "/meetings", "/meetings", "/documents/doc_1"]);
    expect(seen.at(-1)?.query).toEqual([["format", "markdown"]]);
  });

  it("resolves to the summary of the emulator that arrives late, after its event", async () => {
    const service = createEmulator();
    const { meetings } = new Notetaker(service.clientOptions);
    const wake = channel();
    const summary = inTime(meetings.waitForDocument("mtg_1", /retro/i, { wake: wake.events, pollMs: 60_000 }));
    setTimeout(() => {
      service.meetings.addDocument("mtg_1", aDocument({ id: "doc_late", title: "Retro: summary" }));
      wake.send({ kind: "meeting.initial_summary_ready", meetingId: "mtg_1" });
    }, 7_000);
    expect(await summary).toMatchObject({ value: { id: "doc_late", title: "Retro: summary" }, at: 7_000 });
  });

  it("takes the newest of several, and a regular expression, as documents.find does", async () => {
    const client = accountOf(() => [
      summary,
      { ...summary, id: "doc_2", created_at: "2025-06-03T10:00:00Z" },
      { ...summary, id: "doc_4", title: "Action items", created_at: "2025-06-04T10:00:00Z" },
      { ...summary, id: "doc_3", created_at: "2025-06-01T10:00:00Z" },
    ]);
    const { meetings, documents } = client.notetaker;
    for (const [kind, id] of [
      ["summary", "doc_2"],
      ["action_items", "doc_4"],
      [/^weekly/i, "doc_2"],
    ] as const) {
      const { value } = await inTime(meetings.waitForDocument(ID, kind));
      expect(value).toEqual(contentOf(id));
      expect(await documents.find(ID, kind)).toEqual(value);
    }
  });

  it("continues if the document cannot be read yet", async () => {
    for (const [status, code] of [
      [404, "not_found"],
      [503, "unavailable"],
    ] as const) {
      vi.setSystemTime(0);
      const get = () => (seconds() < 5 ? refusal(status, code) : undefined);
      const { notetaker } = accountOf(() => [summary], { get });
      const { value, at } = await inTime(notetaker.meetings.waitForDocument(ID, "summary"));
      expect([value?.id, at]).toEqual(["doc_1", 5_000]);
    }
  });

  it("ends with a WaitTimeoutError, a MeetingFailedError, or an error that is not temporary", async () => {
    const never = accountOf(() => [{ id: "doc_2", title: "Notes" }]).notetaker.meetings;
    const { error, at } = await inTime(never.waitForDocument(ID, "summary", { timeoutMs: 12_000 }));
    expect(error).toMatchObject({ name: "WaitTimeoutError", meetingId: ID, waitedMs: 12_000 });
    expect(at).toBe(12_000);
    const failed = accountOf(() => [], { status: "failed" }).notetaker.meetings;
    expect((await inTime(failed.waitForDocument(ID, "summary"))).error).toMatchObject({ name: "MeetingFailedError" });
    const refused = accountOf(() => [summary], { get: () => refusal(403, "forbidden") }).notetaker.meetings;
    expect((await inTime(refused.waitForDocument(ID, "summary"))).error).toMatchObject({ name: "ForbiddenError" });
  });

  it.each<[path: string, args: readonly unknown[]]>([
    ["kind", [ID, "notes"]],
    ["meetingId", ["room_1", "summary"]],
    ["format", [ID, "summary", { format: "md" }]],
    ["maxRetries", [ID, "summary", { maxRetries: 1 }]],
  ])("refuses an invalid %s before it sends a request", async (path, args) => {
    const { notetaker, seen } = clientOf(notFound);
    const wait = notetaker.meetings.waitForDocument as (...values: readonly unknown[]) => Promise<unknown>;
    const error = await rejectionOf(InvalidArgumentError, wait.apply(notetaker.meetings, [...args]));
    expect(error.issues.map((issue) => issue.path)).toEqual([path]);
    expect(seen).toEqual([]);
  });
});
