/** `diagnose` reports what the service's behaviour shows about each parameter name, and guesses nothing. */
import * as fc from "fast-check";
import { Notetaker, UnauthorizedError } from "notetaker-sdk";
import { type Check, diagnose, type Report } from "notetaker-sdk/doctor";
import { createEmulator, type EmulatorOptions } from "notetaker-sdk/testing";
import { expect, it, vi } from "vitest";
import { ASSUMED_QUERY, type AssumptionOverrides } from "../../src/assumptions.js";

import { hasUsualRuns, runs } from "../support/property-seed.js";
import { clientOf, json, refusal, rejection, TOKEN } from "../support/recorder.js";

type Group = keyof typeof ASSUMED_QUERY;

/** Diagnoses an emulator with these options. `changed` changes the query of each request before it arrives. */
async function diagnoseEmulator(options: EmulatorOptions = {}, changed?: (url: URL) => void) {
  const service = createEmulator({ limits: "none", ...options });
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(String(input));
    changed?.(url);
    return service.fetch(url, init);
  };
  return { service, report: await diagnose(new Notetaker({ ...service.clientOptions, fetch })) };
}

const groupOf = ({ pathname }: URL): Group =>
  pathname.endsWith("/permissions") ? "permissions" : (pathname.split("/")[2] as Group);

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

it("diagnose confirms every name of the emulator", async () => {
  const { report, service } = await diagnoseEmulator({ seed: accountOf(4, 1) });
  expect(new Set(Object.values(verdicts(report)))).toEqual(new Set(["confirmed"]));
  expect(report.checks.map(({ id }) => id).sort()).toEqual(
    Object.entries(ASSUMED_QUERY)
      .flatMap(([group, names]) => Object.keys(names).map((name) => `${group}.${name}`))
      .sort(),
  );
  expect(report.requests).toBe(service.requests.length);
  expect(report.requests).toBeLessThanOrEqual(35);
});

it("diagnose leaves names undecided if failed requests have used up the 60", async () => {
  const service = createEmulator({ limits: "none", seed: accountOf(20) });
  service.faults.next("GET /meetings/:id/permissions", { status: 503, retryAfterSeconds: 0, times: 100 });
  service.faults.next("GET /meetings", { status: 503, retryAfterSeconds: 0, after: 1, times: 100 });
  const report = await diagnose(new Notetaker(service.clientOptions));
  expect([report.requests, service.requests.length]).toEqual([60, 60]);
  expect(report.checks.find(({ id }) => id === "permissions.limit")).toMatchObject({
    verdict: "undecided",
    detail: expect.stringMatching(/used up|503/),
  });
  expect(verdicts(report)["rooms.limit"]).toBe("confirmed");
});

it("diagnose gives no wrong verdict, for any service and account", async () => {
  const groups = Object.keys(ASSUMED_QUERY) as Group[];
  const namesOf = (group: Group) => {
    const names = Object.entries(ASSUMED_QUERY[group]).map(([meaning, name]) => [
      meaning,
      fc.constantFrom(name, `other_${meaning}`),
    ]);
    return fc.record<Record<string, string>>(Object.fromEntries(names));
  };
  const forEach = <T>(keys: readonly Group[], draw: (group: Group) => fc.Arbitrary<T>) =>
    fc.record<Record<string, T>>(Object.fromEntries(keys.map((group) => [group, draw(group)])));
  const someOf = (group: Group) => fc.subarray(Object.keys(ASSUMED_QUERY[group]), { maxLength: 2 });
  const drawn = fc.record({
    assumptions: forEach(groups, namesOf),
    ignoredParameters: forEach(["rooms", "permissions", "meetings"], someOf),
    strict: fc.boolean(),
    rooms: fc.integer({ min: 0, max: 14 }),
    shared: fc.integer({ min: 0, max: 14 }),
    defaultPageSize: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 30 })),
    maxPageSize: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 30 })),
  });
  let decided = 0;
  await fc.assert(
    fc.asyncProperty(drawn, async ({ assumptions, ignoredParameters, strict, rooms, shared, ...sizes }) => {
      const ignored = ignoredParameters as Partial<Record<Group, string[]>>;
      const options = { seed: accountOf(rooms, shared), assumptions: assumptions as AssumptionOverrides, strict };
      const { report, service } = await diagnoseEmulator(options, (url) => {
        const group = groupOf(url);
        const names = assumptions[group] as Record<string, string>;
        for (const meaning of ignored[group] ?? []) url.searchParams.delete(names[meaning] as string);
        const { limit } = names;
        if (limit === undefined) return;
        const requested = Number(url.searchParams.get(limit) ?? sizes.defaultPageSize);
        url.searchParams.set(limit, String(Math.min(requested, sizes.maxPageSize)));
      });
      expect(report.requests).toBeLessThanOrEqual(60);
      for (const { method } of service.requests) expect(method).toBe("GET");
      for (const { id, verdict } of report.checks) {
        const [group, meaning] = id.split(".") as [Group, string];
        const isHeeded = !ignored[group]?.includes(meaning);
        const name = assumptions[group]?.[meaning];
        const defaultName = (ASSUMED_QUERY[group] as Record<string, string>)[meaning];
        if (verdict !== "undecided") decided += 1;
        const expected = isHeeded && name === defaultName ? "confirmed" : "differs";
        expect([id, verdict]).toEqual([id, expect.stringMatching(`${expected}|undecided`)]);
      }
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

it("a report contains no content of the account", async () => {
  const named = { title: "Secret plan", owner: "ada@example.com", share_url: "https://secret.example" };
  const { notetaker } = clientOf(({ path }) => {
    const meeting = { ...named, id: "mtg_secret", start_time: "2025-06-02T09:00:00Z", status: "Secret" };
    if (path === "/meetings") return json({ data: [meeting, meeting], next_cursor: "secret", has_more: true });
    const room = { ...named, id: "room_secret", meetings: [meeting], documents: [{ id: "doc_secret" }] };
    if (path === "/rooms") return json({ data: [room, room], next_cursor: "secret", has_more: true });
    return json({ id: "doc_secret", format: "Secret format" });
  });
  const text = JSON.stringify(await diagnose(notetaker));
  expect(text).toContain("differs");
  for (const content of [/secret/i, /ada@/, /2025-06/, TOKEN]) expect(text).not.toMatch(content);
});

it("diagnose calls onCheck with a copy of each check during the run", async () => {
  const service = createEmulator({ limits: "none" });
  const seen = new Map<string, Check>();
  const counts: number[] = [];
  const onCheck = (check: Check) => {
    seen.set(check.id, { ...check });
    check.detail = "the report has another copy";
    counts.push(service.requests.length);
  };
  const report = await diagnose(new Notetaker(service.clientOptions), { onCheck });
  expect(seen).toEqual(new Map(report.checks.map((check) => [check.id, check])));
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
  const service = createEmulator({ limits: "all", now: () => Date.now(), seed: accountOf(4, 1) });
  const notetaker = new Notetaker(service.clientOptions);
  for (let count = 0; count < 50; count += 1) await notetaker.rooms.list({}, { maxRetries: 0 });
  const diagnosis = diagnose(notetaker);
  await vi.advanceTimersByTimeAsync(65_000);
  const report = await diagnosis;
  expect(service.requests.map(({ status }) => status)).not.toContain(429);
  // The waits do not count.
  expect(report.requests).toBe(service.requests.length - 50);
});

it("diagnose names an unknown option and an option of the wrong type", async () => {
  const { notetaker } = clientOf(() => expect.fail());
  const message = "diagnose: onchek: unknown option; did you mean onCheck?";
  await expect(diagnose(notetaker, { onchek: () => {} } as never)).rejects.toThrow(message);
  await expect(diagnose(notetaker, { onCheck: 5 } as never)).rejects.toMatchObject({ name: "InvalidArgumentError" });
});
