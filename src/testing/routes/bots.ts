/** Interface, "POST /meetings/bot" and "DELETE /meetings/{event_id}/bot"; scheduling a bot is level C. */
import { MEETING_URL_MAX } from "../../schemas/bot.js";
import { errorResponse, Refusal } from "../http/error-response.js";
import { json } from "../http/exchange.js";
import type { Route } from "../http/route.js";
import { all, atMost, conferenceLink, idOf } from "../http/rules.js";
import { requestBot } from "../lifecycle/bots.js";
import { queueCancel, scheduleBot } from "../lifecycle/calendar.js";
import { findEvent } from "./find-record.js";

/** The rest of a calendar event's id can hold almost anything. */
const eventId = idOf("evt_");

export const botRoutes: Route[] = [
  {
    method: "POST",
    path: "/meetings/bot",
    invalid: "error",
    limit: "sendBot",
    fields: { meeting_url: { rule: all(atMost(MEETING_URL_MAX), conferenceLink), required: true } },
    answer: ({ world, body }) => {
      const { account } = world.state;
      if (!account.calendarConnected) throw new Refusal(errorResponse(400, "the account has no connected calendar"));
      if (account.usageLimitReached) {
        throw new Refusal(errorResponse(403, "usage limit exceeded: upgrade the plan to send the bot"));
      }
      return json({ meeting_id: requestBot(world, body.meeting_url as string), status: "scheduling" }, 202);
    },
  },
  {
    method: "DELETE",
    path: "/meetings/{event_id}/bot",
    invalid: "validation",
    params: { event_id: eventId },
    answer: (call) => {
      const event = findEvent(call);
      queueCancel(call.world, event);
      return json({ event_id: event.id, status: "cancelling" }, 202);
    },
  },
  {
    method: "POST",
    path: "/meetings/{event_id}/bot",
    invalid: "error",
    params: { event_id: eventId },
    answer: (call) => {
      const event = findEvent(call);
      scheduleBot(call.world, event, false);
      return json({ event_id: event.id, status: "scheduling" }, 202);
    },
  },
];
