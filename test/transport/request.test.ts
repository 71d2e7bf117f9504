/** `request()`: the arguments that it refuses, and the requests that it sends. */
import { InvalidArgumentError, type Notetaker, ResponseValidationError, ServerError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { clientOf, json, refusal, rejectionOf } from "../support/recorder.js";

/** Calls it as JavaScript code may. */
const send = (notetaker: Notetaker, method: unknown, path: unknown, options?: unknown) =>
  notetaker.request(method as "GET", path as "/rooms", options as object);

describe("request()", () => {
  it.each<[unknown, unknown, unknown, string]>([
    ["GET", undefined, {}, "path: expected a path below baseUrl such as /rooms, without a query, received nothing"],
    ["GET", "/a/../../x", {}, "; this one leads out of baseUrl"],
    ["TRACE", "/rooms", {}, "method: expected one of GET, POST, PUT, PATCH, DELETE"],
    ["GET", "/rooms", { body: {} }, "body: a GET request cannot have a body"],
    ["POST", "/rooms", { body: () => {} }, "body: expected a value that JSON can express"],
  ])("refuses %s %s with %o, and says why", async (method, path, options, reason) => {
    const { notetaker, seen } = clientOf(() => json({}));
    const error = await rejectionOf(InvalidArgumentError, send(notetaker, method, path, options));
    expect(error.message).toContain(reason);
    expect(seen).toEqual([]);
  });

  it("retries only a GET after a failure", async () => {
    const { notetaker, seen } = clientOf(() => refusal(500, "internal_error"), { maxRetries: 1, maxRetryDelayMs: 0 });
    await rejectionOf(ServerError, notetaker.request("GET", "/teams"));
    expect(seen).toHaveLength(2);
    await rejectionOf(ServerError, notetaker.request("POST", "/teams", { body: {} }));
    expect(seen).toHaveLength(3);
  });

  it("sends the Content-Type of its body, and none without a body", async () => {
    const { notetaker, seen } = clientOf(() => json({}));
    await notetaker.request("POST", "/teams", { body: { a: 1 } });
    await notetaker.request("POST", "/teams");
    expect(seen.map(({ headers, body }) => [headers["content-type"], body])).toEqual([
      ["application/json", '{"a":1}'],
      [undefined, ""],
    ]);
  });

  it("without a schema accepts an empty body or JSON, and refuses other text", async () => {
    const { notetaker } = clientOf(({ path }) => new Response(path === "/empty" ? "" : "<html>"));
    expect(await notetaker.request("POST", "/empty")).toBeUndefined();
    await rejectionOf(ResponseValidationError, notetaker.request("POST", "/html"));
  });

  it("accepts query values that can be sent, and refuses others", async () => {
    const { notetaker, seen } = clientOf(() => json({}));
    await notetaker.request("GET", "/x", { query: { a: ["1", 2, true], b: undefined, c: "", d: [] } });
    expect(seen[0]?.request.url).toMatch(/\/x\?a=1&a=2&a=true&c=$/);
    const wrong = [{ a: {} }, { a: 1, b: null }, { a: [1, null] }, new Map([["a", "1"]]), "a=1", 5, null];
    for (const query of wrong) {
      const error = await rejectionOf(InvalidArgumentError, send(notetaker, "GET", "/x", { query }));
      expect(error.issues).toMatchObject([{ path: "query" }]);
    }
    for (const signal of [{}, 5, "aborted", { aborted: false }]) {
      const error = await rejectionOf(InvalidArgumentError, send(notetaker, "GET", "/x", { signal }));
      expect(error.issues).toMatchObject([{ path: "signal" }]);
    }
  });
});
