/** Which response leads to which verdict, and with which requests: `diagnose` against handlers. */
import { diagnose, type Report } from "notetaker-sdk/doctor";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { clientOf, type Handler, inTurn, json, refusal } from "../support/recorder.js";
import * as samples from "../support/samples.js";

const detailsOf = ({ checks }: Report) =>
  Object.fromEntries(checks.map(({ id, verdict, detail }) => [id, `${verdict}: ${detail}`]));

async function diagnosed(handler: Handler) {
  const { notetaker, seen } = clientOf(handler);
  const report = await diagnose(notetaker);
  const sent = seen.map(({ path, query }) => path + query.map(([name, value]) => ` ${name}=${value}`).join(""));
  return { report, sent, details: detailsOf(report) };
}

type Query = Record<string, string>;

/** Diagnoses a service whose rooms are `first` without parameters, and `filtered` with them. It has nothing else. */
const withRooms = (first: unknown, filtered: (query: Query) => unknown) =>
  diagnosed(({ path, query }) => {
    if (path !== "/rooms") return refusal(404, "not_found");
    const answer = query.length === 0 ? first : filtered(Object.fromEntries(query));
    return answer instanceof Response ? answer : json(answer);
  });

const rows = (...ids: string[]) => ids.map((id) => ({ id }));
const page = samples.page;
const AB = page(rows("a", "b"));
const A_MORE = page(rows("a"), "c");
const NO_PAGE = { items: 1 };
const refused = () => refusal(404, "x");

it.each<[id: string, what: string, first: unknown, filtered: (query: Query) => unknown, verdict: string]>([
  ["limit", "a page of one", AB, () => A_MORE, "confirmed"],
  ["limit", "the same page", AB, () => AB, "differs"],
  ["limit", "an empty page", AB, () => page([]), "differs"],
  ["limit", "one row after a page of one", A_MORE, () => A_MORE, "undecided"],
  ["limit", "no page", AB, () => NO_PAGE, "undecided"],
  ["limit", "a refusal", AB, refused, "differs"],
  ["cursor", "another page", A_MORE, ({ cursor }) => (cursor === "c" ? page(rows("b")) : A_MORE), "confirmed"],
  ["cursor", "the same page", A_MORE, () => A_MORE, "differs"],
  ["cursor", "a row of the same page", page(rows("a", "b"), "c"), () => page(rows("b", "d")), "differs"],
  ["cursor", "an empty page", A_MORE, () => page([]), "undecided"],
  ["cursor", "rows without ids", A_MORE, () => page([{ id: "b" }, {}]), "undecided"],
  ["cursor", "rows after rows without ids", page([{ id: "a" }, {}], "c"), () => page(rows("b")), "undecided"],
  ["cursor", "rows after an empty page", page([], "c"), () => page(rows("b")), "undecided"],
  ["cursor", "rows although there is no next page", AB, () => AB, "undecided"],
  ["cursor", "a first page without a cursor", { data: rows("a"), has_more: true }, () => AB, "undecided"],
  ["cursor", "a cursor without has_more", { ...AB, next_cursor: "c" }, () => AB, "undecided"],
  ["cursor", "a refusal", A_MORE, refused, "differs"],
  ["ids", "the requested row", AB, ({ id }) => (id === "b" ? page(rows("b")) : AB), "confirmed"],
  ["ids", "another row", AB, () => page(rows("a")), "differs"],
  ["ids", "both rows", AB, () => AB, "differs"],
  ["ids", "no row", AB, () => page([]), "differs"],
  ["ids", "no page", AB, () => NO_PAGE, "undecided"],
  ["ids", "only one row at all", page(rows("a")), () => page(rows("a")), "undecided"],
  ["ids", "rows without ids", page([{}, {}]), () => page([{}]), "undecided"],
  ["scope", "no common row", AB, ({ scope }) => page(rows(scope === "shared" ? "b" : "a")), "confirmed"],
  ["scope", "no shared row", AB, ({ scope }) => (scope === "shared" ? page([]) : AB), "confirmed"],
  ["scope", "only shared rows", AB, ({ scope }) => (scope === "shared" ? AB : page([])), "confirmed"],
  ["scope", "the first page twice", AB, () => AB, "differs"],
  ["scope", "a row that is shared and owned", AB, ({ scope }) => (scope ? page(rows("b")) : AB), "differs"],
  ["scope", "no row, twice", AB, () => page([]), "differs"],
  ["scope", "rows without ids", AB, () => page([{}]), "undecided"],
  ["scope", "no page", AB, () => NO_PAGE, "undecided"],
  ["scope", "a refusal of one", AB, ({ scope }) => (scope === "shared" ? page(rows("b")) : refused()), "differs"],
  ["search", "no row", AB, ({ search }) => (search ? page([]) : AB), "confirmed"],
  ["search", "a row", AB, () => page(rows("a")), "differs"],
  ["search", "an empty page before others", AB, () => page([], "c"), "differs"],
  ["search", "no page", AB, () => NO_PAGE, "undecided"],
  ["expand", "a row with a field", AB, ({ expand }) => page([{}, expand ? { meetings: [] } : {}]), "confirmed"],
  ["expand", "a field that is not a list", AB, () => page([{ id: "a", meetings: 5 }]), "differs"],
  ["expand", "the fields without the parameter", page([{ documents: [] }, {}]), () => AB, "undecided"],
])("rooms.%s, %s: the verdict", async (id, _, first, filtered, verdict) => {
  const { report } = await withRooms(first, filtered);
  expect(report.checks.find((check) => check.id === `rooms.${id}`)).toMatchObject({ verdict });
});

it("an empty account leaves every name undecided, and the details say what data it needs", async () => {
  const { details, sent, report } = await diagnosed(() => json(page([])));
  expect(report.checks[0]).toMatchObject({ id: "rooms.limit", title: "rooms: page size" });
  expect(Object.fromEntries(report.checks.map(({ id, source }) => [id.split(".")[0], source]))).toEqual({
    ...{ rooms: "documented", permissions: "guessed", documents: "documented", meetings: "documented" },
  });
  for (const detail of Object.values(details)) expect(detail).toMatch(/^undecided: needs /);
  expect(details["rooms.limit"]).toContain("at least 2 rooms");
  expect(sent).toEqual(["/rooms", "/meetings"]);
});

it("names that the service refuses differ, unless it refuses the request without them, too", async () => {
  const answers: Record<string, unknown> = { "/rooms": page([samples.room]), "/meetings": page([samples.meeting]) };
  const { details, report, sent } = await diagnosed(({ path, query }) =>
    query.length === 0 && path in answers ? json(answers[path]) : refusal(422, "x"),
  );
  for (const id of ["rooms.scope", "meetings.q", "meetings.search"]) expect(details[id]).toMatch(/^differs: .* 422$/);
  expect(details["permissions.limit"]).toMatch(/^undecided: GET \/meetings\/\{meeting_id\}\/permissions: .* 422$/);
  expect(report.requests).toBe(sent.length);
});

describe("the documents of a list", () => {
  const reading = (documentAnswer: Handler) =>
    diagnosed((seen, index) => {
      if (seen.path.startsWith("/documents/")) return documentAnswer(seen, index);
      const ids = ["doc 2", "mtg_3", "doc_4-ä", "doc_5"];
      if (seen.path === "/rooms") return json(page([{ ...samples.room, documents: rows(...ids) }]));
      return seen.path === "/meetings" ? json(page([])) : refusal(404, "not_found");
    });
  const formatOf = async (format: (names: Map<string, string>) => unknown) => {
    const { details } = await reading(({ query }) => json({ ...samples.document, format: format(new Map(query)) }));
    return details["documents.format"];
  };

  it("are read by the first id that the client accepts", async () => {
    const { details, sent } = await reading(() => json({ id: "doc_1" }));
    expect(details["documents.format"]).toMatch(/^undecided/);
    expect(sent.filter((path) => path.startsWith("/documents"))).toEqual([
      `/documents/${encodeURIComponent("doc_4-ä")}`,
    ]);
    expect((await reading(() => refusal(403, "forbidden"))).details["documents.format"]).toMatch(/^undecided: .* 403$/);
  });

  it("show by their format whether the name is honoured", async () => {
    expect(await formatOf((names) => names.get("format") ?? "html")).toMatch(/^confirmed/);
    expect(await formatOf(() => "html")).toMatch(/^differs/);
    expect(await formatOf((names) => (names.size === 0 ? "html" : "other"))).toMatch(/^undecided/);
    expect(await formatOf((names) => (names.size === 0 ? "html" : 5))).toMatch(/^undecided/);
  });
});

describe("the permissions of a meeting", () => {
  const owner = (readable: Record<string, unknown>) =>
    diagnosed(({ path }) => {
      const meetings = rows("mtg_1", "mtg/2", "mtg_3", "mtg_4", "mtg_5").map((row) => ({ ...samples.meeting, ...row }));
      if (path === "/rooms") return json(page([]));
      if (path === "/meetings") return json(page(meetings));
      const answer = readable[path.split("/")[2] ?? ""];
      return answer === undefined ? refusal(403, "forbidden") : json(answer);
    });
  const two = page([samples.permission, { ...samples.permission, id: "perm_2" }]);

  it("are read one by one, until a meeting has two", async () => {
    const { sent, details } = await owner({ mtg_1: samples.permissionPage, mtg_4: two, mtg_5: two });
    const read = sent.filter((path) => /^\/meetings\/\w+\/permissions$/.test(path));
    expect(read).toEqual(["mtg_1", "mtg_3", "mtg_4"].map((id) => `/meetings/${id}/permissions`));
    expect(details["permissions.limit"]).toBe("differs: limit=1 returned 2 permissions");
  });

  it("leave the names undecided if no meeting has two, or the responses are not pages", async () => {
    const { details } = await owner({ mtg_3: samples.permissionPage });
    expect(details["permissions.limit"]).toMatch(/^undecided/);
    const noPages = await owner({ mtg_1: 5, mtg_3: 5, mtg_4: 5, mtg_5: 5 });
    expect(noPages.details["permissions.limit"]).toMatch(/^undecided/);
  });
});

it("the filters of meetings are confirmed if only matching meetings come, and ignored if another one comes", async () => {
  const meetings = [
    { ...samples.meeting, id: "mtg_1", status: "completed", start_time: "2025-05-01T09:00:00Z" },
    { ...samples.meeting, id: "mtg_2", status: "completed", start_time: "2025-06-10T23:30:00Z" },
  ];
  const checked = (answers: Query | Record<string, unknown[]>) =>
    diagnosed(({ path, query }) => {
      const rooms = [
        { ...samples.room, meetings: [] },
        { ...samples.room, id: "room_2", meetings: meetings.slice(0, 1) },
      ];
      if (path === "/rooms") return json(page(rooms));
      if (path !== "/meetings") return refusal(403, "forbidden");
      return json(page((answers as Record<string, unknown[]>)[query[0]?.[0] ?? ""] ?? meetings));
    });
  const confirmed = await checked({
    ...{ start_date: [], end_date: [], room_id: meetings.slice(0, 1) },
    status: [{ ...samples.meeting, status: "processing" }],
  });
  const ignored = await checked({});
  const unclear = await checked({ room_id: [{ ...samples.meeting, id: "mtg_9" }] });
  for (const name of ["start_date", "end_date", "status", "room_id"]) {
    expect(confirmed.details[`meetings.${name}`]).toMatch(/^confirmed/);
    expect(ignored.details[`meetings.${name}`]).toMatch(/^differs/);
  }
  expect(unclear.details["meetings.room_id"]).toMatch(/^undecided/);
  // A semantic search may find something for any text.
  expect(ignored.details["meetings.q"]).toMatch(/^undecided/);
  for (const query of ["start_date=2099-01-01", "end_date=2000-01-01", "status=processing", "room_id=room_2"])
    expect(confirmed.sent).toContain(`/meetings ${query}`);
});

describe("a request that fails", () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2025, 5, 2) }));

  const empty = () => json(page([]));
  const limited = (seconds: number) => () => refusal(429, "rate_limited", { "retry-after": String(seconds) });

  /** Diagnoses an empty account: its meetings are answered by `answers` in turn. */
  async function meetingsAnswered(...answers: (() => Response | Promise<Response>)[]) {
    const meetings = inTurn(...answers);
    let asked = 0;
    const { notetaker, seen } = clientOf((request) => {
      if (request.path === "/rooms") return empty();
      asked += 1;
      return meetings(request, asked - 1);
    });
    const diagnosis = diagnose(notetaker).then(detailsOf, (error: Error) => error.name);
    await vi.advanceTimersByTimeAsync(200_000);
    const details = await diagnosis;
    return { result: typeof details === "string" ? details : details["meetings.limit"], requests: seen.length };
  }
  const READ = "undecided: needs at least 2 meetings on one page";
  const because = (reason: string) => `undecided: GET /meetings: ${reason}`;

  it.each<[string, (() => Response | Promise<Response>)[], string, number]>([
    ["a 404", [() => refusal(404, "x")], because("the endpoint responds with 404"), 2],
    ["a 503, then a page", [() => refusal(503, "x"), empty], READ, 3],
    ["three 500s", [() => refusal(500, "x")], because("the endpoint responds with 500"), 4],
    ["a 429 that asks for a minute, then a page", [limited(60), empty], READ, 3],
    ["a 429 that asks for more", [limited(62)], "RateLimitedError", 2],
    ["a 401", [() => refusal(401, "unauthorized")], "UnauthorizedError", 2],
    ["lost connections", [() => Promise.reject(new TypeError("lost"))], because("ConnectionError"), 4],
    ["an HTML page", [() => new Response("<html>")], because("ResponseValidationError"), 2],
  ])("%s", async (_, answers, result, requests) => {
    expect(await meetingsAnswered(...answers)).toEqual({ result, requests });
  });

  it("with a parameter leaves its name undecided if it fails with a 5xx", async () => {
    const { notetaker } = clientOf(({ query }) => (query.length === 0 ? json(AB) : refusal(500, "x")));
    const diagnosis = diagnose(notetaker);
    await vi.advanceTimersByTimeAsync(200_000);
    expect(detailsOf(await diagnosis)["rooms.limit"]).toBe("undecided: GET /rooms: the endpoint responds with 500");
  });

  it("is repeated after the limits of the client's own throttle, and reported to its onRetry", async () => {
    const acquired: string[] = [];
    const retries: number[] = [];
    const throttle = {
      acquire: async ({ operation }: { operation: string }) => void acquired.push(operation),
      pause: () => {},
    };
    const { notetaker } = clientOf(inTurn(limited(1), empty));
    const diagnosis = diagnose(
      notetaker.withOptions({ throttle, onRetry: ({ delayMs }) => void retries.push(delayMs) }),
    );
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await diagnosis).requests).toBe(3);
    expect([acquired.length, retries]).toEqual([3, [1_000]]);
  });
});
