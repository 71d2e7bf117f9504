/** The emulated service: its accounts, and what they have in common. */
import * as z from "zod/mini";
import { nonEmptyString } from "../schemas/primitives.js";
import { Account } from "./account.js";
import { checkValue, EmulatorError } from "./emulator-error.js";
import { type RecordedRequest, RequestLog } from "./http/requests.js";
import { runTask } from "./lifecycle/run-task.js";
import type { EmulatorSettings } from "./options.js";
import type { Seed } from "./seed/seed.js";
import { InternalClock, type TimeSource } from "./state/clock.js";
import { type CommonContext, emptyCommonState, type State } from "./state/state.js";

/** The saved state of an emulator, which only this emulator can restore. */
export interface Snapshot {
  /** The emulator's time when the snapshot was taken, in milliseconds since 1970. */
  readonly takenAt: number;
}

const replacementSchema = z.optional(nonEmptyString());

export class Service implements CommonContext {
  state = emptyCommonState();
  readonly accounts: Account[] = [];
  readonly clock: InternalClock;
  readonly #log = new RequestLog();
  readonly #accountOf = new WeakMap<RecordedRequest, Account>();
  readonly #snapshots = new WeakMap<Snapshot, () => void>();

  constructor(
    seeds: readonly (readonly [token: string, seed: Seed | number])[],
    time: TimeSource,
    readonly settings: EmulatorSettings,
  ) {
    this.clock = new InternalClock(time, this, (task) => runTask(this.accounts[task.account] as Account, task));
    for (const [token, seed] of seeds) this.accounts.push(new Account(token, seed, this.accounts.length, this));
  }

  /** The newest requests, the oldest first. */
  get requests(): readonly RecordedRequest[] {
    return this.#log.requests;
  }

  get first(): Account {
    return this.accounts[0] as Account;
  }

  /** The account whose valid token the request has. */
  accountOf(headers: Headers): Account | undefined {
    const token = /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
    return this.#isValid(token) ? this.#owner(token) : undefined;
  }

  #isValid(token: string): boolean {
    return this.state.tokens.get(token)?.isRevoked === false;
  }

  #owner(token: string): Account | undefined {
    return this.accounts[this.state.tokens.get(token)?.account ?? -1];
  }

  /** The account that has or had the token. */
  ownerOf(operation: string, token: string): Account {
    const account = this.#owner(token);
    if (account === undefined) throw new EmulatorError(`${operation}: no account has this token`);
    return account;
  }

  revokeToken(token: string, replacement: string | undefined): void {
    const { index, state } = this.ownerOf("revokeToken", token);
    checkValue("revokeToken: replacement", replacementSchema, replacement);
    if (replacement !== undefined && this.#isValid(replacement)) {
      throw new EmulatorError("revokeToken: the replacement is already the token of an account");
    }
    const { tokens } = this.state;
    tokens.set(token, { account: index, isRevoked: true });
    if (replacement === undefined) return;
    tokens.set(replacement, { account: index, isRevoked: false });
    state.token = replacement;
  }

  record(request: RecordedRequest, account: Account | undefined): void {
    this.#log.add(request);
    if (account !== undefined) this.#accountOf.set(request, account);
  }

  requestsOf(scope: Account | "all accounts"): readonly RecordedRequest[] {
    if (scope === "all accounts") return this.requests;
    return this.requests.filter((request) => this.#accountOf.get(request) === scope);
  }

  async settled(): Promise<void> {
    const busy = () => this.accounts.filter(({ deliveries }) => deliveries.isBusy);
    for (let accounts = busy(); accounts.length > 0; accounts = busy()) {
      await Promise.all(accounts.map(({ deliveries }) => deliveries.settled()));
    }
  }

  snapshot(): Snapshot {
    const snapshot = Object.freeze({ takenAt: this.clock.now() });
    const saved = structuredClone({ common: this.state, states: this.accounts.map(({ state }) => state) });
    const requests = [...this.requests];
    this.#snapshots.set(snapshot, () => {
      // Cloned each time, so that changes after a restore do not affect the snapshot.
      const { common, states } = structuredClone(saved);
      this.state = common;
      for (const account of this.accounts) account.restore(states[account.index] as State);
      this.#log.replace(requests);
      this.clock.setTimer();
    });
    return snapshot;
  }

  restore(snapshot: Snapshot): void {
    const restore = this.#snapshots.get(snapshot);
    if (restore === undefined) throw new EmulatorError("restore: expected a snapshot that this emulator has taken");
    restore();
  }

  reset(): void {
    this.state = emptyCommonState();
    for (const account of this.accounts) account.reset();
    this.#log.replace([]);
    this.clock.setTimer();
  }
}
