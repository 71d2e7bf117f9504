import { EmulatorError } from "../emulator-error.js";
import { admitBot, botOf, cancelBooking, createBot, leaveCall, refuseBot } from "../lifecycle/bots.js";
import type { BotRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/state.js";

/** Bots, by the id of their meeting or event. A step happens at once, after the earlier ones that are missing. */
export interface BotControls {
  /** Every bot, the oldest first. */
  list(): readonly Readonly<BotRecord>[];
  /** One bot; `undefined` if there is none. */
  get(id: string): Readonly<BotRecord> | undefined;
  /** Creates the bot. Its meeting appears, and can be found from now on. */
  create(id: string): void;
  /** Admits the bot to the call. */
  admit(id: string): void;
  /** Ends the call. Its recording is processed. */
  leave(id: string): void;
  /** Makes the creation of the bot fail. Its meeting never appears. */
  refuse(id: string): void;
  /** Cancels the bot at once. */
  cancel(id: string): void;
}

export function botControls(context: EmulatorContext): BotControls {
  const step =
    (operation: keyof BotControls, states: readonly BotRecord["state"][], take: (bot: BotRecord) => void) =>
    (id: string): void => {
      const bot = botOf(context, id);
      if (bot === undefined) throw new EmulatorError(`bots.${operation}: there is no bot for ${id}`);
      if (!states.includes(bot.state)) {
        throw new EmulatorError(
          `bots.${operation}: the bot for ${id} is ${bot.state}, expected ${states.join(" or ")}`,
        );
      }
      take(bot);
    };

  return {
    list: () => context.state.bots,
    get: (id) => botOf(context, id),
    create: step("create", ["scheduling", "scheduled"], (bot) => createBot(context, bot)),
    admit: step("admit", ["scheduling", "scheduled", "joining"], (bot) => admitBot(context, bot)),
    leave: step("leave", ["scheduling", "scheduled", "joining", "in_call"], (bot) => leaveCall(context, bot)),
    refuse: step("refuse", ["scheduling", "scheduled"], refuseBot),
    cancel: step("cancel", ["scheduling", "scheduled"], cancelBooking),
  };
}
