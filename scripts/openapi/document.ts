/** Assembles the OpenAPI document from the descriptions of the endpoints. */
import { ASSUMED_EVENT_FIELDS, WEBHOOK_SIGNATURE_HEADER } from "../../src/assumptions.js";
import { ENDPOINTS } from "../../src/endpoints/endpoints.js";
import { EVENT_KINDS } from "../../src/schemas/event.js";
import { componentSchemas, ref, rowOf } from "./components.js";
import { deliveryExamples, sharedErrors } from "./examples.js";
import { loadSchemas } from "./load-schemas.js";
import { operationId } from "./operation-id.js";
import { errorResponse, HEADERS, jsonContent, operation } from "./operations.js";
import type { Json } from "./service-schemas.js";
import { COMMENTS, classOf, httpText, routeOf } from "./texts.js";

async function webhooks() {
  const examples = await deliveryExamples();
  const delivery = (kind: string) => ({
    post: {
      operationId: operationId(kind),
      tags: ["webhooks"],
      summary: `The service delivers ${kind}`,
      description:
        "Headers and signature are documented, the event kind in the body is observed. After a 5xx, a 429, or " +
        "no answer within 10 seconds, it is delivered again; after any other answer it is not.",
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
        "429": { description: "Not handled: it is delivered again." },
        "5XX": { description: "Not handled: it is delivered again." },
        default: { description: "Refused: it is not delivered again." },
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

async function responses() {
  const examples = await sharedErrors();
  const error = (status: number, description: string) =>
    errorResponse(status, description, { example: examples.get(status) });
  const either = { anyOf: [ref("ErrorEnvelope"), ref("ValidationEnvelope")] };
  return {
    Unauthorized: error(401, "Authentication is required: the token is missing or invalid."),
    NotFound: error(404, "The resource was not found."),
    RateLimited: error(429, "Too many requests."),
    ServerError: error(500, "The service failed."),
    OtherError: { description: "Any other error, in one of the two envelopes.", content: jsonContent(either) },
  };
}

const DESCRIPTION = `A REST API for an AI meeting note-taker, as far as it is known.

The service publishes a description of its interface, the API specification, which leaves parts open. Everything that
does not come from it has an \`x-source\`: \`documented\` (the service's public documentation), \`observed\` (more than one
public integration) or \`guessed\` (by analogy). The API specification does not define operations with \`x-beta: true\`.
Parameters with \`x-assumptions\` may have another name.

\`x-extensible-enum\` lists the known values of a field; the service may add values. \`x-rate-limits\` contains the limits of
an account. \`x-resulting-state\` is the status in the response; the service does the work later. \`x-unknown-fields\` tells
the source of the rule that a request must not have unknown fields. Responses may have further fields.`;

/** The resources, described by the comments of their classes. */
const tags = () =>
  [...new Set(ENDPOINTS.map(({ name }) => name.split(".")[0] ?? ""))].map((name) => ({
    name,
    description: httpText(COMMENTS.get(classOf(name))?.text ?? ""),
  }));

export async function openApiDocument(): Promise<Json> {
  const all = await loadSchemas();
  const paths: Record<string, Json> = {};
  for (const endpoint of ENDPOINTS) {
    const [method = "", path = ""] = routeOf(endpoint).split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: await operation(endpoint, all) };
  }
  const bodies = new Map(ENDPOINTS.map((one) => [all.endpoints[one.name]?.body ?? "", rowOf(one)]));
  return {
    openapi: "3.1.0",
    info: {
      title: "Meeting note-taker",
      // API specification, "Versioning".
      version: "0.1.0",
      summary: "Send bots into calls, upload recordings, read transcripts and documents.",
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      {
        url: "https://{host}/v1",
        description: "The service. Replace `host` by the host of the service, which your account shows.",
        variables: { host: { default: "api.notetaker.test" } },
      },
      { url: "http://127.0.0.1:4010/v1", description: "The emulator: npx notetaker-sdk emulator --port 4010" },
    ],
    security: [{ bearer: [] }],
    tags: tags(),
    paths,
    webhooks: await webhooks(),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "The API token from the account's dashboard." },
      },
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: "integer" } }]),
      ),
      responses: await responses(),
      schemas: { ...componentSchemas(all, bodies), Delivery: DELIVERY },
    },
  };
}
