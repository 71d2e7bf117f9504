/** The prefixes of ids, for modules that do not load zod: see "Resources and their fields" in the API specification. */

/** The prefix of each kind of id. A permission id has none (API specification, "Permission"). */
export const ID_PREFIXES = {
  meetingId: "mtg_",
  roomId: "room_",
  documentId: "doc_",
  speakerId: "spk_",
  webhookId: "whk_",
  eventId: "evt_",
  permissionId: "",
} as const;

/** The maximum number of ids in a filter: with more, the URL would be too long for many servers. */
export const IDS_MAX = 100;

export type IdKind = keyof typeof ID_PREFIXES;

/** `mtg_…` */
export type MeetingId = `${typeof ID_PREFIXES.meetingId}${string}`;
/** `room_…` */
export type RoomId = `${typeof ID_PREFIXES.roomId}${string}`;
/** `doc_…` */
export type DocumentId = `${typeof ID_PREFIXES.documentId}${string}`;
/** `spk_…` */
export type SpeakerId = `${typeof ID_PREFIXES.speakerId}${string}`;
/** `whk_…` */
export type WebhookId = `${typeof ID_PREFIXES.webhookId}${string}`;
/** `evt_…`, a calendar event. */
export type EventId = `${typeof ID_PREFIXES.eventId}${string}`;

/** Whether `value` starts like the id of a meeting. `idProblem` in `ids.ts` tells whether an id may be sent. */
export const isMeetingId = (value: unknown): value is MeetingId =>
  typeof value === "string" && value.startsWith(ID_PREFIXES.meetingId);
