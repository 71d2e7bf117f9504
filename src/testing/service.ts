import * as z from "zod/mini";
import { nonEmptyString } from "../schemas/primitives.js";
import { Account } from "./account.js";
import { checkValue, EmulatorError } from "./emulator-error.js";
import type { PlannedFault } from "./http/fault.js";
import type { RecordedRequest } from "./http/requests.js";
import type { EmulatorSettings } from "./options.js";
import type { Seed } from "./seed/seed.js";
import { InternalClock, type TimeSource } from "./state/clock.js";

const replacementSchema = z.optional(nonEmptyString());

const MAX_KEPT_REQUESTS = 10_000;

const tokenOf = (headers: Headers) => /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";

export class Service {
  readonly accounts: readonly Account[];
  readonly clock: InternalClock;
  faults: PlannedFault[] = [];
  /** Requests with a revoked token are refused. */
  readonly #tokens = new Map<string, { account: Account; isRevoked: boolean }>();
  #log: { request: RecordedRequest; account: Account | undefined }[] = [];

  constructor(
    seeds: readonly (readonly [token: string, seed: Seed | number])[],
    time: TimeSource,
    readonly settings: EmulatorSettings,
  ) {
    this.clock = new InternalClock(time);
    this.accounts = seeds.map(([token, seed], index) => new Account(token, seed, index, this.clock, settings));
    this.reset();
  }

  get first(): Account {
    return this.accounts[0] as Account;
  }

  accountOf(headers: Headers): Account | undefined {
    return this.#isValid(tokenOf(headers)) ? this.ownerOfRequest(headers) : undefined;
  }

  /** The account that has or had the token of the request. */
  ownerOfRequest(headers: Headers): Account | undefined {
    return this.#tokens.get(tokenOf(headers))?.account;
  }

  #isValid(token: string): boolean {
    return this.#tokens.get(token)?.isRevoked === false;
  }

  ownerOf(operation: string, token: string): Account {
    const account = this.#tokens.get(token)?.account;
    if (account === undefined) throw new EmulatorError(`${operation}: no account has this token`);
    return account;
  }

  revokeToken(token: string, replacement: string | undefined): void {
    const account = this.ownerOf("revokeToken", token);
    checkValue("revokeToken: replacement", replacementSchema, replacement);
    if (replacement !== undefined && this.#isValid(replacement)) {
      throw new EmulatorError("revokeToken: the replacement is already the token of an account");
    }
    this.#tokens.set(token, { account, isRevoked: true });
    if (replacement === undefined) return;
    this.#tokens.set(replacement, { account, isRevoked: false });
    account.state.token = replacement;
  }

  record(request: RecordedRequest, account: Account | undefined): void {
    this.#log.push({ request, account });
    if (this.#log.length > MAX_KEPT_REQUESTS) this.#log.shift();
  }

  requestsOf(scope: Account | "all accounts"): readonly RecordedRequest[] {
    return this.#log.flatMap(({ request, account }) =>
      scope === "all accounts" || account === scope ? [request] : [],
    );
  }

  async settled(): Promise<void> {
    const busy = () => this.accounts.filter(({ deliveries }) => deliveries.isBusy);
    for (let accounts = busy(); accounts.length > 0; accounts = busy()) {
      await Promise.all(accounts.map(({ deliveries }) => deliveries.settled()));
    }
  }

  reset(): void {
    this.clock.reset();
    this.faults = [];
    this.#log = [];
    this.#tokens.clear();
    for (const account of this.accounts) {
      account.reset();
      this.#tokens.set(account.state.token, { account, isRevoked: false });
    }
  }
}
