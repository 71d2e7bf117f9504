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
const object = (of: ResourceName | readonly Field[]): FieldType => ({ kind: "object", of });
const array = (of: FieldType, min?: number): FieldType =>
  min === undefined ? { kind: "array", of } : { kind: "array", of, min };

const always = (name: string, type: FieldType, source: Source = "specified"): Field => ({
  name,
  type,
  required: true,
  source,
});
const maybe = (name: string, type: FieldType, source: Source = "specified"): Field => ({
  name,
  type,
  required: false,
  source,
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
    "audio/mpeg",
    "audio/mp4",
    "audio/wav",
    "audio/webm",
    "audio/ogg",
    "audio/aac",
    "audio/flac",
    "video/mp4",
    "video/webm",
    "video/ogg",
    "video/quicktime",
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

// -- Resources and their fields --------------------------------------------------------------------------------------

export type ResourceName =
  | "MeetingSummary"
  | "Meeting"
  | "Host"
  | "Participant"
  | "Room"
  | "Document"
  | "DocumentReference"
  | "Transcript"
  | "Speaker"
  | "Segment"
  | "RecordingLink"
  | "Permission"
  | "Recipient"
  | "Webhook"
  | "CreatedWebhook"
  | "SendBotResult"
  | "EventBotResult"
  | "Automation"
  | "UploadResult"
  | "RoomPage"
  | "MeetingPage"
  | "PermissionPage"
  | "UpcomingMeeting"
  | "ErrorEnvelope"
  | "ErrorDetail"
  | "ValidationEnvelope"
  | "ValidationIssue";

const meetingSummary: readonly Field[] = [
  always("id", id("mtg_")),
  // Absent or null while the meeting is not completed: observed.
  maybe("title", string),
  always("status", open(ENUMERATIONS.meetingStatus)),
  always("source", open(ENUMERATIONS.meetingSource)),
  always("start_time", timestamp),
  // Absent or null while the meeting is not completed: observed.
  maybe("duration", integer),
];

const webhook: readonly Field[] = [
  always("id", id("whk_")),
  always("url", string),
  always("events", array(open(ENUMERATIONS.eventKind))),
  always("enabled", boolean),
  always("created_at", timestamp),
  always("updated_at", timestamp),
];

const page = (of: ResourceName): readonly Field[] => [
  always("data", array(object(of))),
  { name: "next_cursor", type: string, required: true, nullable: true, source: "specified" },
  always("has_more", boolean),
];

export const RESOURCES: Readonly<Record<ResourceName, readonly Field[]>> = {
  MeetingSummary: meetingSummary,
  Meeting: [
    ...meetingSummary,
    maybe("end_time", timestamp, "documented"),
    maybe("host", object("Host"), "documented"),
    maybe("participants", array(object("Participant")), "documented"),
    // With expand=documents.
    maybe("documents", array(object("DocumentReference")), "documented"),
    maybe("created_at", timestamp, "documented"),
  ],
  Host: [
    maybe("id", id("usr_"), "documented"),
    maybe("name", string, "documented"),
    maybe("email", string, "documented"),
  ],
  Participant: [
    maybe("name", string, "documented"),
    maybe("email", string, "documented"),
    maybe("title", string, "documented"),
    maybe("company", string, "documented"),
  ],
  Room: [
    always("id", id("room_")),
    always("title", string),
    always("created_at", timestamp),
    always("updated_at", timestamp),
    always("meeting_count", integer),
    // Can be absent: documented.
    maybe("share_url", string),
    // These two with expand.
    maybe("meetings", array(object("MeetingSummary"))),
    maybe("documents", array(object("DocumentReference"))),
  ],
  Document: [
    always("id", id("doc_")),
    always("title", string),
    always("format", closed(ENUMERATIONS.documentFormat)),
    always("content", string),
    always("created_at", timestamp),
  ],
  DocumentReference: [
    always("id", id("doc_"), "documented"),
    maybe("title", string, "documented"),
    maybe("created_at", timestamp, "documented"),
  ],
  Transcript: [
    always("meeting_id", id("mtg_")),
    always("language", string),
    always("speakers", array(object("Speaker"))),
    always("segments", array(object("Segment"))),
  ],
  Speaker: [always("id", id("spk_")), always("name", string)],
  Segment: [
    always("speaker_id", id("spk_")),
    always("start_time", number),
    always("end_time", number),
    always("text", string),
  ],
  RecordingLink: [
    always("meeting_id", id("mtg_")),
    // Null when there is no recording: documented.
    { name: "recording_url", type: string, required: true, nullable: true, source: "specified" },
  ],
  Permission: [always("id", string), always("recipient", object("Recipient")), always("role", open(ENUMERATIONS.role))],
  Recipient: [always("type", open(ENUMERATIONS.recipientType))],
  Webhook: webhook,
  CreatedWebhook: [...webhook, always("secret", string)],
  SendBotResult: [always("meeting_id", id("mtg_")), always("status", open(ENUMERATIONS.botScheduleAction))],
  EventBotResult: [always("event_id", id("evt_")), always("status", open(ENUMERATIONS.botScheduleAction))],
  Automation: [always("automation", open(ENUMERATIONS.automationMode))],
  UploadResult: [always("id", id("mtg_")), always("status", open(ENUMERATIONS.uploadStatus))],
  RoomPage: page("Room"),
  MeetingPage: page("Meeting"),
  PermissionPage: [...page("Permission"), maybe("share_url", string)],
  UpcomingMeeting: [always("id", id("evt_"), "guessed")],
  ErrorEnvelope: [
    always(
      "error",
      object([always("code", string), always("message", string), maybe("details", array(object("ErrorDetail")))]),
    ),
  ],
  ErrorDetail: [always("field", string), always("message", string)],
  ValidationEnvelope: [always("detail", array(object("ValidationIssue")))],
  ValidationIssue: [
    always("loc", array(string)),
    always("msg", string),
    always("type", string),
    maybe("input", any),
    maybe("ctx", object([])),
  ],
};

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
  readonly response: {
    /** The API specification shows only the 202s. */
    readonly status: number;
    readonly type: FieldType | "none";
  };
  /** The envelope and status of the response to an invalid request. */
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
  rest: Partial<QueryParameter> = {},
): QueryParameter => ({
  name,
  meaning,
  type,
  required: false,
  source: "specified",
  assumptions: true,
  repeated: false,
  ...rest,
});

const pageParameters = (source: Source): readonly QueryParameter[] => [
  parameter("cursor", "pagination cursor", string, { source }),
  parameter("limit", "page size", { kind: "integer", min: 1, max: 100 }, { source }),
];

const ID_TYPES: Readonly<Record<string, FieldType>> = {
  meeting_id: id("mtg_"),
  event_id: id("evt_"),
  document_id: id("doc_"),
  webhook_id: id("whk_"),
  permission_id: string,
};

const error: EndpointOf<string>["invalid"] = { envelope: "error", status: 400 };
const validation: EndpointOf<string>["invalid"] = { envelope: "validation", status: 422 };

/** An endpoint responds with 404 if a resource of its path does not exist. */
function endpoint<const Operation extends string>(
  operation: Operation,
  method: EndpointOf<Operation>["method"],
  path: string,
  rest: Pick<EndpointOf<Operation>, "response" | "invalid" | "source"> & Partial<EndpointOf<Operation>>,
): EndpointOf<Operation> {
  const notFound = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const pathParameters = notFound.map((name) => always(name, ID_TYPES[name]!));
  return {
    operation,
    method,
    path,
    pathParameters,
    query: [],
    body: { kind: "none" },
    notFound,
    ownerOnly: false,
    usageLimit: false,
    ...rest,
  };
}

export const ENDPOINTS = [
  endpoint("sendBot", "POST", "/meetings/bot", {
    body: { kind: "json", fields: [always("meeting_url", { kind: "conference link", max: 1024 })] },
    response: { status: 202, type: object("SendBotResult") },
    invalid: error,
    answers: { status: "scheduling" },
    usageLimit: true,
    source: "specified",
  }),
  endpoint("cancelBot", "DELETE", "/meetings/{event_id}/bot", {
    response: { status: 202, type: object("EventBotResult") },
    invalid: validation,
    answers: { status: "cancelling" },
    source: "specified",
  }),
  endpoint("setNotetakerAutomation", "PUT", "/settings/notetaker-automation", {
    body: { kind: "json", fields: [always("automation", closed(ENUMERATIONS.automationMode))] },
    response: { status: 200, type: object("Automation") },
    invalid: validation,
    source: "specified",
  }),
  endpoint("upload", "PUT", "/meetings/upload", {
    query: [
      parameter("title", "title", text(500), { assumptions: false }),
      parameter("language", "transcription language code", text(10), { assumptions: false }),
    ],
    body: { kind: "binary", contentTypes: ENUMERATIONS.mediaType },
    response: { status: 200, type: object("UploadResult") },
    invalid: validation,
    answers: { status: "processing" },
    source: "specified",
  }),
  endpoint("listRooms", "GET", "/rooms", {
    query: [
      parameter("id", "filter by one or more room ids", id("room_"), { repeated: true }),
      parameter("scope", "ownership scope", closed(ENUMERATIONS.scope)),
      parameter("search", "search by room title", string),
      parameter("expand", "expand related resources inline", closed(ENUMERATIONS.roomExpansion), { repeated: true }),
      ...pageParameters("specified"),
    ],
    response: { status: 200, type: object("RoomPage") },
    invalid: validation,
    source: "specified",
  }),
  endpoint("setPermission", "POST", "/meetings/{meeting_id}/permissions", {
    body: { kind: "json", fields: [always("recipient", object("Recipient")), always("role", open(ENUMERATIONS.role))] },
    response: { status: 200, type: object("Permission") },
    invalid: error,
    ownerOnly: true,
    source: "specified",
  }),
  endpoint("listPermissions", "GET", "/meetings/{meeting_id}/permissions", {
    query: pageParameters("specified"),
    response: { status: 200, type: object("PermissionPage") },
    invalid: error,
    ownerOnly: true,
    source: "specified",
  }),
  endpoint("getDocument", "GET", "/documents/{document_id}", {
    query: [parameter("format", "output format of the content", closed(ENUMERATIONS.documentFormat))],
    response: { status: 200, type: object("Document") },
    invalid: validation,
    source: "specified",
  }),
  endpoint("getTranscript", "GET", "/meetings/{meeting_id}/transcript", {
    response: { status: 200, type: object("Transcript") },
    invalid: validation,
    source: "specified",
  }),
  endpoint("getRecording", "GET", "/meetings/{meeting_id}/recording", {
    response: { status: 200, type: object("RecordingLink") },
    invalid: validation,
    source: "specified",
  }),
  endpoint("listWebhooks", "GET", "/webhooks", {
    response: { status: 200, type: array(object("Webhook")) },
    invalid: error,
    source: "specified",
  }),
  // The API specification refers to the operations below, or public integrations use them. The API specification does
  // not define them.
  endpoint("listMeetings", "GET", "/meetings", {
    query: [
      parameter("id", "filter by one or more meeting ids", id("mtg_"), { repeated: true, source: "documented" }),
      parameter("scope", "ownership scope", closed(ENUMERATIONS.scope), { source: "documented" }),
      parameter("status", "meeting status", open(ENUMERATIONS.meetingStatus), { source: "documented" }),
      parameter("start_date", "from this day on", { kind: "date" }, { source: "documented" }),
      parameter("end_date", "up to this day", { kind: "date" }, { source: "documented" }),
      parameter("search", "title substring", string, { source: "documented" }),
      parameter("q", "semantic search", string, { source: "documented" }),
      parameter("participant", "name or email", string, { source: "documented" }),
      parameter("company", "name or domain", string, { source: "documented" }),
      parameter("room_id", "meetings of a room", id("room_"), { source: "documented" }),
      parameter("expand", "expand related resources inline", closed(ENUMERATIONS.meetingExpansion), {
        repeated: true,
        source: "documented",
      }),
      ...pageParameters("documented"),
    ],
    response: { status: 200, type: object("MeetingPage") },
    invalid: error,
    source: "documented",
  }),
  endpoint("upcomingMeetings", "GET", "/meetings/upcoming", {
    // A bare array or a page envelope: it is not known which.
    response: { status: 200, type: array(object("UpcomingMeeting")) },
    invalid: error,
    source: "guessed",
  }),
  endpoint("scheduleBot", "POST", "/meetings/{event_id}/bot", {
    response: { status: 202, type: object("EventBotResult") },
    invalid: error,
    answers: { status: "scheduling" },
    usageLimit: true,
    source: "guessed",
  }),
  endpoint("createWebhook", "POST", "/webhooks", {
    body: {
      kind: "json",
      fields: [
        always("url", { kind: "url", max: 2048 }, "documented"),
        always("events", array(closed(ENUMERATIONS.eventKind), 1), "documented"),
        maybe("enabled", boolean, "documented"),
      ],
    },
    response: { status: 201, type: object("CreatedWebhook") },
    invalid: error,
    source: "documented",
  }),
  endpoint("updateWebhook", "PATCH", "/webhooks/{webhook_id}", {
    body: {
      kind: "json",
      fields: [
        maybe("url", { kind: "url", max: 2048 }, "documented"),
        maybe("events", array(closed(ENUMERATIONS.eventKind), 1), "documented"),
        maybe("enabled", boolean, "documented"),
      ],
      atLeastOne: true,
    },
    response: { status: 200, type: object("Webhook") },
    invalid: error,
    source: "documented",
  }),
  endpoint("deleteWebhook", "DELETE", "/webhooks/{webhook_id}", {
    response: { status: 204, type: "none" },
    invalid: error,
    source: "documented",
  }),
  endpoint("getNotetakerAutomation", "GET", "/settings/notetaker-automation", {
    response: { status: 200, type: object("Automation") },
    invalid: validation,
    source: "observed",
  }),
  endpoint("revokePermission", "DELETE", "/meetings/{meeting_id}/permissions/{permission_id}", {
    response: { status: 204, type: "none" },
    invalid: error,
    ownerOnly: true,
    source: "observed",
  }),
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
