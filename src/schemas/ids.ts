/** Interface, "Resources and their fields" and "Endpoints": the prefix-style ids. */
import * as z from "zod/mini";
import { idOf, some } from "./primitives.js";

/** `mtg_…` */
export const meetingId = idOf("mtg_");
/** `room_…` */
export const roomId = idOf("room_");
/** `doc_…` */
export const documentId = idOf("doc_");
/** `spk_…` */
export const speakerId = idOf("spk_");
/** `whk_…` */
export const webhookId = idOf("whk_");
/** `evt_…`, a calendar event. */
export const eventId = idOf("evt_");

export type MeetingId = z.infer<typeof meetingId>;
export type RoomId = z.infer<typeof roomId>;
export type DocumentId = z.infer<typeof documentId>;
export type SpeakerId = z.infer<typeof speakerId>;
export type WebhookId = z.infer<typeof webhookId>;
export type EventId = z.infer<typeof eventId>;

/** The prefix of each kind of id that a caller can send. A permission id has none (interface, "Permission"). */
const prefixes = {
  meetingId: "mtg_",
  roomId: "room_",
  documentId: "doc_",
  webhookId: "whk_",
  eventId: "evt_",
  permissionId: "",
} as const;

export type SentIdKind = keyof typeof prefixes;

/** What would change the path, or is not a character: white space, controls, path and query marks, lone surrogates. */
const FORBIDDEN = /[\s\p{Cc}/\\?#%]|\p{Surrogate}/u;

/** Says what is wrong with an id that is about to be sent, or `undefined` when it may be sent. */
export function idProblem(kind: SentIdKind, value: unknown): string | undefined {
  const prefix = prefixes[kind];
  const rest = typeof value === "string" && value.startsWith(prefix) ? value.slice(prefix.length) : "";
  // Nothing, and the two segments that mean another path.
  if (!["", ".", ".."].includes(rest) && !FORBIDDEN.test(rest)) return undefined;
  return `expected an id${prefix && ` of the form ${prefix}…`}, without white space, control characters, / \\ ? # and %`;
}

/** An id in a query that the caller sends, under the same rule as one in a path. */
export const sentId = (idKind: SentIdKind) =>
  z.custom<string>((value) => idProblem(idKind, value) === undefined, {
    error: ({ input }) => idProblem(idKind, input),
  });

/** A list of them that narrows an answer: one without any would not. */
/* @__NO_SIDE_EFFECTS__ */
export const sentIds = (idKind: SentIdKind) => z.optional(some(sentId(idKind), "at least one id"));
