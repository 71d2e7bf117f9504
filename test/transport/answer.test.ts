/** The possible bodies of a response, and the result of the call. */
import { createRequire } from "node:module";
import {
  ApiError,
  type Notetaker,
  NotFoundError,
  ResponseValidationError,
  ServerError,
  type StandardResult,
  TimeoutError,
} from "notetaker-sdk";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod";
import { clientOf, json, rejectionOf, TOKEN } from "../support/recorder.js";
import * as samples from "../support/samples.js";

/** The CommonJS build of zod, which is a separate copy. */
const otherZod = createRequire(import.meta.url)("zod") as typeof z;

const NOT_JSON = ["<html>Welcome</html>", "", '[{"id":"whk_1","url":', "[] []", "OK", "NaN", "  \n "];

describe("a successful response that is not JSON", () => {
  it.each(NOT_JSON)("causes a ResponseValidationError with the status and the body: %j", async (text) => {
    const { notetaker } = clientOf(() => new Response(text, { status: 200, headers: { "content-type": "text/html" } }));
    const error = await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
    expect(error).toMatchObject({ status: 200, body: text, outcome: "accepted", retryable: false, attempts: 1 });
    expect(error.issues).toMatchObject([{ path: "" }]);
    expect(error.headers.get("content-type")).toBe("text/html");
    expect(error.request).toEqual({ method: "GET", url: "https://api.example.com/v1/webhooks" });
  });

  it("is described by its length and its media type", async () => {
    const messages = ["<html>", ""].map(async (text) => {
      const { notetaker } = clientOf(() => new Response(text, { headers: { "content-type": "text/html" } }));
      return (await rejectionOf(ResponseValidationError, notetaker.webhooks.list())).message;
    });
    expect(await Promise.all(messages)).toEqual([
      "GET /webhooks answered 200, but the body is not complete JSON (received 6 characters of text/html)",
      "GET /webhooks answered 200, but the body is not complete JSON (received nothing)",
    ]);
  });

  it("leaves the first 2 KiB of the body in the error", async () => {
    const { notetaker } = clientOf(() => new Response("x".repeat(1_000_000)));
    const { body } = await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
    expect(body).toBe("x".repeat(2_048));
  });

  it.each(["off", "warn"] as const)("causes an error even with validation %s", async (validation) => {
    const { notetaker } = clientOf(() => new Response("<html>"), { validation });
    await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
  });
});

describe("a successful response of the wrong shape", () => {
  const SHAPES: [string, unknown, string][] = [
    ["null", null, ""],
    ["a number", 5, ""],
    ["a string", "[]", ""],
    ["an object", {}, ""],
    ["an error envelope", { error: { code: "not_found", message: "x" } }, ""],
    ["a list of null", [null], "[0]"],
    ["a list of invalid items", [{ ...samples.webhook, id: 5 }], "[0].id"],
    ["an id of another kind", [samples.webhook, { ...samples.webhook, id: "mtg_1" }], "[1].id"],
    ["a missing field", [{ ...samples.webhook, enabled: undefined }], "[0].enabled"],
    ["a time that does not exist", [{ ...samples.webhook, created_at: "2026-13-41T00:00:00Z" }], "[0].created_at"],
  ];
  it.each(SHAPES)("causes a ResponseValidationError that names the field: %s", async (_, body, path) => {
    const { notetaker } = clientOf(() => json(body));
    const error = await rejectionOf(ResponseValidationError, notetaker.webhooks.list());
    expect(error.issues.map((issue) => issue.path)).toEqual([path]);
    expect(error.body).toEqual(JSON.parse(JSON.stringify(body)));
    expect(error).toMatchObject({ outcome: "accepted", status: 200 });
  });

  it("causes an issue with path, expected type and received type for each field", async () => {
    const { notetaker } = clientOf(() => json(samples.page([{ ...samples.room, meeting_count: 1.5, title: null }])));
    const { message, issues } = await rejectionOf(ResponseValidationError, notetaker.rooms.list());
    expect(issues).toMatchObject([
      { path: "data[0].title" },
      { path: "data[0].meeting_count", message: "expected an integer, received a number with a fraction" },
    ]);
    expect(message).toContain(`data[0].title: ${issues[0]!.message}; data[0].meeting_count: `);
  });

  it("causes a message with at most three issues, and an error with all of them", async () => {
    const { notetaker } = clientOf(() => json({}));
    const { message, issues } = await rejectionOf(ResponseValidationError, notetaker.documents.get("doc_1"));
    expect(issues).toHaveLength(5);
    expect(message).toMatch(/, and 2 more$/);
  });
});

describe("a successful response with more than the documented content", () => {
  it("keeps unknown fields and unknown values", async () => {
    const odd = { status: "archived", source: "carrier_pigeon", mood: { color: "blue" } };
    const meetings = [{ ...samples.meetingSummary, ...odd }];
    const body = { ...samples.page([{ ...samples.room, meetings, tags: ["a"] }]), total: 1 };
    const { notetaker } = clientOf(() => json(body));
    const page = await notetaker.rooms.list({ expand: ["meetings"] });
    expect(JSON.parse(JSON.stringify(page))).toEqual(body);
  });

  const listRooms = ({ rooms }: Notetaker) => rooms.list();
  const listMeetings = ({ meetings }: Notetaker) => meetings.list();
  const listWebhooks = ({ webhooks }: Notetaker) => webhooks.list();
  const { room, meeting, webhook } = samples;
  const start = { source: "zoom", start_time: "2026-01-01T00:00:00Z" };
  const notYet = { title: null, duration: null, end_time: null, created_at: null };
  const nobody = { host: null, participants: null, documents: null };
  const noLink = { meeting_id: "mtg_1", recording_url: null };
  it.each<[string, unknown, (notetaker: Notetaker) => PromiseLike<unknown>]>([
    ["a room without share_url", samples.page([{ ...room, share_url: undefined }]), listRooms],
    [
      "null in optional fields",
      samples.page([{ ...room, share_url: null, meetings: null, documents: null }]),
      listRooms,
    ],
    ["a meeting that is not completed", samples.page([{ ...meeting, ...notYet, ...nobody }]), listMeetings],
    ["a meeting in its summary form", samples.page([{ id: "mtg_1", status: "scheduled", ...start }]), listMeetings],
    ["unknown people", samples.page([{ ...meeting, host: {}, participants: [{}] }]), listMeetings],
    ["a meeting without a recording", noLink, ({ meetings }) => meetings.getRecording("mtg_1")],
    ["a format added later", { ...samples.document, format: "pdf" }, ({ documents }) => documents.get("doc_1")],
    ["an event kind added later", [{ ...webhook, events: ["meeting.deleted"] }], listWebhooks],
    ["any offset and fraction", [{ ...webhook, created_at: "2026-01-01T00:00:00.123456789+05:30" }], listWebhooks],
  ])("is accepted: %s", async (_, body, call) => {
    const { notetaker } = clientOf(() => json(body));
    expect(JSON.parse(JSON.stringify(await call(notetaker)))).toEqual(JSON.parse(JSON.stringify(body)));
  });

  it("is not changed by a field named __proto__", async () => {
    const body = '{"automation":"MANUAL","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const { notetaker } = clientOf(() => new Response(body));
    const result = await notetaker.settings.getNotetakerAutomation();
    expect(result.automation).toBe("MANUAL");
    expect((result as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("is not changed by a field of a page that is named __proto__ or like a method", async () => {
    const names = '"__proto__":{"polluted":true},"nextPage":1,"constructor":2';
    const { notetaker } = clientOf(() => new Response(`{"data":[],"next_cursor":null,"has_more":false,${names}}`));
    const page = await notetaker.rooms.list();
    expect(page.nextPage).toBeTypeOf("function");
    expect((page as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("a requested expansion", () => {
  it.each([
    [["meetings"], "data[0].meetings"],
    [["documents"], "data[0].documents"],
  ] as const)("is required in the response: %s", async (expand, path) => {
    const { notetaker } = clientOf(() => json(samples.page([samples.room])));
    await notetaker.rooms.list();
    const error = await rejectionOf(ResponseValidationError, notetaker.rooms.list({ expand }));
    expect(error.issues).toMatchObject([{ path }]);
  });
});

describe("a method without a result", () => {
  it.each([new Response(null, { status: 204 }), new Response("<html>deleted</html>"), json({ deleted: true })])(
    "ignores the body of a successful response",
    async (response) => {
      const { notetaker } = clientOf(() => response.clone());
      expect(await notetaker.webhooks.delete("whk_1")).toBeUndefined();
      expect(await notetaker.permissions.revoke("mtg_1", "p1")).toBeUndefined();
    },
  );
});

describe("an error response without an envelope", () => {
  it.each([
    ...[
      "<html>Bad gateway</html>",
      "",
      '{"error":{"code":"not_fo',
      "null",
      "[1]",
      "5",
      '"gone"',
      "{}",
      '{"error":"gone"}',
    ],
    ...['{"error":null}', '{"error":{"message":"gone"}}', '{"error":{"code":404}}'],
  ])("causes the error class of its status, with the text as its body: %j", async (body) => {
    const { notetaker } = clientOf(() => new Response(body, { status: 404 }));
    const error = await rejectionOf(NotFoundError, notetaker.webhooks.list());
    expect(error).toMatchObject({ status: 404, code: undefined, details: undefined, body, outcome: "rejected" });
  });

  it("leaves the first 2 KiB of its text in the error", async () => {
    const { notetaker } = clientOf(() => new Response("é".repeat(100_000), { status: 502 }), { maxRetries: 0 });
    const { body } = await rejectionOf(ServerError, notetaker.webhooks.list());
    expect(body).toBe("é".repeat(2_048));
  });

  it("is not read to its end if it never ends", async () => {
    const block = new Uint8Array(64 * 1024).fill(120);
    const { notetaker } = clientOf(
      () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(block) }), { status: 403 }),
    );
    expect((await rejectionOf(ApiError, notetaker.webhooks.list())).status).toBe(403);
  });
});

describe("request() with a custom schema", () => {
  it("validates with full zod as with zod/mini, and applies its transformations", async () => {
    const { notetaker } = clientOf(() => json({ name: "A", at: "2026-01-01T00:00:00Z" }));
    const schema = z.object({ name: z.string(), at: z.string().transform((text) => new Date(text)) });
    expect(await notetaker.request("GET", "/teams/1", { schema })).toEqual({
      name: "A",
      at: new Date(Date.UTC(2026, 0)),
    });
  });

  it("keeps the messages of the schema", async () => {
    const { notetaker } = clientOf(() => json({ name: "ab", kind: "x", n: 1 }));
    const schema = z.strictObject({
      name: z.string().min(3, "wants three letters"),
      kind: z.enum(["a", "b"]),
      extra: z.string(),
    });
    const { issues } = await rejectionOf(ResponseValidationError, notetaker.request("GET", "/x", { schema }));
    expect(issues).toContainEqual({ path: "name", message: "wants three letters" });
    expect(issues.map(({ path }) => path).sort()).toEqual(["extra", "kind", "n", "name"]);
    expect(issues.find(({ path }) => path === "kind")?.message).toMatch(/\S/);
  });

  it.each([
    ["zod of another copy", otherZod],
    ["zod of the same copy", z],
  ])("accepts a schema of %s, synchronous or asynchronous", async (_name, copy) => {
    const { notetaker } = clientOf(() => json({ name: "A", size: 2 }));
    const schema = copy.object({
      name: copy.string().refine(async (name) => name === "A", "wants A"),
      size: copy.int(),
    });
    const data = await notetaker.request("GET", "/teams/1", { schema });
    expectTypeOf(data).toEqualTypeOf<{ name: string; size: number }>();
    expect(data).toEqual({ name: "A", size: 2 });

    const wrong = copy.object({ name: copy.string().refine(async () => false, "wants A"), size: copy.string() });
    const { issues } = await rejectionOf(ResponseValidationError, notetaker.request("GET", "/x", { schema: wrong }));
    expect(issues).toHaveLength(2);
    expect(issues).toContainEqual({ path: "name", message: "wants A" });
    expect(issues).toContainEqual({ path: "size", message: expect.any(String) });
  });

  /** A hand-written Standard Schema. Some libraries use functions as schemas. */
  const teamName = (validate: (value: unknown) => StandardResult<string> | Promise<StandardResult<string>>) =>
    Object.assign(() => "a function", { "~standard": { version: 1, vendor: "by-hand", validate } as const });

  it.each([
    ["at once", (result: StandardResult<string>) => result],
    ["later", async (result: StandardResult<string>) => result],
  ])("accepts a Standard Schema that returns its result %s", async (_name, answer) => {
    const { notetaker } = clientOf(() => json({ team: { name: "A" } }));
    const schema = teamName((value) => answer({ value: (value as { team: { name: string } }).team.name }));
    const name = await notetaker.request("GET", "/teams/1", { schema });
    expectTypeOf(name).toEqualTypeOf<string>();
    expect(name).toBe("A");

    const issues = [{ message: 'too short: "A"', path: ["team", { key: "name" }] }, { message: "wrong" }];
    const wrong = teamName(() => answer({ issues }));
    const error = await rejectionOf(ResponseValidationError, notetaker.request("GET", "/x", { schema: wrong }));
    expect(error.issues).toEqual([
      { path: "team.name", message: "expected what the schema accepts, received a string" },
      { path: "", message: "expected what the schema accepts, received an object" },
    ]);
    expect(error.body).toEqual({ team: { name: "A" } });
  });

  it.each([undefined, null, 5, { issues: null }, { issues: [] }, { issues: [null] }, { issues: ["secret"] }])(
    "rejects with its own error if a schema returns %j",
    async (result) => {
      const { notetaker } = clientOf(() => json("secret"));
      const schema = teamName(() => result as never);
      const error = await rejectionOf(ResponseValidationError, notetaker.request("GET", "/x", { schema }));
      expect(error.issues).toEqual([{ path: "", message: "expected what the schema accepts, received a string" }]);
      expect(error.message).not.toContain("secret");
    },
  );

  it("waits for a schema at most until the time limit of the attempt", async () => {
    const { notetaker } = clientOf(() => json({}), { maxRetries: 0 });
    const schema = teamName(() => new Promise(() => {}));
    await rejectionOf(TimeoutError, notetaker.request("GET", "/x", { schema, timeoutMs: 20 }));
  });

  it("resolves to undefined for an empty body only if the schema accepts undefined", async () => {
    const { notetaker } = clientOf(() => new Response(null, { status: 204 }));
    expect(await notetaker.request("DELETE", "/x", { schema: z.undefined() })).toBeUndefined();
    await rejectionOf(ResponseValidationError, notetaker.request("DELETE", "/x", { schema: z.string() }));
  });

  it("passes on an error that the schema throws unchanged, and does not retry", async () => {
    const mistake = new RangeError("a mistake in the schema");
    const { notetaker, seen } = clientOf(() => json({ name: "A" }));
    const schema = z.object({ name: z.string() }).refine(() => {
      throw mistake;
    });
    await expect(notetaker.request("GET", "/x", { schema })).rejects.toBe(mistake);
    expect(seen).toHaveLength(1);
  });

  it.each([{}, null, 5, "z", { _zod: 1 }, { "~standard": {} }, () => z.string()])(
    "refuses %o as a schema before it sends a request",
    async (schema) => {
      const { notetaker, seen } = clientOf(() => json({}));
      await expect(notetaker.request("GET", "/x", { schema: schema as never })).rejects.toMatchObject({
        name: "InvalidArgumentError",
        issues: [{ path: "schema" }],
      });
      expect(seen).toEqual([]);
    },
  );
});

describe("request() without a schema", () => {
  it("returns the received JSON, or undefined for an empty body", async () => {
    const { notetaker } = clientOf((_, index) =>
      index === 0 ? json({ a: [1] }) : new Response(null, { status: 204 }),
    );
    expect(await notetaker.request("GET", "/x")).toEqual({ a: [1] });
    expect(await notetaker.request("DELETE", "/x")).toBeUndefined();
  });

  it("sends any value as JSON, with the parameters and options of every method", async () => {
    const { notetaker, seen } = clientOf(() => json({}), { headers: { "x-team": "a" } });
    for (const body of [{ a: 1 }, [1], "text", 5, false, null]) {
      await notetaker.request("POST", "/x", { body, query: { a: ["1", "2"] }, headers: { "x-b": "c" } });
    }
    expect(seen.map((one) => JSON.parse(one.body))).toEqual([{ a: 1 }, [1], "text", 5, false, null]);
    expect(seen[0]!.headers).toEqual({
      accept: "application/json",
      "user-agent": expect.stringContaining("notetaker-sdk/"),
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
      "x-team": "a",
      "x-b": "c",
    });
    expect(seen[0]!.query).toEqual([
      ["a", "1"],
      ["a", "2"],
    ]);
  });

  const cycle: Record<string, unknown> = {};
  cycle.itself = cycle;
  it.each<[string, object]>([
    ["method", { method: "get" }],
    ["method", { method: "HEAD" }],
    ["method", { method: "GET\r\n" }],
    ["method", { method: undefined }],
    ["body", { method: "POST", body: cycle }],
    ["body", { method: "POST", body: 1n }],
    ["body", { method: "POST", body: Symbol("s") }],
    ["retries", { method: "POST", retries: 1 }],
  ])("refuses an invalid %s: %o", async (path, { method, ...options }: { method?: string }) => {
    const { notetaker, seen } = clientOf(() => json({}));
    await expect(notetaker.request(method as "GET", "/x", options)).rejects.toMatchObject({
      name: "InvalidArgumentError",
      issues: [{ path }],
    });
    expect(seen).toEqual([]);
  });

  it.each([[null], [5], ["x"], [[]], [[1]], [() => {}]])("refuses %o as options", async (options) => {
    const { notetaker, seen } = clientOf(() => json({}));
    await expect(notetaker.request("GET", "/x", options as never)).rejects.toMatchObject({
      name: "InvalidArgumentError",
    });
    expect(seen).toEqual([]);
  });
});
