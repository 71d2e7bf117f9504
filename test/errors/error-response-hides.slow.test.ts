/** Whatever the service or a proxy writes, `errorResponse` passes no secret, stack or host on to the page. */
import fc from "fast-check";
import { errorResponse, InvalidRequestError, NotFoundError, ServerError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { clientOf, json, rejection, TOKEN } from "../support/recorder.js";

/** What a page must not see: hosts, addresses, and lines of a stack. */
const machine = fc.oneof(
  fc.domain().map((domain) => `db1.${domain}`),
  fc.webUrl(),
  fc.ipV4(),
  fc.ipV6(),
  fc.emailAddress(),
  fc.constantFrom(
    "postgres:5432",
    "my_db.internal",
    "localhost",
    "redis://cache/0",
    "C:\\srv\\app",
    "    at handle (/srv/app/main.ts:10:5)",
    "at <listener> (<anonymous>)",
    'File "/srv/app/main.py", line 10, in handle',
    "at com.example.Main.run(Main.java:12)",
  ),
);
const STATUSES = [302, 400, 403, 404, 409, 418, 422, 429, 500, 502, 503, 504];

const BODIES: Record<string, (text: string) => Response | object | string> = {
  "an error's message": (text) => ({ error: { code: "broken", message: `cannot read ${text} now`, details: null } }),
  "an error's code": (text) => ({ error: { code: text, message: "m" } }),
  "an error's details": (text) => ({ error: { code: "c", message: "m", details: [{ field: text, message: text }] } }),
  "a detail": (text) => ({ detail: text }),
  "the msg of an issue": (text) => ({ detail: [{ loc: ["body", "title"], msg: `wrong: ${text}`, type: "missing" }] }),
  "the loc and type of an issue": (text) => ({ detail: [{ loc: ["body", text], msg: "m", type: text }] }),
  "the input and ctx of an issue": (text) => ({
    detail: [{ loc: [], msg: "m", type: "t", input: text, ctx: { [text]: text } }],
  }),
  "an issue of another shape": (text) => ({ detail: [text, { [text]: text }, { msg: text }] }),
  "a page of HTML": (text) => `<html>${text}</html>`,
};

const shownFor = async (body: unknown, status: number) => {
  const answer =
    typeof body === "string" ? new Response(body, { status }) : json(body, status, { server: "db1.local" });
  const { notetaker } = clientOf(() => answer, { maxRetries: 0 });
  const response = errorResponse(await rejection(notetaker.rooms.list()));
  const text = await response.text();
  return { status: response.status, text, error: (JSON.parse(text) as { error: Record<string, unknown> }).error };
};

it("a response passes no host, address or line of a stack on to the page, wherever the service wrote it", async () => {
  await fc.assert(
    fc.asyncProperty(
      machine,
      fc.constantFrom(...Object.values(BODIES)),
      fc.constantFrom(...STATUSES),
      async (name, bodyWith, status) => {
        const { text, error } = await shownFor(bodyWith(name), status);
        expect(JSON.stringify(error)).not.toContain(JSON.stringify(name).slice(1, -1));
        expect(text).not.toMatch(/db1|"(?:stack|cause|body|headers|request|details|input|ctx)":/);
        expect(text).not.toContain(TOKEN);
      },
    ),
  );
});

it("a failed connection, or a response that is not as promised, is a fixed sentence", async () => {
  await fc.assert(
    fc.asyncProperty(machine, async (name) => {
      const failures = [
        () => Promise.reject(new TypeError(`connect ECONNREFUSED ${name}`)),
        () => json({ data: [{ id: name, name: { [name]: name } }], next_cursor: name, has_more: name }),
        () => json({ data: [], next_cursor: null, has_more: true }),
        () => new Response(name),
      ];
      for (const answer of failures) {
        const { notetaker } = clientOf(answer, { maxRetries: 0 });
        const response = errorResponse(await rejection(notetaker.rooms.list().toArray({ max: 5 })));
        expect(response.status).toBe(502);
        expect(await response.text()).not.toContain(JSON.stringify(name).slice(1, -1));
      }
    }),
  );
});

describe("the message for the page", () => {
  it.each<[what: string, error: unknown, status: number, message: string]>([
    ["keeps what the service says of a 4xx", 403, 403, "GET /rooms answered 403 broken: the usage limit is exceeded"],
    ["is a summary of a 4xx that names a host", 404, 404, "the service answered 404 broken"],
    ["is a summary of every 5xx", 503, 502, "the service answered 503 broken"],
  ])("%s", async (_, received, status, message) => {
    const words = received === 404 ? "no such row at db1.internal" : "the usage limit is exceeded";
    const shown = await shownFor({ error: { code: "broken", message: words } }, received as number);
    expect([shown.status, shown.error.message]).toEqual([status, message]);
  });

  it("names the fields of a validation envelope, and the issues have nothing but loc, msg and type", async () => {
    const issue = { loc: ["query", "limit", 0], msg: "too large", type: "less_than", input: "ada", ctx: { max: 5 } };
    const { error } = await shownFor({ detail: [issue, { ...issue, msg: "see 10.0.0.1" }] }, 422);
    expect(error.message).toBe("the service answered 422: query.limit.0: too large; query.limit.0: invalid");
    const shown = { loc: issue.loc, msg: "too large", type: "less_than" };
    expect(error.issues).toEqual([shown, { ...shown, msg: "invalid" }]);
  });

  it("keeps the library's own sentence about a resource that a list does not have", async () => {
    const message = "meetings.get: the list has no mtg_2";
    const response = errorResponse(new NotFoundError({ message }));
    expect(await response.json()).toMatchObject({ error: { message } });
  });

  it("is a summary if a validation envelope has no issue", async () => {
    const { error } = (await errorResponse(new InvalidRequestError({ code: "invalid" })).json()) as { error: object };
    expect(error).toMatchObject({ message: "the service answered 422 invalid", issues: [] });
  });
});

it("a success without the requested resource has the status 404", () => {
  expect(errorResponse(new NotFoundError({ status: 200 })).status).toBe(404);
  expect(errorResponse(new NotFoundError({ status: 400 })).status).toBe(400);
  expect(errorResponse(new ServerError({ status: 200 })).status).toBe(502);
});
