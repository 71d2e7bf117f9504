/** The operations of the document. Each is made from the description of an endpoint. */
import { ASSUMED_QUERY, ASSUMED_VALIDATION_STATUS } from "../../src/assumptions.js";
import { HOUR_MS } from "../../src/async/timers.js";
import { type Endpoint, wireRoute } from "../../src/endpoints/endpoint.js";
import { RATE_LIMITS } from "../../src/endpoints/limits.js";
import { ID_PREFIXES, type IdKind } from "../../src/schemas/ids.js";
import { MEDIA_TYPES } from "../../src/schemas/media-type.js";
import { PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../../src/schemas/page.js";
import { ref, rowOf, sourceIn } from "./components.js";
import { type Documented, memberComment } from "./doc-comments.js";
import { type ErrorExample, type Examples, examplesOf } from "./examples.js";
import { operationId } from "./operation-id.js";
import type { EndpointSchemas, Json, ServiceSchemas } from "./service-schemas.js";
import { COMMENTS, commentOf, httpText } from "./texts.js";

const PAGE_SIZE = { type: "integer", minimum: PAGE_SIZE_MIN, maximum: PAGE_SIZE_MAX };

/** The maximum number of ids in a filter is the client's own rule. */
const withoutLength = ({ maxItems: _, ...schema }: Json): Json => schema;

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
      schema: field === "limit" ? PAGE_SIZE : withoutLength(schema),
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

/** How many requests an account may send to the endpoint. */
const rateLimits = ({ limits }: Endpoint): Json[] =>
  limits.flatMap((name) =>
    RATE_LIMITS[name].map(({ requests, perMs, source }) => ({
      requests,
      perSeconds: perMs / 1000,
      ...(source === "specified" ? {} : { "x-source": source }),
    })),
  );

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

/** The 429 of an endpoint that has limits of its own names them: `10 requests a minute and 60 requests an hour`. */
function rateLimited({ limits }: Endpoint, example: unknown): Json {
  if (limits[0] === undefined || limits[0] === "other") return shared("RateLimited");
  const rules = RATE_LIMITS[limits[0]].map(
    ({ requests, perMs }) => `${requests} requests ${perMs === HOUR_MS ? "an hour" : "a minute"}`,
  );
  return errorResponse(429, `Too many requests: at most ${rules.join(" and ")}.`, { example });
}

const shared = (name: string) => ({ $ref: `#/components/responses/${name}` });

/** The errors of an endpoint, by status. Those of which the endpoint has examples of its own are not shared. */
function errorResponses(endpoint: Endpoint, { errors, rateLimited: example }: Examples): Json {
  const own = [...new Set(errors.map(({ status }) => status))].map((status) => [
    status,
    refusal(
      status,
      errors.filter((error) => error.status === status),
    ),
  ]);
  return {
    401: shared("Unauthorized"),
    ...(endpoint.path.includes("{") ? { 404: shared("NotFound") } : {}),
    429: rateLimited(endpoint, example),
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

function requestBody({ name }: Endpoint, { body }: EndpointSchemas, { request }: Examples): Json {
  if (body !== undefined) return { requestBody: { required: true, content: jsonContent(ref(body), request) } };
  if (name !== "meetings.upload") return {};
  const file = { schema: { type: "string", format: "binary" } };
  const content = Object.fromEntries(MEDIA_TYPES.map((type) => [type, file]));
  return { requestBody: { required: true, description: "The bytes of the file, not multipart form data.", content } };
}

export async function operation(endpoint: Endpoint, all: ServiceSchemas): Promise<Json> {
  const { name, source } = endpoint;
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
    "x-rate-limits": rateLimits(endpoint),
    parameters: [...pathParameters(endpoint, all), ...queryParameters(endpoint, schemas.query, all)],
    ...requestBody(endpoint, schemas, examples),
    responses: { ...successResponse(schemas, examples), ...errorResponses(endpoint, examples) },
  };
}
