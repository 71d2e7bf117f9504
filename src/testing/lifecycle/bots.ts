import { conferenceService } from "../../schemas/conference-link.js";
import { newId } from "../state/random.js";
import type { BotRecord, MeetingRecord, TaskStep } from "../state/records.js";
import type { EmulatorContext } from "../state/world.js";
import { callKey } from "./call-key.js";
import { beginProcessing, failMeeting, newMeeting } from "./meetings.js";

const ENDED: ReadonlySet<BotRecord["state"]> = new Set(["finished", "failed", "cancelled", "refused"]);

/** Scheduled for, joining or in a call. */
export const isActive = (bot: BotRecord) => !ENDED.has(bot.state);

/** The bot that a meeting comes from. */
export const botOfMeeting = (world: EmulatorContext, meetingId: string) =>
  world.state.bots.findLast((bot) => bot.meetingId === meetingId);

/** The bot that is scheduled for a calendar event, if any. */
export const botOfEvent = (world: EmulatorContext, eventId: string) =>
  world.state.bots.findLast((bot) => bot.eventId === eventId && isActive(bot));

/** A bot for a link. Where one is on its way to the same call, that one is kept and the id given out leads nowhere. */
export function requestBot(world: EmulatorContext, meetingUrl: string): `mtg_${string}` {
  const meetingId = newId(world.state, "mtg_");
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

export function cancelBot(world: EmulatorContext, bot: BotRecord): void {
  if (bot.state !== "scheduled" && bot.state !== "scheduling") return;
  bot.state = "cancelled";
  bot.cancelling = false;
  for (const step of ["bot.create", "bot.cancel"] as const) world.clock.unschedule(step, bot.meetingId);
  if (bot.eventId !== null) world.clock.unschedule("event.start", bot.eventId);
}

/** The bot is created: from here on its meeting can be found. */
export function createBot(world: EmulatorContext, bot: BotRecord): MeetingRecord {
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
export function admitBot(world: EmulatorContext, bot: BotRecord): void {
  createBot(world, bot);
  if (bot.state !== "joining") return;
  bot.state = "in_call";
  later(world, "callMs", "bot.leave", bot.meetingId);
}

/** The call ends, and what was recorded is processed. */
export function leaveCall(world: EmulatorContext, bot: BotRecord): void {
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
export function failBot(world: EmulatorContext, bot: BotRecord): void {
  const meeting = createBot(world, bot);
  bot.state = "failed";
  failMeeting(world, meeting);
}

/** Schedules a step, unless steps are taken by hand. */
export function later(
  world: EmulatorContext,
  time: "createMs" | "admitMs" | "callMs" | "cancelMs",
  step: TaskStep,
  id: string,
): void {
  if (world.life !== "manual") world.clock.schedule(world.life[time], step, id);
}
