/** Runs a task of the clock that is due. A task that no longer applies does nothing. */
import type { Task, TaskStep } from "../state/clock.js";
import type { BotRecord, MeetingRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/state.js";
import { activeBotOf, admitBot, cancelBooking, createBot, leaveCall } from "./bots.js";
import { summarise, transcribe } from "./meeting-processing.js";

type TaskRunner<R> = (context: EmulatorContext, record: R) => unknown;

const ofBot = (take: TaskRunner<BotRecord>) => (context: EmulatorContext, id: string) => {
  const bot = activeBotOf(context, id);
  return bot && take(context, bot);
};

const ofMeeting = (take: TaskRunner<MeetingRecord>) => (context: EmulatorContext, id: string) => {
  const meeting = context.state.meetings.get(id);
  return meeting && take(context, meeting);
};

const STEPS: Readonly<Record<TaskStep, TaskRunner<string>>> = {
  "event.start": ofBot(createBot),
  "bot.create": ofBot(createBot),
  "bot.admit": ofBot(admitBot),
  "bot.leave": ofBot(leaveCall),
  "bot.cancel": ofBot((_, bot) => cancelBooking(bot)),
  "meeting.transcribe": ofMeeting(transcribe),
  "meeting.summarise": ofMeeting(summarise),
  "lag.end": ({ state }, key) => state.hidden.delete(key),
  "delivery.due": ({ deliveries }, id) => deliveries.deliver(id),
};

export const runTask = (context: EmulatorContext, { step, subject }: Task) => STEPS[step](context, subject);
