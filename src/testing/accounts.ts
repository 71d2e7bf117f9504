/** The accounts of an emulator, and what they have in common: the clock, the settings, and whose each token is. */
import { Account } from "./account.js";
import { EmulatorError } from "./emulator-error.js";
import { runTask } from "./lifecycle/run-task.js";
import type { EmulatorSettings } from "./options.js";
import type { Seed } from "./seed/seed.js";
import { InternalClock, type TimeSource } from "./state/clock.js";
import { type CommonContext, emptyCommonState } from "./state/state.js";

export class Accounts implements CommonContext {
  state = emptyCommonState();
  readonly list: Account[] = [];
  readonly clock: InternalClock;

  constructor(
    seeds: readonly (readonly [token: string, seed: Seed | number])[],
    time: TimeSource,
    readonly settings: EmulatorSettings,
  ) {
    this.clock = new InternalClock(time, this, (task) => runTask(this.list[task.account] as Account, task));
    for (const [token, seed] of seeds) this.list.push(new Account(token, seed, this.list.length, this));
  }

  get first(): Account {
    return this.list[0] as Account;
  }

  withToken(validToken: string): Account | undefined {
    return this.state.tokens.get(validToken)?.isRevoked === false ? this.#owner(validToken) : undefined;
  }

  #owner(token: string): Account | undefined {
    return this.list[this.state.tokens.get(token)?.account ?? -1];
  }

  /** The account that has or had the token. */
  ownerOf(operation: string, token: string): Account {
    const account = this.#owner(token);
    if (account === undefined) throw new EmulatorError(`${operation}: no account has this token`);
    return account;
  }

  revokeToken(token: string, replacement: string | undefined): void {
    const { index, state } = this.ownerOf("revokeToken", token);
    if (replacement !== undefined && this.withToken(replacement) !== undefined) {
      throw new EmulatorError("revokeToken: the replacement is already the token of an account");
    }
    const { tokens } = this.state;
    tokens.set(token, { account: index, isRevoked: true });
    if (replacement === undefined) return;
    tokens.set(replacement, { account: index, isRevoked: false });
    state.token = replacement;
  }

  async settled(): Promise<void> {
    const busy = () => this.list.filter(({ deliveries }) => deliveries.isBusy);
    for (let accounts = busy(); accounts.length > 0; accounts = busy()) {
      await Promise.all(accounts.map(({ deliveries }) => deliveries.settled()));
    }
  }

  /** Returns a function that restores the state of now, any number of times. */
  snapshot(): () => void {
    const save = () => ({ common: this.state, accounts: this.list.map(({ state }) => state) });
    const saved = structuredClone(save());
    return () => {
      // Cloned each time, so that changes after a restore do not affect the snapshot.
      const { common, accounts } = structuredClone(saved);
      this.state = common;
      for (const account of this.list) account.restore(accounts[account.index] as Account["state"]);
      this.clock.setTimer();
    };
  }

  reset(): void {
    this.state = emptyCommonState();
    for (const account of this.list) account.reset();
    this.clock.setTimer();
  }
}
