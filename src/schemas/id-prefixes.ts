/** Interface, "Resources and their fields": the prefix-style ids, for rooms that load no schema library. */

/** The prefix of each kind of id. A permission id has none (interface, "Permission"). */
export const ID_PREFIXES = {
  meetingId: "mtg_",
  roomId: "room_",
  documentId: "doc_",
  speakerId: "spk_",
  webhookId: "whk_",
  eventId: "evt_",
  permissionId: "",
} as const;

/** The most ids that a list can be filtered by: with more, the URL would be too long for many servers. */
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

/** Whether `value` has the form of a meeting's id. It may still be one that cannot be sent: see ids.ts. */
export const isMeetingId = (value: unknown): value is MeetingId =>
  typeof value === "string" && value.startsWith(ID_PREFIXES.meetingId);
