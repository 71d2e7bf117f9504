/**
 * The meeting list and the upcoming meetings, which the API specification refers to but does not define. The list is
 * documented, the upcoming meetings are guessed.
 */
import * as z from "zod/mini";
import { type EventId, eventId, idListParam, idParam } from "./ids.js";
import { MEETING_EXPANSIONS, type MeetingExpansion, type MeetingStatus } from "./meeting.js";
import { type PageParams, pageParams, SCOPES, type Scope } from "./page.js";
import { date, enumOf, nonEmptyString, readonlyArray, requestObject, type Schema } from "./primitives.js";
import { responseArray } from "./response-array.js";

/**
 * Parameters of `meetings.list`. All are documented: the API specification refers to the list but does not define it.
 */
export interface MeetingListParams<E extends readonly MeetingExpansion[] = readonly MeetingExpansion[]>
  extends PageParams {
  /** Only these meetings: 1 to 100 ids of the form `mtg_…`. Default: all. */
  ids?: readonly string[] | undefined;
  /** `owned` by the user, `shared` with the user, or `all` that the user can reach. Default: `all`. */
  scope?: Scope | undefined;
  /** Only meetings of this status, for example `completed`. Any text is sent: the API specification lists no values. */
  status?: MeetingStatus | undefined;
  /** Only meetings that start on this day (YYYY-MM-DD) or later. Guessed: the day itself is included. */
  start_date?: string | undefined;
  /** Only meetings that start on this day (YYYY-MM-DD) or earlier. Guessed: the day itself is included. */
  end_date?: string | undefined;
  /** Only meetings whose title contains this text. */
  search?: string | undefined;
  /** Semantic search in the conversations: a question or a few words. */
  q?: string | undefined;
  /** Only meetings with this participant: a name or an email address. */
  participant?: string | undefined;
  /** Only meetings with a participant of this company: a name or a domain. */
  company?: string | undefined;
  /** Only meetings of this room: an id of the form `room_…`. */
  room_id?: string | undefined;
  /**
   * Related resources to include in each meeting: `documents`. Default: none. A value that may be `undefined` at run
   * time makes the type of a meeting promise a field that it may not have.
   */
  expand?: E | undefined;
}

/** The zod schema of {@link MeetingListParams}. */
export const meetingListParamsSchema = requestObject<MeetingListParams>({
  ids: idListParam("meetingId"),
  scope: z.optional(enumOf(SCOPES)),
  status: z.optional(nonEmptyString()),
  start_date: z.optional(date()),
  end_date: z.optional(date()),
  search: z.optional(z.string()),
  q: z.optional(z.string()),
  participant: z.optional(z.string()),
  company: z.optional(z.string()),
  room_id: z.optional(idParam("roomId")),
  expand: z.optional(readonlyArray(enumOf(MEETING_EXPANSIONS))),
  ...pageParams,
});

/** Parameters of `meetings.get`. */
export interface MeetingGetParams<E extends readonly MeetingExpansion[] = readonly MeetingExpansion[]> {
  /** Related resources to include in the meeting: `documents`. Default: none. */
  expand?: E | undefined;
}

export const meetingGetParamsSchema = requestObject<MeetingGetParams>({
  expand: z.optional(readonlyArray(enumOf(MEETING_EXPANSIONS))),
});

/** An upcoming calendar event: only its id is known (guessed). */
export interface UpcomingMeeting {
  /** `evt_…`, for `meetings.scheduleBot` and `meetings.cancelBot`. */
  id: EventId;
  /** Any further field of the event. */
  [field: string]: unknown;
}

/** The zod schema of {@link UpcomingMeeting}. */
export const upcomingMeetingSchema = z.looseObject({ id: eventId }) as z.ZodMiniType as Schema<UpcomingMeeting>;

export const upcomingMeetingsSchema = responseArray(upcomingMeetingSchema);

/**
 * The list in a response, which may be a bare array or the `data` of a page: which of the two is not known (guessed).
 */
export const upcomingMeetingsOf = (body: unknown): unknown =>
  Array.isArray(body) ? body : (body as { data?: unknown } | null)?.data;
