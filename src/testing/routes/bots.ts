/**
 * The endpoints of bots and of the automation mode (API specification, "POST /meetings/bot", "DELETE
 * /meetings/{event_id}/bot" and "PUT /settings/notetaker-automation"). Scheduling a bot is guessed, reading the mode is
 * observed.
 */

import { cancelBot, scheduleBot as scheduleBotEndpoint, sendBot } from "../../resources/meetings.js";
import { getNotetakerAutomation, setNotetakerAutomation } from "../../resources/settings.js";
import { errorResponse, json, Refusal } from "../http/exchange.js";
import { answer } from "../http/route.js";
import { requestBot } from "../lifecycle/bots.js";
import { applyAutomation, queueCancel, scheduleBot } from "../lifecycle/calendar.js";
import { findEvent } from "./find-record.js";

export const botRoutes = [
  answer(sendBot, ({ context, body }) => {
    const { account } = context.state;
    if (!account.calendarConnected) throw new Refusal(errorResponse(400, "the account has no connected calendar"));
    if (account.usageLimitReached) {
      throw new Refusal(errorResponse(403, "usage limit exceeded: upgrade the plan to send the bot"));
    }
    return json({ meeting_id: requestBot(context, body.meeting_url), status: "scheduling" }, 202);
  }),
  answer(cancelBot, (call) => {
    const event = findEvent(call);
    queueCancel(call.context, event);
    return json({ event_id: event.id, status: "cancelling" }, 202);
  }),
  answer(scheduleBotEndpoint, (call) => {
    const event = findEvent(call);
    scheduleBot(call.context, event, false);
    return json({ event_id: event.id, status: "scheduling" }, 202);
  }),
  answer(setNotetakerAutomation, ({ context, body }) => {
    applyAutomation(context, body.automation);
    return json({ automation: context.state.account.automation });
  }),
  answer(getNotetakerAutomation, ({ context }) => json({ automation: context.state.account.automation })),
];
