/** The functions of notetaker-sdk/node accept fakes of the client, as unit tests use them. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fakePage, type Meeting, memoryStore, type NotetakerLike, syncMeetings } from "notetaker-sdk";
import { saveDocument, saveRecording, walkMeetings } from "notetaker-sdk/node";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

const meeting = {
  id: "mtg_1",
  title: "Weekly",
  status: "completed",
  source: "zoom",
  start_time: "2026-01-31T09:00:00Z",
  documents: [{ id: "doc_1", title: "Summary" }],
} satisfies Meeting;

const SEGMENT = { speaker_id: "spk_1", start_time: 0, end_time: 1, text: "Good morning." };

const notetaker = {
  meetings: {
    list: () => fakePage([meeting]),
    getTranscript: async (id: string) => ({
      meeting_id: id as "mtg_1",
      language: "en",
      speakers: [],
      segments: [SEGMENT],
    }),
    downloadRecording: async () => ({
      stream: new Response("sound").body as ReadableStream<Uint8Array>,
      size: 5,
      contentType: "audio/wav",
    }),
  },
  documents: {
    get: async (id: string) => ({
      id: id as "doc_1",
      title: "Summary",
      format: "markdown",
      content: "# Summary",
      created_at: "2026-01-31T10:00:00Z",
    }),
  },
} as unknown as Pick<NotetakerLike, "meetings" | "documents">;

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

describe("a fake of the client whose methods return plain promises", () => {
  it("works with syncMeetings, whose budget counts the calls", async () => {
    const store = memoryStore();
    expect(await syncMeetings(notetaker, { into: store, budget: { requests: 3 } })).toMatchObject({ requests: 3 });
    expect(await syncMeetings(notetaker, { into: store })).toMatchObject({ ended: "done", missing: [] });
    expect(store.meetings.get("mtg_1")).toMatchObject({ transcript: { language: "en" }, documents: [{ id: "doc_1" }] });
  });

  it("works with walkMeetings", async () => {
    const ids: string[] = [];
    for await (const item of walkMeetings(notetaker)) ids.push(item.meeting.id, ...item.documents.map(({ id }) => id));
    expect(ids).toEqual(["mtg_1", "doc_1"]);
  });

  it("works with saveDocument and saveRecording", async () => {
    await saveDocument(notetaker, "doc_1", join(folder, "summary.md"));
    expect(await readFile(join(folder, "summary.md"), "utf8")).toBe("# Summary");
    await expect(saveDocument(notetaker, "doc_1", join(folder, "summary.docx"))).rejects.toMatchObject({
      name: "ResponseValidationError",
      issues: [{ path: "format", message: 'expected "docx", received "markdown"' }],
    });
    expect(await saveRecording(notetaker, "mtg_1", join(folder, "weekly.wav"))).toMatchObject({ size: 5 });
  });
});
