/** Runs a task of the clock that is due. A task that no longer applies does nothing. */

import type { Task, TaskStep } from "../state/clock.js";
import type { BotRecord, MeetingRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/state.js";
import { activeBotOf, admitBot, cancelBot, createBot, leaveCall } from "./bots.js";
import { summarise, transcribe } from "./meeting-processing.js";

type Run = (context: EmulatorContext, subject: string) => void;

const onBot =
  (take: (context: EmulatorContext, bot: BotRecord) => unknown): Run =>
  (context, subject) => {
    const bot = activeBotOf(context, subject);
    if (bot !== undefined) take(context, bot);
  };

const onMeeting =
  (take: (context: EmulatorContext, meeting: MeetingRecord) => void): Run =>
  (context, subject) => {
    const meeting = context.state.meetings.get(subject);
    if (meeting !== undefined) take(context, meeting);
  };

const RUN: Readonly<Record<TaskStep, Run>> = {
  "event.start": onBot(createBot),
  "bot.create": onBot(createBot),
  "bot.admit": onBot(admitBot),
  "bot.leave": onBot(leaveCall),
  "bot.cancel": onBot(cancelBot),
  "meeting.transcribe": onMeeting(transcribe),
  "meeting.summarise": onMeeting(summarise),
  "delivery.retry": ({ events }) => events.deliverDue(),
};

export const runTask = (context: EmulatorContext, { step, subject }: Task): void => RUN[step](context, subject);
