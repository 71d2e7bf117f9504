/** Meetings: see "Meeting" in the API specification. Further fields come from the public reference. */
import * as z from "zod/mini";
import { documentReferenceSchema } from "./document.js";
import type { Expanded, NamedExpansions } from "./expansion.js";
import { meetingId } from "./id-schemas.js";
import { type Infer, integer, nullish, openEnum, responseObject, timestamp } from "./primitives.js";
import { responseArray, responseArrayOrEmpty } from "./response-array.js";

/** The known statuses. Documented, except `completed`. A status that the service adds later is accepted. */
export const MEETING_STATUSES = ["completed", "processing", "scheduled", "failed"] as const;
/** A known status. Documented, except `completed`. */
export type KnownMeetingStatus = (typeof MEETING_STATUSES)[number];
/** The status of a meeting: a known status, or one that the service adds later. */
export type MeetingStatus = KnownMeetingStatus | (string & {});

/** The known sources. Documented: the API specification shows none. A source that is added later is accepted. */
export const MEETING_SOURCES = [
  "google_meet",
  "zoom",
  "teams",
  "slack",
  "whatsapp",
  "phone",
  "upload",
  "desktop",
] as const;
/** The conferencing source of a meeting: a known source (documented), or one that the service adds later. */
export type MeetingSource = (typeof MEETING_SOURCES)[number] | (string & {});

const summaryFields = {
  /** `mtg_…` */
  id: meetingId,
  /** The title; absent or `null` while the meeting is not completed (observed). */
  title: nullish(z.string()),
  /** The status of the meeting: see {@link MEETING_STATUSES}. */
  status: openEnum<MeetingStatus>(),
  /** Where the meeting took place: see {@link MeetingSource}. */
  source: openEnum<MeetingSource>(),
  /** When the meeting starts or started: an ISO 8601 timestamp with offset. */
  start_time: timestamp(),
  /** The length of the meeting in seconds; absent or `null` while it is not completed (observed). */
  duration: nullish(integer()),
};

/** A meeting as a room embeds it. */
export interface MeetingSummary extends Infer<typeof summaryFields> {}

export const meetingSummarySchema = responseObject<MeetingSummary>(summaryFields);

export const participantFields = {
  /** The name; may be absent or `null`. */
  name: nullish(z.string()),
  /** The email address; may be absent or `null`. */
  email: nullish(z.string()),
  /** The job title; may be absent or `null`. */
  title: nullish(z.string()),
  /** The company; may be absent or `null`. */
  company: nullish(z.string()),
};

/** Somebody who took part in a meeting. Documented; any of the fields may be absent or `null`. */
export interface Participant extends Infer<typeof participantFields> {}

export const participantSchema = responseObject<Participant>(participantFields);

const hostFields = {
  /** The user's id, `usr_…`; may be absent or `null`. */
  id: nullish(z.string()),
  /** The name; may be absent or `null`. */
  name: nullish(z.string()),
  /** The email address; may be absent or `null`. */
  email: nullish(z.string()),
};

/** Who hosts a meeting. Documented; any of the fields may be absent or `null`. */
export interface Host extends Infer<typeof hostFields> {}

export const hostSchema = responseObject<Host>(hostFields);

/** The schemas of a meeting's fields, without any requested expansion. */
export const meetingFields = {
  ...summaryFields,
  /** When the meeting ended: an ISO 8601 timestamp with offset; absent or `null` until it is completed (observed). */
  end_time: nullish(timestamp()),
  /** Who hosts the meeting; may be absent or `null` (observed). */
  host: nullish(hostSchema),
  /** Who took part; may be absent or `null`. Documented. */
  participants: nullish(responseArray(participantSchema)),
  /** The meeting's documents, if the list was requested with `expand: ["documents"]`. Documented. */
  documents: nullish(responseArray(documentReferenceSchema)),
  /** When the service recorded the meeting: an ISO 8601 timestamp with offset; may be absent or `null`. Documented. */
  created_at: nullish(timestamp()),
};

/** A meeting as the meeting list returns it: the summary form, and fields of the public reference (documented). */
export interface Meeting extends MeetingSummary, Infer<typeof meetingFields> {}

export const meetingSchema = responseObject<Meeting>(meetingFields);

export const MEETING_EXPANSIONS = ["documents"] as const;
/** An expansion of a meeting: related resources that a request can include. Documented. */
export type MeetingExpansion = (typeof MEETING_EXPANSIONS)[number];

/** A meeting that was requested with the expansions `E`: their fields are present. */
export type MeetingWith<E extends MeetingExpansion> = Expanded<Meeting, E>;

/** A meeting that was requested with an `expand` of the type `E`. */
export type ExpandedMeeting<E extends readonly MeetingExpansion[]> = [NamedExpansions<E>] extends [never]
  ? Meeting
  : MeetingWith<NamedExpansions<E>>;

/** The lists that an expansion adds to a meeting. They are documented, so a missing list is read as an empty list. */
export const meetingExpansions = { documents: responseArrayOrEmpty(documentReferenceSchema) };
