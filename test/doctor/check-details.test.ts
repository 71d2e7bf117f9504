/** The exact wording of `diagnose` for each parameter name, and the requests behind each verdict. */
import { Notetaker } from "notetaker-sdk";
import { diagnose, type Report } from "notetaker-sdk/doctor";
import { createEmulator } from "notetaker-sdk/testing";
import { describe, expect, it } from "vitest";
import { CheckLog } from "../../src/doctor/checks/check-log.js";
import { BudgetError } from "../../src/doctor/service/service-reader.js";
import { clientOf, type Handler, json, refusal } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const TEXT = "zqxjkvbpw7391zqxjkvbpw";

const detailsOf = ({ checks }: Report) =>
  Object.fromEntries(checks.map(({ id, verdict, detail }) => [id, `${verdict}: ${detail}`]));

async function diagnosed(handler: Handler) {
  const { notetaker, seen } = clientOf(handler);
  const report = await diagnose(notetaker);
  const sent = seen.map(({ path, query }) => path + query.map(([name, value]) => ` ${name}=${value}`).join(""));
  return { report, sent, details: detailsOf(report) };
}

it("diagnose needs at most two requests for each name of a service that uses the default names", async () => {
  const start = (day: number) => `2025-05-0${day}T09:00:00Z`;
  const permissions = [
    { recipient: { type: "anyone" }, role: "read" },
    { recipient: { type: "team" }, role: "read" },
  ];
  const documents = [{ id: "doc_1" as const, title: "Summary", blocks: [] }];
  const meetings = [
    { id: "mtg_1" as const, title: "Meeting 1", start_time: start(1), permissions, documents },
    { id: "mtg_2" as const, title: "Meeting 2", start_time: start(2), status: "processing" as const },
  ];
  const shared = [{ id: "mtg_3" as const, title: "Meeting 3", start_time: start(3), owned: false }];
  const service = createEmulator({
    limits: "none",
    seed: {
      rooms: [
        { id: "room_1", title: "A", meetings },
        { id: "room_2", title: "B", owned: false, meetings: shared },
      ],
    },
  });
  const sent: string[] = [];
  const { baseUrl, token } = service;
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(String(input));
    sent.push(url.pathname.slice(3) + [...url.searchParams].map(([name, value]) => ` ${name}=${value}`).join(""));
    return service.fetch(String(input), init);
  };
  const report = await diagnose(new Notetaker({ baseUrl, token, fetch }));
  expect(new Set(report.checks.map(({ verdict }) => verdict))).toEqual(new Set(["confirmed"]));
  expect(sent.map((request) => request.replace(/cursor=.*/, "cursor=…").replace(TEXT, "…"))).toEqual([
    ...["/rooms", "/rooms limit=1", "/rooms limit=1 cursor=…", "/rooms id=room_2"],
    ...["/rooms scope=shared", "/rooms scope=owned", "/rooms search=…", "/rooms expand=documents expand=meetings"],
    "/meetings",
    "/meetings/mtg_1/permissions",
    "/meetings/mtg_1/permissions limit=1",
    "/meetings/mtg_1/permissions limit=1 cursor=…",
    ...["/documents/doc_1", "/documents/doc_1 format=markdown"],
    ...["/meetings limit=1", "/meetings limit=1 cursor=…", "/meetings id=mtg_1"],
    ...["/meetings scope=shared", "/meetings scope=owned", "/meetings q=…", "/meetings search=…"],
    ...["/meetings expand=documents", "/meetings status=completed", "/meetings start_date=2026-06-07"],
    ...["/meetings end_date=2024-03-27", "/meetings participant=…", "/meetings company=…", "/meetings room_id=room_1"],
  ]);
});

it("diagnose leaves every name of an empty account undecided, and says what data it needs", async () => {
  const { details, sent } = await diagnosed(() => json(samples.page([])));
  const paging = (items: string) => ({
    cursor: `undecided: needs a second page: at least 2 ${items}, more than the service puts on one page`,
    limit: `undecided: needs at least 2 ${items}`,
  });
  const group = (name: string, entries: object) =>
    Object.fromEntries(Object.entries(entries).map(([meaning, detail]) => [`${name}.${meaning}`, detail]));
  const permissions = "undecided: needs a meeting that the account owns, with at least 2 permissions";
  const room = "undecided: needs at least 1 room";
  const meeting = "undecided: needs at least 1 meeting";
  expect(details).toEqual({
    ...group("rooms", { ids: "undecided: needs at least 2 rooms", scope: room, search: room, expand: room }),
    ...group("rooms", paging("rooms")),
    ...group("permissions", { cursor: permissions, limit: permissions }),
    "documents.format": "undecided: needs at least 1 document",
    ...group("meetings", { ids: "undecided: needs at least 2 meetings", scope: meeting, status: meeting, q: meeting }),
    ...group("meetings", { search: meeting, participant: meeting, company: meeting, expand: meeting }),
    ...group("meetings", { start_date: `${meeting} with a start_time`, end_date: `${meeting} with a start_time` }),
    "meetings.room_id": "undecided: needs a room with meetings, and a meeting outside of it",
    ...group("meetings", paging("meetings")),
  });
  expect(sent).toEqual(["/rooms", "/meetings"]);
});

it("diagnose reports names as ignored if the responses never change, and as undecided if the endpoint refuses", async () => {
  const rooms = [samples.room, { ...samples.room, id: "room_2" }];
  const { details, report } = await diagnosed(({ path }) => {
    if (path === "/rooms") return json(samples.page(rooms, "c"));
    return path === "/meetings" ? json(samples.page([samples.meeting])) : refusal(404, "not_found");
  });
  const ignores = (name: string) => `differs: the service ignores "${name}", and it uses none of the other names tried`;
  const alone = (name: string) => `differs: the service ignores "${name}", and no other name is known to try`;
  expect(details).toMatchObject({
    "rooms.ids": ignores("id"),
    "rooms.scope": ignores("scope"),
    "rooms.search": ignores("search"),
    "rooms.expand": ignores("expand"),
    "rooms.cursor": ignores("cursor"),
    "rooms.limit": ignores("limit"),
    "permissions.limit": "undecided: GET /meetings/{meeting_id}/permissions: the endpoint responds with 404",
    "permissions.cursor": "undecided: GET /meetings/{meeting_id}/permissions: the endpoint responds with 404",
    "documents.format": "undecided: needs at least 1 document",
    "meetings.scope": ignores("scope"),
    "meetings.status": alone("status"),
    "meetings.start_date": alone("start_date"),
    "meetings.end_date": alone("end_date"),
    "meetings.q": 'undecided: the response to "q" does not show whether the service uses it',
    "meetings.participant": alone("participant"),
  });
  expect(report.assumptions).toEqual({});
});

it("diagnose reports the names that the service refuses as different, until the 60 requests are used up", async () => {
  const expanded = { ...samples.room, documents: [samples.documentReference], meetings: [samples.meetingSummary] };
  const meetings = [
    { ...samples.meeting, status: "processing" },
    { ...samples.meeting, id: "mtg_2", start_time: "some day" },
  ];
  const answers: Record<string, unknown> = {
    "/rooms": samples.page([expanded]),
    "/meetings": meetings,
    "/documents/doc_1": samples.document,
  };
  const { details, report, sent } = await diagnosed(({ path, query }) =>
    query.length > 0 ? refusal(422, "x") : json(answers[path] ?? samples.permissionPage),
  );
  const refuses = (name: string) => `differs: the service refuses "${name}", and it uses none of the other names tried`;
  const usedUp = "undecided: earlier checks have used up the 60 requests of a diagnosis";
  expect(details).toMatchObject({
    "rooms.scope": refuses("scope"),
    "rooms.expand": "undecided: the service always sends documents and meetings, even if they are not requested",
    "permissions.limit": "undecided: needs at least 2 permissions",
    "documents.format": refuses("format"),
    "meetings.ids": refuses("id"),
    "meetings.limit": refuses("limit"),
    "meetings.q": 'differs: the service refuses "q", and no other name is known to try',
    "meetings.search": usedUp,
    "meetings.expand": usedUp,
    "meetings.status": usedUp,
  });
  expect(report.requests).toBe(60);
  expect(report.drift).toEqual([
    { operation: "meetings.list", path: "", expected: "object", received: "array", count: 1 },
  ]);
  expect(sent.filter((request) => request.startsWith("/documents"))).toEqual([
    "/documents/doc_1",
    "/documents/doc_1 format=markdown",
    "/documents/doc_1 output_format=markdown output=raw as=docx type=json content_format=markdown",
    "/documents/doc_1 output_format=markdown",
    "/documents/doc_1 output=markdown",
    "/documents/doc_1 as=markdown",
    "/documents/doc_1 type=markdown",
    "/documents/doc_1 content_format=markdown",
  ]);
  // The name of another filter of meetings is not tried for ids.
  expect(sent).toContain(
    "/meetings ids=mtg_2 room_ids=mtg_1 meeting_ids=mtg_2 meeting_id=mtg_1 id[]=mtg_2 ids[]=mtg_1",
  );
});

describe("the documents of a list", () => {
  const reading = (documentAnswer: Handler) =>
    diagnosed((seen, index) => {
      if (seen.path.startsWith("/documents/")) return documentAnswer(seen, index);
      const documents = ["doc_1", "doc 2", "mtg_3", "doc_4", "doc_5", "doc_6", "doc_1"].map((id) => ({
        id,
        title: "T",
      }));
      if (seen.path === "/rooms") return json(samples.page([{ ...samples.room, documents }]));
      return seen.path === "/meetings" ? json(samples.page([])) : refusal(404, "not_found");
    });

  it("are read one by one, up to three, until a response states its format", async () => {
    const { details, sent } = await reading(() => json({ id: "doc_1" }));
    expect(details["documents.format"]).toBe("undecided: GET /documents/{document_id}: the response has no format");
    expect(sent.filter((path) => path.startsWith("/documents"))).toEqual([
      "/documents/doc_1",
      "/documents/doc_4",
      "/documents/doc_5",
    ]);
  });

  it("leave the format undecided if they cannot be read", async () => {
    const { details } = await reading(() => refusal(403, "forbidden"));
    expect(details["documents.format"]).toBe("undecided: GET /documents/{document_id}: the endpoint responds with 403");
  });

  const formatOf = async (format: (names: Map<string, string>) => unknown) => {
    const { details } = await reading(({ query }) => json({ ...samples.document, format: format(new Map(query)) }));
    return details["documents.format"];
  };

  it("confirm a name if the response has the requested format", async () => {
    expect(await formatOf((names) => names.get("format") ?? "html")).toBe('confirmed: the service uses "format"');
    expect(await formatOf((names) => names.get("as") ?? "html")).toBe('differs: the service uses "as", not "format"');
    expect(await formatOf((names) => names.get("content_format") ?? "html")).toBe(
      'differs: the service uses "content_format", not "format"',
    );
  });

  it("show that a name is ignored if they have the default format, and leave it undecided if they have a third one", async () => {
    expect(await formatOf(() => "html")).toMatch(/^differs: the service ignores "format"/);
    expect(await formatOf((names) => (names.size === 0 ? "html" : "other"))).toBe(
      'undecided: the response to "format" does not show whether the service uses it',
    );
    expect(await formatOf((names) => (names.size === 0 ? "html" : 5))).toBe(
      'undecided: the response to "format" does not show whether the service uses it',
    );
  });
});

describe("the check of permissions", () => {
  const owner = (readable: Record<string, unknown>) =>
    diagnosed(({ path }) => {
      const meetings = ["mtg_1", "mtg/2", "mtg_3", "mtg_4", "mtg_5"].map((id) => ({ ...samples.meeting, id }));
      if (path === "/rooms") return json(samples.page([]));
      if (path === "/meetings") return json(samples.page(meetings));
      const answer = readable[path.split("/")[2] ?? ""];
      return answer === undefined ? refusal(403, "forbidden") : json(answer);
    });
  const two = samples.page([samples.permission, { ...samples.permission, id: "perm_2" }]);

  it("reads the meetings one by one, until one has two permissions", async () => {
    const { sent, details } = await owner({ mtg_1: samples.permissionPage, mtg_4: two, mtg_5: two });
    expect(sent.filter((path) => /^\/meetings\/\w+\/permissions$/.test(path))).toEqual([
      "/meetings/mtg_1/permissions",
      "/meetings/mtg_3/permissions",
      "/meetings/mtg_4/permissions",
    ]);
    expect(details["permissions.limit"]).toMatch(/^differs: the service ignores "limit"/);
  });

  it("keeps the meeting with one permission if no meeting has two", async () => {
    const { details } = await owner({ mtg_3: samples.permissionPage });
    expect(details["permissions.limit"]).toBe("undecided: needs at least 2 permissions");
  });

  it("says that the responses are not pages", async () => {
    const { details } = await owner({ mtg_1: 5, mtg_3: 5, mtg_4: 5, mtg_5: 5 });
    expect(details["permissions.limit"]).toBe(
      "undecided: GET /meetings/{meeting_id}/permissions: the response is not a page",
    );
  });
});

it("a list that cannot be read leaves all its names undecided, and the other lists are still checked", async () => {
  const { details } = await diagnosed(({ path }) =>
    path === "/rooms" ? json(samples.page([samples.room])) : refusal(403, "forbidden"),
  );
  const meetings = Object.entries(details).filter(([id]) => id.startsWith("meetings."));
  expect(new Set(meetings.map(([, detail]) => detail))).toEqual(
    new Set(["undecided: GET /meetings: the endpoint responds with 403"]),
  );
  expect(meetings).toHaveLength(13);
  expect(details["rooms.search"]).toMatch(/^differs/);
});

it("diagnose names an unknown option and an option of the wrong type", async () => {
  const { notetaker } = clientOf(() => json(samples.page([])));
  await expect(diagnose(notetaker, { onchek: () => {} } as never)).rejects.toThrow(
    "diagnose: onchek: unknown option; did you mean onCheck?",
  );
  await expect(diagnose(notetaker, { onCheck: 5 } as never)).rejects.toThrow(/^diagnose: onCheck: expected a function/);
});

describe("the log of checks", () => {
  const honoured = async () => ({ shows: "honoured" }) as const;
  const ignored = async () => ({ shows: "ignored" }) as const;
  const only =
    (...names: string[]) =>
    async (tried: readonly string[]) =>
      ({ shows: tried.some((name) => names.includes(name)) ? "honoured" : "ignored" }) as const;

  it("returns the names that work, and suggests the names of rooms for the other lists", async () => {
    const log = new CheckLog(undefined);
    await log.check({ group: "rooms", meaning: "limit", probe: only("page_size") });
    expect(log.nameOf("rooms", "limit")).toBe("page_size");
    expect(log.nameOf("rooms", "cursor")).toBeUndefined();
    expect(log.hintFor("rooms", "limit")).toBeUndefined();
    expect(log.hintFor("meetings", "limit")).toBe("page_size");
    expect(log.hintFor("meetings", "cursor")).toBeUndefined();
    await log.check({ group: "rooms", meaning: "cursor", probe: only("after") });
    await log.check({ group: "meetings", meaning: "cursor", probe: honoured });
    // As soon as one name of meetings differs from that of rooms, no name is suggested for meetings.
    expect(log.hintFor("meetings", "limit")).toBeUndefined();
    expect(log.hintFor("permissions", "limit")).toBe("page_size");
    expect(log.assumptions).toEqual({ rooms: { cursor: "after", limit: "page_size" } });
  });

  it("does not try a name that belongs to another parameter", async () => {
    const tried = new Set<string>();
    const probe = async (names: readonly string[]) => {
      for (const name of names) tried.add(name);
      return { shows: "ignored" } as const;
    };
    const log = new CheckLog(undefined);
    await log.check({ group: "meetings", meaning: "search", probe });
    expect([...tried]).toEqual(["search", "query", "title", "name", "keyword"]);
    tried.clear();
    log.add("meetings", "q", "differs", "it is not heeded");
    await log.check({ group: "meetings", meaning: "search", probe });
    expect(tried).toContain("q");
  });

  it("replaces an earlier check of the same name, calls onCheck with a copy of each check, and keeps the order", async () => {
    const told: string[] = [];
    const log = new CheckLog((check) => {
      told.push(`${check.id} ${check.verdict}`);
      check.detail = "changed";
    });
    log.add("rooms", "limit", "undecided", "first");
    log.add("rooms", "ids", "undecided", "second");
    await log.check({ group: "rooms", meaning: "limit", probe: honoured });
    expect(told).toEqual(["rooms.limit undecided", "rooms.ids undecided", "rooms.limit confirmed"]);
    expect(log.checks).toEqual([
      { id: "rooms.ids", title: "rooms: filter by ids", verdict: "undecided", source: "documented", detail: "second" },
      {
        id: "rooms.limit",
        title: "rooms: page size",
        verdict: "confirmed",
        source: "documented",
        detail: 'the service uses "limit"',
      },
    ]);
    expect(log.assumptions).toEqual({});
  });

  it("tries a second probe if the first finds no name, and gives the reason if the name stays undecided", async () => {
    const log = new CheckLog(undefined);
    await log.check({ group: "rooms", meaning: "scope", probe: ignored, secondProbe: only("owner") });
    await log.check({ group: "rooms", meaning: "search", probe: honoured, secondProbe: only("keyword") });
    await log.check({ group: "rooms", meaning: "limit", probe: ignored, ifNone: "pages hold one" });
    await log.check({ group: "rooms", meaning: "cursor", probe: honoured, ifNone: "no reason" });
    await log.check({
      group: "rooms",
      meaning: "expand",
      probe: honoured,
      limitation: async (name) => `${name} is cut`,
    });
    await log.check({ group: "rooms", meaning: "ids", probe: ignored, limitation: async () => "never asked" });
    expect(log.checks.map(({ verdict, detail }) => `${verdict}: ${detail}`)).toEqual([
      'differs: the service ignores "id", and it uses none of the other names tried',
      'differs: the service uses "owner", not "scope"',
      'confirmed: the service uses "search"',
      'differs: the service uses "expand", but expand is cut',
      'confirmed: the service uses "cursor"',
      "undecided: pages hold one",
    ]);
  });

  it("leaves a name undecided if no request is left, and rejects with any other error", async () => {
    const log = new CheckLog(undefined);
    const failing = (error: Error) => async () => Promise.reject(error);
    await log.check({ group: "rooms", meaning: "ids", probe: failing(new BudgetError()) });
    expect(log.checks[0]?.verdict).toBe("undecided");
    await expect(log.check({ group: "rooms", meaning: "ids", probe: failing(new Error("other")) })).rejects.toThrow(
      "other",
    );
  });
});

describe("the checks of the meeting filters", () => {
  const meetings = [
    { ...samples.meeting, id: "mtg_1", status: "completed", start_time: "2025-05-01T09:00:00Z" },
    { ...samples.meeting, id: "mtg_2", status: "completed", start_time: "2025-06-10T23:30:00Z" },
  ];
  const answering = (filtered: (names: Map<string, string>) => unknown[] | undefined) =>
    diagnosed(({ path, query }) => {
      if (path === "/rooms") {
        const rooms = [
          { ...samples.room, meetings: [] },
          { ...samples.room, id: "room_2", meetings: [meetings[0]] },
        ];
        return json(samples.page(rooms));
      }
      if (path !== "/meetings") return refusal(403, "forbidden");
      return json(samples.page(filtered(new Map(query)) ?? meetings));
    });

  it("request dates far from all meetings, and a status that not every meeting has", async () => {
    const { sent, details } = await answering(() => undefined);
    for (const query of ["start_date=2026-07-15", "end_date=2024-03-27", "status=processing", "room_id=room_2"])
      expect(sent).toContain(`/meetings ${query}`);
    expect(details["meetings.room_id"]).toMatch(/^differs: the service ignores "room_id"/);
  });

  it("confirm a name if only matching meetings come", async () => {
    const day = (start_time: string) => [{ ...samples.meeting, start_time }];
    const { details } = await answering((names) => {
      if (names.has("start_date")) return day("2026-07-14T00:00:00Z");
      if (names.has("end_date")) return day("2024-03-28T00:00:00Z");
      if (names.has("status")) return [{ ...samples.meeting, status: "processing" }];
      return names.has("room_id") ? meetings.slice(0, 1) : undefined;
    });
    for (const name of ["start_date", "end_date", "status", "room_id"])
      expect(details[`meetings.${name}`]).toBe(`confirmed: the service uses "${name}"`);
  });

  it("find a name ignored if a meeting of another date comes", async () => {
    const day = (start_time: string) => [{ ...samples.meeting, start_time }];
    const { details } = await answering((names) => {
      if (names.has("start_date")) return day("2026-07-12T00:00:00Z");
      return names.has("end_date") ? day("2024-03-31T00:00:00Z") : undefined;
    });
    expect(details["meetings.start_date"]).toMatch(/^differs: the service ignores "start_date"/);
    expect(details["meetings.end_date"]).toMatch(/^differs: the service ignores "end_date"/);
  });
});
