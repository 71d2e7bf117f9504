/** Interface, "States and transitions": what becomes of a bot from the request for it to the end of its call. */
import type { AutomationMode } from "../schemas/automation.js";
import { conferenceService } from "../schemas/conference-link.js";
import { callKey } from "./call-key.js";
import type { TaskStep } from "./clock.js";
import { beginProcessing, failMeeting, newMeeting } from "./life-of-meetings.js";
import { mintId } from "./random.js";
import type { BotRecord, EventRecord, MeetingRecord } from "./state.js";
import type { World } from "./world.js";

const ENDED: ReadonlySet<BotRecord["state"]> = new Set(["finished", "failed", "cancelled", "refused"]);

/** Scheduled for, joining or in a call. */
export const isActive = (bot: BotRecord) => !ENDED.has(bot.state);

/** The bot that a meeting comes from. */
export const botOfMeeting = (world: World, meetingId: string) =>
  world.state.bots.findLast((bot) => bot.meetingId === meetingId);

/** The bot that is scheduled for a calendar event, if any. */
export const botOfEvent = (world: World, eventId: string) =>
  world.state.bots.findLast((bot) => bot.eventId === eventId && isActive(bot));

/** A bot for a link. Where one is on its way to the same call, that one is kept and the id given out leads nowhere. */
export function requestBot(world: World, meetingUrl: string): `mtg_${string}` {
  const meetingId = mintId(world.state, "mtg_");
  const key = callKey(meetingUrl);
  if (world.state.bots.some((bot) => bot.callKey === key && isActive(bot))) return meetingId;
  world.state.bots.push({
    meetingId,
    eventId: null,
    meetingUrl,
    callKey: key,
    state: "scheduling",
    automatic: false,
    cancelling: false,
  });
  later(world, "createMs", "bot.create", meetingId);
  return meetingId;
}

/** A bot for a calendar event: it joins when the event begins. */
export function scheduleBot(world: World, event: EventRecord, automatic: boolean): void {
  const booked = botOfEvent(world, event.id);
  if (booked !== undefined) {
    if (!automatic) Object.assign(booked, { automatic: false, cancelling: false });
    world.clock.unschedule("bot.cancel", booked.meetingId);
    return;
  }
  const key = callKey(event.meeting_url);
  if (world.state.bots.some((bot) => bot.callKey === key && isActive(bot))) return;
  world.state.bots.push({
    meetingId: mintId(world.state, "mtg_"),
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
export function queueCancel(world: World, event: EventRecord): void {
  const bot = botOfEvent(world, event.id);
  if (bot === undefined || bot.cancelling) return;
  bot.cancelling = true;
  later(world, "cancelMs", "bot.cancel", bot.meetingId);
}

export function cancelBot(world: World, bot: BotRecord): void {
  if (bot.state !== "scheduled" && bot.state !== "scheduling") return;
  bot.state = "cancelled";
  bot.cancelling = false;
  for (const step of ["bot.create", "bot.cancel"] as const) world.clock.unschedule(step, bot.meetingId);
  if (bot.eventId !== null) world.clock.unschedule("event.start", bot.eventId);
}

/** The calendar events that have not begun. */
export function upcomingEvents(world: World): EventRecord[] {
  const now = world.clock.now();
  return [...world.state.events.values()]
    .filter((event) => Date.parse(event.start_time) > now)
    .sort((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
}

const joinsByItself = (mode: AutomationMode, event: EventRecord) =>
  mode === "JOIN_ALL_EVENTS" || (mode === "JOIN_AS_HOST" && event.organized);

/** Schedules and cancels bots of upcoming events, at once, so that they match the mode. What a user booked stays. */
export function applyAutomation(world: World, mode: AutomationMode): void {
  world.state.account.automation = mode;
  for (const event of upcomingEvents(world)) {
    const bot = botOfEvent(world, event.id);
    if (joinsByItself(mode, event)) scheduleBot(world, event, true);
    else if (bot?.automatic === true) cancelBot(world, bot);
  }
}

/** The bot is created: from here on its meeting can be found. */
export function createBot(world: World, bot: BotRecord): MeetingRecord {
  const found = world.state.meetings.get(bot.meetingId);
  if (found !== undefined) return found;
  bot.state = "joining";
  const event = bot.eventId === null ? undefined : world.state.events.get(bot.eventId);
  const meeting = newMeeting(world, {
    id: bot.meetingId,
    status: "scheduled",
    source: conferenceService(bot.meetingUrl) ?? "zoom",
    title: event?.title ?? null,
  });
  later(world, "admitMs", "bot.admit", bot.meetingId);
  return meeting;
}

/** The bot is let into the call. */
export function admitBot(world: World, bot: BotRecord): void {
  createBot(world, bot);
  if (bot.state !== "joining") return;
  bot.state = "in_call";
  later(world, "callMs", "bot.leave", bot.meetingId);
}

/** The call ends, and what was recorded is processed. */
export function leaveCall(world: World, bot: BotRecord): void {
  if (bot.state !== "in_call") return;
  bot.state = "finished";
  const meeting = createBot(world, bot);
  const start = Date.parse(meeting.start_time);
  meeting.duration = Math.round((world.clock.now() - start) / 1000);
  meeting.end_time = world.clock.timestamp();
  beginProcessing(world, meeting);
}

/** The bot cannot be created: its meeting never appears. */
export function refuseBot(bot: BotRecord): void {
  bot.state = "refused";
}

/** The bot fails, and its meeting with it. */
export function failBot(world: World, bot: BotRecord): void {
  const meeting = createBot(world, bot);
  bot.state = "failed";
  failMeeting(world, meeting);
}

function later(world: World, time: "createMs" | "admitMs" | "callMs" | "cancelMs", step: TaskStep, id: string): void {
  if (world.life !== "manual") world.clock.schedule(world.life[time], step, id);
}
