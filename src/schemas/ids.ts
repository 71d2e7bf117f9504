/** Ids, their schemas and checks: see "Resources and their fields" and "Endpoints" in the API specification. */
import * as z from "zod/mini";
import { quoted } from "./format-issues.js";
import { nonEmptyArray, type Schema, stringOf } from "./primitives.js";

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

/** A prefix-style id in received data. */
/* @__NO_SIDE_EFFECTS__ */
const idOf = <Id extends string>(kind: IdKind) =>
  stringOf(
    (value) => value.startsWith(ID_PREFIXES[kind]),
    `an id of the form ${ID_PREFIXES[kind]}…`,
  ) as z.ZodMiniType as Schema<Id>;

export const meetingId = idOf<MeetingId>("meetingId");
export const roomId = idOf<RoomId>("roomId");
export const documentId = idOf<DocumentId>("documentId");
export const speakerId = idOf<SpeakerId>("speakerId");
export const webhookId = idOf<WebhookId>("webhookId");
export const eventId = idOf<EventId>("eventId");

/**
 * Characters that could change the path of a URL, or are invalid: white space, controls, `/ \ ? # %`, lone surrogates.
 */
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

/** The schema of an id in a query. The same rule applies as to an id in a path. */
export const idParam = (idKind: IdKind) =>
  z.custom<string>((value) => idProblem(idKind, value) === undefined, {
    error: ({ input }) => idProblem(idKind, input),
  });

/** The schema of a list of ids to filter by. An empty list is refused, because it would not filter. */
/* @__NO_SIDE_EFFECTS__ */
export const idListParam = (idKind: IdKind) => z.optional(nonEmptyArray(idParam(idKind), "ids", IDS_MAX));
