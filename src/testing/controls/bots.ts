/** `service.bots`: a test looks at bots and moves them on. */
import { EmulatorError } from "../emulator-error.js";
import { admitBot, botOfEvent, botOfMeeting, cancelBot, createBot, leaveCall, refuseBot } from "../lifecycle/bots.js";
import type { BotRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/world.js";

/**
 * A bot goes by the id of its meeting (`mtg_…`, what sending a bot returned) or of its calendar event (`evt_…`). Each step
 * happens at once, and brings those before it with it.
 */
export interface BotControls {
  list(): readonly Readonly<BotRecord>[];
  get(id: string): Readonly<BotRecord> | undefined;
  /** The bot is created: its meeting appears, and can be found from here on. */
  create(id: string): void;
  /** The bot is let into the call. */
  admit(id: string): void;
  /** The call ends, and its recording is processed. */
  leave(id: string): void;
  /** The bot cannot be created: its meeting never appears. */
  refuse(id: string): void;
  /** A queued cancellation is carried out; a bot whose cancellation nobody asked for is cancelled too. */
  cancel(id: string): void;
}

export function botControls(world: EmulatorContext): BotControls {
  const find = (id: string): BotRecord | undefined =>
    id.startsWith("evt_")
      ? (botOfEvent(world, id) ?? world.state.bots.findLast((bot) => bot.eventId === id))
      : botOfMeeting(world, id);

  const step =
    (operation: keyof BotControls, states: readonly BotRecord["state"][], take: (bot: BotRecord) => void) =>
    (id: string): void => {
      const bot = find(id);
      if (bot === undefined) throw new EmulatorError(`bots.${operation}: there is no bot for ${id}`);
      if (!states.includes(bot.state)) {
        throw new EmulatorError(
          `bots.${operation}: the bot for ${id} is ${bot.state}, expected ${states.join(" or ")}`,
        );
      }
      take(bot);
    };

  return {
    list: () => world.state.bots,
    get: find,
    create: step("create", ["scheduling", "scheduled"], (bot) => createBot(world, bot)),
    admit: step("admit", ["scheduling", "scheduled", "joining"], (bot) => admitBot(world, bot)),
    leave: step("leave", ["scheduling", "scheduled", "joining", "in_call"], (bot) => {
      admitBot(world, bot);
      leaveCall(world, bot);
    }),
    refuse: step("refuse", ["scheduling", "scheduled"], refuseBot),
    cancel: step("cancel", ["scheduling", "scheduled"], (bot) => cancelBot(world, bot)),
  };
}
