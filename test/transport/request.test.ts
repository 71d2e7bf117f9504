/** `request()`: the schemas and arguments that it accepts, the requests that it sends, and its results. */
import { createRequire } from "node:module";
import { InvalidArgumentError, ResponseValidationError, type StandardSchema, TimeoutError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { clientOf, json, rejectionOf, TOKEN } from "../support/recorder.js";

/** The CommonJS build of zod, which is a separate copy. */
const otherZod = createRequire(import.meta.url)("zod") as typeof z;

describe("request() with a custom schema", () => {
  it("applies the transformations of the schema, and keeps its messages", async () => {
    const { notetaker } = clientOf(() => json({ name: "ab", at: "2026-01-01T00:00:00Z" }));
    const schema = z.object({ at: z.string().transform((text) => new Date(text)) });
    expect(await notetaker.request("GET", "/x", { schema })).toEqual({ at: new Date(Date.UTC(2026, 0)) });
    const strict = z.strictObject({ name: z.string().min(3, "wants three letters"), kind: z.enum(["a", "b"]) });
    const { issues } = await rejectionOf(ResponseValidationError, notetaker.request("GET", "/x", { schema: strict }));
    expect(issues).toContainEqual({ path: "name", code: "too_short", message: "wants three letters" });
    expect(issues.map(({ path }) => path).sort()).toEqual(["at", "kind", "name"]);
  });

  it.each([
    ["zod of another copy", otherZod],
    ["zod of the same copy", z],
  ])("accepts a schema of %s with asynchronous checks", async (_name, copy) => {
    const { notetaker } = clientOf(() => json({ name: "A", size: 2 }));
    const name = copy.string().refine(async (name) => name === "A", "wants A");
    const data = await notetaker.request("GET", "/x", { schema: copy.object({ name, size: copy.int() }) });
    expect(data).toEqual({ name: "A", size: 2 });
    const wrong = copy.object({ name: copy.string().refine(async () => false, "wants A"), size: copy.string() });
    const { issues } = await rejectionOf(ResponseValidationError, notetaker.request("GET", "/x", { schema: wrong }));
    expect(issues).toHaveLength(2);
    expect(issues).toContainEqual({ path: "name", code: "invalid", message: "wants A" });
    expect(issues).toContainEqual({ path: "size", code: "wrong_type", message: expect.any(String) });
  });

  /** A hand-written Standard Schema. Some libraries use functions as schemas. */
  type StandardResult<Output> = Awaited<ReturnType<StandardSchema<Output>["~standard"]["validate"]>>;
  const teamName = (validate: (value: unknown) => StandardResult<string> | Promise<StandardResult<string>>) =>
    Object.assign(() => "a function", { "~standard": { version: 1, vendor: "by-hand", validate } as const });

  it.each([
    ["at once", (result: StandardResult<string>) => result],
    ["later", async (result: StandardResult<string>) => result],
  ])("accepts a Standard Schema that returns its result %s", async (_name, answer) => {
    const { notetaker } = clientOf(() => json({ team: { name: "A" } }));
    const schema = teamName((value) => answer({ value: (value as { team: { name: string } }).team.name }));
    const name = await notetaker.request("GET", "/teams/1", { schema });
    expect(name).toBe("A");

    const issues = [{ message: 'too short: "A"', path: ["team", { key: "name" }] }, { message: "wrong" }];
    const wrong = teamName(() => answer({ issues }));
    const error = await rejectionOf(ResponseValidationError, notetaker.request("GET", "/x", { schema: wrong }));
    expect(error.issues).toMatchObject([
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
      expect(error.issues).toMatchObject([
        { path: "", message: "expected what the schema accepts, received a string" },
      ]);
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
  it("returns the received JSON, or undefined for an empty body, and refuses other text", async () => {
    const answers = [json({ a: [1] }), new Response(null, { status: 204 }), new Response(""), new Response("<html>")];
    const { notetaker } = clientOf((_, index) => answers[index]!);
    expect(await notetaker.request("GET", "/x")).toEqual({ a: [1] });
    expect(await notetaker.request("DELETE", "/x")).toBeUndefined();
    expect(await notetaker.request("POST", "/x")).toBeUndefined();
    await rejectionOf(ResponseValidationError, notetaker.request("POST", "/x"));
  });

  it("sends any value as JSON, with the parameters and options of every method", async () => {
    const { notetaker, seen } = clientOf(() => json({}), { headers: { "x-team": "a" } });
    for (const body of [{ a: 1 }, [1], "text", 5, false, null]) {
      await notetaker.request("POST", "/x", { body, query: { a: ["1", 2, true] }, headers: { "x-b": "c" } });
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
    expect(seen[0]!.search).toBe("a=1&a=2&a=true");
  });

  it("sends no Content-Type without a body, and no query parameter without a value", async () => {
    const { notetaker, seen } = clientOf(() => json({}));
    await notetaker.request("POST", "/x", { query: { b: undefined, c: "", d: [] } });
    expect(seen[0]).toMatchObject({ body: "", search: "c=" });
    expect(seen[0]!.headers).not.toHaveProperty("content-type");
  });
});

describe("request()", () => {
  const cycle: Record<string, unknown> = {};
  cycle.itself = cycle;
  const METHODS = "method: expected one of GET, POST, PUT, PATCH, DELETE";
  const PATH = "path: expected a path below baseUrl such as /rooms, without a query, received nothing";
  it.each<[reason: string, given: object]>([
    [METHODS, { method: "get" }],
    [METHODS, { method: "HEAD" }],
    [METHODS, { method: "GET\r\n" }],
    [METHODS, { method: undefined }],
    [PATH, { path: undefined }],
    ["; this one leads out of baseUrl", { path: "/a/../../x" }],
    ["body: a GET request cannot have a body", { method: "GET", body: {} }],
    ...[() => {}, cycle, 1n, Symbol("s")].map((body): [string, object] => [
      "body: expected a value that JSON can express",
      { body },
    ]),
    ["retries: ", { retries: 1 }],
    ...[{ a: {} }, { a: 1, b: null }, { a: [1, null] }, new Map([["a", "1"]]), "a=1", 5, null].map(
      (query): [string, object] => ["query: ", { query }],
    ),
    ...[{}, 5, "aborted", { aborted: false }].map((signal): [string, object] => ["signal: ", { signal }]),
  ])("refuses an argument before it sends a request, and says why: %s: %o", async (reason, given) => {
    const { method, path, ...options }: { method: unknown; path: unknown } = { method: "POST", path: "/x", ...given };
    const { notetaker, seen } = clientOf(() => json({}));
    const error = await rejectionOf(InvalidArgumentError, notetaker.request(method as "GET", path as "/x", options));
    expect(error.message).toContain(reason);
    expect(error.issues).toMatchObject([{ path: /^; this/.test(reason) ? "path" : reason.split(":")[0] }]);
    expect(seen).toEqual([]);
  });

  it.each([[null], [5], ["x"], [[]], [[1]], [() => {}]])("refuses %o as options", async (options) => {
    const { notetaker, seen } = clientOf(() => json({}));
    await rejectionOf(InvalidArgumentError, notetaker.request("GET", "/x", options as never));
    expect(seen).toEqual([]);
  });
});
