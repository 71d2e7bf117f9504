/** The operations of the document. Each is made from the description of an endpoint. */
import {
  ASSUMED_QUERY,
  ASSUMED_VALIDATION_STATUS,
  CREATE_WEBHOOK_PER_MINUTE,
  OTHER_PER_MINUTE,
} from "../../src/assumptions.js";
import { ID_PREFIXES, type IdKind } from "../../src/schemas/ids.js";
import { PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../../src/schemas/page.js";
import { SEND_BOT_PER_HOUR, SEND_BOT_PER_MINUTE, UPLOAD_PER_MINUTE } from "../../src/schemas/rate-limit.js";
import { MEDIA_TYPES } from "../../src/schemas/upload.js";
import { type Endpoint, wireRoute } from "../../src/transport/endpoint.js";
import { ref, rowOf, sourceIn } from "./components.js";
import { type Documented, memberComment } from "./doc-comments.js";
import { type ErrorExample, type Examples, examplesOf } from "./examples.js";
import type { EndpointSchemas, Json, ServiceSchemas } from "./service-schemas.js";
import { COMMENTS, commentOf, httpText } from "./texts.js";

const PAGE_SIZE = { type: "integer", minimum: PAGE_SIZE_MIN, maximum: PAGE_SIZE_MAX };

function queryParameters({ names }: Endpoint, type: string | undefined, { schemas }: ServiceSchemas): Json[] {
  if (type === undefined) return [];
  const wireNames: Readonly<Record<string, string>> = names === undefined ? {} : ASSUMED_QUERY[names];
  const comments = COMMENTS as Map<string, Documented>;
  const properties = (schemas[type]?.properties ?? {}) as Record<string, Json>;
  return Object.entries(properties).map(([field, schema]) => {
    const source = sourceIn(comments.get(`ASSUMED_QUERY.${names}`)?.members.get(field)?.text);
    return {
      name: wireNames[field] ?? field,
      in: "query",
      description: httpText(memberComment(comments, type, field)?.text ?? ""),
      ...(source === undefined ? {} : { "x-assumptions": `${names}.${field}`, "x-source": source }),
      schema: field === "limit" ? PAGE_SIZE : schema,
      ...(schema.type === "array" ? { style: "form", explode: true } : {}),
    };
  });
}

const pathParameters = ({ path }: Endpoint, { schemas }: ServiceSchemas): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, kind = ""]) => {
    const { $schema: _, $id: __, ...schema } = schemas[kind] ?? {};
    const name = wireRoute(`{${kind}}`).slice(1, -1);
    const prefix = ID_PREFIXES[kind as IdKind];
    const form = prefix === "" ? "which has no prefix" : `\`${prefix}…\``;
    const description = `The id of the ${name.replace("_id", "").replace("_", " ")}, ${form}.`;
    return { name, in: "path", required: true, description, schema };
  });

const minute = (requests: number, source?: string) => ({
  requests,
  perSeconds: 60,
  ...(source ? { "x-source": source } : {}),
});
/** How many requests an account may send. */
const RATE_LIMITS: Readonly<Record<NonNullable<Endpoint["limit"]>, readonly Json[]>> = {
  sendBot: [minute(SEND_BOT_PER_MINUTE), { requests: SEND_BOT_PER_HOUR, perSeconds: 3600 }],
  upload: [minute(UPLOAD_PER_MINUTE)],
  createWebhook: [minute(CREATE_WEBHOOK_PER_MINUTE, "documented"), minute(OTHER_PER_MINUTE, "documented")],
  other: [minute(OTHER_PER_MINUTE, "documented")],
};

const RATE_LIMIT_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
export const HEADERS = {
  "X-RateLimit-Limit": "Requests in the window. Documented.",
  "X-RateLimit-Remaining": "Requests left in the window. Documented.",
  "X-RateLimit-Reset": "When the window ends, in Unix seconds. Documented.",
  "Retry-After": "How long to wait, in seconds. Documented.",
} as const;

const headersOf = (status: number) =>
  Object.fromEntries(
    [...RATE_LIMIT_HEADERS, ...(status === 429 ? ["Retry-After"] : [])].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );

export const jsonContent = (schema: Json, example?: unknown) => ({
  "application/json": { schema, ...(example === undefined ? {} : { example }) },
});

const isValidation = (status: number) => status === ASSUMED_VALIDATION_STATUS;

/** The response to a request that the service refuses. */
export function errorResponse(status: number, description: string, examples: Json): Json {
  const schema = ref(isValidation(status) ? "ValidationEnvelope" : "ErrorEnvelope");
  return {
    description,
    ...(isValidation(status) ? { "x-source": "guessed" } : {}),
    headers: headersOf(status),
    content: { "application/json": { schema, ...examples } },
  };
}

/** The response with one status, for each reason. */
function refusal(status: number, found: readonly ErrorExample[]): Json {
  const examples = found.map(({ name, summary, body }) => [name, { summary, value: body }]);
  const description = found.map(({ summary }) => summary).join(" ");
  return errorResponse(status, description, { examples: Object.fromEntries(examples) });
}

const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });

/** The errors of an endpoint, by status. Those of which the endpoint has examples of its own are not shared. */
function errorResponses({ path }: Endpoint, { errors }: Examples): Json {
  const own = [...new Set(errors.map(({ status }) => status))].map((status) => [
    status,
    refusal(
      status,
      errors.filter((error) => error.status === status),
    ),
  ]);
  return {
    401: shared("Unauthorized"),
    ...(path.includes("{") ? { 404: shared("NotFound") } : {}),
    429: shared("RateLimited"),
    500: shared("ServerError"),
    default: shared("OtherError"),
    ...Object.fromEntries(own),
  };
}

const SUCCESSES: Readonly<Record<number, string>> = { 202: "Accepted: it is done later.", 204: "Done." };

function successResponse({ answer }: EndpointSchemas, { success: { status, body } }: Examples): Json {
  const schema = answer && (answer.isArray ? { type: "array", items: ref(answer.name) } : ref(answer.name));
  return {
    [status]: {
      description: SUCCESSES[status] ?? "Success.",
      // API specification, "Notes on the endpoints as a whole": apart from the two 202s, no success status is shown.
      ...(status === 202 ? {} : { "x-source": "guessed" }),
      headers: headersOf(status),
      ...(schema && { content: jsonContent(schema, body) }),
    },
  };
}

function requestBody({ limit }: Endpoint, { body }: EndpointSchemas, { request }: Examples): Json {
  if (body !== undefined) return { requestBody: { required: true, content: jsonContent(ref(body), request) } };
  if (limit !== "upload") return {};
  const file = { schema: { type: "string", format: "binary" } };
  const content = Object.fromEntries(MEDIA_TYPES.map((type) => [type, file]));
  return { requestBody: { required: true, description: "The bytes of the file, not multipart form data.", content } };
}

/** `meetings.sendBot` is `meetingsSendBot`: generated clients name functions after it. */
export const operationId = (name: string) => name.replace(/[._]+(\w)/g, (_, letter: string) => letter.toUpperCase());

export async function operation(endpoint: Endpoint, all: ServiceSchemas): Promise<Json> {
  const { name, source, limit = "other" } = endpoint;
  const { text, beta } = commentOf(endpoint);
  const description = httpText(text);
  const [summary = ""] = description.split(/(?<=\.)\s/);
  const notes = [description.slice(summary.length).trim(), beta === undefined ? "" : `Beta: ${httpText(beta)}`];
  const schemas = all.endpoints[name] ?? {};
  const examples = await examplesOf(rowOf(endpoint));
  const state = (examples.success.body as { status?: unknown } | undefined)?.status;
  return {
    operationId: operationId(name),
    tags: [name.split(".")[0]],
    summary: summary.replace(/\.$/, ""),
    description: notes.filter((note) => note !== "").join("\n\n") || summary,
    ...(source === "specified" ? {} : { "x-beta": true }),
    "x-source": source,
    ...(typeof state === "string" ? { "x-resulting-state": state } : {}),
    "x-rate-limits": RATE_LIMITS[limit],
    parameters: [...pathParameters(endpoint, all), ...queryParameters(endpoint, schemas.query, all)],
    ...requestBody(endpoint, schemas, examples),
    responses: { ...successResponse(schemas, examples), ...errorResponses(endpoint, examples) },
  };
}
