/**
 * The client's requests, compared with the transcription of the API specification: each path, parameter, field and
 * rule, by the requests that are sent and the arguments that are refused. A missing or additional one fails the test
 * with its name.
 */
import * as sdk from "notetaker-sdk";
import { InvalidArgumentError } from "notetaker-sdk";
import { describe, expect, it } from "vitest";
import { ASSUMED_QUERY } from "../../src/assumptions.js";
import { ENDPOINTS as DESCRIBED } from "../../src/endpoints/endpoints.js";
import { MEETING_URL_MAX } from "../../src/schemas/bot.js";
import { PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../../src/schemas/page.js";
import { UPLOAD_LANGUAGE_MAX, UPLOAD_TITLE_MAX } from "../../src/schemas/upload.js";
import { WEBHOOK_URL_MAX } from "../../src/schemas/webhook.js";
import { CALLS } from "../support/calls.js";
import { clientOf, json, rejectionOf } from "../support/recorder.js";
import { edges } from "./edges.js";
import { ENDPOINTS, type Endpoint } from "./interface.js";
import { libraryName, METHODS } from "./methods.js";
import { fieldsSent, idsOf, type Params, paramsOf, sampleOf, shapeOf } from "./sample.js";

const isBoth = (value: unknown): value is readonly unknown[] => Array.isArray(value);

async function requestOf(endpoint: Endpoint, params: Params, ids = idsOf(endpoint)) {
  const { notetaker, seen } = clientOf(() => json({}), { validation: "off" });
  await Promise.resolve(METHODS[endpoint.operation].call(notetaker, ids, params)).catch((error) => {
    // `{}` is not a page, which does not matter here.
    if (!(error instanceof sdk.PaginationError)) throw error;
  });
  expect(seen).toHaveLength(1);
  return seen[0]!;
}

async function refusedBy(endpoint: Endpoint, params: Params, ids = idsOf(endpoint)) {
  const { notetaker, seen } = clientOf(() => json({}), { validation: "off" });
  const error = await rejectionOf(InvalidArgumentError, METHODS[endpoint.operation].call(notetaker, ids, params));
  expect(seen).toEqual([]);
  return error.issues.map(({ path }) => path.split(/[.[]/)[0]!);
}

it("the client describes exactly the endpoints of the API specification, and the tables call each", () => {
  const described = DESCRIBED.map(({ name }) => name).sort();
  expect(ENDPOINTS.map(({ operation }) => METHODS[operation].operation).sort()).toEqual(described);
  expect(CALLS.map(({ operation }) => operation).sort()).toEqual(described);
});

it("the option assumptions can rename exactly the parameters whose name the API specification does not show", () => {
  const renamed = ENDPOINTS.flatMap(({ operation, query }) => {
    const assumed = query.filter(({ assumptions }) => assumptions);
    const names = Object.fromEntries(assumed.map(({ name }) => [libraryName(name), name]));
    return assumed.length === 0 ? [] : [[METHODS[operation].names, names]];
  });
  expect(Object.fromEntries(renamed)).toEqual(ASSUMED_QUERY);
  expect(renamed).toHaveLength(Object.keys(ASSUMED_QUERY).length);
});

/** Ids that would change the path of the URL, or are of another kind. */
const notIds = (prefix: string): readonly string[] => [
  ...[".", "..", "..;x", ".;", "a/b", "../x", "a\\b", "a?b", "a#b", "%2e%2e"].map((rest) => prefix + rest),
  ...["", "a b", "a\u00a0b", "a\nb", "a\0b", "\u0085", "\ud800"].map((rest) => prefix + rest),
  ...(prefix === "" ? [] : [prefix.slice(0, -1), `x${prefix}1`, ` ${prefix}1`, `${prefix.toUpperCase()}1`]),
];

describe.each(ENDPOINTS)("$method $path", (endpoint) => {
  const { operation, params } = METHODS[endpoint.operation];
  const sent = fieldsSent(endpoint);

  it(`is sent by ${operation} with no more than its required fields`, async () => {
    const { query, body } = await requestOf(endpoint, paramsOf(endpoint));
    expect(query).toEqual([]);
    if (endpoint.body.kind === "json") expect(JSON.parse(body)).toEqual(paramsOf(endpoint));
  });

  it("has exactly the parameters and body fields of the API specification", async () => {
    const names = [...endpoint.query.map(({ name }) => libraryName(name)), ...sent.map(({ name }) => name)];
    expect(params === undefined ? [] : Object.keys(shapeOf(params)).sort()).toEqual(names.sort());
    if (params !== undefined) expect(await refusedBy(endpoint, paramsOf(endpoint, { added: 1 }))).toEqual(["added"]);
  });

  for (const [index, { name, type }] of endpoint.pathParameters.entries()) {
    it(`accepts the valid values of the path parameter ${name}, and refuses invalid ones`, async () => {
      const { good, bad } = edges(type);
      const withId = (value: unknown) => idsOf(endpoint).with(index, value as string);
      for (const value of type.kind === "id" ? good : ["perm_1", "a"]) {
        const { path } = await requestOf(endpoint, paramsOf(endpoint), withId(value));
        expect(decodeURIComponent(path).split("/")).toContain(value);
      }
      for (const value of [...bad, ...notIds(type.kind === "id" ? type.prefix : "")]) {
        const ours = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
        expect(await refusedBy(endpoint, paramsOf(endpoint), withId(value)), JSON.stringify(value)).toEqual([ours]);
      }
    });
  }

  for (const { name, type, repeated } of endpoint.query) {
    it(`accepts the valid values of the query parameter ${name}, and refuses invalid ones`, async () => {
      const ours = libraryName(name);
      const { good, bad } = edges(repeated ? { kind: "array", of: type } : type);
      for (const value of good) {
        const { query } = await requestOf(endpoint, paramsOf(endpoint, { [ours]: value }));
        expect(query).toEqual((isBoth(value) ? value : [value]).map((one) => [name, String(one)]));
      }
      const noIds = type.kind === "id" ? notIds(type.prefix).map((id) => (repeated ? [id] : id)) : [];
      for (const value of [...bad, ...noIds]) {
        expect(await refusedBy(endpoint, paramsOf(endpoint, { [ours]: value })), JSON.stringify(value)).toEqual([ours]);
      }
    });
  }

  for (const { name, type, required } of sent) {
    it(`accepts the valid values of the body field ${name}, and refuses invalid ones`, async () => {
      const { good, bad } = edges(type);
      for (const value of good) {
        const { body } = await requestOf(endpoint, paramsOf(endpoint, { [name]: value }));
        expect(JSON.parse(body)[name]).toEqual(value);
      }
      for (const value of bad) {
        expect(
          new Set(await refusedBy(endpoint, paramsOf(endpoint, { [name]: value }))),
          JSON.stringify(value),
        ).toEqual(new Set([name]));
      }
      if (required) expect(await refusedBy(endpoint, paramsOf(endpoint, { [name]: undefined }))).toEqual([name]);
    });
  }

  if (endpoint.body.kind === "json" && endpoint.body.atLeastOne) {
    it("refuses a body without any field", async () => {
      expect(await refusedBy(endpoint, {})).toEqual([""]);
      for (const { name, type } of sent) await requestOf(endpoint, { [name]: sampleOf(type) });
    });
  }

  if (endpoint.body.kind === "binary") {
    const { contentTypes } = endpoint.body;
    it("accepts exactly the media types of the API specification as contentType", async () => {
      for (const contentType of contentTypes) {
        expect((await requestOf(endpoint, { contentType })).headers["content-type"]).toBe(contentType);
      }
      for (const contentType of ["audio/midi", "video/mpeg", "text/plain", "application/octet-stream", "", "audio"]) {
        expect(await refusedBy(endpoint, { contentType })).toEqual(["contentType"]);
      }
    });
  }
});

it("the client's limits have the values of the API specification", () => {
  expect([MEETING_URL_MAX, UPLOAD_TITLE_MAX, UPLOAD_LANGUAGE_MAX, WEBHOOK_URL_MAX]).toEqual([1024, 500, 10, 2048]);
  expect([PAGE_SIZE_MIN, PAGE_SIZE_MAX]).toEqual([1, 100]);
});
