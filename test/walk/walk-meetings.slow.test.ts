import { getEventListeners } from "node:events";
import fc from "fast-check";
import { ConnectionError, type Meeting, PaginationError, UnauthorizedError, type WantedParts } from "notetaker-sdk";
import { type WalkedMeeting, type WalkOptions, walkMeetings } from "notetaker-sdk/node";
import type { Emulator } from "notetaker-sdk/testing";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { account, clientOf, meetings, UNLIMITED } from "../node/support/account.js";
import { collect } from "../support/pages.js";
import { runs } from "../support/property-seed.js";
import { rejection } from "../support/recorder.js";
import { clientOfEdited, editedRows, withoutId } from "./edited-service.js";

const start = (service: Emulator, options: WalkOptions = {}) =>
  walkMeetings(clientOf(service), { ...UNLIMITED, ...options });

/** Nothing is fetched but the list. */
const LIST_ONLY = { transcript: false, documents: [] } as const;

// Without it, the pauses before retries are random and long.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const idsOf = (items: readonly WalkedMeeting[]) => items.map(({ meeting }) => meeting.id);

/** The ids that several processes get one after the other: each of these gets so many items, and one more the rest. */
async function idsOfLives(
  lives: readonly number[],
  begin: (resume: string | undefined) => AsyncIterable<WalkedMeeting>,
) {
  const kept: WalkedMeeting[] = [];
  for (const life of [...lives, Number.POSITIVE_INFINITY]) {
    const before = kept.length;
    for await (const item of begin(kept.at(-1)?.checkpoint)) {
      kept.push(item);
      if (kept.length - before >= life) break;
    }
  }
  return idsOf(kept);
}

describe("walkMeetings", () => {
  it("yields every meeting in the order of the list, with its transcript and documents", async () => {
    const { service, fetched } = account(meetings(120));
    const items = await collect(start(service));
    expect(idsOf(items)).toEqual(meetings(120).map(({ id }) => id));
    for (const [index, { meeting, transcript, documents, missing }] of items.entries()) {
      expect(transcript?.meeting_id).toBe(meeting.id);
      expect(transcript?.segments[0]?.text).toBe(`This is meeting ${index}.`);
      expect(documents.map(({ title, format }) => `${title} ${format}`).sort()).toEqual([
        "Action items markdown",
        "Summary markdown",
      ]);
      expect(missing).toEqual([]);
    }
    expect(new Set(fetched.values())).toEqual(new Set([1, 2]));
  });

  it("fetches only the requested formats", async () => {
    const { service, fetched } = account(meetings(2));
    const both = await collect(start(service, { formats: { transcript: false, documents: ["html", "docx"] } }));
    expect(both[0]?.transcript).toBeUndefined();
    expect(both[0]?.documents.map(({ format }) => format)).toEqual(["html", "docx", "html", "docx"]);
    expect([...fetched.keys()].filter((what) => what.includes("transcript"))).toEqual([]);
    const none = await collect(start(service, { formats: { transcript: false, documents: [] } }));
    expect(none.map(({ transcript, documents }) => [transcript, documents])).toEqual([
      [undefined, []],
      [undefined, []],
    ]);
  });

  it("requests since and until, and filters by them", async () => {
    const { service } = account(meetings(72));
    const newest = Date.UTC(2025, 0, 1);
    const options = { since: new Date(newest - 30 * 3_600_000), until: new Date(newest - 10 * 3_600_000) };
    const items = await collect(start(service, { ...options, formats: LIST_ONLY }));
    expect(idsOf(items)).toEqual(Array.from({ length: 21 }, (_, index) => `mtg_000${index + 10}`));
  });

  it("fetches the next meetings while one is being used, at most `concurrency` ahead", async () => {
    const { service } = account(meetings(20));
    const walk = start(service, { concurrency: 3, formats: { documents: [] } });
    await walk.next();
    await vi.waitFor(() => expect(service.requests).toHaveLength(1 + 3), 60_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(service.requests).toHaveLength(1 + 3);
    await walk.return();
  });

  it("sends at most requestsPerMinute", async () => {
    vi.useFakeTimers();
    const { service } = account(meetings(3));
    const walk = start(service, { requestsPerMinute: 2, formats: { documents: [] } });
    const items = collect(walk);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(service.requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(await items).toHaveLength(3);
  });

  it.each<[WalkOptions, string]>([
    [{ concurrency: 0 }, "concurrency: expected an integer"],
    [{ since: "2025-02-01", until: "2025-01-01" }, "until: expected"],
    [{ resume: "*" }, "resume: expected the checkpoint of an item"],
  ])("sends nothing if an option is invalid: %j", async (options, message) => {
    const { service } = account([]);
    await expect(collect(start(service, options))).rejects.toThrow(`walkMeetings: ${message}`);
    expect(service.requests).toEqual([]);
  });
});

describe("wants of a walk", () => {
  it("is asked once for each meeting before anything of it is fetched, and decides what is", async () => {
    const { service, fetched } = account(meetings(120));
    const parts: WantedParts[] = [
      true,
      false,
      { transcript: false },
      { documents: [] },
      { documents: ["docx", "html"] },
    ];
    const asked: string[] = [];
    const wants = async ({ id, start_time }: Meeting) => {
      expect([...fetched.keys()].filter((what) => what.includes(id))).toEqual([]);
      expect(start_time).toEqual(meetings(120)[Number(id.slice(4))]?.start_time);
      asked.push(id);
      return parts[Number(id.slice(4))] ?? false;
    };
    const kept: WalkedMeeting[] = [];
    for (let resume: string | undefined; ; resume = kept.at(-1)?.checkpoint) {
      const { value } = await start(service, {
        wants,
        resume,
        concurrency: 1,
        formats: { documents: ["html"] },
      }).next();
      if (value === undefined) break;
      kept.push(value);
    }
    const known = meetings(120).map(({ id }) => id as string);
    expect(new Set(asked)).toEqual(new Set(known));
    const facts = kept.map(({ meeting, transcript, documents }) => [meeting.id, !!transcript, documents.length]);
    expect(facts).toEqual([
      ["mtg_00000", true, 2],
      ["mtg_00002", false, 2],
      ["mtg_00003", true, 0],
      ["mtg_00004", true, 2],
    ]);
    expect(await collect(start(service, { wants: () => false }))).toEqual([]);
  });

  it.each<[string, () => unknown, RegExp]>([
    ["throws", () => Promise.reject(new Error("mine")), /^mine$/],
    ["returns nothing", () => undefined, /^walkMeetings: wants: expected an object, received nothing/],
    [
      "returns an unknown part",
      () => ({ transcripts: false }),
      /wants.transcripts: unknown option; did you mean transcript/,
    ],
    ["returns an unknown format", () => ({ documents: ["pdf"] }), /wants.documents\[0\]: expected one of html/],
  ])("ends the walk if it %s", async (_, wants, message) => {
    const { service, fetched } = account(meetings(2));
    await expect(collect(start(service, { wants: wants as never }))).rejects.toThrow(message);
    expect([...fetched.keys()]).toEqual(["list"]);
  });
});

describe("a checkpoint of a walk", () => {
  it("can be read although an earlier version wrote it, with any text in it", async () => {
    const { service } = account(meetings(3));
    const position = { v: 1, cursor: null, page: 1, seen: ["mtg_00000", "mtg_ü漢🎉"], since: "2024-12-31" };
    const resume = Buffer.from(JSON.stringify(position)).toString("base64url");
    const [item] = await collect(start(service, { resume }));
    expect(item?.meeting.id).toBe("mtg_00001");
    const { seen, since } = JSON.parse(Buffer.from(item?.checkpoint ?? "", "base64url").toString());
    expect([seen, since]).toEqual([[...position.seen, "mtg_00001"], "2024-12-31"]);
    for (const wrong of ["", "*", "e30", resume.slice(0, -9)]) {
      await expect(collect(start(service, { resume: wrong }))).rejects.toThrow(
        /resume: expected the checkpoint of an item/,
      );
    }
  });

  it("resumes after its item, wherever the walk ended", async () => {
    const seeds = meetings(70);
    const { service } = account(seeds);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }), async (lives) => {
        service.reset();
        const ids = await idsOfLives(lives, (resume) => start(service, { formats: { documents: [] }, resume }));
        expect(ids).toEqual(seeds.map(({ id }) => id));
      }),
      { numRuns: runs(25) },
    );
  });

  it("of the last item resumes a completed walk, which yields nothing", async () => {
    const { service } = account(meetings(3));
    const items = await collect(start(service));
    expect(await collect(start(service, { resume: items.at(-1)?.checkpoint }))).toEqual([]);
  });

  it("may be null, as a database returns it if there is no checkpoint", async () => {
    const { service } = account(meetings(3));
    expect(idsOf(await collect(start(service, { resume: null })))).toHaveLength(3);
  });

  it("keeps the period of its walk", async () => {
    const { service } = account(meetings(72));
    const whole = await collect(start(service, { until: "2024-12-31", formats: LIST_ONLY }));
    const resumed = await collect(start(service, { formats: LIST_ONLY, resume: whole[9]?.checkpoint }));
    expect(idsOf(resumed)).toEqual(idsOf(whole.slice(10)));
  });

  it("skips a meeting that the list repeats, in one run and across two", async () => {
    const { service } = account(meetings(160));
    const rows: unknown[] = [];
    const repeating = editedRows((data) => {
      rows.push(...data);
      return [...rows.slice(0, 50).slice(-10), ...data, ...data];
    });
    const notetaker = clientOfEdited(service, repeating);
    const ids = await idsOfLives([100], (resume) =>
      walkMeetings(notetaker, { ...UNLIMITED, formats: LIST_ONLY, resume }),
    );
    expect(ids.length).toBe(160);
    expect(new Set(ids).size).toBe(160);
  });

  it("skips what was returned, wherever the walk ended in a page of more than 100 meetings", async () => {
    const { service } = account(meetings(250));
    const rows: unknown[] = [];
    for await (const page of clientOf(service).meetings.list({ limit: 100 }).pages()) rows.push(...page.data);
    const onePage = (path: string, body: unknown) =>
      path.endsWith("/meetings") ? { data: rows, has_more: false, next_cursor: null } : body;
    const notetaker = clientOfEdited(service, onePage);
    const ids = await idsOfLives([150, 30], (resume) =>
      walkMeetings(notetaker, { ...UNLIMITED, formats: LIST_ONLY, resume }),
    );
    expect(ids).toEqual(meetings(250).map(({ id }) => id));
  });

  it("is smaller than 8 KB, whatever the size of the account", async () => {
    const { service } = account(meetings(700));
    const items = await collect(start(service, { formats: LIST_ONLY }));
    for (const { checkpoint } of items) expect(checkpoint.length).toBeLessThan(8_192);
  });
});

describe("a piece that cannot be fetched", () => {
  it("is listed in the item's `missing`, and the walk continues", async () => {
    const [first, second, ...others] = meetings(5);
    const statuses = ["scheduled", "processing", "failed"];
    const seeds = others.map((seed, index) => ({ ...seed, status: statuses[index] }));
    const { service } = account([first, { ...second, transcript: null }, ...seeds] as never);
    service.faults.next("GET /documents/:id", { status: 403 });
    service.faults.next("GET /documents/:id", { status: 503, times: 5 });
    const items = await collect(start(service, { concurrency: 1 }));
    const missing = items.map((item) => item.missing.map(({ message, title, meeting_id, ...facts }) => facts));
    const transcript = { what: "transcript", retryable: false };
    expect(missing).toEqual([
      [
        { what: "document doc_0_0 (markdown)", reason: "forbidden", status: 403, retryable: false },
        { what: "document doc_0_1 (markdown)", reason: "failed", status: 503, retryable: true },
      ],
      [{ ...transcript, reason: "not_found", status: 404 }],
      [{ ...transcript, reason: "not_ready", retryable: true }],
      [{ ...transcript, reason: "not_ready", retryable: true }],
      [{ ...transcript, reason: "meeting_failed" }],
    ]);
    expect(service.requests.filter(({ path }) => path.endsWith("/transcript"))).toHaveLength(2);
  });

  it("says what was received if a page of HTML came in its place", async () => {
    const { service } = account(meetings(1));
    service.faults.next("*", { kind: "html", status: 200, after: 1, times: 3 });
    const [item] = await collect(start(service, { concurrency: 1 }));
    const notJson = / answered 200, but the body is not complete JSON \(received \d+ characters of text\/html\)$/;
    expect(item?.missing.map(({ reason, message }) => ({ reason, message }))).toEqual(
      ["GET /meetings/mtg_00000/transcript", "GET /documents/doc_0_0", "GET /documents/doc_0_1"].map(() => ({
        reason: "failed",
        message: expect.stringMatching(notJson),
      })),
    );
  });

  it("is requested again if its failure is temporary", async () => {
    const { service } = account(meetings(2));
    service.faults.next("GET /meetings/:id/transcript", { status: 503, times: 3 });
    service.faults.next("GET /documents/:id", { status: 429, retryAfterSeconds: 0 });
    const items = await collect(start(service, { concurrency: 1 }));
    expect(items.flatMap(({ missing }) => missing)).toEqual([]);
  });

  it.each(["strict", "warn", "off"] as const)(
    "is returned as far as it can be read if it is invalid, with validation %s",
    async (validation) => {
      const { service } = account(meetings(2));
      const odd = (path: string, body: unknown) => {
        const edited = JSON.parse(JSON.stringify(body));
        if (path.endsWith("/meetings")) {
          edited.data[0].duration = 1860.5;
          edited.data.push(null);
        }
        if (path.includes("mtg_00001/transcript")) edited.segments.unshift(null);
        if (path.endsWith("doc_0_0")) return { unexpected: true };
        if (path.endsWith("doc_1_0")) edited.content = 5;
        return edited;
      };
      const rows: string[] = [];
      const items = await collect(
        walkMeetings(clientOfEdited(service, odd, { validation }), {
          ...UNLIMITED,
          onInvalid: ({ what }) => void rows.push(what),
        }),
      );
      expect(rows).toEqual(["meeting (page 1, row 3)"]);
      expect(items.map(({ missing }) => missing.map(({ what, reason }) => `${what}: ${reason}`))).toEqual([
        ["meeting: invalid", "document doc_0_0 (markdown): invalid"],
        ["transcript: invalid", "document doc_1_0 (markdown): invalid"],
      ]);
      expect(items[0]?.meeting.duration).toBeNull();
      expect(items.map(({ documents }) => documents.map(({ id }) => id))).toEqual([
        ["doc_0_1"],
        ["doc_1_0", "doc_1_1"],
      ]);
      expect(items[1]?.transcript?.segments).toHaveLength(2);
    },
  );
});

describe("a walk", () => {
  it("ends with an UnauthorizedError if the token is refused", async () => {
    const { service } = account(meetings(2));
    service.faults.next("GET /documents/:id", { status: 401 });
    await expect(collect(start(service))).rejects.toBeInstanceOf(UnauthorizedError);
  });

  it("ends with a ConnectionError if the service cannot be reached, and the last checkpoint resumes the walk", async () => {
    const { service } = account(meetings(10));
    const kept: string[] = [];
    let resume: string | undefined;
    const walkOn = async () => {
      for await (const { meeting, checkpoint } of start(service, { concurrency: 1, resume })) {
        kept.push(meeting.id);
        resume = checkpoint;
        if (kept.length === 4) {
          service.faults.next("GET /meetings/:id/transcript", { kind: "drop", times: Number.POSITIVE_INFINITY });
        }
      }
    };
    await expect(walkOn()).rejects.toBeInstanceOf(ConnectionError);
    service.faults.clear();
    await walkOn();
    expect(kept).toEqual(meetings(10).map(({ id }) => id));
  });

  it.each([{}, LIST_ONLY])("ends with the signal's reason: formats %j", async (formats) => {
    const { service } = account(meetings(10));
    const abort = new AbortController();
    const reason = new Error("enough");
    const walk = start(service, { signal: abort.signal, formats });
    await walk.next();
    abort.abort(reason);
    await expect(collect(walk)).rejects.toBe(reason);
    await expect(collect(start(service, { signal: abort.signal }))).rejects.toBe(reason);
  });

  it("leaves no listener on the signal", async () => {
    const { service } = account(meetings(10));
    const { signal } = new AbortController();
    const walk = start(service, { signal });
    await walk.next();
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await walk.return();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it.each([
    ["if it fails", false],
    ["if its signal aborts, and has no item for them", true],
  ])("cancels its requests %s", async (_, aborts) => {
    const { service } = account(meetings(2));
    if (!aborts) service.faults.next("GET /meetings/:id/transcript", { status: 401 });
    const abort = new AbortController();
    const hanging: AbortSignal[] = [];
    const fetch = async (url: string | URL | Request, init?: RequestInit) => {
      if (!String(url).includes("mtg_00001/")) return service.fetch(url, init);
      hanging.push(init?.signal as AbortSignal);
      if (aborts) abort.abort("enough");
      return new Promise<never>(() => {});
    };
    const options = { ...UNLIMITED, signal: abort.signal, formats: { documents: [] } };
    const error = await rejection(collect(walkMeetings(clientOf(service, { fetch }), options)));
    if (aborts) expect(error).toBe("enough");
    else expect(error).toBeInstanceOf(UnauthorizedError);
    expect(hanging.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it.each([4, 5])("requests a page again that cannot be read, and fails after five times: %i times", async (times) => {
    vi.useFakeTimers();
    const { service } = account(meetings(1));
    let requests = 0;
    const unreadable = (path: string, body: unknown) => {
      if (!path.endsWith("/meetings")) return body;
      requests += 1;
      return requests > times ? body : { data: 5 };
    };
    const walk = collect(walkMeetings(clientOfEdited(service, unreadable), UNLIMITED)).catch((error) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    if (times < 5) expect(await walk).toHaveLength(1);
    else expect(await walk).toBeInstanceOf(PaginationError);
    expect(requests).toBe(5);
  });

  it("ends at once by return(), while a request runs", async () => {
    const { service } = account([]);
    let walk: ReturnType<typeof walkMeetings> | undefined;
    const hanging = new Promise<AbortSignal>((resolve) => {
      const fetch = (_: unknown, init?: RequestInit) => new Promise<never>(() => resolve(init?.signal as AbortSignal));
      walk = walkMeetings(clientOf(service, { fetch }), UNLIMITED);
    });
    const next = walk?.next();
    const signal = await hanging;
    expect(await walk?.return()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    expect(signal.aborted).toBe(true);
  });

  it.each(["wants", "onInvalid"])("ends with the signal's reason, and at once, while %s waits", async (name) => {
    const { service } = account(meetings(2));
    const abort = new AbortController();
    const reason = new Error("enough");
    const waits = () => {
      abort.abort(reason);
      return new Promise<never>(() => {});
    };
    const options = { ...UNLIMITED, [name]: waits, signal: abort.signal };
    const walk = walkMeetings(clientOfEdited(service, withoutId("mtg_00000")), options);
    await expect(collect(walk)).rejects.toBe(reason);
  });

  it("ends with the error of onInvalid, thrown or rejected", async () => {
    const { service } = account(meetings(1));
    const rejects = async () => {
      throw new Error("mine");
    };
    const throws = () => {
      throw new Error("mine");
    };
    for (const callback of [rejects, throws]) {
      const notetaker = clientOfEdited(service, withoutId("mtg_00000"));
      const walk = walkMeetings(notetaker, { ...UNLIMITED, onInvalid: callback });
      await expect(collect(walk)).rejects.toThrow("mine");
      expect(await collect(walkMeetings(notetaker, UNLIMITED))).toEqual([]);
    }
  });
});

describe("an invalid field of a meeting", () => {
  const person = { name: "Ben", email: "ben@example.com", title: "CTO", company: "Example" };
  it.each<[string, unknown, unknown]>([
    ["title", 5, null],
    ["status", undefined, ""],
    ["start_time", 5, ""],
    ["duration", "1800", null],
    ["host", "Ada", null],
    ["host", { id: "usr_1", name: 5, email: "a@b.c", extra: 1 }, { id: "usr_1", name: null, email: "a@b.c" }],
    ["participants", {}, null],
    ["participants", [null, "Ben", { ...person, email: 5 }], [{ ...person, email: null }]],
    ["documents", {}, null],
    [
      "documents",
      [null, { id: "mtg_1" }, { id: 5 }, { id: "doc_0_0", title: 5, created_at: 5 }],
      [{ id: "doc_0_0", title: null, created_at: null }],
    ],
  ])("is empty in the item, and the others are kept: %s of %j", async (field, value, expected) => {
    const { service } = account(meetings(1));
    const edit = editedRows(([row]) => [{ ...row, [field]: value }]);
    const [item] = await collect(walkMeetings(clientOfEdited(service, edit), UNLIMITED));
    const { data } = await clientOf(service).meetings.list({ expand: ["documents"] });
    expect(item?.meeting).toMatchObject({ id: data[0]?.id, created_at: data[0]?.created_at, [field]: expected });
    expect(item?.missing).toMatchObject([{ what: "meeting", reason: "invalid" }]);
    expect(item?.missing[0]?.message).toContain(field);
  });
});
