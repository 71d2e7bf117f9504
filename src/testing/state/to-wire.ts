/** Makes the JSON of each record. Which fields it has follows from the schema of the response. */
import type * as z from "zod/mini";
import { documentReferenceSchema, documentSchema } from "../../schemas/document.js";
import { meetingExpansions, meetingSchema, meetingSummarySchema } from "../../schemas/meeting.js";
import { permissionSchema } from "../../schemas/permission.js";
import { roomExpansions, roomSchema } from "../../schemas/room.js";
import { transcriptSchema } from "../../schemas/transcript.js";
import { webhookSchema } from "../../schemas/webhook.js";
import { shapeOf } from "../emulator-error.js";
import type { DocumentRecord, MeetingRecord, RoomRecord } from "./records.js";
import type { State } from "./state.js";

/** The names of the fields of a response, without those that only an expansion adds. */
const fieldsOf = (schema: z.core.$ZodType, expansions: object = {}): readonly string[] =>
  Object.keys(shapeOf(schema)).filter((name) => !Object.hasOwn(expansions, name));

const WIRE_FIELDS = {
  summary: fieldsOf(meetingSummarySchema),
  meeting: fieldsOf(meetingSchema, meetingExpansions),
  room: fieldsOf(roomSchema, roomExpansions),
  document: fieldsOf(documentSchema),
  reference: fieldsOf(documentReferenceSchema),
  transcript: fieldsOf(transcriptSchema),
  permission: fieldsOf(permissionSchema),
  webhook: fieldsOf(webhookSchema),
  event: ["id", "title", "start_time", "end_time", "meeting_url", "bot_scheduled"],
} as const;

export function toWire(
  form: keyof typeof WIRE_FIELDS,
  record: object,
  expansions: object = {},
): Record<string, unknown> {
  const fields = record as Readonly<Record<string, unknown>>;
  return { ...Object.fromEntries(WIRE_FIELDS[form].map((name) => [name, fields[name]])), ...expansions };
}

export const meetingToWire = (meeting: MeetingRecord, expansions?: object) => toWire("meeting", meeting, expansions);

export const documentsToWire = (state: State, { documents }: MeetingRecord) =>
  documents.map((id) => toWire("reference", state.documents.get(id) as DocumentRecord));

/** The room, with the expansions of the request. A room without a URL for sharing lacks the field. */
export const roomToWire = (room: RoomRecord, meeting_count: number, expansions?: object) =>
  toWire("room", { ...room, share_url: room.share_url ?? undefined, meeting_count }, expansions);
