/** Interface, "Resources and their fields" and "Endpoints": the prefix-style ids. */
import * as z from "zod/mini";
import { idOf, nonEmptyArray } from "./primitives.js";

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

export const meetingId = idOf(ID_PREFIXES.meetingId);
export const roomId = idOf(ID_PREFIXES.roomId);
export const documentId = idOf(ID_PREFIXES.documentId);
export const speakerId = idOf(ID_PREFIXES.speakerId);
export const webhookId = idOf(ID_PREFIXES.webhookId);
export const eventId = idOf(ID_PREFIXES.eventId);

/** Whether `value` has the form of a meeting's id. It may still be one that cannot be sent: see {@link idProblem}. */
export const isMeetingId = (value: unknown): value is MeetingId =>
  typeof value === "string" && value.startsWith(ID_PREFIXES.meetingId);

/** What would change the path, or is not a character: white space, controls, path and query marks, lone surrogates. */
const FORBIDDEN = /[\s\p{Cc}/\\?#%]|\p{Surrogate}/u;

/** Segments that mean another path. */
const DOT_SEGMENTS = [".", ".."];

/** Says what is wrong with an id that is about to be sent, or returns `undefined` if it may be sent. */
export function idProblem(kind: IdKind, value: unknown): string | undefined {
  const prefix = ID_PREFIXES[kind];
  const form = prefix === "" ? "an id" : `an id of the form ${prefix}…`;
  const expected = `expected ${form}, without white space, control characters, / \\ ? # and %`;
  if (typeof value !== "string" || !value.startsWith(prefix)) return expected;
  const rest = value.slice(prefix.length);
  if (rest === "" || DOT_SEGMENTS.includes(rest) || FORBIDDEN.test(rest)) return expected;
  return undefined;
}

/** An id in a query that the caller sends, under the same rule as one in a path. */
export const idParam = (idKind: IdKind) =>
  z.custom<string>((value) => idProblem(idKind, value) === undefined, {
    error: ({ input }) => idProblem(idKind, input),
  });

/** A list of them that narrows an answer: one without any would not. */
/* @__NO_SIDE_EFFECTS__ */
export const idListParam = (idKind: IdKind) => z.optional(nonEmptyArray(idParam(idKind), "at least one id"));
