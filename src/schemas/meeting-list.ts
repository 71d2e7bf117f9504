/** The meeting list (documented) and the upcoming meetings (guessed): the API specification only refers to them. */
import * as z from "zod/mini";
import { eventId, idListParam, idParam } from "./id-schemas.js";
import { MEETING_EXPANSIONS, type MeetingExpansion, type MeetingStatus } from "./meeting.js";
import { type PageParams, pageParams, SCOPES } from "./page.js";
import { date, enumOf, type Infer, nonEmptyString, readonlyArray, requestObject, type Schema } from "./primitives.js";
import { responseArray } from "./response-array.js";

const meetingGetParams = { expand: z.optional(readonlyArray(enumOf(MEETING_EXPANSIONS))) };

const meetingFilters = {
  /** Only these meetings: 1 to 100 ids of the form `mtg_…`. Default: all. */
  ids: idListParam("meetingId"),
  /** `owned` by the user, `shared` with the user, or `all` that the user can reach. Default: `all`. */
  scope: z.optional(enumOf(SCOPES)),
  /** Only meetings of this status, for example `completed`. Any text is sent: the API specification lists no values. */
  status: z.optional(nonEmptyString() as z.ZodMiniType as Schema<MeetingStatus>),
  /** Only meetings that start on this day (YYYY-MM-DD) or later. Guessed: the day itself is included. */
  start_date: z.optional(date()),
  /** Only meetings that start on this day (YYYY-MM-DD) or earlier. Guessed: the day itself is included. */
  end_date: z.optional(date()),
  /** Only meetings whose title contains this text. */
  search: z.optional(z.string()),
  /** Semantic search in the conversations: a question or a few words. */
  q: z.optional(z.string()),
  /** Only meetings with this participant: a name or an email address. */
  participant: z.optional(z.string()),
  /** Only meetings with a participant of this company: a name or a domain. */
  company: z.optional(z.string()),
  /** Only meetings of this room: an id of the form `room_…`. */
  room_id: z.optional(idParam("roomId")),
};

/** Parameters of `meetings.list`. All are documented: the API specification does not define the list. */
export interface MeetingListParams<E extends readonly MeetingExpansion[] = readonly MeetingExpansion[]>
  extends Infer<typeof meetingFilters>,
    PageParams {
  /**
   * Related resources to include in each meeting: `documents`. Default: none. A value that may be `undefined` at run
   * time makes the type of a meeting promise a field that it may not have.
   */
  expand?: E | undefined;
}

export const meetingListParamsSchema = requestObject<MeetingListParams>({
  ...meetingFilters,
  ...meetingGetParams,
  ...pageParams,
});

/** Parameters of `meetings.get`. */
export interface MeetingGetParams<E extends readonly MeetingExpansion[] = readonly MeetingExpansion[]> {
  /** Related resources to include in the meeting: `documents`. Default: none. */
  expand?: E | undefined;
}

export const meetingGetParamsSchema = requestObject<MeetingGetParams>(meetingGetParams);

const upcomingMeetingFields = {
  /** `evt_…`, for `meetings.scheduleBot` and `meetings.cancelBot`. */
  id: eventId,
};

/** An upcoming calendar event: only its id is known (guessed). */
export interface UpcomingMeeting extends Infer<typeof upcomingMeetingFields> {
  /** Any further field of the event. */
  [field: string]: unknown;
}

export const upcomingMeetingSchema = z.looseObject(upcomingMeetingFields) as z.ZodMiniType as Schema<UpcomingMeeting>;

export const upcomingMeetingsSchema = responseArray(upcomingMeetingSchema);

/** The list in a response: a bare array or the `data` of a page. Which of the two is not known (guessed). */
export const upcomingMeetingsOf = (body: unknown): unknown =>
  Array.isArray(body) ? body : (body as { data?: unknown } | null)?.data;
