import { getEventListeners } from "node:events";
import { BadRequestError, PaginationError, UnauthorizedError } from "notetaker-sdk";
import { type ExportOptions, type ExportProgress, exportMeetings } from "notetaker-sdk/node";
import { aTranscript, type Emulator, type MeetingSeed } from "notetaker-sdk/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rejection } from "../../support/recorder.js";
import {
  account,
  clientOf,
  clientOfEdited,
  contents,
  filesOf,
  meetings,
  pathWith,
  run,
  runAndKill,
  type Store,
  storeSink,
  text,
  UNLIMITED,
} from "../support/account.js";

// Without it, the pauses before retries are random and long.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

describe("exportMeetings", () => {
  it("saves every meeting, transcript and document under its title and id", async () => {
    const { service } = account(meetings(3));
    const store: Store = new Map();
    const summary = await run(service, store);
    expect(summary).toEqual({
      meetings: 3,
      saved: 9,
      missing: [],
      written: 15,
      unchanged: 0,
      requests: 10,
      resumed: false,
    });
    expect([...store.keys()].filter((path) => !path.startsWith(".")).sort()).toEqual([
      "2024-12-31-etc-passwd-mtg_00002/documents/Action-items-doc_2_1.md",
      "2024-12-31-etc-passwd-mtg_00002/documents/Summary-doc_2_0.md",
      "2024-12-31-etc-passwd-mtg_00002/meeting.json",
      "2024-12-31-etc-passwd-mtg_00002/transcript.json",
      "2024-12-31-etc-passwd-mtg_00002/transcript.md",
      "2024-12-31-mtg_00001/documents/Action-items-doc_1_1.md",
      "2024-12-31-mtg_00001/documents/Summary-doc_1_0.md",
      "2024-12-31-mtg_00001/meeting.json",
      "2024-12-31-mtg_00001/transcript.json",
      "2024-12-31-mtg_00001/transcript.md",
      "2025-01-01-Weekly-sync-mtg_00000/documents/Action-items-doc_0_1.md",
      "2025-01-01-Weekly-sync-mtg_00000/documents/Summary-doc_0_0.md",
      "2025-01-01-Weekly-sync-mtg_00000/meeting.json",
      "2025-01-01-Weekly-sync-mtg_00000/transcript.json",
      "2025-01-01-Weekly-sync-mtg_00000/transcript.md",
      "index.json",
    ]);
    expect(text(store, "2025-01-01-Weekly-sync-mtg_00000/transcript.md")).toContain(
      '---\nid: "mtg_00000"\ntitle: "Weekly sync"\ndate: "2025-01-01T00:00:00.000Z"\n',
    );
    const { data } = await clientOf(service).meetings.list({ ids: ["mtg_00000"], expand: ["documents"] });
    expect(JSON.parse(text(store, "2025-01-01-Weekly-sync-mtg_00000/meeting.json"))).toEqual(data[0]);
  });

  it("writes the requested formats", async () => {
    const { service, fetched } = account(meetings(1));
    const page = { extension: "html", render: () => "<p>Mine</p>" };
    const store = await filesOf(service, {
      formats: {
        transcript: ["json", "markdown", "text", "srt", "vtt", page],
        documents: ["html", "markdown", "raw", "docx", "json"],
        recording: true,
      },
    });
    const names = [...store.keys()]
      .filter((path) => !path.startsWith(".") && path !== "index.json")
      .map((path) => path.split("/").slice(1).join("/"));
    expect(names.sort()).toEqual(
      [
        ...["docx", "html", "json", "md", "txt"].flatMap((extension) => [
          `documents/Action-items-doc_0_1.${extension}`,
          `documents/Summary-doc_0_0.${extension}`,
        ]),
        "meeting.json",
        "recording.json",
        "recording.wav",
        ...["html", "json", "md", "srt", "txt", "vtt"].map((extension) => `transcript.${extension}`),
      ].sort(),
    );
    expect(text(store, pathWith(store, "transcript.html"))).toBe("<p>Mine</p>");
    expect(text(store, pathWith(store, "transcript.vtt"))).toMatch(/^WEBVTT\n/);
    expect(text(store, pathWith(store, "transcript.txt"))).toMatch(/^\[00:00:00\] Ada: This is meeting 0\.\n/);
    expect(text(store, pathWith(store, "Summary", "docx")).slice(0, 2)).toBe("PK");
    const wav = store.get(pathWith(store, "recording.wav"))!;
    expect(JSON.parse(text(store, pathWith(store, "recording.json")))).toEqual({
      file: "recording.wav",
      size: wav.byteLength,
      contentType: "audio/wav",
    });
    expect(fetched.get("/meetings/mtg_00000/transcript ")).toBe(1);
  });

  it("leaves files with the same bytes untouched, and fetches no recording twice unless its note is damaged", async () => {
    const { service, fetched } = account(meetings(2));
    const formats = { recording: true };
    const store = await filesOf(service, { formats });
    const before = contents(store);
    const second = await run(service, store, { formats });
    expect(second).toMatchObject({ meetings: 2, saved: 8, missing: [], written: 0, resumed: false });
    expect(contents(store)).toEqual(before);
    expect(fetched.get("/meetings/mtg_00000/recording ")).toBe(1);
    expect(fetched.get("/meetings/mtg_00000/transcript ")).toBe(2);
    // A damaged note does not show that the recording is complete.
    store.set(pathWith(store, "mtg_00000", "recording.json"), Buffer.from("{"));
    await run(service, store, { formats });
    expect(contents(store)).toEqual(before);
    expect(fetched.get("/meetings/mtg_00000/recording ")).toBe(2);
  });

  it("keeps the paths of a meeting whose title has changed, and of its documents", async () => {
    const seeds = meetings(1);
    const store = await filesOf(account(seeds).service);
    const paths = [...store.keys()].sort();
    const renamed = [{ ...seeds[0]!, title: "Another title" }];
    await run(account(renamed).service, store);
    expect([...store.keys()].sort()).toEqual(paths);
    expect(JSON.parse(text(store, pathWith(store, "meeting.json"))).title).toBe("Another title");
  });

  it("reports its progress", async () => {
    const { service } = account(meetings(60));
    const told: ExportProgress[] = [];
    await run(service, new Map(), { onProgress: (progress) => told.push(progress) });
    expect(told[0]).toEqual({
      phase: "listing",
      meetings: 0,
      meetingsDone: 0,
      allListed: false,
      saved: 0,
      missing: 0,
      current: undefined,
      waitMs: undefined,
    });
    expect(told.at(-1)).toMatchObject({ phase: "done", meetings: 60, meetingsDone: 60, allListed: true, saved: 180 });
    expect(told.filter(({ phase }) => phase === "exporting")).toHaveLength(180);
    for (const [index, { meetingsDone, saved }] of told.entries()) {
      expect(meetingsDone).toBeGreaterThanOrEqual(0);
      expect(saved).toBeGreaterThanOrEqual(told[index - 1]?.saved ?? 0);
    }
  });
});

describe("the list `missing`", () => {
  it("contains a failed piece, and the export continues", async () => {
    const seeds = meetings(5);
    const { service } = account([
      seeds[0]!,
      { ...seeds[1]!, transcript: null },
      { ...seeds[2]!, status: "processing" },
      { ...seeds[3]!, status: "scheduled", transcript: null, documents: [] },
      seeds[4]!,
    ]);
    service.faults.next("GET /documents/:id", { status: 403 });
    const store: Store = new Map();
    const { missing, meetings: count } = await run(service, store, { concurrency: 1, formats: { recording: true } });
    expect(count).toBe(5);
    expect(missing.map(({ meeting_id, what, reason }) => `${meeting_id} ${what}: ${reason}`)).toEqual([
      "mtg_00000 document doc_0_0 (markdown): forbidden",
      "mtg_00001 recording: not_found",
      "mtg_00001 transcript: not_found",
      "mtg_00002 recording: not_ready",
      "mtg_00002 transcript: not_ready",
      "mtg_00003 recording: not_ready",
      "mtg_00003 transcript: not_ready",
    ]);
    expect(missing[0]).toMatchObject({ title: "Weekly sync", message: expect.stringContaining("403") });
    expect(pathWith(store, "mtg_00004", "transcript.md")).toBeDefined();
  });

  it("does not contain a piece whose failure is temporary: it is requested up to five times, and once more at the end", async () => {
    const { service } = account(meetings(2));
    service.faults.next("GET /documents/:id", "truncate");
    service.faults.next("GET /meetings", "drop");
    service.faults.next("GET /meetings/:id/transcript", { status: 503, times: 9 });
    expect(await run(service, new Map(), { concurrency: 1 })).toMatchObject({ saved: 6, missing: [] });
    service.faults.next("GET /meetings/:id/transcript", { status: 503, times: 10 });
    const { missing, saved } = await run(service, new Map(), { concurrency: 1 });
    expect(missing.map(({ meeting_id, what, reason }) => [meeting_id, what, reason])).toEqual([]);
    expect(saved).toBe(6);
    service.faults.next("GET /meetings/:id/transcript", { status: 503, times: Number.POSITIVE_INFINITY });
    const failed = await run(service, new Map(), { concurrency: 1 });
    expect(failed.missing.map(({ what, reason }) => [what, reason])).toEqual([
      ["transcript", "failed"],
      ["transcript", "failed"],
    ]);
    expect(failed.saved).toBe(4);
  });

  it("contains a document that came in another format, and the document is not written", async () => {
    const { service } = account(meetings(1));
    const html = {
      id: "doc_0_0",
      title: "Summary",
      format: "html",
      content: "<p>",
      created_at: "2025-01-02T00:00:00Z",
    };
    service.faults.next("GET /documents/:id", { status: 200, body: html });
    const store: Store = new Map();
    const { missing } = await run(service, store, { concurrency: 1 });
    expect(missing).toMatchObject([
      { what: "document doc_0_0 (markdown)", message: expect.stringContaining('expected "markdown"') },
    ]);
    expect([...store.keys()].filter((path) => path.includes("doc_0_0"))).toEqual([]);
  });

  it("contains a transcript whose renderer throws", async () => {
    const { service } = account(meetings(2));
    const render = (_: unknown, { id }: { id: string }) => {
      if (id === "mtg_00000") throw new Error("no such template");
      return "fine";
    };
    const { missing, saved } = await run(service, new Map(), {
      formats: { transcript: [{ extension: "txt", render }] },
    });
    expect(missing).toMatchObject([{ meeting_id: "mtg_00000", what: "transcript", message: "no such template" }]);
    expect(saved).toBe(5);
  });
});

describe("a run of an export", () => {
  it("ends if the token is refused", async () => {
    const { service } = account(meetings(1));
    service.faults.next("GET /meetings", { status: 401 });
    await expect(run(service, new Map())).rejects.toBeInstanceOf(UnauthorizedError);
  });

  it("ends if the service cannot be reached, and the next run resumes it", async () => {
    const { service } = account(meetings(3));
    const store: Store = new Map();
    service.faults.next("GET /documents/:id", { kind: "drop", times: Number.POSITIVE_INFINITY });
    await expect(run(service, store)).rejects.toThrow("/documents/");
    service.faults.clear();
    expect(await run(service, store)).toMatchObject({ resumed: true, saved: 9, missing: [] });
  });

  it("ends with the error of the sink, and writes nothing more", async () => {
    const { service } = account(meetings(5));
    const store: Store = new Map();
    const full = new Error("disk full");
    let writes = 0;
    const sink = storeSink(store);
    const failing = {
      ...sink,
      write(path: string, bytes: Uint8Array) {
        writes += 1;
        if (writes > 20) throw full;
        return sink.write(path, bytes);
      },
    };
    await expect(run(service, store, { into: failing })).rejects.toBe(full);
    const atEnd = writes;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(writes).toBe(atEnd);
    expect(await run(service, store)).toMatchObject({ resumed: true, saved: 15, missing: [] });
  });

  it("ends with the signal's reason, even while it waits for the rate limit", async () => {
    const { service } = account(meetings(40));
    const store: Store = new Map();
    const abort = new AbortController();
    const reason = new Error("enough");
    const promise = exportMeetings(clientOf(service), {
      into: storeSink(store),
      signal: abort.signal,
      requestsPerMinute: 20,
      onProgress: ({ phase }) => {
        if (phase === "waiting") setTimeout(() => abort.abort(reason), 1);
      },
    });
    await expect(promise).rejects.toBe(reason);
    expect(await run(service, store)).toMatchObject({ resumed: true, saved: 120 });
  });

  it("has one listener on the caller's signal while it runs, and none after its end", async () => {
    const { service } = account(meetings(60));
    const { signal } = new AbortController();
    let most = 0;
    const onProgress = () => {
      most = Math.max(most, getEventListeners(signal, "abort").length);
    };
    await run(service, new Map(), { signal, onProgress, concurrency: 30, formats: { recording: true } });
    expect(most).toBe(1);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it.each<ExportProgress["phase"]>(["listing", "exporting", "done"])(
    "ends with the error of onProgress, thrown or rejected, in the phase %s",
    async (when) => {
      const { service } = account(meetings(2));
      const reason = new Error("mine");
      const onProgress = ({ phase }: ExportProgress) => {
        if (phase === when) throw reason;
      };
      await expect(run(service, new Map(), { onProgress })).rejects.toBe(reason);
      const rejecting = async (progress: ExportProgress) => onProgress(progress);
      await expect(run(service, new Map(), { onProgress: rejecting })).rejects.toBe(reason);
    },
  );

  it("ends with a PaginationError if the list repeats a cursor or omits one", async () => {
    const { service } = account(meetings(60));
    const page = { data: [], next_cursor: "again", has_more: true };
    service.faults.next("GET /meetings", { status: 200, body: page, times: 3 });
    await expect(run(service, new Map())).rejects.toBeInstanceOf(PaginationError);
    service.faults.clear();
    service.faults.next("GET /meetings", { status: 200, body: { ...page, next_cursor: null } });
    await expect(run(service, new Map())).rejects.toBeInstanceOf(PaginationError);
  });

  it("ends with the service's error if the service refuses the cursors of its own pages", async () => {
    const { service, fetched } = account(meetings(60));
    const notetaker = clientOfEdited(service, (path, body) =>
      path.endsWith("/meetings") ? { ...(body as object), next_cursor: "unknown" } : body,
    );
    const options = { into: storeSink(new Map()), ...UNLIMITED };
    await expect(exportMeetings(notetaker, options)).rejects.toBeInstanceOf(BadRequestError);
    expect(fetched.get("list")).toBe(1);
    // The second run begins at the refused cursor, and therefore reads the first page once more.
    await expect(exportMeetings(notetaker, options)).rejects.toBeInstanceOf(BadRequestError);
    expect(fetched.get("list")).toBe(2);
  });
});

describe("an export that was killed", () => {
  /** Kills a run at each of its steps in turn, and lets a second run complete it. */
  async function killEverywhere(service: Emulator, before: Store, check: (store: Store, step: string) => void) {
    const begun = service.snapshot();
    for (let steps = 1; ; steps++) {
      const store: Store = new Map(before);
      service.restore(begun);
      if (!(await runAndKill(service, store, steps))) break;
      const summary = await run(service, store);
      check(store, `killed at step ${steps}`);
      expect(summary, `killed at step ${steps}`).toMatchObject({ meetings: 3, saved: 9, missing: [] });
    }
  }

  it("ends with the same files as an uninterrupted export, wherever it was killed", async () => {
    const { service, fetched } = account(meetings(3));
    const clean = await filesOf(service);
    fetched.clear();
    await killEverywhere(service, new Map(), (store, step) => {
      expect(contents(store), step).toEqual(contents(clean));
      for (const [what, times] of fetched) expect(times, `${what}, ${step}`).toBeLessThanOrEqual(2);
      fetched.clear();
    });
  });

  it("replaces what an earlier export has saved, wherever it was killed", async () => {
    const old = await filesOf(account(meetings(3)).service);
    const other = aTranscript({ lines: [["Eve", "All of this is new."]] });
    const { service } = account(meetings(3).map((seed) => ({ ...seed, transcript: other })));
    const clean = await filesOf(service);
    await killEverywhere(service, old, (store, step) => expect(contents(store), step).toEqual(contents(clean)));
  });

  it("tries again at its end what failed for a passing reason, wherever it was killed", async () => {
    const { service } = account(meetings(3));
    const clean = await filesOf(service);
    service.faults.next("GET /meetings/:id/transcript", { status: 503, times: 8 });
    await killEverywhere(service, new Map(), (store, step) => expect(contents(store), step).toEqual(contents(clean)));
  });

  it("is not resumed if the formats differ, or if its checkpoint cannot be read", async () => {
    const { service } = account(meetings(8));
    const store: Store = new Map();
    await runAndKill(service, store, 80);
    const other = await run(service, new Map(store), { formats: { transcript: ["text"] } });
    expect(other).toMatchObject({ resumed: false, saved: 24 });
    store.set(".notetaker-export/checkpoint.json", Buffer.from("{"));
    expect(await run(service, store)).toMatchObject({ resumed: false, saved: 24 });
  });

  it("has two small state files, and a record for each meeting", async () => {
    const { service } = account(meetings(60));
    const store: Store = new Map();
    await abortAt(55, service, store);
    const state = [...store.keys()].filter((path) => path.startsWith(".") && !path.includes("/names/"));
    expect(state).toEqual([".notetaker-export/meetings.json", ".notetaker-export/checkpoint.json"]);
    const checkpoint = JSON.parse(text(store, ".notetaker-export/checkpoint.json"));
    expect(checkpoint).toMatchObject({ plan: expect.any(String), cursor: expect.any(String) });
    expect(JSON.parse(text(store, ".notetaker-export/names/mtg_00000.json")).files).toHaveLength(4);
  });

  it("reads the list from its start if the service no longer accepts the cursor, and fetches nothing twice", async () => {
    const { service, fetched } = account(meetings(120));
    const store: Store = new Map();
    await abortAt(70, service, store);
    service.faults.next("GET /meetings", { status: 400 });
    expect(await run(service, store)).toMatchObject({ meetings: 120, saved: 360, missing: [], resumed: true });
    const pieces = [...fetched].filter(([what]) => what !== "list");
    expect(pieces.filter(([, times]) => times > 1).length).toBeLessThanOrEqual(4);
    const clean = await filesOf(service);
    expect(contents(store)).toEqual(contents(clean));
  });

  it("reads the list from its start if the cursor is refused with a 422 without a validation envelope", async () => {
    const { service } = account(meetings(60));
    const store: Store = new Map();
    await abortAt(55, service, store);
    service.faults.next("GET /meetings", { status: 422 });
    expect(await run(service, store)).toMatchObject({ meetings: 60, saved: 180, missing: [], resumed: true });
  });

  it("fetches what a killed run found not ready, if it is ready now", async () => {
    const seeds = meetings(3);
    const store: Store = new Map();
    const { service } = account([{ ...seeds[0]!, status: "processing" }, ...seeds.slice(1)]);
    await abortAt(1, service, store);
    const { missing, saved, resumed } = await run(account(seeds).service, store);
    expect([missing, saved, resumed]).toEqual([[], 9, true]);
  });

  it("begins anew if the record of one of its meetings cannot be read", async () => {
    const { service } = account(meetings(60));
    const store: Store = new Map();
    await abortAt(55, service, store, { formats: { documents: [] } });
    store.set(".notetaker-export/names/mtg_00001.json", Buffer.from("{"));
    const summary = await run(service, store, { formats: { documents: [] } });
    expect(summary).toMatchObject({ meetings: 60, saved: 60, missing: [], resumed: false });
    expect(text(store, "index.json")).toContain("mtg_00001");
  });

  it("leaves out a meeting that the service has deleted before the next run, and what was saved of it", async () => {
    for (const saved of [1, 2, 3, 4, 5]) {
      const { service } = account(meetings(3));
      const store: Store = new Map();
      await abortAt((progress) => progress.saved === saved, service, store, { concurrency: 1 });
      const deleted = saved < 3 ? "mtg_00000" : "mtg_00001";
      service.meetings.delete(deleted);
      const reports: ExportProgress[] = [];
      const onProgress = (progress: ExportProgress) => void reports.push(progress);
      const summary = await run(service, store, { onProgress });
      expect(summary, `${saved} saved`).toMatchObject({ meetings: 2, saved: 6, missing: [], resumed: true });
      expect(reports.at(-1)).toMatchObject({ phase: "done", meetings: 2, meetingsDone: 2, saved: 6 });
      expect(text(store, "index.json")).not.toContain(deleted);
    }
  });

  it("reports what an earlier run found missing", async () => {
    const [first, ...others] = meetings(60) as [MeetingSeed, ...MeetingSeed[]];
    const { service } = account([{ ...first, transcript: null }, ...others]);
    const store: Store = new Map();
    await abortAt(55, service, store);
    const { missing, saved, resumed } = await run(service, store);
    expect(missing).toMatchObject([{ meeting_id: first.id, what: "transcript", reason: "not_found" }]);
    expect([saved, resumed]).toEqual([179, true]);
  });
});

/** A run that is aborted when so many meetings are done, or at this moment. */
async function abortAt(
  moment: number | ((progress: ExportProgress) => boolean),
  service: Emulator,
  store: Store,
  options: Partial<ExportOptions> = {},
): Promise<void> {
  const abort = new AbortController();
  const onProgress = (progress: ExportProgress) => {
    const isThen = typeof moment === "number" ? progress.meetingsDone === moment : moment(progress);
    if (isThen) abort.abort("enough");
  };
  expect(await rejection(run(service, store, { ...options, signal: abort.signal, onProgress }))).toBe("enough");
}
