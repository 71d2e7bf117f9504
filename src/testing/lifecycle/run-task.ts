/** Runs a task of the clock that is due. A task that no longer applies does nothing. */

import type { Task, TaskStep } from "../state/clock.js";
import type { BotRecord, MeetingRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/state.js";
import { activeBotOf, admitBot, cancelBot, createBot, leaveCall } from "./bots.js";
import { summarise, transcribe } from "./meeting-processing.js";

type Steps<R> = { readonly [S in TaskStep]?: (context: EmulatorContext, record: R) => unknown };

const BOT_STEPS: Steps<BotRecord> = {
  "event.start": createBot,
  "bot.create": createBot,
  "bot.admit": admitBot,
  "bot.leave": leaveCall,
  "bot.cancel": (_, bot) => cancelBot(bot),
};

const MEETING_STEPS: Steps<MeetingRecord> = { "meeting.transcribe": transcribe, "meeting.summarise": summarise };

export function runTask(context: EmulatorContext, { step, subject }: Task): void {
  if (step === "delivery.due") context.deliveries.deliverDue();
  if (step === "lag.end") context.state.hidden.delete(subject);
  const bot = activeBotOf(context, subject);
  if (bot !== undefined) BOT_STEPS[step]?.(context, bot);
  const meeting = context.state.meetings.get(subject);
  if (meeting !== undefined) MEETING_STEPS[step]?.(context, meeting);
}
