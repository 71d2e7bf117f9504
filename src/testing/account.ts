import type { KnownEventKind } from "../schemas/event.js";
import { DeliveryQueue } from "./deliveries/delivery-queue.js";
import type { EmulatorSettings } from "./options.js";
import { applySeed, copyOf, newWebhook } from "./seed/apply-seed.js";
import { defaultAccount, defaultUser } from "./seed/default-account.js";
import type { Seed } from "./seed/seed.js";
import type { InternalClock } from "./state/clock.js";
import type { MeetingRecord } from "./state/records.js";
import { type EmulatorContext, emptyState, type State } from "./state/state.js";

export const DEFAULT_SEED = 1;

/** The number from which an account's ids are made. Accounts with the same seed have different ids. */
export const seedNumber = (seed: Seed | number, accountIndex = 0): number =>
  ((typeof seed === "number" ? seed : DEFAULT_SEED) + accountIndex * 0x9e3779b9) | 0;

export class Account implements EmulatorContext {
  state: State;
  readonly deliveries: DeliveryQueue;

  constructor(
    private readonly firstToken: string,
    private readonly seed: Seed | number,
    readonly index: number,
    readonly clock: InternalClock,
    readonly settings: EmulatorSettings,
  ) {
    this.state = this.#emptyState();
    this.deliveries = new DeliveryQueue(this);
  }

  emit(kind: KnownEventKind, meeting: MeetingRecord): void {
    this.deliveries.emit(kind, meeting);
  }

  /** Returns to the seed. Deliveries in flight do not change the new state. */
  reset(): void {
    this.deliveries.abandon();
    this.state = this.#emptyState();
    applySeed(this, typeof this.seed === "number" ? this.#defaultAccount(this.seed) : this.seed);
    for (const { token = this.firstToken, ...webhook } of this.settings.webhooks) {
      if (token === this.firstToken) newWebhook(this, copyOf(webhook));
    }
  }

  #defaultAccount(seed: number): Seed {
    const hasExampleIds = seed === DEFAULT_SEED && this.index === 0;
    return defaultAccount(this.clock.now(), this.state, this.settings.titles, hasExampleIds);
  }

  #emptyState(): State {
    return emptyState(seedNumber(this.seed, this.index), this.firstToken, defaultUser(this.index));
  }
}
