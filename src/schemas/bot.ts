/** Interface, "Bot schedule action", "POST /meetings/bot" and "DELETE /meetings/{event_id}/bot". */
import * as z from "zod/mini";
import { conferenceService } from "./conference-link.js";
import { eventId, meetingId } from "./ids.js";
import { maxLength, openEnum, requestObject, responseObject } from "./primitives.js";

export const BOT_SCHEDULE_ACTIONS = ["scheduling", "cancelling"] as const;
export const MEETING_URL_MAX = 1024;

const joinLink = maxLength(MEETING_URL_MAX).check(
  z.refine((value) => conferenceService(value) !== undefined, {
    error: "expected a Zoom, Google Meet, Microsoft Teams or Webex join link",
  }),
);

export const sendBotParamsSchema = requestObject({
  /** A Zoom, Google Meet, Microsoft Teams or Webex join link of at most 1024 characters. */
  meeting_url: joinLink,
});
export type SendBotParams = z.infer<typeof sendBotParamsSchema>;

/** The bot is queued; that is no confirmation that it has joined. */
export const sendBotResultSchema = responseObject({
  /** The meeting that recording and transcript will appear under, and the id that events carry. */
  meeting_id: meetingId,
  /** `scheduling` */
  status: openEnum<typeof BOT_SCHEDULE_ACTIONS>(),
});
export type SendBotResult = z.infer<typeof sendBotResultSchema>;

/** Scheduling or cancelling the bot of a calendar event is queued. */
export const eventBotResultSchema = responseObject({
  /** `evt_…` */
  event_id: eventId,
  /** `cancelling`, or `scheduling` where a bot is scheduled for the event. */
  status: openEnum<typeof BOT_SCHEDULE_ACTIONS>(),
});
export type EventBotResult = z.infer<typeof eventBotResultSchema>;
