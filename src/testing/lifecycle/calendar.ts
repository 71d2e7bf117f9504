/** Schedules the bots of calendar events, for the user or for the automation mode. */
import type { AutomationMode } from "../../schemas/automation.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import type { EventRecord } from "../state/records.js";
import { type EmulatorContext, scheduleStep } from "../state/state.js";
import { activeBotOf, addBot, cancelBooking, createBot, stepOf } from "./bots.js";

/** Schedules a bot that joins when the event begins. A bot that is already scheduled is kept. */
export function bookBot(context: EmulatorContext, event: EventRecord, automatic: boolean): void {
  const booked = activeBotOf(context, event.id);
  if (booked !== undefined) {
    booked.automatic &&= automatic;
    booked.cancelling = false;
    return;
  }
  const bot = addBot(context, { eventId: event.id, meetingUrl: event.meeting_url, state: "scheduled", automatic });
  if (bot === undefined || context.settings.stepTimes === "manual") return;
  context.clock.schedule(parseTimestamp(event.start_time), stepOf(context, bot, createBot));
}

export function queueCancel(context: EmulatorContext, event: EventRecord): void {
  const bot = activeBotOf(context, event.id);
  if (bot === undefined || bot.cancelling) return;
  bot.cancelling = true;
  // If the user schedules the bot again in the meantime, it stays.
  scheduleStep(context, "cancelMs", () => bot.cancelling && cancelBooking(bot));
}

/** The calendar events that have not begun, in chronological order. */
export function upcomingEvents(context: EmulatorContext): EventRecord[] {
  const now = context.clock.now();
  return [...context.state.events.values()]
    .filter((event) => parseTimestamp(event.start_time) > now)
    .sort((a, b) => parseTimestamp(a.start_time) - parseTimestamp(b.start_time));
}

export const isOver = ({ clock }: EmulatorContext, { end_time }: EventRecord) =>
  parseTimestamp(end_time) <= clock.now();

export const joinsAutomatically = (mode: AutomationMode, event: Pick<EventRecord, "organized">) =>
  mode === "JOIN_ALL_EVENTS" || (mode === "JOIN_AS_HOST" && event.organized);

/** Schedules and cancels the bots of upcoming events to match the mode. Bots that the user scheduled are kept. */
export function applyAutomation(context: EmulatorContext, mode: AutomationMode): void {
  context.state.account.automation = mode;
  for (const event of upcomingEvents(context)) {
    const bot = activeBotOf(context, event.id);
    if (joinsAutomatically(mode, event)) bookBot(context, event, true);
    else if (bot?.automatic === true) cancelBooking(bot);
  }
}
