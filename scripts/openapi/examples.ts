/**
 * Makes the examples with the emulator: a successful response of each operation, an error of each status, and webhook
 * deliveries.
 */
import { type Fetch, Notetaker } from "notetaker-sdk";
import { createEmulator } from "notetaker-sdk/testing";
import type { ExampleAccount, OperationSource } from "./operations.js";

export interface Example {
  status: number;
  /** The JSON in the request, if any. */
  request?: unknown;
  /** The JSON in the response, if any. */
  body?: unknown;
}

const parse = (text: string) => (text === "" ? {} : { body: JSON.parse(text) as unknown });

/** Calls the operation in a new account. Returns its last request and response. */
export async function exampleOf(operation: OperationSource): Promise<Example> {
  const service = createEmulator();
  let last: Example | undefined;
  const fetch: Fetch = async (url, init) => {
    const response = await service.fetch(url, init as RequestInit);
    const sent = typeof init?.body === "string" ? { request: JSON.parse(init.body) as unknown } : {};
    last = { status: response.status, ...sent, ...parse(await response.clone().text()) };
    return response;
  };
  const { baseUrl, token } = service;
  await operation.call(new Notetaker({ baseUrl, token, fetch }), await accountOf(service));
  if (last === undefined) throw new Error(`${operation.name} sent nothing`);
  return last;
}

async function accountOf(service: ReturnType<typeof createEmulator>): Promise<ExampleAccount> {
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
  const owned = await notetaker.meetings.list({ scope: "owned", status: "completed", expand: ["documents"] });
  const meeting = owned.data[0];
  const [event] = await notetaker.meetings.upcoming();
  if (meeting?.documents[0] === undefined || event === undefined)
    throw new Error("the emulator's account is too small");
  return { service, meetingId: meeting.id, documentId: meeting.documents[0].id, eventId: event.id };
}

/** An error response of the emulator for each status. */
export async function errorExamples(): Promise<ReadonlyMap<number, unknown>> {
  const service = createEmulator();
  const examples = new Map<number, unknown>();
  const send = async (method: string, path: string, body?: unknown, token = service.token) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await service.fetch(`${service.baseUrl}${path}`, init);
    examples.set(response.status, await response.json());
  };
  await send("POST", "/meetings/bot", { meeting_url: "https://example.com/call" });
  await send("GET", "/rooms", undefined, "expired");
  await send("GET", "/meetings/mtg_unknown/transcript");
  await send("GET", "/rooms?limit=500");
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
  const shared = await notetaker.meetings.list({ scope: "shared", limit: 1 });
  await send("GET", `/meetings/${shared.data[0]?.id}/permissions`);
  for (const status of [429, 500]) {
    service.faults.next("GET /rooms", { status });
    await send("GET", "/rooms");
  }
  return examples;
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
  const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
  const { meeting_id } = await notetaker.meetings.sendBot({ meeting_url: "https://meet.google.com/abc-defg-hij" });
  await service.meetings.finish(meeting_id);
  return bodies;
}
