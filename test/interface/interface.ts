/**
 * The API specification as data: a transcription, made by hand, of every table of the API specification (endpoints,
 * fields, types, rules, errors, limits), and of what is known of the parts that the API specification leaves open.
 *
 * This file imports nothing from `src`. The client's schemas and requests, and the emulator's responses, are compared
 * with this data. So a missing or additional field or rule fails a test with its name, and the two sides cannot share
 * one mistake.
 */

/**
 * The source of a row: the API specification itself, or how well it is known otherwise (A: the service's public
 * reference, B: more than one public integration, C: by analogy).
 */
export type Source = "specified" | "documented" | "observed" | "guessed";

export type FieldType =
  | { readonly kind: "string" }
  /** At most `max` characters; a character outside the BMP counts as one. */
  | { readonly kind: "text"; readonly max: number }
  /** `<prefix><rest>`; the rest is not empty. */
  | { readonly kind: "id"; readonly prefix: string }
  /** `open`: responses may contain further values; only the known ones are listed. */
  | { readonly kind: "enum"; readonly values: readonly string[]; readonly open: boolean }
  /** ISO 8601 */
  | { readonly kind: "timestamp" }
  /** YYYY-MM-DD */
  | { readonly kind: "date" }
  /** An absolute `https:` URL (`http:` for loopback). */
  | { readonly kind: "url"; readonly max: number }
  /** A Zoom, Google Meet, Microsoft Teams or Webex join link. */
  | { readonly kind: "conference link"; readonly max: number }
  | { readonly kind: "integer"; readonly min?: number; readonly max?: number }
  | { readonly kind: "number" }
  | { readonly kind: "boolean" }
  | { readonly kind: "any" }
  | { readonly kind: "object"; readonly of: ResourceName | readonly Field[] }
  | { readonly kind: "array"; readonly of: FieldType; readonly min?: number };

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** Whether the field is always present. If not, it may be absent, and in responses also `null`. */
  readonly required: boolean;
  /** The field is always present, and may be `null`. */
  readonly nullable?: true;
  readonly source: Source;
}

const string: FieldType = { kind: "string" };
const integer: FieldType = { kind: "integer" };
const number: FieldType = { kind: "number" };
const boolean: FieldType = { kind: "boolean" };
const timestamp: FieldType = { kind: "timestamp" };
const any: FieldType = { kind: "any" };
const id = (prefix: string): FieldType => ({ kind: "id", prefix });
const text = (max: number): FieldType => ({ kind: "text", max });
const closed = (values: readonly string[]): FieldType => ({ kind: "enum", values, open: false });
const open = (values: readonly string[]): FieldType => ({ kind: "enum", values, open: true });
/** A name that `RESOURCES` lacks fails each test that reads it. */
const object = (of: string | readonly Field[]): FieldType => ({ kind: "object", of: of as ResourceName });
const array = (of: FieldType, min?: number): FieldType =>
  min === undefined ? { kind: "array", of } : { kind: "array", of, min };

const fieldsWith =
  (required: boolean) =>
  (types: Readonly<Record<string, FieldType>>, source: Source = "specified"): readonly Field[] =>
    Object.entries(types).map(([name, type]) => ({ name, type, required, source }));
const always = fieldsWith(true);
const maybe = fieldsWith(false);
const nullable = (name: string): Field => ({
  ...{ name, type: string, required: true, nullable: true, source: "specified" },
});

// -- Enumerations ----------------------------------------------------------------------------------------------------

/** The kinds of event, each with what the service has made when it sends it. */
export const SENT_WITH = {
  "meeting.transcript_ready": "transcript",
  "meeting.initial_summary_ready": "summary",
} as const;

export const ENUMERATIONS = {
  documentFormat: ["html", "markdown", "raw", "docx", "json"],
  automationMode: ["MANUAL", "JOIN_AS_HOST", "JOIN_ALL_EVENTS"],
  botScheduleAction: ["scheduling", "cancelling"],
  scope: ["owned", "shared", "all"],
  roomExpansion: ["documents", "meetings"],
  eventKind: Object.keys(SENT_WITH),
  mediaType: [
    ...["audio/mpeg", "audio/mp4", "audio/wav", "audio/webm", "audio/ogg", "audio/aac", "audio/flac"],
    ...["video/mp4", "video/webm", "video/ogg", "video/quicktime"],
  ],
  uploadStatus: ["processing"],
  recipientType: ["anyone"],
  role: ["read"],
  /** The API specification shows `completed`; the other values are documented. */
  meetingStatus: ["completed", "processing", "scheduled", "failed"],
  /** Documented. */
  meetingSource: ["google_meet", "zoom", "teams", "slack", "whatsapp", "phone", "upload", "desktop"],
  /** Documented. */
  meetingExpansion: ["documents"],
} as const;
const { automationMode, botScheduleAction, documentFormat, eventKind, role } = ENUMERATIONS;

// -- Resources and their fields --------------------------------------------------------------------------------------

// Absent or null while the meeting is not completed: observed of the optional ones.
const meetingSummary: readonly Field[] = [
  ...[
    ...always({ id: id("mtg_") }),
    ...maybe({ title: string }),
    ...always({ status: open(ENUMERATIONS.meetingStatus) }),
  ],
  ...[...always({ source: open(ENUMERATIONS.meetingSource), start_time: timestamp }), ...maybe({ duration: integer })],
];
const webhook: readonly Field[] = always({
  ...{ id: id("whk_"), url: string, events: array(open(eventKind)), enabled: boolean },
  ...{ created_at: timestamp, updated_at: timestamp },
});
const documents = array(object("DocumentReference"));
const page = (of: string): readonly Field[] => [
  ...always({ data: array(object(of)) }),
  nullable("next_cursor"),
  ...always({ has_more: boolean }),
];
const error = [...always({ code: string, message: string }), ...maybe({ details: array(object("ErrorDetail")) })];

export const RESOURCES = {
  MeetingSummary: meetingSummary,
  Meeting: [
    ...meetingSummary,
    ...maybe({ end_time: timestamp, host: object("Host"), participants: array(object("Participant")) }, "documented"),
    // The documents with expand=documents.
    ...maybe({ documents, created_at: timestamp }, "documented"),
  ],
  Host: maybe({ id: id("usr_"), name: string, email: string }, "documented"),
  Participant: maybe({ name: string, email: string, title: string, company: string }, "documented"),
  Room: [
    ...always({ id: id("room_"), title: string, created_at: timestamp, updated_at: timestamp, meeting_count: integer }),
    // The URL can be absent: documented. The other two with expand.
    ...maybe({ share_url: string, meetings: array(object("MeetingSummary")), documents }),
  ],
  Document: always({
    ...{ id: id("doc_"), title: string, format: closed(documentFormat), content: string, created_at: timestamp },
  }),
  DocumentReference: [
    ...always({ id: id("doc_") }, "documented"),
    ...maybe({ title: string, created_at: timestamp }, "documented"),
  ],
  Transcript: always({
    ...{
      meeting_id: id("mtg_"),
      language: string,
      speakers: array(object("Speaker")),
      segments: array(object("Segment")),
    },
  }),
  Speaker: always({ id: id("spk_"), name: string }),
  Segment: always({ speaker_id: id("spk_"), start_time: number, end_time: number, text: string }),
  // Null when there is no recording: documented.
  RecordingLink: [...always({ meeting_id: id("mtg_") }), nullable("recording_url")],
  Permission: always({ id: string, recipient: object("Recipient"), role: open(role) }),
  Recipient: always({ type: open(ENUMERATIONS.recipientType) }),
  Webhook: webhook,
  CreatedWebhook: [...webhook, ...always({ secret: string })],
  SendBotResult: always({ meeting_id: id("mtg_"), status: open(botScheduleAction) }),
  EventBotResult: always({ event_id: id("evt_"), status: open(botScheduleAction) }),
  Automation: always({ automation: open(automationMode) }),
  UploadResult: always({ id: id("mtg_"), status: open(ENUMERATIONS.uploadStatus) }),
  RoomPage: page("Room"),
  MeetingPage: page("Meeting"),
  PermissionPage: [...page("Permission"), ...maybe({ share_url: string })],
  UpcomingMeeting: always({ id: id("evt_") }, "guessed"),
  ErrorEnvelope: always({ error: object(error) }),
  ErrorDetail: always({ field: string, message: string }),
  ValidationEnvelope: always({ detail: array(object("ValidationIssue")) }),
  ValidationIssue: [
    ...always({ loc: array(string), msg: string, type: string }),
    ...maybe({ input: any, ctx: object([]) }),
  ],
};
export type ResourceName = keyof typeof RESOURCES;

/** Fields that a resource must never carry in the given response. */
export const NEVER = [{ operation: "listWebhooks", field: "secret" }] as const;

// -- Endpoints -------------------------------------------------------------------------------------------------------

export interface QueryParameter extends Field {
  /**
   * The meaning of the parameter. Where the API specification shows no name, the client's option `assumptions` can
   * replace `name`.
   */
  readonly meaning: string;
  /** `name` is a default, because the API specification does not show it. */
  readonly assumptions: boolean;
  /** `?id=a&id=b` */
  readonly repeated: boolean;
}

interface EndpointOf<Operation extends string> {
  readonly operation: Operation;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to the base URL; parameters are in braces. */
  readonly path: string;
  readonly pathParameters: readonly Field[];
  readonly query: readonly QueryParameter[];
  readonly body:
    | { readonly kind: "none" }
    | { readonly kind: "json"; readonly fields: readonly Field[]; readonly atLeastOne?: true }
    | { readonly kind: "binary"; readonly contentTypes: readonly string[] };
  /** The API specification shows only the status 202. */
  readonly response: { readonly status: number; readonly type: FieldType | "none" };
  readonly invalid: { readonly envelope: "error" | "validation"; readonly status: number };
  /** The resource that may not exist: for an unknown id the endpoint responds with 404 not_found. */
  readonly notFound: readonly string[];
  /** Acts only on resources that the caller owns. */
  readonly ownerOnly: boolean;
  /** Responds with 403 if the plan's usage limit is exceeded. */
  readonly usageLimit: boolean;
  /** The values of `status` in the response of this endpoint. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly source: Source;
}

const parameter = (
  name: string,
  meaning: string,
  type: FieldType,
  source: Source = "specified",
  rest: Partial<QueryParameter> = {},
): QueryParameter => ({
  ...{ name, meaning, type, required: false, source, assumptions: true, repeated: false },
  ...rest,
});
const REPEATED = { repeated: true };
const SHOWN = { assumptions: false };
const expansions = (of: readonly string[], source: Source) =>
  parameter("expand", "expand related resources inline", closed(of), source, REPEATED);
const pageParameters = (source: Source): readonly QueryParameter[] => [
  parameter("cursor", "pagination cursor", string, source),
  parameter("limit", "page size", { kind: "integer", min: 1, max: 100 }, source),
];

const ID_TYPES: Readonly<Record<string, FieldType>> = {
  ...{ meeting_id: id("mtg_"), event_id: id("evt_"), document_id: id("doc_"), webhook_id: id("whk_") },
  permission_id: string,
};

const INVALID = {
  error: { envelope: "error", status: 400 },
  validation: { envelope: "validation", status: 422 },
} as const;
const json = (...fields: readonly Field[]) => ({ kind: "json", fields }) as const;

/** An endpoint responds with 404 if a resource of its path does not exist. */
function endpoint<const Operation extends string>(
  operation: Operation,
  route: `${EndpointOf<Operation>["method"]} /${string}`,
  status: number,
  type: FieldType | "none",
  invalid: keyof typeof INVALID,
  source: Source,
  rest: Partial<EndpointOf<Operation>> = {},
): EndpointOf<Operation> {
  const [method, path] = route.split(" ") as [EndpointOf<Operation>["method"], string];
  const notFound = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const pathParameters = notFound.flatMap((name) => always({ [name]: ID_TYPES[name]! }));
  return {
    ...{ operation, method, path, pathParameters, query: [], body: { kind: "none" }, notFound },
    ...{ ownerOnly: false, usageLimit: false, response: { status, type }, invalid: INVALID[invalid], source },
    ...rest,
  };
}

const GRANT = "/meetings/{meeting_id}/permissions/{permission_id}";
const AUTOMATION = object("Automation");
const TRANSCRIPT = object("Transcript");
const RECORDING = object("RecordingLink");
const PERMISSIONS = object("PermissionPage");
const events = array(closed(eventKind), 1);
const url: FieldType = { kind: "url", max: 2048 };

export const ENDPOINTS = [
  endpoint("sendBot", "POST /meetings/bot", 202, object("SendBotResult"), "error", "specified", {
    body: json(...always({ meeting_url: { kind: "conference link", max: 1024 } })),
    answers: { status: "scheduling" },
    usageLimit: true,
  }),
  endpoint("cancelBot", "DELETE /meetings/{event_id}/bot", 202, object("EventBotResult"), "validation", "specified", {
    answers: { status: "cancelling" },
  }),
  endpoint("setNotetakerAutomation", "PUT /settings/notetaker-automation", 200, AUTOMATION, "validation", "specified", {
    body: json(...always({ automation: closed(automationMode) })),
  }),
  endpoint("upload", "PUT /meetings/upload", 200, object("UploadResult"), "validation", "specified", {
    query: [
      parameter("title", "title", text(500), "specified", SHOWN),
      parameter("language", "transcription language code", text(10), "specified", SHOWN),
    ],
    body: { kind: "binary", contentTypes: ENUMERATIONS.mediaType },
    answers: { status: "processing" },
  }),
  endpoint("listRooms", "GET /rooms", 200, object("RoomPage"), "validation", "specified", {
    query: [
      parameter("id", "filter by one or more room ids", id("room_"), "specified", REPEATED),
      parameter("scope", "ownership scope", closed(ENUMERATIONS.scope)),
      parameter("search", "search by room title", string),
      expansions(ENUMERATIONS.roomExpansion, "specified"),
      ...pageParameters("specified"),
    ],
  }),
  endpoint(
    "setPermission",
    "POST /meetings/{meeting_id}/permissions",
    200,
    object("Permission"),
    "error",
    "specified",
    {
      body: json(...always({ recipient: object("Recipient"), role: open(role) })),
      ownerOnly: true,
    },
  ),
  endpoint("listPermissions", "GET /meetings/{meeting_id}/permissions", 200, PERMISSIONS, "error", "specified", {
    query: pageParameters("specified"),
    ownerOnly: true,
  }),
  endpoint("getDocument", "GET /documents/{document_id}", 200, object("Document"), "validation", "specified", {
    query: [parameter("format", "output format of the content", closed(documentFormat))],
  }),
  endpoint("getTranscript", "GET /meetings/{meeting_id}/transcript", 200, TRANSCRIPT, "validation", "specified"),
  endpoint("getRecording", "GET /meetings/{meeting_id}/recording", 200, RECORDING, "validation", "specified"),
  endpoint("listWebhooks", "GET /webhooks", 200, array(object("Webhook")), "error", "specified"),
  // The API specification refers to the operations below, or public integrations use them. The API specification does
  // not define them.
  endpoint("listMeetings", "GET /meetings", 200, object("MeetingPage"), "error", "documented", {
    query: [
      parameter("id", "filter by one or more meeting ids", id("mtg_"), "documented", REPEATED),
      parameter("scope", "ownership scope", closed(ENUMERATIONS.scope), "documented"),
      parameter("status", "meeting status", open(ENUMERATIONS.meetingStatus), "documented"),
      parameter("start_date", "from this day on", { kind: "date" }, "documented"),
      parameter("end_date", "up to this day", { kind: "date" }, "documented"),
      parameter("search", "title substring", string, "documented"),
      parameter("q", "semantic search", string, "documented"),
      parameter("participant", "name or email", string, "documented"),
      parameter("company", "name or domain", string, "documented"),
      parameter("room_id", "meetings of a room", id("room_"), "documented"),
      expansions(ENUMERATIONS.meetingExpansion, "documented"),
      ...pageParameters("documented"),
    ],
  }),
  // A bare array or a page envelope: it is not known which.
  endpoint("upcomingMeetings", "GET /meetings/upcoming", 200, array(object("UpcomingMeeting")), "error", "guessed"),
  endpoint("scheduleBot", "POST /meetings/{event_id}/bot", 202, object("EventBotResult"), "error", "guessed", {
    answers: { status: "scheduling" },
    usageLimit: true,
  }),
  endpoint("createWebhook", "POST /webhooks", 201, object("CreatedWebhook"), "error", "documented", {
    body: json(...always({ url, events }, "documented"), ...maybe({ enabled: boolean }, "documented")),
  }),
  endpoint("updateWebhook", "PATCH /webhooks/{webhook_id}", 200, object("Webhook"), "error", "documented", {
    body: { ...json(...maybe({ url, events, enabled: boolean }, "documented")), atLeastOne: true },
  }),
  endpoint("deleteWebhook", "DELETE /webhooks/{webhook_id}", 204, "none", "error", "documented"),
  endpoint("getNotetakerAutomation", "GET /settings/notetaker-automation", 200, AUTOMATION, "validation", "observed"),
  endpoint("revokePermission", `DELETE ${GRANT}`, 204, "none", "error", "observed", { ownerOnly: true }),
];

export type OperationName = (typeof ENDPOINTS)[number]["operation"];
export type Endpoint = EndpointOf<OperationName>;

// -- Errors ----------------------------------------------------------------------------------------------------------

/** `error.code` by status, and the message where it is known. */
export const ERROR_CODES = [
  { status: 400, code: "bad_request", source: "documented" },
  { status: 401, code: "unauthorized", message: "authentication required", source: "specified" },
  { status: 403, code: "forbidden", source: "documented" },
  { status: 404, code: "not_found", message: "resource not found", source: "specified" },
  { status: 429, code: "rate_limited", source: "documented" },
  { status: 500, code: "internal_error", source: "documented" },
] as const;

// -- Limits ----------------------------------------------------------------------------------------------------------

export const RATE_LIMITS = [
  { operation: "sendBot", requests: 10, perMs: 60_000, source: "specified" },
  { operation: "sendBot", requests: 60, perMs: 3_600_000, source: "specified" },
  { operation: "upload", requests: 10, perMs: 60_000, source: "specified" },
  { operation: "createWebhook", requests: 20, perMs: 60_000, source: "documented" },
  /** For most endpoints. */
  { operation: undefined, requests: 60, perMs: 60_000, source: "documented" },
] as const;

/** Documented: on every response. The reset is in Unix seconds. */
export const RATE_LIMIT_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;
/** Documented: on 429, in seconds. */
export const RETRY_AFTER_HEADER = "Retry-After";

// -- Links of the four conference services, and some of no service ----------------------------------------------------

export const CONFERENCE_LINKS = {
  accepted: [
    "https://zoom.us/j/1234567890",
    "https://us02web.zoom.us/j/1234567890?pwd=abc",
    "https://meet.google.com/abc-defg-hij",
    "https://teams.microsoft.com/l/meetup-join/19%3ameeting_x%40thread.v2/0",
    "https://teams.live.com/meet/9312345678901",
    "https://teams.cloud.microsoft/meet/2345678901",
    "https://teams.microsoft.com.mcas.ms/l/meetup-join/19%3ameeting_x%40thread.v2/0",
    "https://acme.zoom.com.cn/j/1234567890",
    "https://acme.webex.com/meet/jane",
  ],
  refused: [
    "",
    "zoom",
    "ftp://zoom.us/j/1234567890",
    "https://example.com/j/1234567890",
    "https://zoom.us.example.com/j/1",
    "https://notzoom.us/j/1",
    "https://example.com.mcas.ms/j/1",
    "https://user:pass@zoom.us/j/1",
    "https://zoom.us/j/1\r\nx: y",
    "https://zoom.us",
    "https://meet.google.com/?authuser=0",
    "https://zoom.us /j/1",
    "javascript:alert(1)//zoom.us",
    "https://",
  ],
} as const;

// -- Webhook deliveries (documented; the event kind in the payload is observed) ---------------------------------------

export const DELIVERY = {
  signatureHeader: "X-Webhook-Signature",
  kindField: "event",
  retryDelaysMs: [1_000, 10_000, 60_000],
} as const;
