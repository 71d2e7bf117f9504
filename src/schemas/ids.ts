/** Ids and their checks: see "Resources and their fields" and "Endpoints" in the API specification. */
import { type Issue, quoted } from "../checks/format-issues.js";

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

/** Whether `value` starts like the id of a meeting. `idProblem` tells whether an id may be sent. */
export const isMeetingId = (value: unknown): value is MeetingId =>
  typeof value === "string" && value.startsWith(ID_PREFIXES.meetingId);

/** What could change the path of a URL, or is invalid: white space, controls, `/ \ ? # %`, lone surrogates. */
const FORBIDDEN = /[\s\p{Cc}/\\?#%]|\p{Surrogate}/u;

/** Path segments with a special meaning: `.` and `..`, also with the parameters that some servers remove (`..;x`). */
const DOT_SEGMENT = /^\.{1,2}(;|$)/;

/** Says what is wrong with an id that is about to be sent, or returns `undefined` if it may be sent. */
export function idProblem(kind: IdKind, value: unknown): string | undefined {
  const prefix = ID_PREFIXES[kind];
  const form = prefix === "" ? "an id" : `an id of the form ${prefix}…`;
  const expected = `expected ${form}, without white space, control characters, / \\ ? # and %, received ${quoted(value)}`;
  if (typeof value !== "string" || !value.startsWith(prefix)) return expected;
  const rest = value.slice(prefix.length);
  if (rest === "" || DOT_SEGMENT.test(rest) || FORBIDDEN.test(rest)) return expected;
  return undefined;
}

/** The issue of an id that may not be sent, at `path`; none if it may be sent. */
export function idIssues(kind: IdKind, value: unknown, path: string = kind): Issue[] {
  const message = idProblem(kind, value);
  return message === undefined ? [] : [{ path, code: value === undefined ? "missing" : "invalid_id", message }];
}
