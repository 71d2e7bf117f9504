/**
 * The endpoints of bots (API specification, "POST /meetings/bot" and "DELETE /meetings/{event_id}/bot"). Scheduling a
 * bot is guessed.
 */
import { MEETING_URL_MAX } from "../../schemas/bot.js";
import { errorResponse, Refusal } from "../http/error-response.js";
import { json } from "../http/exchange.js";
import type { Route } from "../http/route.js";
import { all, atMost, conferenceLink, idRule } from "../http/rules.js";
import { requestBot } from "../lifecycle/bots.js";
import { queueCancel, scheduleBot } from "../lifecycle/calendar.js";
import { findEvent } from "./find-record.js";

const sendBot: Route = {
  method: "POST",
  path: "/meetings/bot",
  invalid: "error",
  limit: "sendBot",
  fields: { meeting_url: { rule: all(atMost(MEETING_URL_MAX), conferenceLink), required: true } },
  answer: ({ context, body }) => {
    const { account } = context.state;
    if (!account.calendarConnected) throw new Refusal(errorResponse(400, "the account has no connected calendar"));
    if (account.usageLimitReached) {
      throw new Refusal(errorResponse(403, "usage limit exceeded: upgrade the plan to send the bot"));
    }
    return json({ meeting_id: requestBot(context, body.meeting_url as string), status: "scheduling" }, 202);
  },
};

const cancelBot: Route = {
  method: "DELETE",
  path: "/meetings/{event_id}/bot",
  invalid: "validation",
  params: { event_id: idRule("eventId") },
  answer: (call) => {
    const event = findEvent(call);
    queueCancel(call.context, event);
    return json({ event_id: event.id, status: "cancelling" }, 202);
  },
};

const bookBot: Route = {
  method: "POST",
  path: "/meetings/{event_id}/bot",
  invalid: "error",
  params: { event_id: idRule("eventId") },
  answer: (call) => {
    const event = findEvent(call);
    scheduleBot(call.context, event, false);
    return json({ event_id: event.id, status: "scheduling" }, 202);
  },
};

export const botRoutes: readonly Route[] = [sendBot, cancelBot, bookBot];
