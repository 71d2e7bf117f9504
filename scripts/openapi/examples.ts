/** Makes the examples with the emulator: the responses to a plain request of each endpoint, and webhook deliveries. */
import { createEmulator, type Emulator } from "notetaker-sdk/testing";
import { exampleRequest, type PlainRequest, withId } from "../../test/interface/example-request.js";
import type { Endpoint } from "../../test/interface/interface.js";

export interface Reply {
  status: number;
  body?: unknown;
}

export interface ErrorExample extends Reply {
  name: string;
  /** Why the service responds with this error. */
  summary: string;
}

export interface Examples {
  request?: unknown;
  success: Reply;
  errors: readonly ErrorExample[];
  rateLimited: unknown;
}

async function send(service: Emulator, method: string, { path, query, headers, body }: PlainRequest): Promise<Reply> {
  const url = `${service.baseUrl}${path}${query.size === 0 ? "" : `?${query}`}`;
  const init = { method, headers: { authorization: `Bearer ${service.token}`, ...headers } };
  const response = await service.fetch(url, body === undefined ? init : { ...init, body });
  const text = await response.text();
  return { status: response.status, ...(text === "" ? {} : { body: JSON.parse(text) as unknown }) };
}

/** A list is requested with one item, and without expansions. */
function shortRequest(service: Emulator, row: Endpoint): PlainRequest {
  const request = exampleRequest(service, row);
  if (row.query.some(({ name }) => name === "limit")) request.query.set("limit", "1");
  return request;
}

/** A mistake that users of the endpoint can make. */
function invalidRequest(service: Emulator, row: Endpoint): PlainRequest {
  const request = exampleRequest(service, row);
  if (row.body.kind === "json") return { ...request, body: "{}" };
  if (row.body.kind === "binary") return { ...request, headers: { "content-type": "text/plain" } };
  const id = row.pathParameters.find(({ type }) => type.kind === "id");
  if (id !== undefined) return { ...request, path: withId(row, request.path, id.name, "unknown") };
  const limit = row.query.some(({ name }) => name === "limit");
  return { ...request, query: new URLSearchParams(limit ? { limit: "500" } : { page: "2" }) };
}

interface Situation {
  name: string;
  summary: string;
  /** The request in this situation; `undefined` if the endpoint cannot be in it. */
  request: (service: Emulator, row: Endpoint) => PlainRequest | undefined;
}

/** Why a service refuses requests. In each situation, the request of each endpoint is sent; most have no effect. */
const SITUATIONS: readonly Situation[] = [
  { name: "invalid", summary: "The request is invalid.", request: invalidRequest },
  {
    name: "noCalendar",
    summary: "The account has no connected calendar.",
    request: (service, row) => {
      service.account.calendarConnected = false;
      return exampleRequest(service, row);
    },
  },
  {
    name: "usageLimit",
    summary: "The usage limit is exceeded: the plan must be upgraded.",
    request: (service, row) => {
      service.account.usageLimitReached = true;
      return exampleRequest(service, row);
    },
  },
  {
    name: "notTheOwner",
    summary: "The caller does not own the meeting.",
    request: (service, row) => {
      const shared = service.meetings.list().find(({ owned }) => !owned);
      const request = exampleRequest(service, row);
      if (shared === undefined || !row.path.includes("{meeting_id}")) return undefined;
      return { ...request, path: withId(row, request.path, "meeting_id", shared.id) };
    },
  },
];

export async function examplesOf(row: Endpoint): Promise<Examples> {
  const service = createEmulator({ limits: "none" });
  const request = shortRequest(service, row);
  const success = await send(service, row.method, request);
  const errors: ErrorExample[] = [];
  for (const { name, summary, request: requestIn } of SITUATIONS) {
    const other = createEmulator({ limits: "none" });
    const refused = requestIn(other, row);
    const reply = refused && (await send(other, row.method, refused));
    if (reply !== undefined && reply.status >= 400) errors.push({ name, summary, ...reply });
  }
  const rateLimited = (await sharedErrors()).get(429);
  const sent = typeof request.body === "string" ? { request: JSON.parse(request.body) } : {};
  return { ...sent, success, errors, rateLimited };
}

export async function sharedErrors(): Promise<ReadonlyMap<number, unknown>> {
  const plain = (path: string): PlainRequest => ({ path, query: new URLSearchParams(), headers: {}, body: undefined });
  const service = createEmulator({ limits: "all" });
  const replies = [
    await send(service, "GET", { ...plain("/rooms"), headers: { authorization: "Bearer expired" } }),
    await send(service, "GET", plain("/meetings/mtg_unknown/transcript")),
  ];
  while (replies.at(-1)?.status !== 429) replies.push(await send(service, "GET", plain("/rooms")));
  // The emulator has no failure of its own.
  replies.push({ status: 500, body: { error: { code: "internal_error", message: "internal error" } } });
  return new Map(replies.map(({ status, body }) => [status, body]));
}

/** The body of a delivery of each kind of event. */
export async function deliveryExamples(): Promise<ReadonlyMap<string, unknown>> {
  const service = createEmulator();
  const bodies = new Map<string, unknown>();
  service.webhooks.deliverTo(async (request) => {
    const body = (await request.json()) as { event: string };
    bodies.set(body.event, body);
    return new Response(null, { status: 200 });
  });
  const meeting = service.meetings.list().find(({ status, owned }) => owned && status === "processing");
  if (meeting === undefined) throw new Error("the emulator's account has no meeting in progress");
  await service.meetings.finish(meeting.id);
  return bodies;
}
