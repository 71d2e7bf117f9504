/**
 * Every parameter of every operation arrives at the service unchanged, over real HTTP, whatever its value. The
 * operations, parameters and types come from the transcription of the API specification.
 */
import fc from "fast-check";
import { ConnectionError, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CONFERENCE_LINKS, ENDPOINTS, type Endpoint, type Field, type FieldType } from "../../interface/interface.js";
import { libraryName, METHODS } from "../../interface/methods.js";
import { fieldsOf } from "../../interface/sample.js";
import { patience, runs } from "../../support/property-seed.js";

/** Thousands of requests over a socket, on a machine that also runs other tests. */
const SLOW_MS = patience(120_000);

type Params = Record<string, unknown>;

const service = createEmulator({ limits: "none", strict: false });
let close = async () => {};
let notetaker: Notetaker;

beforeAll(async () => {
  const server = await service.listen({ port: 0 });
  close = server.close;
  notetaker = new Notetaker({ baseUrl: server.url, token: service.token, maxRetries: 0 });
});
afterAll(() => close());

/** Any text that UTF-8 can encode: markup, separators, emoji, control characters. */
const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
const day = fc
  .date({ min: new Date("1970-01-01"), max: new Date("2999-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

/** Any value of a type that the client sends. */
function anyOf(type: FieldType): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case "string":
      return text;
    case "text":
      return text.map((value) => [...value].slice(0, type.max).join(""));
    case "id":
      return fc.stringMatching(/^\w[\w.~-]{0,19}$/).map((rest) => `${type.prefix}${rest.replaceAll("..", ".")}`);
    case "enum":
      return fc.constantFrom(...type.values);
    case "date":
      return day;
    case "url":
      return fc.webUrl({ validSchemes: ["https"], withQueryParameters: true });
    case "conference link":
      return fc
        .tuple(fc.constantFrom(...CONFERENCE_LINKS.accepted), fc.stringMatching(/^\w{0,20}$/))
        .map(([link, rest]) => `${link}${link.includes("?") ? "&" : "?"}x=${rest}`);
    case "integer":
      return fc.integer({ min: type.min ?? 0, max: type.max ?? 100 });
    case "boolean":
      return fc.boolean();
    case "array":
      return fc.uniqueArray(anyOf(type.of), { minLength: 1, maxLength: 5 });
    case "object":
      return recordOf(fieldsOf(type.of), () => true);
    default:
      throw new Error(`${type.kind} is not sent`);
  }
}

const recordOf = (fields: readonly Field[], isRequired: (field: Field) => boolean): fc.Arbitrary<Params> =>
  fc.record(Object.fromEntries(fields.map(({ name, type }) => [name, anyOf(type)])), {
    requiredKeys: fields.filter(isRequired).map(({ name }) => name),
  }) as fc.Arbitrary<Params>;

/** The query parameters, each present or absent. A repeated parameter is a list. */
const queryOf = ({ query }: Endpoint) =>
  recordOf(
    query.map((parameter) => {
      const { type, repeated } = parameter;
      return repeated && type.kind !== "array"
        ? { ...parameter, type: { kind: "array", of: type } as const }
        : parameter;
    }),
    () => false,
  );

function bodyOf({ body }: Endpoint): fc.Arbitrary<Params> {
  if (body.kind !== "json") return fc.constant({});
  const fields = recordOf(body.fields, ({ required }) => required);
  return body.atLeastOne === true ? fields.filter((value) => Object.keys(value).length > 0) : fields;
}

const inLibrary = (query: Params) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [libraryName(name), value]));
const onWire = (value: unknown) => (Array.isArray(value) ? value.map(String) : String(value));

/**
 * The request that the call sent; the response is tested elsewhere. On a busy machine the server may close the idle
 * connection before the request is sent: then the request is sent again.
 */
async function sentBy(call: () => PromiseLike<unknown>, mayRepeat = true) {
  // The emulator keeps only the last 10,000 requests, so their number cannot be compared.
  const before = service.requests.at(-1);
  const failure = await Promise.resolve(call()).then(
    () => undefined,
    (error: unknown) => error,
  );
  const last = service.requests.at(-1);
  const request = last === before ? undefined : last;
  if (request === undefined && failure instanceof ConnectionError && mayRepeat) return sentBy(call, false);
  if (request === undefined) throw failure ?? new Error("nothing was sent");
  expect(service.requests.at(-2)).toBe(before);
  return request;
}

describe.each(ENDPOINTS)("$operation", (endpoint) => {
  const { operation, method, query, body, pathParameters } = endpoint;

  const fields = body.kind === "json" ? body.fields : [];

  it(
    "receives each parameter unchanged, in the path, the query and the body",
    async () => {
      const given = fc.record({
        // An id without a rule of its own contains only characters that a path may contain.
        ids: fc.tuple(
          ...pathParameters.map(({ type }) => anyOf(type.kind === "id" ? type : { kind: "id", prefix: "" })),
        ),
        query: queryOf(endpoint),
        body: bodyOf(endpoint),
      });
      const arrived = new Set<string>();
      await fc.assert(
        fc.asyncProperty(given, async (values) => {
          const ids = values.ids as string[];
          const params = { ...inLibrary(values.query), ...values.body } as never;
          const request = await sentBy(() => METHODS[operation].call(notetaker, ids, params));
          const left = [...ids];
          expect(request.method).toBe(method);
          expect(decodeURIComponent(request.path)).toBe(endpoint.path.replace(/\{\w+\}/g, () => left.shift() ?? ""));
          const repeated = new Set(query.filter((one) => one.repeated).map(({ name }) => name));
          const names = [...new Set(request.query.keys())];
          const found = names.map((name) => [
            name,
            repeated.has(name) ? request.query.getAll(name) : request.query.get(name),
          ]);
          const expected = Object.entries(values.query).map(([name, value]) => [name, onWire(value)]);
          expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
          if (body.kind === "json") expect(request.body).toEqual(values.body);
          for (const name of [...names, ...Object.keys(values.body)]) arrived.add(name);
        }),
        { numRuns: runs(query.length + fields.length > 0 ? 200 : 20) },
      );
      expect([...arrived].sort()).toEqual([...query, ...fields].map(({ name }) => name).sort());
    },
    SLOW_MS,
  );
});

it(
  "an upload arrives with its media type and its bytes unchanged",
  async () => {
    const types = ENDPOINTS.flatMap(({ body }) => (body.kind === "binary" ? body.contentTypes : []));
    const source = fc.uint8Array({ minLength: 1, maxLength: 2_000 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...types), source, async (contentType, bytes) => {
        const request = await sentBy(() =>
          notetaker.meetings.upload(new Uint8Array(bytes), { contentType: contentType as "audio/wav" }),
        );
        expect(request.headers.get("content-type")).toBe(contentType);
        expect(request.bodyBytes).toBe(bytes.length);
      }),
    );
  },
  SLOW_MS,
);
