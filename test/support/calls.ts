/** Every method that sends one request: how it is called, its request, its response, and whether it may be repeated. */
import type { Notetaker, RequestOptions } from "notetaker-sdk";
import { ENDPOINTS, type Endpoint } from "../interface/interface.js";
import { METHODS } from "../interface/methods.js";
import { idsOf, paramsOf, pathOf, sampleOf } from "../interface/sample.js";
import * as samples from "./samples.js";

export interface Call {
  /** The method's name: `rooms.list`. */
  operation: string;
  /** Calls the method with valid arguments. */
  make(notetaker: Notetaker, options?: RequestOptions): PromiseLike<unknown>;
  method: string;
  path: string;
  /** The request of the call that `make` makes. */
  query?: [name: string, value: string][];
  /** The body as JSON, or its media type if the body is sent unchanged. */
  sends?: { json: unknown } | { mediaType: string };
  /** The body of a success; `undefined` if there is none. */
  answer: unknown;
  status: number;
  /** Whether the method is retried after a 5xx, a lost connection or a timeout. Every method is retried after a 429. */
  repeatable: boolean;
}

const WRITTEN: readonly Call[] = [
  {
    operation: "meetings.sendBot",
    make: ({ meetings }, options) => meetings.sendBot({ meeting_url: "https://zoom.us/j/1" }, options),
    method: "POST",
    path: "/meetings/bot",
    sends: { json: { meeting_url: "https://zoom.us/j/1" } },
    answer: { meeting_id: "mtg_1", status: "scheduling" },
    status: 202,
    repeatable: false,
  },
  {
    operation: "meetings.cancelBot",
    make: ({ meetings }, options) => meetings.cancelBot("evt_1", options),
    method: "DELETE",
    path: "/meetings/evt_1/bot",
    answer: { event_id: "evt_1", status: "cancelling" },
    status: 202,
    repeatable: true,
  },
  {
    operation: "meetings.scheduleBot",
    make: ({ meetings }, options) => meetings.scheduleBot("evt_1", options),
    method: "POST",
    path: "/meetings/evt_1/bot",
    answer: { event_id: "evt_1", status: "scheduling" },
    status: 202,
    repeatable: false,
  },
  {
    operation: "meetings.upload",
    make: ({ meetings }, options) =>
      meetings.upload(samples.audio, { title: "Weekly & more", language: "en" }, options),
    method: "PUT",
    path: "/meetings/upload",
    query: [
      ["title", "Weekly & more"],
      ["language", "en"],
    ],
    sends: { mediaType: "audio/wav" },
    answer: { id: "mtg_1", status: "processing" },
    status: 200,
    repeatable: false,
  },
  {
    operation: "meetings.getTranscript",
    make: ({ meetings }, options) => meetings.getTranscript("mtg_1", options),
    method: "GET",
    path: "/meetings/mtg_1/transcript",
    answer: samples.transcript,
    status: 200,
    repeatable: true,
  },
  {
    operation: "meetings.getRecording",
    make: ({ meetings }, options) => meetings.getRecording("mtg_1", options),
    method: "GET",
    path: "/meetings/mtg_1/recording",
    answer: samples.recordingLink,
    status: 200,
    repeatable: true,
  },
  {
    operation: "meetings.list",
    make: ({ meetings }, options) =>
      meetings.list(
        {
          ids: ["mtg_1", "mtg_2"],
          scope: "shared",
          status: "completed",
          start_date: "2026-01-01",
          end_date: "2026-01-31",
          search: "weekly",
          q: "what was decided?",
          participant: "ada@example.com",
          company: "example.com",
          room_id: "room_1",
          expand: ["documents"],
          cursor: "c1",
          limit: 50,
        },
        options,
      ),
    method: "GET",
    path: "/meetings",
    query: [
      ["id", "mtg_1"],
      ["id", "mtg_2"],
      ["scope", "shared"],
      ["status", "completed"],
      ["start_date", "2026-01-01"],
      ["end_date", "2026-01-31"],
      ["search", "weekly"],
      ["q", "what was decided?"],
      ["participant", "ada@example.com"],
      ["company", "example.com"],
      ["room_id", "room_1"],
      ["expand", "documents"],
      ["cursor", "c1"],
      ["limit", "50"],
    ],
    answer: samples.page([{ ...samples.meeting, documents: [samples.documentReference] }]),
    status: 200,
    repeatable: true,
  },
  {
    operation: "meetings.upcoming",
    make: ({ meetings }, options) => meetings.upcoming(options),
    method: "GET",
    path: "/meetings/upcoming",
    answer: [{ id: "evt_1", title: "Planning" }],
    status: 200,
    repeatable: true,
  },
  {
    operation: "rooms.list",
    make: ({ rooms }, options) =>
      rooms.list(
        {
          ids: ["room_1", "room_2"],
          scope: "owned",
          search: "design",
          expand: ["documents", "meetings"],
          cursor: "c1",
          limit: 100,
        },
        options,
      ),
    method: "GET",
    path: "/rooms",
    query: [
      ["id", "room_1"],
      ["id", "room_2"],
      ["scope", "owned"],
      ["search", "design"],
      ["expand", "documents"],
      ["expand", "meetings"],
      ["cursor", "c1"],
      ["limit", "100"],
    ],
    answer: samples.page([
      { ...samples.room, documents: [samples.documentReference], meetings: [samples.meetingSummary] },
    ]),
    status: 200,
    repeatable: true,
  },
  {
    operation: "documents.get",
    make: ({ documents }, options) => documents.get("doc_1", { format: "html" }, options),
    method: "GET",
    path: "/documents/doc_1",
    query: [["format", "html"]],
    answer: samples.document,
    status: 200,
    repeatable: true,
  },
  {
    operation: "permissions.set",
    make: ({ permissions }, options) =>
      permissions.set("mtg_1", { recipient: { type: "anyone" }, role: "read" }, options),
    method: "POST",
    path: "/meetings/mtg_1/permissions",
    sends: { json: { recipient: { type: "anyone" }, role: "read" } },
    answer: samples.permission,
    status: 200,
    repeatable: true,
  },
  {
    operation: "permissions.list",
    make: ({ permissions }, options) => permissions.list("mtg_1", { cursor: "c1", limit: 1 }, options),
    method: "GET",
    path: "/meetings/mtg_1/permissions",
    query: [
      ["cursor", "c1"],
      ["limit", "1"],
    ],
    answer: samples.permissionPage,
    status: 200,
    repeatable: true,
  },
  {
    operation: "permissions.revoke",
    make: ({ permissions }, options) => permissions.revoke("mtg_1", "perm_1", options),
    method: "DELETE",
    path: "/meetings/mtg_1/permissions/perm_1",
    answer: undefined,
    status: 204,
    repeatable: true,
  },
  {
    operation: "webhooks.list",
    make: ({ webhooks }, options) => webhooks.list(options),
    method: "GET",
    path: "/webhooks",
    answer: [samples.webhook],
    status: 200,
    repeatable: true,
  },
  {
    operation: "webhooks.create",
    make: ({ webhooks }, options) =>
      webhooks.create(
        { url: "https://hooks.example.com/in", events: ["meeting.transcript_ready"], enabled: false },
        options,
      ),
    method: "POST",
    path: "/webhooks",
    sends: { json: { url: "https://hooks.example.com/in", events: ["meeting.transcript_ready"], enabled: false } },
    answer: samples.createdWebhook,
    status: 201,
    repeatable: false,
  },
  {
    operation: "webhooks.update",
    make: ({ webhooks }, options) => webhooks.update("whk_1", { enabled: true }, options),
    method: "PATCH",
    path: "/webhooks/whk_1",
    sends: { json: { enabled: true } },
    answer: samples.webhook,
    status: 200,
    repeatable: true,
  },
  {
    operation: "webhooks.delete",
    make: ({ webhooks }, options) => webhooks.delete("whk_1", options),
    method: "DELETE",
    path: "/webhooks/whk_1",
    answer: undefined,
    status: 204,
    repeatable: true,
  },
  {
    operation: "settings.setNotetakerAutomation",
    make: ({ settings }, options) => settings.setNotetakerAutomation({ automation: "JOIN_AS_HOST" }, options),
    method: "PUT",
    path: "/settings/notetaker-automation",
    sends: { json: { automation: "JOIN_AS_HOST" } },
    answer: { automation: "JOIN_AS_HOST" },
    status: 200,
    repeatable: true,
  },
  {
    operation: "settings.getNotetakerAutomation",
    make: ({ settings }, options) => settings.getNotetakerAutomation(options),
    method: "GET",
    path: "/settings/notetaker-automation",
    answer: { automation: "MANUAL" },
    status: 200,
    repeatable: true,
  },
];

/** The call of an endpoint that is not written above, with its required arguments only. */
function callOf(row: Endpoint): Call {
  const { operation, call } = METHODS[row.operation];
  const { status, type } = row.response;
  return {
    operation,
    make: (notetaker, options) => call(notetaker, idsOf(row), paramsOf(row), options),
    method: row.method,
    path: pathOf(row),
    ...(row.body.kind === "json" ? { sends: { json: paramsOf(row) } } : {}),
    answer: type === "none" ? undefined : sampleOf(type),
    status,
    repeatable: row.method !== "POST",
  };
}

const isWritten = ({ operation }: Endpoint) => WRITTEN.some((call) => call.operation === METHODS[operation].operation);

export const CALLS: readonly Call[] = [...WRITTEN, ...ENDPOINTS.filter((row) => !isWritten(row)).map(callOf)];

/** A successful response to `call`. */
export const success = (call: Call): Response =>
  call.answer === undefined
    ? new Response(null, { status: call.status })
    : new Response(JSON.stringify(call.answer), {
        status: call.status,
        headers: { "content-type": "application/json" },
      });
