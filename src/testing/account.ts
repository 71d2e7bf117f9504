import { DeliveryQueue } from "./deliveries/delivery-queue.js";
import { runTask } from "./lifecycle/run-task.js";
import type { EmulatorSettings } from "./options.js";
import { applySeed, copyOf, newWebhook } from "./seed/apply-seed.js";
import { defaultAccount, defaultUser } from "./seed/default-account.js";
import type { Seed } from "./seed/seed.js";
import { InternalClock, type TimeSource } from "./state/clock.js";
import { type EmulatorContext, emptyState, type State } from "./state/state.js";

export interface SharedByAccounts {
  time: TimeSource;
  settings: EmulatorSettings;
  accounts: readonly Account[];
}

export const DEFAULT_SEED = 1;

/** The number from which an account's ids are made. Accounts with the same seed have different ids. */
export function seedNumber(seed: Seed | number, accountIndex = 0): number {
  const number = typeof seed === "number" ? seed : (seed.random ?? DEFAULT_SEED);
  return accountIndex === 0 ? number : (number + accountIndex * 0x9e3779b9) | 0;
}

export class Account implements EmulatorContext {
  state: State;
  readonly clock: InternalClock;
  readonly deliveries: DeliveryQueue;
  readonly settings: EmulatorSettings;
  readonly accounts: readonly Account[];

  constructor(
    private readonly firstToken: string,
    private readonly seed: Seed | number,
    private readonly index: number,
    { time, settings, accounts }: SharedByAccounts,
  ) {
    this.state = this.#emptyState();
    this.settings = settings;
    this.accounts = accounts;
    this.clock = new InternalClock(time, this, (task) => runTask(this, task));
    this.deliveries = new DeliveryQueue(this);
    this.reset();
  }

  /** Replaces the state. Deliveries in flight do not change the new state. */
  restore(state: State): void {
    this.deliveries.abandon();
    this.state = state;
    this.clock.setTimer();
  }

  reset(): void {
    this.deliveries.abandon();
    this.deliveries.handler = undefined;
    this.state = this.#emptyState();
    applySeed(this, typeof this.seed === "number" ? this.#defaultAccount(this.seed) : this.seed);
    for (const webhook of this.settings.webhooks) newWebhook(this, copyOf(webhook));
  }

  /** The account's valid token, or its last one if none is valid. */
  get token(): string {
    const { tokens } = this.state;
    return (tokens.findLast(({ revoked }) => !revoked) ?? tokens.at(-1))?.value ?? "";
  }

  #defaultAccount(seed: number): Seed {
    const hasExampleIds = seed === DEFAULT_SEED && this.index === 0;
    return defaultAccount(this.clock.now(), this.state, this.settings.titles, hasExampleIds);
  }

  #emptyState(): State {
    return emptyState(seedNumber(this.seed, this.index), this.firstToken, defaultUser(this.index));
  }
}
