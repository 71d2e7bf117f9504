/** Interface, "Resources and their fields" and "Endpoints": the prefix-style ids. */
import * as z from "zod/mini";

/** `mtg_…` */
export const meetingId = z.templateLiteral(["mtg_", z.string()]);
/** `room_…` */
export const roomId = z.templateLiteral(["room_", z.string()]);
/** `doc_…` */
export const documentId = z.templateLiteral(["doc_", z.string()]);
/** `spk_…` */
export const speakerId = z.templateLiteral(["spk_", z.string()]);
/** `whk_…` */
export const webhookId = z.templateLiteral(["whk_", z.string()]);
/** `evt_…`, a calendar event. */
export const eventId = z.templateLiteral(["evt_", z.string()]);

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
  const form = prefix === "" ? "an id" : `an id of the form ${prefix}…`;
  if (typeof value !== "string") return `expected ${form}, received ${value === null ? "null" : typeof value}`;
  if (!value.startsWith(prefix)) return `expected ${form}`;
  const rest = value.slice(prefix.length);
  if (rest === "") return `expected ${form}, received nothing after the prefix`;
  if (rest === "." || rest === "..") return `expected ${form}, received a path segment that means another path`;
  if (FORBIDDEN.test(rest))
    return `expected ${form} without white space, control characters, "/", "\\", "?", "#" or "%"`;
  return undefined;
}

/** An id in a query or body that the caller sends, under the same rule as one in a path. */
export const sentId = (kind: SentIdKind) =>
  z.string().check(
    z.refine((value) => idProblem(kind, value) === undefined, {
      error: (issue) => idProblem(kind, issue.input) ?? "",
    }),
  );
