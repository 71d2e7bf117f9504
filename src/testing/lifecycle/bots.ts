/** The steps of a bot, from the request for it to the end of its call (API specification, "States and transitions"). */
import { conferenceService } from "../../links/conference-hosts.js";
import { ID_PREFIXES, type MeetingId } from "../../schemas/ids.js";
import { parseTimestamp } from "../../schemas/primitives.js";
import { decoded } from "../http/decoded.js";
import type { StepTimes } from "../options.js";
import { newId } from "../state/random.js";
import type { BotRecord, EventRecord, MeetingRecord } from "../state/records.js";
import { type EmulatorContext, scheduleStep } from "../state/state.js";
import { beginProcessing, failMeeting, newMeeting } from "./meeting-processing.js";

const FINAL_STATES: ReadonlySet<BotRecord["state"]> = new Set(["finished", "failed", "cancelled", "refused"]);

const isActive = (bot: BotRecord) => !FINAL_STATES.has(bot.state);

const isOf = (bot: BotRecord, id: string) => bot.meetingId === id || bot.eventId === id;

export const activeBotOf = ({ state }: EmulatorContext, id: string) =>
  state.bots.findLast((bot) => isOf(bot, id) && isActive(bot));

/** The bot of a meeting or a calendar event: the active one, otherwise the last one. */
export const botOf = (context: EmulatorContext, id: string) =>
  activeBotOf(context, id) ?? context.state.bots.findLast((bot) => isOf(bot, id));

/** Adds a bot, unless another one is active for the same call. Returns the new bot. */
export function addBot(
  context: EmulatorContext,
  fields: Pick<BotRecord, "eventId" | "meetingUrl" | "state" | "automatic"> & { meetingId?: MeetingId },
): BotRecord | undefined {
  const { bots } = context.state;
  if (bots.some((bot) => isActive(bot) && isSameCall(context, bot, fields))) return undefined;
  const meetingId = fields.meetingId ?? newId(context.state, ID_PREFIXES.meetingId);
  const bot: BotRecord = { ...fields, meetingId, cancelling: false };
  bots.push(bot);
  return bot;
}

type BookedCall = Pick<BotRecord, "eventId" | "meetingUrl">;

/** Events of a series have one link. Their calls are one call only if their times overlap. */
function isSameCall({ state: { events } }: EmulatorContext, a: BookedCall, b: BookedCall): boolean {
  if (callKey(a.meetingUrl) !== callKey(b.meetingUrl)) return false;
  const [one, other] = [events.get(a.eventId ?? ""), events.get(b.eventId ?? "")];
  return one === undefined || other === undefined || (endsAfterStart(one, other) && endsAfterStart(other, one));
}

const endsAfterStart = (one: EventRecord, other: EventRecord) =>
  parseTimestamp(one.end_time) > parseTimestamp(other.start_time);

/** Sends a bot to a link. If another bot is active for this call, the returned id never resolves to a meeting. */
export function requestBot(context: EmulatorContext, meetingUrl: string): MeetingId {
  const meetingId = newId(context.state, ID_PREFIXES.meetingId);
  const bot = addBot(context, { meetingId, eventId: null, meetingUrl, state: "scheduling", automatic: false });
  if (bot !== undefined) scheduleBotStep(context, "createMs", bot, createBot);
  return meetingId;
}

type BotStep = (context: EmulatorContext, bot: BotRecord) => unknown;

/** A bot that has ended by then takes no step. */
export const stepOf = (context: EmulatorContext, bot: BotRecord, step: BotStep) => () =>
  isActive(bot) && step(context, bot);

const scheduleBotStep = (context: EmulatorContext, time: keyof StepTimes, bot: BotRecord, step: BotStep) =>
  scheduleStep(context, time, stepOf(context, bot, step));

export function cancelBooking(bot: BotRecord): void {
  bot.cancelling = false;
  if (bot.state === "scheduled" || bot.state === "scheduling") bot.state = "cancelled";
}

/** Creates the bot and its meeting, unless the bot was created before. Returns the meeting. */
export function createBot(context: EmulatorContext, bot: BotRecord): MeetingRecord {
  const existing = context.state.meetings.get(bot.meetingId);
  if (existing !== undefined) return existing;
  bot.state = "joining";
  const event = bot.eventId === null ? undefined : context.state.events.get(bot.eventId);
  const meeting = newMeeting(context, {
    id: bot.meetingId,
    status: "scheduled",
    source: conferenceService(bot.meetingUrl) ?? "zoom",
    title: event?.title ?? null,
  });
  scheduleBotStep(context, "admitMs", bot, admitBot);
  return meeting;
}

export function admitBot(context: EmulatorContext, bot: BotRecord): void {
  createBot(context, bot);
  if (bot.state !== "joining") return;
  bot.state = "in_call";
  scheduleBotStep(context, "callMs", bot, leaveCall);
}

/** Ends the call, which the bot has joined at the latest now, and starts to process its recording. */
export function leaveCall(context: EmulatorContext, bot: BotRecord): void {
  admitBot(context, bot);
  if (bot.state !== "in_call") return;
  bot.state = "finished";
  const meeting = createBot(context, bot);
  const start = parseTimestamp(meeting.start_time);
  meeting.duration = Math.round((context.clock.now() - start) / 1000);
  meeting.end_time = context.clock.timestamp();
  beginProcessing(context, meeting);
}

export function refuseBot(bot: BotRecord): void {
  bot.state = "refused";
}

export function failBot(context: EmulatorContext, bot: BotRecord): void {
  const meeting = createBot(context, bot);
  bot.state = "failed";
  failMeeting(meeting);
}

/** A key that is the same for all join links of one call, with or without a password. */
function callKey(link: string): string {
  const { hostname, pathname, searchParams } = new URL(link);
  const path = decoded(pathname).replace(/\/+$/, "");
  // On every host of Zoom, the same number opens the same call. In a Webex link, the query may name the call.
  if (conferenceService(link) === "zoom") return `zoom:${/\/(\d{6,})/.exec(path)?.[1] ?? path}`;
  return `${hostname}${path}:${searchParams.get("MTID") ?? ""}`;
}
