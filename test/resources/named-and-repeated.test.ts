/**
 * The name of each method in logs and errors, whether it is retried, and the methods that send more than one request.
 */
import { type AttemptRecord, Notetaker } from "notetaker-sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ASSUMED_QUERY, documentTitles, wireNames } from "../../src/assumptions.js";
import { configuration } from "../../src/configuration/configuration.js";
import { environment } from "../../src/configuration/environment.js";
import { LocalThrottle } from "../../src/transport/throttle/local-throttle.js";
import { CALLS, success } from "../support/calls.js";
import { BASE_URL, clientOf, json, refusal, rejection } from "../support/recorder.js";
import * as samples from "../support/samples.js";
import { ID, inTime, meeting, page, service, TRANSCRIPT, useFakeClock } from "../waiting/service.js";

describe.each(CALLS)("$operation", (call) => {
  it("has its name in log records, and is retried after a 503 only if it may be repeated", async () => {
    const records: AttemptRecord[] = [];
    const { notetaker, seen } = clientOf((_, index) => (index === 0 ? refusal(503, "x") : success(call)), {
      maxRetryDelayMs: 0,
      logger: (_level, _message, fields) => void records.push(fields as AttemptRecord),
    });
    const outcome = await Promise.resolve(call.make(notetaker)).then(
      () => "resolved",
      () => "rejected",
    );
    expect(outcome).toBe(call.repeatable ? "resolved" : "rejected");
    expect(seen).toHaveLength(call.repeatable ? 2 : 1);
    expect(new Set(records.map(({ operation }) => operation))).toEqual(new Set([call.operation]));
  });
});

it.each(CALLS)("$operation uses a new connection only if it must not be sent twice", async (call) => {
  const keepalives: unknown[] = [];
  const fetch = async (_: string, init: RequestInit) => {
    keepalives.push(init.keepalive);
    return success(call);
  };
  await call.make(new Notetaker({ baseUrl: BASE_URL, token: "t", fetch }));
  expect(keepalives).toEqual([call.repeatable ? undefined : false]);
});

describe("an id of another kind", () => {
  const { notetaker } = clientOf(() => json({}));

  it.each<[string, () => PromiseLike<unknown>, string]>([
    ["meetings.get", () => notetaker.meetings.get("x"), "meetingId"],
    ["meetings.getTranscript", () => notetaker.meetings.getTranscript("x"), "meetingId"],
    ["meetings.getRecording", () => notetaker.meetings.getRecording("x"), "meetingId"],
    ["meetings.cancelBot", () => notetaker.meetings.cancelBot("x"), "eventId"],
    ["meetings.scheduleBot", () => notetaker.meetings.scheduleBot("x"), "eventId"],
    ["rooms.get", () => notetaker.rooms.get("x"), "roomId"],
    ["documents.get", () => notetaker.documents.get("x"), "documentId"],
    ["documents.find", () => notetaker.documents.find("x", "summary"), "meetingId"],
    ["permissions.list", () => notetaker.permissions.list("x"), "meetingId"],
    ["permissions.revoke", () => notetaker.permissions.revoke("x", "perm_1"), "meetingId"],
    ["permissions.revoke", () => notetaker.permissions.revoke("mtg_1", ""), "permissionId"],
    ["webhooks.update", () => notetaker.webhooks.update("x", { enabled: true }), "webhookId"],
    ["webhooks.delete", () => notetaker.webhooks.delete("x"), "webhookId"],
  ])("is refused by %s, which names the argument", async (operation, call, argument) => {
    const error = await rejection(call());
    expect(error).toMatchObject({ name: "InvalidArgumentError" });
    expect((error as Error).message.startsWith(`${operation}: ${argument}: expected an id`)).toBe(true);
  });
});

describe("waits and watches", () => {
  useFakeClock();

  it("read the list and the transcript of one meeting", async () => {
    const { notetaker, seen } = service({ transcript: () => json(TRANSCRIPT), list: () => page(meeting("completed")) });
    expect((await inTime(notetaker.meetings.waitForTranscript(ID))).value).toEqual(TRANSCRIPT);
    expect((await inTime(notetaker.meetings.waitForCompletion(ID))).value).toEqual(meeting("completed"));
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /meetings",
      `GET /meetings/${ID}/transcript`,
      "GET /meetings",
    ]);
    const documents = [samples.documentReference];
    const expanded = service({ list: () => page({ ...meeting("completed"), documents }) });
    expect((await inTime(expanded.notetaker.meetings.waitForDocuments(ID))).value).toEqual(documents);
  });

  it("send each request once per poll, because the next poll is the retry", async () => {
    const { notetaker, times } = service({
      transcript: () => json(TRANSCRIPT),
      list: (n) => (n < 3 ? refusal(503, "x") : page(meeting("completed"))),
    });
    expect((await inTime(notetaker.meetings.waitForCompletion(ID))).at).toBe(10_000);
    expect(times).toEqual([0, 5_000, 10_000]);
    const { notetaker: other, counts } = service({
      transcript: (n) => (n < 2 ? refusal(503, "x") : json(TRANSCRIPT)),
      list: () => page(meeting("completed")),
    });
    expect((await inTime(other.meetings.waitForTranscript(ID))).at).toBe(15_000);
    expect(counts).toEqual({ transcript: 2, list: 2 });
  });

  it("send the headers of the call, and a token from the token function", async () => {
    let asked = 0;
    const { notetaker, seen } = service(
      { transcript: () => json(TRANSCRIPT), list: () => page(meeting("completed")) },
      {
        token: async () => {
          asked += 1;
          return `tok_${asked}`;
        },
      },
    );
    await inTime(notetaker.meetings.waitForTranscript(ID, { headers: { "x-team": "a" } }));
    expect(asked).toBeGreaterThan(0);
    for (const { headers } of seen) {
      expect(headers["x-team"]).toBe("a");
      expect(headers.authorization).toMatch(/^Bearer tok_\d$/);
    }
  });

  it("return each meeting that is completed", async () => {
    const { notetaker } = service({ list: () => page({ ...meeting("completed"), end_time: "2025-06-02T10:00:00Z" }) });
    const watch = notetaker.meetings.watch({ since: "2025-06-01T00:00:00Z" });
    const { value } = await inTime(watch.next());
    expect(value?.value).toMatchObject({ meeting: { id: ID } });
    await watch.return?.();
  });
});

it("downloadRecording requests the link once, and reads the recording from it", async () => {
  const seen: string[] = [];
  const link = "https://storage.example.com/r?sig=s3cr3t";
  const notetaker = new Notetaker({
    baseUrl: BASE_URL,
    token: "t",
    fetch: async (url) => {
      seen.push(String(url));
      if (String(url) === link) return new Response("bytes", { headers: { "content-type": "video/mp4" } });
      return json({ meeting_id: "mtg_1", recording_url: link });
    },
  });
  const download = await notetaker.meetings.downloadRecording("mtg_1");
  expect(await new Response(download.stream).text()).toBe("bytes");
  expect(seen).toEqual([`${BASE_URL}/meetings/mtg_1/recording`, link]);
});

describe("webhooks.ensure", () => {
  const store = (secret?: string) => ({ get: () => secret, set: () => {} });
  const params = { url: "https://hooks.example.com/in", events: ["meeting.transcript_ready"] as const };

  it("sends its options with each request, and ends when the signal aborts", async () => {
    const { notetaker, seen } = clientOf(({ method }) =>
      json(method === "GET" ? [] : samples.createdWebhook, method === "GET" ? 200 : 201),
    );
    await notetaker.webhooks.ensure({ ...params, secretStore: store() }, { headers: { "x-team": "a" } });
    expect(seen.map(({ method, path, headers }) => [method, path, headers["x-team"]])).toEqual([
      ["GET", "/webhooks", "a"],
      ["POST", "/webhooks", "a"],
    ]);
    const call = notetaker.webhooks.ensure({ ...params, secretStore: store() }, { signal: AbortSignal.abort("stop") });
    expect(await rejection(call)).toBe("stop");
  });

  it("changes the events of an existing webhook", async () => {
    const { notetaker, seen } = clientOf(({ method }) => json(method === "GET" ? [samples.webhook] : samples.webhook));
    const events = ["meeting.initial_summary_ready"] as const;
    const secretStore = store("whsec_1");
    await notetaker.webhooks.ensure({ ...params, events, secretStore }, { headers: { "x-team": "a" } });
    expect(seen[1]).toMatchObject({ method: "PATCH", path: "/webhooks/whk_1" });
    expect(JSON.parse(seen[1]?.body ?? "")).toEqual({ events });
    expect(seen[1]?.headers["x-team"]).toBe("a");
  });

  it("runs one call after the other, even after a failed one", async () => {
    let requests = 0;
    const { notetaker } = clientOf(async () => {
      requests += 1;
      const first = requests;
      await Promise.resolve();
      expect(requests).toBe(first);
      return first === 1 ? refusal(404, "x") : json([samples.webhook]);
    });
    const ensure = () => notetaker.webhooks.ensure({ ...params, secretStore: store("whsec_1") });
    const [failed, second, third] = await Promise.allSettled([ensure(), ensure(), ensure()]);
    expect([failed?.status, second?.status, third?.status]).toEqual(["rejected", "fulfilled", "fulfilled"]);
  });
});

describe("the client", () => {
  beforeEach(() => void vi.stubEnv("NOTETAKER_TOKEN", ""));
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  });

  const agentWith = async (globals: Record<string, unknown>, options: object = {}) => {
    const { notetaker, seen } = clientOf(() => json([]));
    vi.stubGlobal("process", undefined);
    vi.stubGlobal("navigator", undefined);
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
    const client = notetaker.withOptions(options);
    vi.unstubAllGlobals();
    await client.webhooks.list();
    return seen[0]?.headers["user-agent"];
  };

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ["Node", { process: { versions: { node: "22.1.0" } } }, "node/22.1.0"],
    ["Bun", { process: { versions: { node: "22.1.0", bun: "1.2.0" } } }, "bun/1.2.0"],
    ["Deno", { Deno: { version: { deno: "2.1.0" } }, process: { versions: { node: "22.1.0" } } }, "deno/2.1.0"],
    ["workerd", { navigator: { userAgent: "Cloudflare-Workers" }, process: { versions: { node: "22" } } }, "workerd"],
    ["an edge runtime", { EdgeRuntime: "edge", process: {} }, "edge-runtime"],
    ["a browser", { navigator: { userAgent: "Mozilla/5.0" } }, undefined],
    ["a Deno without a version", { Deno: {} }, undefined],
  ])("has a User-Agent with the runtime: %s", async (_, globals, runtime) => {
    const agent = await agentWith(globals);
    expect(agent).toEqual(runtime === undefined ? undefined : expect.stringMatching(/^notetaker-sdk\/[\d.]+ \(.+\)$/));
    if (runtime !== undefined) expect(agent).toContain(`(${runtime})`);
  });

  it("has a User-Agent with the application's name, in characters that a header may contain", async () => {
    const node = { process: { versions: { node: "22.1.0" } } };
    expect(await agentWith(node, { appInfo: { name: "my-app", version: "2.0" } })).toMatch(/\) my-app\/2\.0$/);
    expect(await agentWith(node, { appInfo: { name: "Büro ~" } })).toMatch(/\) B\?ro ~$/);
  });

  const right = { baseUrl: BASE_URL, token: "t" };

  it("uses each option, and copies lists and objects", () => {
    const given = {
      ...{ timeoutMs: 5, deadlineMs: 6, maxRetries: 7, maxRetryDelayMs: 8, maxResponseBytes: 9, validation: "off" },
      ...{ fetchOptions: { next: {} }, conferenceHosts: ["a.example"], headers: { "x-a": "1" } },
      ...{ middleware: [async (request: Request, next: (request: Request) => Promise<Response>) => next(request)] },
      ...{ fetch: async () => new Response(), onRetry() {}, onThrottle() {} },
    };
    const config = configuration({ ...right, ...given } as never);
    const { headers, ...others } = given;
    expect(config).toMatchObject(others);
    expect(config.headers).toMatchObject(headers);
    expect(config.conferenceHosts).not.toBe(given.conferenceHosts);
    expect(config.fetchOptions).not.toBe(given.fetchOptions);
  });

  it("has the documented defaults", () => {
    const { headers, names, documentTitles: titles, ...config } = configuration(right);
    expect(config).toEqual({
      ...{ baseUrl: BASE_URL, token: "t", timeoutMs: 30_000, maxRetries: 2, maxRetryDelayMs: 60_000 },
      ...{ maxResponseBytes: 67_108_864, validation: "strict", fetchOptions: {}, middleware: [], conferenceHosts: [] },
      ...{ deadlineMs: undefined, fetch: undefined, onRetry: undefined, onThrottle: undefined, logger: undefined },
      ...{ throttle: undefined, aroundCall: undefined },
    });
    expect(Object.keys(headers)).toEqual(["user-agent"]);
    expect([names, titles]).toEqual([ASSUMED_QUERY, { summary: "summary", action_items: "action items" }]);
    expect(configuration({ ...right, maxRetries: 0, maxRetryDelayMs: 0 })).toMatchObject({
      ...{ maxRetries: 0, maxRetryDelayMs: 0 },
    });
  });

  it("accepts an http: URL of another host only with allowInsecureHttp", () => {
    const baseUrl = "http://emulator:4010/v1";
    expect(() => configuration({ ...right, baseUrl })).toThrow("uses http:");
    expect(() => configuration({ ...right, baseUrl, allowInsecureHttp: false })).toThrow("uses http:");
    expect(configuration({ ...right, baseUrl, allowInsecureHttp: true }).baseUrl).toBe(baseUrl);
  });

  it("has no throttle by default, a local throttle for true or limits, and otherwise the given throttle", () => {
    for (const throttle of [undefined, false]) expect(configuration({ ...right, throttle }).throttle).toBeUndefined();
    const other = { acquire: async () => {}, hold() {} };
    expect(configuration({ ...right, throttle: other as never }).throttle).toBe(other);
    for (const throttle of [true, {}, { upload: { perMinute: 1 } }])
      expect(configuration({ ...right, throttle }).throttle).toBeInstanceOf(LocalThrottle);
  });

  it("reads the environment of any runtime, and treats an empty variable as missing", () => {
    vi.stubEnv("NOTETAKER_TOKEN", "tok_env");
    expect(environment("NOTETAKER_TOKEN")).toBe("tok_env");
    vi.stubEnv("NOTETAKER_TOKEN", "");
    expect(environment("NOTETAKER_TOKEN")).toBeUndefined();
    const read = (process: unknown) => {
      vi.stubGlobal("process", process);
      try {
        return environment("NOTETAKER_TOKEN");
      } finally {
        vi.unstubAllGlobals();
      }
    };
    for (const process of [undefined, {}, { env: {} }]) expect(read(process)).toBeUndefined();
    expect(read({ env: { NOTETAKER_TOKEN: "tok_2" } })).toBe("tok_2");
  });

  it("sends the parameter names of the assumptions option, and the default names otherwise", () => {
    expect(wireNames()).toBe(ASSUMED_QUERY);
    expect(wireNames({ rooms: { limit: "size", ids: undefined } as never })).toEqual({
      ...ASSUMED_QUERY,
      rooms: { ...ASSUMED_QUERY.rooms, limit: "size" },
    });
    expect(documentTitles({ documents: { format: "as" } })).toEqual({
      summary: "summary",
      action_items: "action items",
    });
    expect(documentTitles({ documents: { titles: { summary: "recap" } } })).toEqual({
      ...{ summary: "recap", action_items: "action items" },
    });
    expect(documentTitles({ rooms: {} })).toEqual({ summary: "summary", action_items: "action items" });
  });

  it("passes each log record to a logger function, with its level, text and fields", () => {
    const records: unknown[][] = [];
    const { logger } = configuration({
      baseUrl: BASE_URL,
      token: "t",
      logger: (...record) => void records.push(record),
    });
    const levels = ["debug", "info", "warn", "error"] as const;
    for (const level of levels) logger?.[level](`text of ${level}`, { attempt: 1 });
    expect(records).toEqual(levels.map((level) => [level, `text of ${level}`, { attempt: 1 }]));
  });

  it("shares its throttle with the clients of withOptions, unless they get their own", async () => {
    const reports: unknown[] = [];
    const { notetaker, seen } = clientOf(() => json([]), {
      throttle: { other: { perMinute: 1 } },
      onThrottle: (report) => {
        reports.push(report);
        throw new Error("no wait in this test");
      },
    });
    await notetaker.webhooks.list();
    expect(await rejection(notetaker.withOptions({ headers: { "x-b": "2" } }).webhooks.list())).toBeDefined();
    expect(reports).toHaveLength(1);
    await notetaker.withOptions({ throttle: false, headers: { "x-b": "2" } }).webhooks.list();
    await notetaker.withOptions({ throttle: { other: { perMinute: 1 } } }).webhooks.list();
    expect(seen.map(({ headers }) => headers["x-b"])).toEqual([undefined, "2", undefined]);
    expect(reports).toHaveLength(1);
  });
});
