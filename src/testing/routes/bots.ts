import { cancelBot, scheduleBot as scheduleBotEndpoint, sendBot } from "../../endpoints/meetings.js";
import { getNotetakerAutomation, setNotetakerAutomation } from "../../endpoints/settings.js";
import { sendBotBodySchemaFor } from "../../schemas/bot.js";
import { jsonResponse } from "../http/exchange.js";
import { RefusedRequest, refusal } from "../http/refusals.js";
import { answer, type Call } from "../http/route.js";
import { requestBot } from "../lifecycle/bots.js";
import { applyAutomation, bookBot, isOver, queueCancel } from "../lifecycle/calendar.js";
import type { EventRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/state.js";
import { findEvent } from "./find-record.js";

function checkBotAllowed({ state: { account } }: EmulatorContext): void {
  if (!account.calendarConnected) throw new RefusedRequest(refusal(400, "the account has no connected calendar"));
  if (account.usageLimitReached) {
    throw new RefusedRequest(refusal(403, "usage limit exceeded: upgrade the plan to send the bot"));
  }
}

/** The event of the request. A strict emulator refuses one that has ended: what the service does with it is not known. */
function findOpenEvent(call: Call): EventRecord {
  const event = findEvent(call);
  if (call.context.settings.strict && isOver(call.context, event)) {
    throw new RefusedRequest(refusal(400, `the event ${event.id} has ended`));
  }
  return event;
}

export const botRoutes = [
  answer(
    sendBot,
    ({ context, body }) => {
      checkBotAllowed(context);
      return jsonResponse({ meeting_id: requestBot(context, body.meeting_url), status: "scheduling" }, 202);
    },
    ({ conferenceHosts }) => sendBotBodySchemaFor(conferenceHosts),
  ),
  answer(cancelBot, (call) => {
    const event = findOpenEvent(call);
    queueCancel(call.context, event);
    return jsonResponse({ event_id: event.id, status: "cancelling" }, 202);
  }),
  answer(scheduleBotEndpoint, (call) => {
    const event = findOpenEvent(call);
    checkBotAllowed(call.context);
    bookBot(call.context, event, false);
    return jsonResponse({ event_id: event.id, status: "scheduling" }, 202);
  }),
  answer(setNotetakerAutomation, ({ context, body }) => {
    applyAutomation(context, body.automation);
    return jsonResponse({ automation: context.state.account.automation });
  }),
  answer(getNotetakerAutomation, ({ context }) => jsonResponse({ automation: context.state.account.automation })),
];
