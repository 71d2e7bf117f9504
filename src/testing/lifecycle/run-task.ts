/** Takes a step that the clock kept. A step that has become pointless in the meantime does nothing. */
import type { Task } from "../state/records.js";
import type { EmulatorContext } from "../state/world.js";
import { admitBot, botOfEvent, botOfMeeting, cancelBot, createBot, leaveCall } from "./bots.js";
import { summarise, transcribe } from "./meetings.js";

export function runTask(world: EmulatorContext, { step, subject }: Task): void {
  if (step === "delivery.retry") {
    world.deliverDue();
    return;
  }
  if (step === "meeting.transcribe" || step === "meeting.summarise") {
    const meeting = world.state.meetings.get(subject);
    if (meeting !== undefined) (step === "meeting.transcribe" ? transcribe : summarise)(world, meeting);
    return;
  }
  const bot = step === "event.start" ? botOfEvent(world, subject) : botOfMeeting(world, subject);
  if (bot === undefined) return;
  switch (step) {
    case "event.start":
    case "bot.create":
      if (bot.state === "scheduling" || bot.state === "scheduled") createBot(world, bot);
      break;
    case "bot.admit":
      if (bot.state === "joining") admitBot(world, bot);
      break;
    case "bot.leave":
      leaveCall(world, bot);
      break;
    case "bot.cancel":
      cancelBot(world, bot);
      break;
  }
}
