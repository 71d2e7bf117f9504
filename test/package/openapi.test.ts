/** openapi.json is in the package, agrees with the API specification, and has the same types as the library. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import { createEmulator } from "notetaker-sdk/testing";
import openapiTypes, { astToString } from "openapi-typescript";
import ts from "typescript";
import { describe, expect, inject, it, test } from "vitest";
import { ENDPOINTS, type FieldType, RATE_LIMITS, RESOURCES } from "../interface/interface.js";
import { fieldsOf, objectOf } from "../interface/sample.js";
import { compile } from "../support/compile.js";
import { root } from "../support/run-program.js";

type Json = Record<string, unknown>;
interface Schema extends Json {
  properties: Record<string, Json>;
  required?: string[];
}
interface Answer {
  content?: Record<string, { schema: Json; example?: unknown; examples?: Record<string, { value: unknown }> }>;
  $ref?: string;
}
interface Operation extends Json {
  parameters: { name: string; in: string; schema: Json; "x-source"?: string }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, Answer>;
  "x-rate-limits": { requests: number; perSeconds: number }[];
}

const text = readFileSync(join(root, "openapi.json"), "utf8");
const specification = JSON.parse(text) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
};
const { paths, components } = specification;

test("openapi.json is in the package, and require finds it", () => {
  // Each automation mode is named beside what it does.
  expect(text).not.toContain("the known values: ");
  const program = `console.log(require("notetaker-sdk/openapi.json").openapi)`;
  const args = ["--input-type=commonjs", "--eval", program];
  expect(execFileSync(process.execPath, args, { cwd: inject("installed"), encoding: "utf8" })).toBe("3.1.0\n");
});

describe("the operations of openapi.json", () => {
  it("are exactly those of the API specification", () => {
    const ours = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(ours.sort()).toEqual(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it.each(ENDPOINTS)(
    "include $method $path with the API specification's parameters, body, statuses and source",
    (endpoint) => {
      const operation = paths[endpoint.path]![endpoint.method.toLowerCase()]!;
      const named = (where: string) => operation.parameters.filter((one) => one.in === where).map(({ name }) => name);
      expect(named("query").sort()).toEqual(endpoint.query.map(({ name }) => name).sort());
      expect(named("path")).toEqual(endpoint.pathParameters.map(({ name }) => name));

      const contents = Object.keys(operation.requestBody?.content ?? {});
      const { body } = endpoint;
      expect(contents).toEqual(
        body.kind === "none" ? [] : body.kind === "json" ? ["application/json"] : body.contentTypes,
      );

      const { status, type } = endpoint.response;
      expect(operation.responses[status]?.content === undefined).toBe(type === "none");
      const { envelope } = endpoint.invalid;
      const refused = operation.responses[endpoint.invalid.status]!.content!["application/json"]!;
      expect(refused.schema).toEqual({
        $ref: `#/components/schemas/${envelope === "validation" ? "ValidationEnvelope" : "ErrorEnvelope"}`,
      });
      expect(operation.responses[404] !== undefined).toBe(endpoint.notFound.length > 0);
      expect(operation.responses[403] !== undefined).toBe(endpoint.ownerOnly || endpoint.usageLimit);

      expect(operation["x-source"]).toBe(endpoint.source);
      expect(operation["x-beta"] === true).toBe(endpoint.source !== "specified");
      expect(operation["x-resulting-state"]).toBe(endpoint.answers?.status);

      const own = RATE_LIMITS.filter((limit) => limit.operation === endpoint.operation);
      const common = RATE_LIMITS.filter((limit) => limit.operation === undefined);
      const isSeparate = own.length > 0 && own.every(({ source }) => source === "specified");
      expect(operation["x-rate-limits"].map(({ requests, perSeconds }) => [requests, perSeconds * 1000])).toEqual(
        [...own, ...(isSeparate ? [] : common)].map(({ requests, perMs }) => [requests, perMs]),
      );
    },
  );
});

describe("openapi.json, for tools in every language,", () => {
  it("marks the source of what the API specification does not say: null, and refused unknown fields", () => {
    const { Room, ErrorEnvelope, ...others } = components.schemas;
    const details = (ErrorEnvelope!.properties.error!.properties as Record<string, Json>).details!;
    for (const field of [Room!.properties.meetings!, Room!.properties.documents!, details]) {
      expect(field.anyOf).toContainEqual({ type: "null", "x-source": "guessed" });
    }
    for (const schema of Object.values(others).filter(({ additionalProperties }) => additionalProperties === false)) {
      expect(schema["x-unknown-fields"]).toEqual({ "x-source": "guessed" });
    }
  });

  it("accepts the URLs of webhooks that the emulator accepts, and no others", async () => {
    const service = createEmulator({ limits: "none" });
    const { pattern } = components.schemas.WebhookCreateParams!.properties.url as { pattern: string };
    const hosts = ["a.example", "localhost", "api.localhost:3000", "127.0.0.1:80", "[::1]", "10.0.0.1", ""];
    const others = [
      "http://localhost.a.example",
      "http://a.example/localhost",
      "ftp://a.example",
      "/in",
      "https://a b.c",
    ];
    const urls = [
      ...hosts.flatMap((host) => [`https://${host}/in?a=1`, `http://${host}/in`, `http://${host}`]),
      ...others,
    ];
    for (const url of urls) {
      const { status } = await service.fetch(`${service.baseUrl}/webhooks`, {
        method: "POST",
        headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json" },
        body: JSON.stringify({ url, events: ["meeting.transcript_ready"] }),
      });
      expect([url, new RegExp(pattern).test(url)]).toEqual([url, status === 201]);
    }
  });
});

/** A value of another type that looks similar to a valid value. */
function wrongValue(type: FieldType): unknown {
  switch (type.kind) {
    case "id":
      return `x${type.prefix}1`;
    case "timestamp":
    case "date":
      return "yesterday";
    case "text":
      return "t".repeat(type.max + 1);
    case "enum":
      return type.open ? 5 : "unknown";
    case "integer":
      return type.max === undefined ? 1.5 : type.max + 1;
    case "url":
      return "example.com/hooks";
    case "conference link":
      return `https://zoom.us/j/${"1".repeat(type.max)}`;
    case "array":
      return type.min === undefined ? [null] : [];
    default:
      return ["wrong"];
  }
}

const isTime = (text: string) => !Number.isNaN(Date.parse(text));
const formats = { "date-time": isTime, date: isTime, uri: (text: string) => URL.canParse(text) };
const ajv = new Ajv({ strict: false, allErrors: true, formats });
ajv.addSchema({ $id: "openapi", components });
const failing = (name: string, value: unknown) => {
  const validate = ajv.getSchema(`openapi#/components/schemas/${name}`)!;
  return validate(value)
    ? []
    : validate.errors!.map(({ instancePath, params }) => `${instancePath}/${params.missingProperty ?? ""}`);
};

describe.each(Object.entries(RESOURCES))("the schema %s of openapi.json", (name, fields) => {
  it("has the fields of the API specification, accepts others, and refuses wrong and missing ones", () => {
    expect(Object.keys(components.schemas[name]!.properties).sort()).toEqual(fields.map((one) => one.name).sort());
    expect(failing(name, objectOf(fields, { added_later: { a: 1 } }))).toEqual([]);
    for (const field of fields) {
      const full = `${name}.${field.name}`;
      if (field.type.kind !== "any" && full !== "Host.id" && full !== "Document.format") {
        const found = failing(name, objectOf(fields, { [field.name]: wrongValue(field.type) }));
        expect(found.join(), full).toContain(`/${field.name}`);
      }
      const { [field.name]: _, ...without } = objectOf(fields) as Json;
      const isPromised = field.required || full === "PermissionPage.share_url";
      expect(failing(name, without), full).toEqual(isPromised ? [`/${field.name}`] : []);
    }
  });
});

const bodies = ENDPOINTS.flatMap(({ operation, method, path, body }) =>
  body.kind === "json" ? [{ operation, method, path, fields: body.fields, atLeastOne: body.atLeastOne }] : [],
);

it.each(bodies)(
  "the request body of openapi.json for $operation follows the rules of the API specification",
  ({ method, path, fields, atLeastOne }) => {
    const { $ref } = paths[path]![method.toLowerCase()]!.requestBody!.content["application/json"]!.schema;
    const name = String($ref).split("/").at(-1)!;
    expect(failing(name, objectOf(fields))).toEqual([]);
    expect(failing(name, objectOf(fields, { unknown_field: 1 }))).toHaveLength(1);
    for (const { name: field, type, required } of fields) {
      expect(failing(name, objectOf(fields, { [field]: wrongValue(type) }))).not.toEqual([]);
      const { [field]: _, ...without } = objectOf(fieldsOf(fields)) as Json;
      expect(failing(name, without)).toEqual(required ? [`/${field}`] : []);
    }
    if (atLeastOne) expect(failing(name, {})).toHaveLength(1);
  },
);

/** The library's types have template literals for ids. In openapi.json, a pattern has the same effect. */
const idType = (pattern: unknown) => {
  const prefix = typeof pattern === "string" ? /^\^(\w+_)$/.exec(pattern)?.[1] : undefined;
  if (prefix === undefined) return undefined;
  const span = ts.factory.createTemplateLiteralTypeSpan(
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTemplateTail(""),
  );
  return ts.factory.createTemplateLiteralType(ts.factory.createTemplateHead(prefix), [span]);
};

/** The library's types beside the types that openapi-typescript generates, for responses and for requests. */
const RECEIVED: Readonly<Record<string, string>> = {
  MeetingPage: "sdk.PageEnvelope<sdk.Meeting>",
  RoomPage: "sdk.PageEnvelope<sdk.Room>",
  PermissionPage: "sdk.PageEnvelope<sdk.Permission> & { readonly share_url: string }",
};
const SENT = ["AutomationParams", "PermissionSetParams", "SendBotParams", "WebhookCreateParams", "WebhookUpdateParams"];
const QUERIES = {
  roomsList: "RoomListParams",
  meetingsList: "MeetingListParams",
  permissionsList: "PermissionListParams",
  documentsGet: "DocumentGetParams",
  meetingsUpload: "UploadParams",
};

test("the types that openapi-typescript generates and the package's types are assignable to each other", async () => {
  const generate = async (immutable: boolean) => {
    const transform = (schema: object) => idType("pattern" in schema ? schema.pattern : undefined);
    return astToString(await openapiTypes(text, { immutable, transform }));
  };
  // The envelopes are not exported.
  const received = Object.keys(RESOURCES).filter((name) => !name.endsWith("Envelope"));
  const pairs = [
    ...received.map((name) => [name, RECEIVED[name] ?? `sdk.${name}`, `received.components["schemas"]["${name}"]`]),
    ...SENT.map((name) => [name, `sdk.${name}`, `sent.components["schemas"]["${name}"]`]),
    ...Object.entries(QUERIES).map(([operation, name]) => [
      name,
      `Omit<sdk.${name}, "ids">`,
      `Omit<NonNullable<sent.operations["${operation}"]["parameters"]["query"]>, "id">`,
    ]),
  ];
  const program = [
    `import type * as sdk from "notetaker-sdk";`,
    `import type * as received from "./received.js";`,
    `import type * as sent from "./sent.js";`,
    `type Both<Ours, Theirs> = [Ours] extends [Theirs] ? ([Theirs] extends [Ours] ? "both" : "only to") : "not to";`,
    ...pairs.map(([name, ours, theirs]) => `export const ${name}: Both<${ours}, ${theirs}> = "both";`),
  ];
  const files = {
    "received.ts": await generate(false),
    "sent.ts": await generate(true),
    "program.ts": program.join("\n"),
  };
  // openapi-typescript writes no "| undefined", so its types match only without exactOptionalPropertyTypes.
  expect(compile(files, { module: "nodenext", exactOptionalPropertyTypes: false })).toBe("");
  expect(pairs.length).toBeGreaterThan(25);
});
