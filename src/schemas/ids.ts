/** Schemas and checks for ids: see "Resources and their fields" and "Endpoints" in the API specification. */
import * as z from "zod/mini";
import { ID_PREFIXES, IDS_MAX, type IdKind } from "./id-prefixes.js";
import { idOf, nonEmptyArray } from "./primitives.js";
import { quoted } from "./received-value.js";

export {
  type DocumentId,
  type EventId,
  ID_PREFIXES,
  IDS_MAX,
  type IdKind,
  isMeetingId,
  type MeetingId,
  type RoomId,
  type SpeakerId,
  type WebhookId,
} from "./id-prefixes.js";

export const meetingId = idOf(ID_PREFIXES.meetingId);
export const roomId = idOf(ID_PREFIXES.roomId);
export const documentId = idOf(ID_PREFIXES.documentId);
export const speakerId = idOf(ID_PREFIXES.speakerId);
export const webhookId = idOf(ID_PREFIXES.webhookId);
export const eventId = idOf(ID_PREFIXES.eventId);

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
