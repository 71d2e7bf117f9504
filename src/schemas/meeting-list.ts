/** The meeting list and the upcoming meetings, which the interface refers to without a definition (levels A and C). */
import * as z from "zod/mini";
import { eventId, idListParam, idParam } from "./ids.js";
import { meetingSchema } from "./meeting.js";
import { pageParams, pageSchema } from "./page.js";
import { date, enumOf, nonEmptyString, openObject, readonlyArray, requestObject } from "./primitives.js";
import { SCOPES } from "./room.js";

export const MEETING_EXPANSIONS = ["documents"] as const;
export type MeetingExpansion = (typeof MEETING_EXPANSIONS)[number];

export const meetingPageSchema = pageSchema(meetingSchema);

export const meetingListParamsSchema = requestObject({
  /** Only these meetings. */
  ids: idListParam("meetingId"),
  /** `owned` by the user, `shared` with the user, or `all` that the user can reach. */
  scope: z.optional(enumOf(SCOPES)),
  /** For example `completed`. The interface shows no list of values, so none is refused. */
  status: z.optional(nonEmptyString()),
  /** YYYY-MM-DD */
  start_date: z.optional(date()),
  /** YYYY-MM-DD */
  end_date: z.optional(date()),
  /** Part of a title. */
  search: z.optional(z.string()),
  /** Semantic search. */
  q: z.optional(z.string()),
  /** Name or email address. */
  participant: z.optional(z.string()),
  /** Name or domain. */
  company: z.optional(z.string()),
  room_id: z.optional(idParam("roomId")),
  /** Related resources to include in each meeting. */
  expand: z.optional(readonlyArray(enumOf(MEETING_EXPANSIONS))),
  ...pageParams,
});
export type MeetingListParams = z.infer<typeof meetingListParamsSchema>;

/** An upcoming calendar event: only its id is known (level C). */
export const upcomingMeetingSchema = openObject({ id: eventId });
export type UpcomingMeeting = z.infer<typeof upcomingMeetingSchema>;

export const upcomingMeetingsSchema = z.array(upcomingMeetingSchema);

/** A bare array or a page envelope: which of the two the service sends is not known (level C). Of a page, its `data`. */
export const upcomingMeetingsOf = (answer: unknown): unknown =>
  Array.isArray(answer) ? answer : (answer as { data?: unknown } | null)?.data;
