/** Interface, "States and transitions": the bots of calendar events, booked by the user or by the automation mode. */
import type { AutomationMode } from "../../schemas/automation.js";
import { newId } from "../state/random.js";
import type { EventRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/world.js";
import { botOfEvent, cancelBot, isActive, later } from "./bots.js";
import { callKey } from "./call-key.js";

/** A bot for a calendar event: it joins when the event begins. */
export function scheduleBot(world: EmulatorContext, event: EventRecord, automatic: boolean): void {
  const booked = botOfEvent(world, event.id);
  if (booked !== undefined) {
    if (!automatic) Object.assign(booked, { automatic: false, cancelling: false });
    world.clock.unschedule("bot.cancel", booked.meetingId);
    return;
  }
  const key = callKey(event.meeting_url);
  if (world.state.bots.some((bot) => bot.callKey === key && isActive(bot))) return;
  world.state.bots.push({
    meetingId: newId(world.state, "mtg_"),
    eventId: event.id,
    meetingUrl: event.meeting_url,
    callKey: key,
    state: "scheduled",
    automatic,
    cancelling: false,
  });
  if (world.life !== "manual") world.clock.scheduleAt(Date.parse(event.start_time), "event.start", event.id);
}

/** Cancellation is queued: the bot is cancelled a little later. */
export function queueCancel(world: EmulatorContext, event: EventRecord): void {
  const bot = botOfEvent(world, event.id);
  if (bot === undefined || bot.cancelling) return;
  bot.cancelling = true;
  later(world, "cancelMs", "bot.cancel", bot.meetingId);
}

/** The calendar events that have not begun. */
export function upcomingEvents(world: EmulatorContext): EventRecord[] {
  const now = world.clock.now();
  return [...world.state.events.values()]
    .filter((event) => Date.parse(event.start_time) > now)
    .sort((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
}

const joinsByItself = (mode: AutomationMode, event: EventRecord) =>
  mode === "JOIN_ALL_EVENTS" || (mode === "JOIN_AS_HOST" && event.organized);

/** Schedules and cancels bots of upcoming events, at once, so that they match the mode. What a user booked stays. */
export function applyAutomation(world: EmulatorContext, mode: AutomationMode): void {
  world.state.account.automation = mode;
  for (const event of upcomingEvents(world)) {
    const bot = botOfEvent(world, event.id);
    if (joinsByItself(mode, event)) scheduleBot(world, event, true);
    else if (bot?.automatic === true) cancelBot(world, bot);
  }
}
