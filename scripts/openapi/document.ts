/**
 * Assembles the OpenAPI document: schemas from zod, texts from the doc comments, rules and examples from the emulator.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  ASSUMED_EVENT_FIELDS,
  ASSUMED_QUERY,
  CREATE_WEBHOOK_PER_MINUTE,
  OTHER_PER_MINUTE,
  WEBHOOK_SIGNATURE_HEADER,
} from "../../src/assumptions.js";
import { AUTOMATION_MODES } from "../../src/schemas/automation.js";
import { BOT_SCHEDULE_ACTIONS } from "../../src/schemas/bot.js";
import { DOCUMENT_FORMATS } from "../../src/schemas/document.js";
import { EVENT_KINDS } from "../../src/schemas/event.js";
import { MEETING_SOURCES, MEETING_STATUSES } from "../../src/schemas/meeting.js";
import { PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../../src/schemas/page.js";
import { RECIPIENT_ANYONE, ROLE_READ } from "../../src/schemas/permission.js";
import { SEND_BOT_PER_HOUR, SEND_BOT_PER_MINUTE, UPLOAD_PER_MINUTE } from "../../src/schemas/rate-limit.js";
import { MEDIA_TYPES, UPLOAD_STATUSES } from "../../src/schemas/upload.js";
import type { Route } from "../../src/testing/http/route.js";
import { ALL_ROUTES } from "../../src/testing/routes/all-routes.js";
import { type DocComment, type Documented, docComments, memberComment } from "./doc-comments.js";
import { deliveryExamples, type Example, errorExamples, exampleOf } from "./examples.js";
import { loadJsonSchemas } from "./load-schemas.js";
import { OPERATIONS, type OperationSource } from "./operations.js";

type Json = Record<string, unknown>;
type Comments = Map<string, Documented>;

const source = (path: string) => join(fileURLToPath(new URL("../../src", import.meta.url)), path);
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The known values of open enumerations, by the path of the field. */
const KNOWN_VALUES: Readonly<Record<string, readonly string[]>> = {
  "Automation.automation": AUTOMATION_MODES,
  "CreatedWebhook.events": EVENT_KINDS,
  "Document.format": DOCUMENT_FORMATS,
  "EventBotResult.status": BOT_SCHEDULE_ACTIONS,
  "Meeting.source": MEETING_SOURCES,
  "Meeting.status": MEETING_STATUSES,
  "MeetingSummary.source": MEETING_SOURCES,
  "MeetingSummary.status": MEETING_STATUSES,
  "Permission.role": [ROLE_READ],
  "Recipient.type": [RECIPIENT_ANYONE],
  "SendBotResult.status": BOT_SCHEDULE_ACTIONS,
  "UploadResult.status": UPLOAD_STATUSES,
  "Webhook.events": EVENT_KINDS,
};

/** Corrections of zod's JSON Schema, by the path of the field. */
const CORRECTIONS: Readonly<Record<string, Json>> = {
  "ValidationIssue.loc": { items: { type: ["string", "integer"] } },
  "ValidationIssue.ctx": { anyOf: [{ type: "object", additionalProperties: true }, { type: "null" }] },
  "SendBotParams.meeting_url": { format: "uri" },
  "WebhookCreateParams.url": { format: "uri", pattern: "^https?://" },
  "WebhookUpdateParams.url": { format: "uri", pattern: "^https?://" },
};

/** Objects with unknown further fields. */
const OPEN_OBJECTS = ["Recipient", "UpcomingMeeting"];
const PAGE_SIZE = { type: "integer", minimum: PAGE_SIZE_MIN, maximum: PAGE_SIZE_MAX };

/** Components whose doc comment belongs to a type with another name. */
const COMMENTED_AS: Readonly<Record<string, string>> = {
  MeetingPage: "PageEnvelope",
  RoomPage: "PageEnvelope",
  PermissionPage: "PageEnvelope",
};

/** The schema of a component in the document, with descriptions, known values and corrections. */
function component(name: string, schema: Json, comments: Comments): Json {
  const { $schema: _, $id: __, ...rest } = schema;
  const type = COMMENTED_AS[name] ?? name;
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(([field, property]) => {
    const known = KNOWN_VALUES[`${name}.${field}`];
    const withKnown = known === undefined ? property : withKnownValues(property, known);
    const own = memberComment(comments, type, field) ?? memberComment(comments, `${name}Fields`, field);
    const description = own === undefined ? {} : { description: own.text };
    return [field, { ...withKnown, ...CORRECTIONS[`${name}.${field}`], ...description }];
  });
  const description = comments.get(type)?.text;
  return {
    ...(description === undefined ? {} : { description }),
    ...rest,
    properties: Object.fromEntries(properties),
    // Interface, "Page envelope": a page has all three fields, although the client accepts pages without `next_cursor`.
    ...(name.endsWith("Page") ? { required: [...(schema.required as string[]), "next_cursor"].sort() } : {}),
    ...(OPEN_OBJECTS.includes(name) ? { additionalProperties: true } : {}),
    ...(name === "WebhookUpdateParams" ? { minProperties: 1 } : {}),
  };
}

const withKnownValues = (property: Json, values: readonly string[]): Json =>
  property.type === "array"
    ? { ...property, items: { ...(property.items as Json), "x-extensible-enum": values } }
    : { ...property, "x-extensible-enum": values };

/** The source that a comment names: "Documented." or "(guessed)". */
const sourceIn = (text: string | undefined) =>
  /\b(documented|observed|guessed)\b/i.exec(text ?? "")?.[1]?.toLowerCase();

function queryParameters({ query }: OperationSource, schemas: Record<string, Json>, comments: Comments): Json[] {
  if (query === undefined) return [];
  const names: Readonly<Record<string, string>> = query.names === "none" ? {} : ASSUMED_QUERY[query.names];
  const properties = (schemas[query.type]?.properties ?? {}) as Record<string, Json>;
  return Object.entries(properties).map(([field, schema]) => {
    const source = sourceIn(comments.get(`ASSUMED_QUERY.${query.names}`)?.members.get(field)?.text);
    return {
      name: names[field] ?? field,
      in: "query",
      description: memberComment(comments, query.type, field)?.text,
      ...(source === undefined ? {} : { "x-assumptions": `${query.names}.${field}`, "x-source": source }),
      schema: field === "limit" ? PAGE_SIZE : schema,
      ...(schema.type === "array" ? { style: "form", explode: true } : {}),
    };
  });
}

const ID_NAMES: Readonly<Record<string, string>> = {
  meeting_id: "A meeting's id.",
  event_id: "A calendar event's id.",
  document_id: "A document's id.",
  webhook_id: "A webhook's id.",
  permission_id: "A permission's id, which has no prefix.",
};

const pathParameters = (route: Route, schemas: Record<string, Json>): Json[] =>
  [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    const { $schema: _, $id: __, ...schema } = schemas[name] ?? {};
    return { name, in: "path", required: true, description: ID_NAMES[name], schema };
  });

const minute = (requests: number, source?: string) => ({
  requests,
  perSeconds: 60,
  ...(source ? { "x-source": source } : {}),
});
/** How many requests an account may send, by the group of the route. */
const RATE_LIMITS: Readonly<Record<NonNullable<Route["limit"]>, readonly Json[]>> = {
  sendBot: [minute(SEND_BOT_PER_MINUTE), { requests: SEND_BOT_PER_HOUR, perSeconds: 3600 }],
  upload: [minute(UPLOAD_PER_MINUTE)],
  createWebhook: [minute(CREATE_WEBHOOK_PER_MINUTE, "documented"), minute(OTHER_PER_MINUTE, "documented")],
  other: [minute(OTHER_PER_MINUTE, "documented")],
};

const HEADERS = {
  "X-RateLimit-Limit": "Requests in the window. Documented.",
  "X-RateLimit-Remaining": "Requests left in the window. Documented.",
  "X-RateLimit-Reset": "When the window ends, in Unix seconds. Documented.",
  "Retry-After": "How long to wait, in seconds. Documented.",
} as const;
const headerRefs = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const RATE_LIMIT_HEADERS = Object.keys(HEADERS).slice(0, 3);

const jsonContent = (schema: Json, example: unknown) => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});

function errorResponse(status: number, description: string, example: unknown): Json {
  const schema = ref(status === 422 ? "ValidationEnvelope" : "ErrorEnvelope");
  const headers = headerRefs(...RATE_LIMIT_HEADERS, ...(status === 429 ? ["Retry-After"] : []));
  return { description, headers, content: jsonContent(schema, example) };
}

type ErrorExamples = ReadonlyMap<number, unknown>;

/**
 * The errors of an operation, by status. Errors that the API specification describes only for this operation are not
 * shared.
 */
function errorResponses({ refused, forbidden }: OperationSource, route: Route, examples: ErrorExamples): Json {
  const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const own = (status: number, description: string) => errorResponse(status, description, examples.get(status));
  return {
    ...(route.invalid === "error" ? { 400: refused === undefined ? shared("BadRequest") : own(400, refused) } : {}),
    401: shared("Unauthorized"),
    ...(forbidden === undefined ? {} : { 403: own(403, forbidden) }),
    ...(route.path.includes("{") ? { 404: shared("NotFound") } : {}),
    ...(route.invalid === "validation" ? { 422: shared("InvalidRequest") } : {}),
    429: shared("RateLimited"),
    500: shared("ServerError"),
    default: shared("OtherError"),
  };
}

function successResponse({ answer }: OperationSource, { status, body }: Example): Json {
  const name = answer?.replace("[]", "");
  const schema =
    name === undefined ? undefined : answer?.endsWith("[]") ? { type: "array", items: ref(name) } : ref(name);
  return {
    [status]: {
      description: status === 202 ? "Accepted: it is done later." : status === 204 ? "Done." : "Success.",
      // Interface, "Notes on the endpoints as a whole": apart from the two 202s, no success status is shown.
      ...(status === 202 ? {} : { "x-source": "guessed" }),
      headers: headerRefs(...RATE_LIMIT_HEADERS),
      ...(schema === undefined ? {} : { content: jsonContent(schema, body) }),
    },
  };
}

function requestBody(operation: OperationSource, route: Route, { request }: Example): Json {
  if (operation.body !== undefined) {
    return { requestBody: { required: true, content: jsonContent(ref(operation.body), request) } };
  }
  if (route.limit !== "upload") return {};
  const file = { schema: { type: "string", format: "binary" } };
  const content = Object.fromEntries(MEDIA_TYPES.map((type) => [type, file]));
  return { requestBody: { required: true, description: "The bytes of the file, not multipart form data.", content } };
}

/** The sources from which every operation is made. */
interface Sources {
  schemas: Record<string, Json>;
  comments: Comments;
  errors: ErrorExamples;
}

/** The source of an operation: the API specification, or what is known beyond it. */
function provenance({ text, beta }: DocComment): Json {
  if (beta === undefined) return { "x-source": "specified" };
  return { "x-beta": true, "x-source": sourceIn(beta) ?? sourceIn(text) };
}

async function operationObject(operation: OperationSource, route: Route, { schemas, comments, errors }: Sources) {
  const [group = "", method = ""] = operation.name.split(".");
  const comment = comments.get(group.charAt(0).toUpperCase() + group.slice(1))?.members.get(method);
  if (comment === undefined) throw new Error(`${operation.name} has no doc comment`);
  const summary = comment.text.split(/(?<=\.)\s/)[0] ?? "";
  const beta = comment.beta === undefined ? "" : `Beta: ${comment.beta}`;
  const description = [comment.text.slice(summary.length).trim(), beta].filter((text) => text !== "").join("\n\n");
  const example = await exampleOf(operation);
  const state = (example.body as { status?: unknown } | undefined)?.status;
  return {
    operationId: operation.name,
    tags: [group],
    summary: summary.replace(/\.$/, ""),
    description: description === "" ? summary : description,
    ...provenance(comment),
    ...(typeof state === "string" ? { "x-resulting-state": state } : {}),
    "x-rate-limits": RATE_LIMITS[route.limit ?? "other"],
    parameters: [...pathParameters(route, schemas), ...queryParameters(operation, schemas, comments)],
    ...requestBody(operation, route, example),
    responses: { ...successResponse(operation, example), ...errorResponses(operation, route, errors) },
  };
}

async function webhooks() {
  const examples = await deliveryExamples();
  const delivery = (kind: string) => ({
    post: {
      operationId: kind,
      tags: ["webhooks"],
      summary: `The service delivers ${kind}`,
      description:
        "Headers and signature are documented, the event kind in the body is observed. An answer other than a 2xx " +
        "within 10 seconds is delivered again.",
      security: [],
      parameters: [
        {
          name: WEBHOOK_SIGNATURE_HEADER,
          in: "header",
          required: true,
          description: "`sha256=` and the hexadecimal HMAC-SHA256 of the raw body, keyed by the webhook's secret.",
          schema: { type: "string", pattern: "^sha256=[0-9a-f]{64}$" },
        },
      ],
      requestBody: { required: true, content: jsonContent(ref("Delivery"), examples.get(kind)) },
      responses: {
        "200": { description: "Handled." },
        default: { description: "Not handled: it is delivered again." },
      },
    },
  });
  return Object.fromEntries(EVENT_KINDS.map((kind) => [kind, delivery(kind)]));
}

const DELIVERY = {
  description: "A delivery: the kind of event, and the meeting that it is about as the meeting list shows it.",
  type: "object",
  properties: {
    [ASSUMED_EVENT_FIELDS.kind]: { type: "string", "x-extensible-enum": EVENT_KINDS, "x-source": "observed" },
    ...Object.fromEntries(
      ASSUMED_EVENT_FIELDS.meetingId.map((field) => [
        field,
        { type: "string", description: "The meeting's id, `mtg_…`." },
      ]),
    ),
  },
  required: [ASSUMED_EVENT_FIELDS.kind],
  additionalProperties: true,
  anyOf: ASSUMED_EVENT_FIELDS.meetingId.map((field) => ({ required: [field] })),
};

function responses(examples: ErrorExamples) {
  const error = (status: number, description: string) => errorResponse(status, description, examples.get(status));
  const either = { anyOf: [ref("ErrorEnvelope"), ref("ValidationEnvelope")] };
  return {
    BadRequest: error(400, "The request is invalid."),
    Unauthorized: error(401, "Authentication is required: the token is missing or invalid."),
    NotFound: error(404, "The resource was not found."),
    InvalidRequest: { ...error(422, "The request is invalid. The status is guessed."), "x-source": "guessed" },
    RateLimited: error(429, "Too many requests."),
    ServerError: error(500, "The service failed."),
    OtherError: {
      description: "Any other error, in one of the two envelopes.",
      content: jsonContent(either, undefined),
    },
  };
}

const DESCRIPTION = `A REST API for an AI meeting note-taker, as far as it is known.

The service publishes a description of its interface, which leaves parts open. Everything that does not come from this
description has an \`x-source\`: \`documented\` (the service's public reference), \`observed\` (more than one public
integration) or \`guessed\` (by analogy). The description mentions operations with \`x-beta: true\` but does not define them.
\`x-assumptions\` is the key of a query parameter in the client's option \`assumptions\`, which can replace its name.

\`x-extensible-enum\` lists the known values of a field; the service may add values. \`x-rate-limits\` contains the limits of
an account. \`x-resulting-state\` is the status in the response; the service does the work later.

Received objects may have further fields. Names such as \`documents.get\` are those of the TypeScript client
notetaker-sdk, from whose schemas this document is made.`;

const TAGS = {
  meetings: "Bots, uploads, transcripts, recordings and the meeting list.",
  rooms: "Rooms group related meetings.",
  documents: "Documents that the service writes: summaries, action items, notes.",
  permissions: "Who may see the meetings that the user owns.",
  webhooks: "Subscriptions to events, and their deliveries.",
  settings: "Which calendar events the bot joins by itself.",
};

/** The whole document. */
export async function openApiDocument(): Promise<Json> {
  const comments = new Map([
    ...docComments(source("schemas")),
    ...docComments(source("resources")),
    ...docComments(source("."), /^assumptions\.ts$/),
  ]);
  const schemas = await loadJsonSchemas();
  const errors = await errorExamples();
  const paths: Record<string, Json> = {};
  const routes = new Map<string, Route>(ALL_ROUTES.map((route) => [route.name, route]));
  for (const operation of OPERATIONS) {
    const route = routes.get(operation.route);
    if (route === undefined) throw new Error(`the emulator has no route ${operation.route}`);
    routes.delete(operation.route);
    const described = await operationObject(operation, route, { schemas, comments, errors });
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: described };
  }
  if (routes.size > 0) throw new Error(`no operation in the document for ${[...routes.keys()].join(", ")}`);
  const bodies = Object.entries(schemas).filter(([name]) => /^[A-Z]/.test(name) && !isQuery(name));
  return {
    openapi: "3.1.0",
    info: {
      title: "Meeting note-taker",
      // Interface, "Versioning": the version of the API specification description.
      version: "0.1.0",
      summary: "Send bots into calls, upload recordings, read transcripts and documents.",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      {
        url: "https://{host}/v1",
        description: "The service; its host is in your account.",
        variables: { host: { default: "api.notetaker.test", description: "The host of the service." } },
      },
      {
        url: "http://127.0.0.1:4010/v1",
        description: "The emulator: npx -p notetaker-sdk notetaker-emulator --port 4010",
      },
    ],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: await webhooks(),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The API token from the account's dashboard." },
      },
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: "integer" } }]),
      ),
      responses: responses(errors),
      schemas: {
        ...Object.fromEntries(bodies.map(([name, schema]) => [name, component(name, schema, comments)])),
        Delivery: DELIVERY,
      },
    },
  };
}

const isQuery = (name: string) => OPERATIONS.some(({ query }) => query?.type === name);
