/** Runs a task of the clock that is due. A task that no longer applies does nothing. */
import type { EmulatorContext } from "../state/context.js";
import type { BotRecord } from "../state/records.js";
import type { Task } from "../state/state.js";
import { admitBot, botOfEvent, botOfMeeting, cancelBot, createBot, leaveCall } from "./bots.js";
import { summarise, transcribe } from "./meetings.js";

export function runTask(context: EmulatorContext, { step, subject }: Task): void {
  switch (step) {
    case "delivery.retry":
      context.events.deliverDue();
      return;
    case "meeting.transcribe":
    case "meeting.summarise": {
      const meeting = context.state.meetings.get(subject);
      if (meeting === undefined) return;
      if (step === "meeting.transcribe") transcribe(context, meeting);
      else summarise(context, meeting);
      return;
    }
    default: {
      const bot = step === "event.start" ? botOfEvent(context, subject) : botOfMeeting(context, subject);
      if (bot !== undefined) moveBot(context, bot, step);
    }
  }
}

type BotStep = Extract<Task["step"], `bot.${string}` | "event.start">;

function moveBot(context: EmulatorContext, bot: BotRecord, step: BotStep): void {
  switch (step) {
    case "event.start":
    case "bot.create":
      if (bot.state === "scheduling" || bot.state === "scheduled") createBot(context, bot);
      break;
    case "bot.admit":
      if (bot.state === "joining") admitBot(context, bot);
      break;
    case "bot.leave":
      leaveCall(context, bot);
      break;
    case "bot.cancel":
      cancelBot(context, bot);
      break;
  }
}
