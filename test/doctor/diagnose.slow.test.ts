/** `diagnose` reports what the service's behaviour shows about each parameter name, and guesses nothing. */
import * as fc from "fast-check";
import { Notetaker, UnauthorizedError } from "notetaker-sdk";
import { type Check, diagnose, type Report } from "notetaker-sdk/doctor";
import { createEmulator, type EmulatorOptions } from "notetaker-sdk/testing";
import { expect, it, vi } from "vitest";
import { ASSUMED_QUERY, type AssumptionOverrides } from "../../src/assumptions.js";
import type { Group } from "../../src/doctor/lists.js";
import { type Meaning, PARAMETERS } from "../../src/doctor/parameters.js";
import { hasUsualRuns, runs } from "../support/property-seed.js";
import { clientOf, json, refusal, rejection, TOKEN } from "../support/recorder.js";

/** Diagnoses an emulator with these options. */
async function diagnoseEmulator(options: EmulatorOptions = {}) {
  const service = createEmulator({ limits: "none", ...options });
  return { service, report: await diagnose(new Notetaker(service.clientOptions)) };
}

const verdicts = ({ checks }: Report) => Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict]));

/** An account in which every parameter has a visible effect. */
const meetingOf = (index: number, owned = true) => ({
  id: `mtg_${index}` as const,
  title: `Meeting ${index}`,
  owned,
  start_time: new Date(Date.UTC(2025, 4, 1 + index)).toISOString(),
  permissions: owned
    ? [
        { recipient: { type: "anyone" }, role: "read" },
        { recipient: { type: "teammate", email: "lin@example.com" }, role: "read" },
        { recipient: { type: "team" }, role: "read" },
      ]
    : [],
  documents: [{ id: `doc_${index}` as const, title: `Summary ${index}`, blocks: [] }],
});
const accountOf = (rooms: number, shared = 0) => ({
  rooms: Array.from({ length: rooms }, (_, index) => ({
    id: `room_${index}` as const,
    title: `Room ${index}`,
    owned: index >= shared,
    meetings: [meetingOf(2 * index, index >= shared), meetingOf(2 * index + 1, index >= shared)],
  })),
});

const OTHER_NAMES = {
  rooms: { ids: "room_ids", scope: "filter", search: "query", expand: "expand[]", cursor: "after", limit: "per_page" },
  permissions: { cursor: "after", limit: "per_page" },
  documents: { format: "output" },
  meetings: { ids: "ids", scope: "filter", search: "query", expand: "expand[]", cursor: "after", limit: "per_page" },
};

it("diagnose confirms every name of the emulator, and finds no drift", async () => {
  const { report, service } = await diagnoseEmulator({ seed: accountOf(4, 1) });
  expect(new Set(Object.values(verdicts(report)))).toEqual(new Set(["confirmed"]));
  expect(report.checks.map(({ id }) => id)).toEqual(
    Object.entries(ASSUMED_QUERY).flatMap(([group, names]) => Object.keys(names).map((name) => `${group}.${name}`)),
  );
  expect(report.assumptions).toEqual({});
  expect(report.drift).toEqual([]);
  // The API specification documents a recipient's type only.
  const unknown = report.fields.filter(({ known }) => !known).map(({ path }) => path);
  expect(unknown).toEqual(["data[].recipient.email"]);
  expect(report.requests).toBe(service.requests.length);
  expect(report.requests).toBeLessThanOrEqual(35);
});

it.each([
  ["ignores", "ignore"],
  ["refuses with 400", 400],
  ["refuses with 422", 422],
] as const)(
  "diagnose finds every name of a service that uses other names and %s unknown names",
  async (_, unknownParameters) => {
    const options = { seed: accountOf(4, 1), assumptions: OTHER_NAMES, dialect: { unknownParameters } };
    const { report, service } = await diagnoseEmulator(options);
    expect(report.assumptions).toEqual(OTHER_NAMES);
    expect(report.requests).toBeLessThanOrEqual(60);
    expect(new Set(service.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));

    const { rooms } = new Notetaker({ ...service.clientOptions, assumptions: report.assumptions });
    expect((await rooms.list({ limit: 1, ids: ["room_2"], expand: ["meetings"] })).data[0]?.meetings).toHaveLength(2);
  },
);

it.each(["ignore", 400] as const)(
  "diagnose leaves names undecided if the 60 requests are used up before (unknown names: %s)",
  async (unknownParameters) => {
    const last = { ids: "ids[]", scope: "owner", search: "keyword", expand: "fields", cursor: "page", limit: "max" };
    const assumptions = { rooms: last, permissions: { cursor: "next", limit: "count" }, meetings: last };
    const { report } = await diagnoseEmulator({ seed: accountOf(4, 1), assumptions, dialect: { unknownParameters } });
    expect(report.requests).toBe(60);
    expect(report.assumptions.rooms).toEqual(last);
    const usedUp = report.checks.filter(({ detail }) => /used up/.test(detail));
    expect(new Set(usedUp.map(({ verdict }) => verdict))).toEqual(new Set(["undecided"]));
    expect(usedUp.map(({ id }) => id)).toContain("permissions.limit");
  },
);

it("diagnose of an account with one room decides every name that one room can show", async () => {
  const { report } = await diagnoseEmulator({ seed: { rooms: [{ title: "Only" }] } });
  expect(verdicts(report)).toMatchObject({
    "rooms.limit": "undecided",
    "rooms.cursor": "undecided",
    "rooms.ids": "undecided",
    "rooms.scope": "confirmed",
    "rooms.search": "confirmed",
    "rooms.expand": "confirmed",
    "permissions.limit": "undecided",
    "documents.format": "undecided",
  });
});

it("diagnose reports a difference and proposes no name for a parameter that the service does not support", async () => {
  const ignoredParameters = { rooms: ["search", "limit"], documents: ["format"] } as const;
  for (const unknownParameters of ["ignore", 422] as const) {
    const dialect = { unknownParameters, ignoredParameters };
    const { report } = await diagnoseEmulator({ seed: accountOf(4, 1), dialect } as EmulatorOptions);
    expect(verdicts(report)).toMatchObject({
      "rooms.search": "differs",
      "rooms.limit": "differs",
      "documents.format": "differs",
      "rooms.ids": "confirmed",
    });
    expect(report.assumptions).toEqual({});
  }
});

it("the verdict on the page size is right for every small account and default page size", async () => {
  const wrong: unknown[] = [];
  for (const isHeeded of [true, false]) {
    for (const rooms of [0, 1, 2, 3]) {
      for (const defaultPageSize of [1, 2, 3]) {
        const dialect = {
          defaultPageSize,
          unknownParameters: "ignore",
          ...(isHeeded ? {} : { ignoredParameters: { rooms: ["limit"] } }),
        };
        const { report } = await diagnoseEmulator({ seed: accountOf(rooms), dialect } as EmulatorOptions);
        const verdict = verdicts(report)["rooms.limit"];
        // A service that sends pages of one may cut larger pages or ignore the name: the responses are the same.
        const isUndecided = rooms < 2 || (!isHeeded && defaultPageSize === 1);
        const expected = isUndecided ? "undecided" : isHeeded ? "confirmed" : "differs";
        if (verdict !== expected) wrong.push({ isHeeded, rooms, defaultPageSize, verdict });
      }
    }
  }
  expect(wrong).toEqual([]);
});

it("diagnose gives no wrong verdict and proposes no wrong name, for any service and account", async () => {
  const nameFor = (meaning: string, defaultName: string) =>
    fc.constantFrom(defaultName, ...PARAMETERS[meaning as Meaning].candidates);
  const groups = Object.keys(ASSUMED_QUERY) as Group[];
  const namesOf = (group: Group) => {
    const names = Object.entries(ASSUMED_QUERY[group]).map(([meaning, name]) => [meaning, nameFor(meaning, name)]);
    return fc.record<Record<string, string>>(Object.fromEntries(names)).filter(hasNoDoubles);
  };
  const forEach = <T>(keys: readonly Group[], draw: (group: Group) => fc.Arbitrary<T>) =>
    fc.record<Record<string, T>>(Object.fromEntries(keys.map((group) => [group, draw(group)])));
  const hasNoDoubles = (names: Record<string, string>) =>
    new Set(Object.values(names)).size === Object.keys(names).length;
  const someOf = (group: Group) => fc.subarray(Object.keys(ASSUMED_QUERY[group]), { maxLength: 2 });
  const drawn = fc.record({
    assumptions: forEach(groups, namesOf),
    ignoredParameters: forEach(
      groups.filter((group) => group !== "documents"),
      someOf,
    ),
    unknownParameters: fc.constantFrom("ignore" as const, 400 as const, 422 as const),
    rooms: fc.integer({ min: 0, max: 14 }),
    shared: fc.integer({ min: 0, max: 14 }),
    defaultPageSize: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 30 })),
    maxPageSize: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 30 })),
  });
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(drawn, async ({ assumptions, ignoredParameters, unknownParameters, rooms, shared, ...sizes }) => {
      const { report } = await diagnoseEmulator({
        seed: accountOf(rooms, shared),
        assumptions: assumptions as AssumptionOverrides,
        dialect: { unknownParameters, ignoredParameters: ignoredParameters as never, ...sizes },
      });
      expect(report.requests).toBeLessThanOrEqual(60);
      for (const { id, verdict, detail } of report.checks) {
        const [group, meaning] = id.split(".") as [Group, string];
        const isHeeded = !(ignoredParameters as Record<string, string[]>)[group]?.includes(meaning);
        const name = assumptions[group]?.[meaning];
        const defaultName = (ASSUMED_QUERY[group] as Record<string, string>)[meaning];
        const proposed = (report.assumptions[group] as Record<string, string> | undefined)?.[meaning];
        if (verdict !== "undecided") decided += 1;
        if (verdict === "confirmed") expect([id, name, isHeeded, proposed]).toEqual([id, defaultName, true, undefined]);
        if (proposed !== undefined) expect([id, proposed, isHeeded, verdict]).toEqual([id, name, true, "differs"]);
        if (verdict === "differs" && proposed === undefined && isHeeded && name === defaultName) {
          expect([id, detail]).toEqual([id, expect.stringContaining("cuts a page")]);
        }
      }
      expect(report.drift).toEqual([]);
    }),
    { numRuns: runs(15) },
  );
  if (hasUsualRuns) expect(decided).toBeGreaterThan(50);
});

it("one endpoint that fails leaves only its own names undecided", async () => {
  const service = createEmulator({ limits: "none", seed: accountOf(4, 1) });
  for (const [pattern, status, group] of [
    [/^\/v1\/rooms$/, 503, "rooms"],
    [/\/permissions$/, 403, "permissions"],
    [/^\/v1\/documents\//, 404, "documents"],
    [/^\/v1\/meetings$/, 404, "meetings"],
  ] as const) {
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const { pathname } = new URL(String(input));
      return pattern.test(pathname) ? refusal(status, "unavailable") : service.fetch(input as string, init);
    };
    const report = await diagnose(new Notetaker({ ...service.clientOptions, fetch }));
    const undecided = report.checks.filter(({ verdict }) => verdict === "undecided").map(({ id }) => id.split(".")[0]);
    expect(new Set(undecided)).toEqual(new Set(group === "rooms" ? ["rooms", "meetings"] : [group]));
    const details = report.checks.filter(({ id }) => id.startsWith(group)).map(({ detail }) => detail);
    expect(details.join()).toContain(String(status));
  }
});

it("the drift in a report lists each place once, with types and a count, and contains no content", async () => {
  const room = {
    id: "room_1",
    title: null,
    created_at: "yesterday",
    updated_at: "2025-06-02T09:00:00Z",
    meeting_count: "2",
    owner: "ada@example.com",
    "lin@example.com": true,
    meetings: [
      { id: "mtg_1", title: "Secret plan", status: 5, source: "zoom", duration: 1860.5 },
      { id: "mtg_2", title: "Secret plan", status: 5, source: "zoom", start_time: "2025-06-02T09:00:00Z" },
    ],
  };
  const { notetaker } = clientOf(({ path }) =>
    path === "/rooms" ? json({ data: [room], next_cursor: 5, has_more: false }) : refusal(404, "not_found"),
  );
  const report = await diagnose(notetaker);
  const times = report.drift.find(({ path }) => path === "next_cursor")?.count;
  const perMeeting = (times ?? 0) * 2;
  expect(report.drift).toContainEqual({
    operation: "rooms.list",
    path: "data[].meetings[].status",
    expected: "string",
    received: "number",
    count: perMeeting,
  });
  expect(report.drift.map(({ path, received }) => `${path}: ${received}`)).toEqual([
    "data[].title: null",
    "data[].created_at: string",
    "data[].meeting_count: string",
    "data[].meetings[].status: number",
    "data[].meetings[].start_time: missing",
    "data[].meetings[].duration: number",
    "next_cursor: number",
  ]);
  const unknown = report.fields.filter(({ known }) => !known).map(({ path, kinds }) => `${path}: ${kinds}`);
  expect(unknown).toEqual(["data[].owner: string", "data[].(another name): boolean"]);
  const text = JSON.stringify(report);
  for (const content of ["Secret", "ada@", "lin@", "room_1", "mtg_1", "yesterday"]) expect(text).not.toContain(content);
});

it("diagnose calls onCheck with each check during the run", async () => {
  const service = createEmulator({ limits: "none" });
  const seen: Check[] = [];
  const counts: number[] = [];
  const onCheck = (check: Check) => {
    seen.push({ ...check });
    check.detail = "the report has another copy";
    counts.push(service.requests.length);
  };
  const report = await diagnose(new Notetaker(service.clientOptions), { onCheck });
  expect(new Map(seen.map((check) => [check.id, check]))).toEqual(
    new Map(report.checks.map((check) => [check.id, check])),
  );
  expect(counts[0]).toBeLessThan(counts.at(-1) ?? 0);
});

it("an abort at any point ends diagnose at once, with the signal's reason", async () => {
  const { report } = await diagnoseEmulator();
  const reason = new Error("not now");
  for (let stopAt = 0; stopAt < report.requests; stopAt += 4) {
    const service = createEmulator({ limits: "none" });
    const controller = new AbortController();
    let count = 0;
    const fetch: typeof globalThis.fetch = (input, init) => {
      count += 1;
      if (count <= stopAt) return service.fetch(input as string, init);
      controller.abort(reason);
      return new Promise(() => {});
    };
    const notetaker = new Notetaker({ ...service.clientOptions, fetch });
    expect(await rejection(diagnose(notetaker, { signal: controller.signal }))).toBe(reason);
    expect(count).toBe(stopAt + 1);
  }
  const { notetaker } = clientOf(() => expect.fail());
  expect(await rejection(diagnose(notetaker, { signal: AbortSignal.abort(reason) }))).toBe(reason);
});

it("diagnose rejects at once after a 401, a failed connection or an HTML page", async () => {
  const unauthorized = clientOf(() => refusal(401, "unauthorized"));
  expect(await rejection(diagnose(unauthorized.notetaker))).toBeInstanceOf(UnauthorizedError);
  expect(unauthorized.seen).toHaveLength(1);
  const unreachable = clientOf(() => Promise.reject(new TypeError("fetch failed")));
  expect(await rejection(diagnose(unreachable.notetaker))).toMatchObject({ name: "ConnectionError" });
  const html = clientOf(() => new Response("<html>login</html>", { headers: { "content-type": "text/html" } }));
  expect(await rejection(diagnose(html.notetaker))).toMatchObject({ name: "ResponseValidationError" });
});

it("diagnose waits for the next rate limit window if the headers show no request left, and gets no 429", async () => {
  vi.useFakeTimers({ now: Date.UTC(2025, 5, 2) });
  try {
    const service = createEmulator({ limits: "all", now: () => Date.now(), seed: accountOf(4, 1) });
    const notetaker = new Notetaker(service.clientOptions);
    for (let count = 0; count < 50; count += 1) await notetaker.rooms.list({}, { maxRetries: 0 });
    const diagnosis = diagnose(notetaker);
    await vi.advanceTimersByTimeAsync(65_000);
    await diagnosis;
    expect(service.requests.map(({ status }) => status)).not.toContain(429);
  } finally {
    vi.useRealTimers();
  }
});

it("diagnose names an unknown option and an option of the wrong type", async () => {
  const { notetaker } = clientOf(() => expect.fail());
  const message = "diagnose: onchek: unknown option; did you mean onCheck?";
  await expect(diagnose(notetaker, { onchek: () => {} } as never)).rejects.toThrow(message);
  await expect(diagnose(notetaker, { onCheck: 5 } as never)).rejects.toMatchObject({ name: "InvalidArgumentError" });
});

it("a report contains no token", async () => {
  const { notetaker } = clientOf(() => refusal(403, TOKEN));
  expect(JSON.stringify(await diagnose(notetaker))).not.toContain(TOKEN);
});
