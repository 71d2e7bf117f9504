/** Parameters arrive at the service as they were given, over real HTTP, whatever text they hold. */
import fc from "fast-check";
import { Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Any text that UTF-8 can carry: markup, separators, emoji, control characters. */
const text = fc.string({ unit: "grapheme", maxLength: 60 });
/** Ids are letters, digits and underscores; others are refused before anything is sent. */
const id = (prefix: string) => fc.stringMatching(/^\w{1,20}$/).map((rest) => `${prefix}_${rest}`);
/** The query parameter of `ids`, repeated for each. */
const ID = "id";
const optional = { requiredKeys: [] };

const service = createEmulator({ limits: "none", strict: false, seed: { meetings: [{ id: "mtg_1" }] } });
let close = async () => {};
let notetaker: Notetaker;

beforeAll(async () => {
  const server = await service.listen({ port: 0 });
  close = server.close;
  notetaker = new Notetaker({ baseUrl: server.url, token: service.token, maxRetries: 0 });
});
afterAll(() => close());

/** The request that the call sent. What the service answers is another test's. */
async function sentBy(call: () => PromiseLike<unknown>) {
  const before = service.requests.length;
  await Promise.resolve(call()).catch(() => {});
  expect(service.requests.length).toBe(before + 1);
  const request = service.requests.at(-1);
  if (request === undefined) throw new Error("nothing was sent");
  return request;
}

/** The parameters of a query, lists as lists. */
const queryOf = (query: URLSearchParams, lists: readonly string[]) =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => [name, lists.includes(name) ? query.getAll(name) : query.get(name)]),
  );

describe("a parameter arrives as it was given", () => {
  it("in the query of a list", async () => {
    const params = fc.record(
      {
        ids: fc.uniqueArray(id("room"), { minLength: 1, maxLength: 5 }),
        scope: fc.constantFrom("owned" as const, "shared" as const),
        search: text,
        cursor: text.filter((cursor) => cursor !== ""),
        limit: fc.integer({ min: 1, max: 100 }),
      },
      optional,
    );
    await fc.assert(
      fc.asyncProperty(params, async (given) => {
        const { query } = await sentBy(() => notetaker.rooms.list(given));
        const { limit, ids, ...rest } = given;
        const others = { ...(limit === undefined ? {} : { limit: String(limit) }), ...(ids && { [ID]: ids }) };
        expect(queryOf(query, [ID])).toEqual({ ...rest, ...others });
      }),
    );
  });

  it("in the query of an upload", async () => {
    const params = fc.record({ title: text, language: fc.string({ unit: "grapheme", maxLength: 4 }) }, optional);
    await fc.assert(
      fc.asyncProperty(params, async (given) => {
        const source = new Blob(["RIFF"], { type: "audio/wav" });
        const { query } = await sentBy(() => notetaker.meetings.upload(source, given));
        expect(queryOf(query, [])).toEqual(given);
      }),
    );
  });

  it("in a path", async () => {
    await fc.assert(
      fc.asyncProperty(id("mtg"), async (meeting) => {
        const { path } = await sentBy(() => notetaker.meetings.getTranscript(meeting));
        expect(decodeURIComponent(path)).toBe(`/meetings/${meeting}/transcript`);
      }),
    );
  });

  it("in a JSON body", async () => {
    const params = fc.record({ url: fc.webUrl({ validSchemes: ["https"] }), enabled: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(params, async (given) => {
        const body = { ...given, events: ["meeting.transcript_ready"] as const };
        const request = await sentBy(() => notetaker.webhooks.create(body));
        expect(request.body).toEqual(body);
      }),
    );
  });
});
