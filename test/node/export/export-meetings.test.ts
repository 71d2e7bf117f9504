import { BadRequestError, PaginationError, RateLimitedError, UnauthorizedError } from "notetaker-sdk";
import { type ExportProgress, exportMeetings } from "notetaker-sdk/node";
import { describe, expect, it } from "vitest";
import {
  account,
  clientOf,
  clientOfEdited,
  contents,
  countListeners,
  emulatedClock,
  meetings,
  pathWith,
  run,
  runAndKill,
  type Store,
  storeSink,
  text,
} from "./export-support.js";

const MINUTE = 60_000;

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
    const store: Store = new Map();
    const page = { extension: "html", render: () => "<p>Mine</p>" };
    await run(service, store, {
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
    expect(text(store, pathWith(store, "Summary", "docx")).slice(0, 2)).toBe("PK");
    const wav = store.get(pathWith(store, "recording.wav"))!;
    expect(JSON.parse(text(store, pathWith(store, "recording.json")))).toEqual({
      file: "recording.wav",
      size: wav.byteLength,
      contentType: "audio/wav",
    });
    expect(fetched.get("/meetings/mtg_00000/transcript ")).toBe(1);
  });

  it("leaves files with the same bytes untouched, and fetches no recording twice", async () => {
    const { service, fetched } = account(meetings(2));
    const store: Store = new Map();
    const formats = { recording: true };
    await run(service, store, { formats });
    const before = contents(store);
    const second = await run(service, store, { formats });
    expect(second).toMatchObject({ meetings: 2, saved: 8, missing: [], written: 0, resumed: false });
    expect(contents(store)).toEqual(before);
    expect(fetched.get("/meetings/mtg_00000/recording ")).toBe(1);
    expect(fetched.get("/meetings/mtg_00000/transcript ")).toBe(2);
  });

  it("keeps the paths of a meeting whose title has changed, and of its documents", async () => {
    const seeds = meetings(1);
    const store: Store = new Map();
    await run(account(seeds).service, store);
    const paths = [...store.keys()].sort();
    const renamed = [{ ...seeds[0]!, title: "Another title" }];
    await run(account(renamed).service, store);
    expect([...store.keys()].sort()).toEqual(paths);
    expect(JSON.parse(text(store, pathWith(store, "meeting.json"))).title).toBe("Another title");
  });

  it("saves only meetings that started at `since` or later: a day, or an exact time", async () => {
    const { service } = account(meetings(48));
    const store: Store = new Map();
    expect(await run(service, store, { since: "2024-12-31" })).toMatchObject({ meetings: 25 });
    expect(await run(service, new Map(), { since: new Date("2024-12-31T22:00:00Z") })).toMatchObject({ meetings: 3 });
  });

  it("reads every page of the list", async () => {
    const { service, fetched } = account(meetings(120));
    expect(await run(service, new Map(), { formats: { transcript: [], documents: [] } })).toMatchObject({
      meetings: 120,
      saved: 0,
      requests: 3,
    });
    expect(fetched.get("list")).toBe(3);
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
    expect(told.find(({ phase }) => phase === "waiting")?.waitMs).toBeGreaterThan(0);
    for (const [index, { meetingsDone, saved }] of told.entries()) {
      expect(meetingsDone).toBeGreaterThanOrEqual(0);
      expect(saved).toBeGreaterThanOrEqual(told[index - 1]?.saved ?? 0);
    }
  });
});

describe("the rate limit of an export", () => {
  it("is never exceeded, so that no request gets a 429", async () => {
    const { service } = account(meetings(100));
    const begun = service.clock.now();
    const { requests } = await run(service, new Map(), { concurrency: 8 });
    expect(service.requests.filter(({ status }) => status === 429)).toEqual([]);
    expect(requests).toBe(302);
    // 302 requests need six windows of 60, with five waits of a minute between them.
    expect(service.clock.now() - begun).toBe(5 * MINUTE);
  });

  it("can be lowered by requestsPerMinute", async () => {
    const { service } = account(meetings(10));
    await run(service, new Map(), { requestsPerMinute: 7 });
    const times = service.requests.map(({ at }) => at);
    for (const [index, at] of times.entries()) {
      expect(
        times.filter((other) => other > at - MINUTE && other <= at).length,
        `request ${index}`,
      ).toBeLessThanOrEqual(7);
    }
  });

  it("is respected even if others use the same token, because responses report the remaining requests", async () => {
    const { service } = account(meetings(30));
    const other = clientOf(service);
    for (let used = 0; used < 50; used++) await other.meetings.getTranscript("mtg_00000");
    await run(service, new Map(), { concurrency: 8 });
    expect(service.requests.filter(({ status }) => status === 429)).toEqual([]);
  });

  it("holds back every request after a 429, and the export loses nothing", async () => {
    const { service } = account(meetings(4));
    const begun = service.clock.now();
    service.faults.next("GET /meetings/:id/transcript", { status: 429, retryAfterSeconds: 600, times: 2 });
    service.faults.next("GET /meetings", { status: 429 });
    const waits: (number | undefined)[] = [];
    const summary = await run(service, new Map(), {
      onProgress: ({ phase, waitMs }) => phase === "waiting" && waits.push(waitMs),
    });
    expect(summary).toMatchObject({ meetings: 4, saved: 12, missing: [] });
    expect(waits).toContain(600_000);
    expect(service.clock.now() - begun).toBeGreaterThanOrEqual(600_000);
  });

  it("ends the run if the 429s never end, and the next run resumes the export", async () => {
    const { service } = account(meetings(2));
    service.faults.next("GET /documents/:id", { status: 429, retryAfterSeconds: 1, times: Number.POSITIVE_INFINITY });
    const store: Store = new Map();
    await expect(run(service, store, { concurrency: 1 })).rejects.toBeInstanceOf(RateLimitedError);
    service.faults.clear();
    expect(await run(service, store)).toMatchObject({ resumed: true, saved: 6, missing: [] });
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
      "mtg_00000 document doc_0_0 (markdown): failed",
      "mtg_00001 recording: not_found",
      "mtg_00001 transcript: not_found",
      "mtg_00002 recording: not_ready",
      "mtg_00002 transcript: not_ready",
      "mtg_00003 recording: not_ready",
      "mtg_00003 transcript: not_ready",
    ]);
    expect(missing[0]).toMatchObject({ title: "Weekly sync", message: expect.stringContaining("403") });
    expect(JSON.parse(text(store, ".notetaker-export/missing.json"))).toEqual(missing);
    expect(pathWith(store, "mtg_00004", "transcript.md")).toBeDefined();
  });

  it("does not contain a piece whose failure is temporary: the request is retried, with pauses", async () => {
    const { service } = account(meetings(2));
    const begun = service.clock.now();
    service.faults.next("GET /meetings/:id/transcript", { status: 503, times: 3 });
    service.faults.next("GET /documents/:id", "truncate");
    service.faults.next("GET /meetings", "drop");
    expect(await run(service, new Map(), { concurrency: 1 })).toMatchObject({ saved: 6, missing: [] });
    expect(service.clock.now() - begun).toBe(1_000 + (1_000 + 2_000 + 4_000) + 1_000);
  });

  it("does not contain a piece that succeeds at the end of the export", async () => {
    const { service } = account(meetings(2));
    service.faults.next("GET /meetings/:id/transcript", { status: 503, times: 5 });
    expect(await run(service, new Map(), { concurrency: 1 })).toMatchObject({ saved: 6, missing: [] });
    service.faults.next("GET /meetings/:id/transcript", { status: 503, times: Number.POSITIVE_INFINITY });
    const { missing } = await run(service, new Map(), { concurrency: 1 });
    expect(missing.map(({ what, reason }) => [what, reason])).toEqual([
      ["transcript", "failed"],
      ["transcript", "failed"],
    ]);
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
    const listeners = countListeners(signal);
    let most = 0;
    const onProgress = () => {
      most = Math.max(most, listeners.count);
    };
    await run(service, new Map(), { signal, onProgress, concurrency: 30, formats: { recording: true } });
    expect(most).toBe(1);
    expect(listeners.count).toBe(0);
  });

  it("ends with the error of onProgress", async () => {
    const { service } = account(meetings(2));
    const reason = new Error("mine");
    const onProgress = () => {
      throw reason;
    };
    await expect(run(service, new Map(), { onProgress })).rejects.toBe(reason);
  });

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
    const options = { into: storeSink(new Map()), clock: emulatedClock(service) };
    await expect(exportMeetings(notetaker, options)).rejects.toBeInstanceOf(BadRequestError);
    expect(fetched.get("list")).toBe(1);
    // The second run begins at the refused cursor, and therefore reads the first page once more.
    await expect(exportMeetings(notetaker, options)).rejects.toBeInstanceOf(BadRequestError);
    expect(fetched.get("list")).toBe(2);
  });
});

describe("an export that was killed", () => {
  it("ends with the same files as an uninterrupted export, wherever it was killed", async () => {
    const { service, fetched } = account(meetings(3));
    const clean: Store = new Map();
    await run(service, clean);
    for (let steps = 1; ; steps++) {
      const store: Store = new Map();
      fetched.clear();
      const died = await runAndKill(service, store, steps);
      if (!died) break;
      await run(service, store);
      expect(contents(store), `killed at step ${steps}`).toEqual(contents(clean));
      for (const [what, times] of fetched) expect(times, `${what}, killed at step ${steps}`).toBeLessThanOrEqual(2);
    }
  }, 60_000);

  it("is not resumed if the formats differ", async () => {
    const { service } = account(meetings(8));
    const store: Store = new Map();
    await runAndKill(service, store, 60);
    expect(await run(service, store, { formats: { transcript: ["text"] } })).toMatchObject({
      resumed: false,
      saved: 24,
    });
  });

  it("starts anew if its checkpoint cannot be read", async () => {
    const { service } = account(meetings(3));
    const store: Store = new Map();
    await runAndKill(service, store, 40);
    store.set(".notetaker-export/checkpoint.json", Buffer.from("{"));
    expect(await run(service, store)).toMatchObject({ resumed: false, saved: 9 });
  });

  it("reads the list from its start if the service no longer accepts the cursor", async () => {
    const { service, fetched } = account(meetings(120));
    const store: Store = new Map();
    await runAndKill(service, store, 60 * 8);
    fetched.clear();
    service.faults.next("GET /meetings", { status: 400 });
    expect(await run(service, store)).toMatchObject({ meetings: 120, saved: 360, resumed: true });
    const clean: Store = new Map();
    await run(service, clean);
    expect(contents(store)).toEqual(contents(clean));
  }, 30_000);
});

describe("the options of exportMeetings", () => {
  it.each([
    [{ into: "" }, "into"],
    [{ into: { write: () => {} } }, "into"],
    [{ since: "yesterday" }, "since"],
    [{ since: "2025-02-30" }, "since"],
    [{ since: new Date(Number.NaN) }, "since"],
    [{ concurrency: 0 }, "concurrency"],
    [{ concurrency: 1.5 }, "concurrency"],
    [{ requestsPerMinute: 0 }, "requestsPerMinute"],
    [{ formats: { transcript: ["docx"] } }, "formats.transcript[0]"],
    [{ formats: { transcript: [{ extension: "../../x", render: () => "" }] } }, "formats.transcript[0]"],
    [{ formats: { transcript: [{ extension: "txt" }] } }, "formats.transcript[0]"],
    [{ formats: { transcript: ["markdown", { extension: "md", render: () => "" }] } }, "formats.transcript[1]"],
    [{ formats: { documents: ["pdf"] } }, "formats.documents[0]"],
    [{ formats: { documents: "markdown" } }, "formats.documents"],
    [{ formats: { recordings: true } }, "formats.recordings"],
    [{ formats: { recording: "yes" } }, "formats.recording"],
    [{ formats: ["markdown"] }, "formats"],
    [{ sinse: "2025-01-01" }, "sinse"],
    [{ signal: {} }, "signal"],
    [{ onProgress: console }, "onProgress"],
  ])("are refused before a request is sent: %j", async (options, path) => {
    const { service } = account([]);
    const promise = exportMeetings(clientOf(service), {
      into: storeSink(new Map()),
      clock: emulatedClock(service),
      ...(options as object),
    });
    await expect(promise).rejects.toMatchObject({ name: "InvalidArgumentError", issues: [{ path }] });
    expect(service.requests).toEqual([]);
  });

  it.each([undefined, null, "meetings", []])(
    "are refused before a request is sent if they are %j instead of an object",
    async (given) => {
      const { service } = account([]);
      const promise = exportMeetings(clientOf(service), given as never);
      await expect(promise).rejects.toMatchObject({ name: "InvalidArgumentError", issues: [{ path: "" }] });
      expect(service.requests).toEqual([]);
    },
  );
});
