import * as z from "zod/mini";
import { issueCode } from "../checks/issue-code.js";
import {
  type DocumentId,
  type EventId,
  ID_PREFIXES,
  IDS_MAX,
  type IdKind,
  idProblem,
  type MeetingId,
  type RoomId,
  type SpeakerId,
  type WebhookId,
} from "./ids.js";
import { nonEmptyArray, type Schema, stringOf } from "./primitives.js";

/** A prefix-style id in received data. */
/* @__NO_SIDE_EFFECTS__ */
const idOf = <Id extends string>(kind: IdKind) =>
  stringOf(
    (value) => value.startsWith(ID_PREFIXES[kind]),
    `an id of the form ${ID_PREFIXES[kind]}…`,
    "invalid_id",
  ) as z.ZodMiniType as Schema<Id>;

export const meetingId = idOf<MeetingId>("meetingId");
export const roomId = idOf<RoomId>("roomId");
export const documentId = idOf<DocumentId>("documentId");
export const speakerId = idOf<SpeakerId>("speakerId");
export const webhookId = idOf<WebhookId>("webhookId");
export const eventId = idOf<EventId>("eventId");

/** The schema of an id in a query. The same rule applies as to an id in a path. */
export const idParam = (idKind: IdKind) =>
  z.custom<string>((value) => idProblem(idKind, value) === undefined, {
    error: ({ input }) => idProblem(idKind, input),
    ...issueCode("invalid_id"),
  });

/** The schema of a list of ids to filter by. An empty list is refused, because it would not filter. */
/* @__NO_SIDE_EFFECTS__ */
export const idListParam = (idKind: IdKind) => z.optional(nonEmptyArray(idParam(idKind), "ids", IDS_MAX));
