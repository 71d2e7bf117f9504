import { documentTitles, wireNames } from "../assumptions.js";
import { Account, DEFAULT_SEED, seedNumber } from "./account.js";
import { emulatedFetch } from "./adapters/fetch.js";
import { type Listening, type ListenOptions, listen } from "./adapters/http-server.js";
import { mswHandlers } from "./adapters/msw.js";
import { type AccountControls, clockControls, stateControls } from "./controls/account.js";
import { isControl, respondToControl } from "./controls/control-endpoints.js";
import { FaultQueue, faultControls } from "./controls/faults.js";
import { type Snapshot, Snapshots } from "./controls/snapshots.js";
import { EmulatorError, mistakesError } from "./emulator-error.js";
import { toResponse } from "./http/exchange.js";
import { baseUrlOf, type EmulatorOptions, optionMistakes } from "./options.js";
import { seedMistakes } from "./seed/check-seed.js";
import type { Seed } from "./seed/seed.js";
import { Service } from "./service.js";
import type { TimeSource } from "./state/clock.js";
import type { EmulatorSettings } from "./state/context.js";
import { randomHex } from "./state/random.js";
import { lifeTimes, resolveDialect, supportedNames } from "./state/settings.js";

/**
 * The emulated service. Its own controls are those of its account. If it has several accounts, they are those of the
 * first.
 */
export interface Emulator extends AccountControls {
  /** The requests of all accounts, and the requests without a valid token. */
  readonly requests: AccountControls["requests"];
  /** Simulated failures of requests to any account. */
  readonly faults: AccountControls["faults"];
  /**
   * Request handlers for msw: `setupServer(...service.handlers())`, or `setupWorker` in a browser. They respond to
   * requests to `baseUrl` and to the storage from which recordings are downloaded. msw itself is not loaded.
   */
  // biome-ignore lint/suspicious/noExplicitAny: msw's own type would be an error in every project without msw.
  handlers(): any[];
  /** Serves the same accounts over HTTP on this machine (Node, Bun, Deno). */
  listen(options?: ListenOptions): Promise<Listening>;
  /** The controls of the account with this token, even if the token was revoked. */
  as(token: string): AccountControls;
  /** Refuses the token with 401 from now on. `replacement` is the new token of the account. */
  revokeToken(token: string, replacement?: string): void;
  /** Saves the state of all accounts, to restore it later. */
  snapshot(): Snapshot;
  /** Returns to a snapshot of this emulator, any number of times. */
  restore(snapshot: Snapshot): void;
  /**
   * Returns to the start: the seeds, the time and the tokens of the start, no requests and no planned failures.
   * Deliveries are sent to their URLs again.
   */
  reset(): void;
}

const START = Date.UTC(2025, 5, 2, 9);
const BASE_URL = "https://api.notetaker.test/v1";
/** Recordings are on another host than the service, like those of the real service. */
const STORAGE_URL = "https://storage.notetaker.test/recordings";
const TOKEN_SALT = 0x746f6b;

/**
 * Creates an emulator: the service in memory, stateful, deterministic, and strict about the requests that it receives.
 *
 * @throws {EmulatorError} {@link EmulatorError} for an unknown or invalid option or an invalid seed; lists every
 * mistake with its path.
 * @example
 * const service = createEmulator();
 * const notetaker = new Notetaker(service.clientOptions);
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  checkOptions(options);
  return new Emulation(options).controls();
}

function checkOptions(options: EmulatorOptions): void {
  const mistakes = optionMistakes(options);
  if (mistakes.length > 0) throw mistakesError("createEmulator", mistakes);
  const seeds = [
    ["seed", options.seed],
    ...Object.entries(options.accounts ?? {}).map(([token, seed]) => [`accounts[${JSON.stringify(token)}]`, seed]),
  ] as const;
  for (const [path, seed] of seeds) {
    const seedErrors = typeof seed === "object" ? seedMistakes(seed) : [];
    if (seedErrors.length > 0) throw mistakesError(`createEmulator: ${path}`, seedErrors);
  }
}

function settingsOf({ strict = true, limits = "specified", life = {}, assumptions, dialect = {} }: EmulatorOptions) {
  const settings: EmulatorSettings = {
    strict,
    limits,
    life: life === "manual" ? life : lifeTimes(life),
    names: supportedNames(wireNames(assumptions), dialect.ignoredParameters),
    titles: documentTitles(assumptions),
    dialect: resolveDialect(dialect, strict),
  };
  return settings;
}

function timeSourceOf(options: EmulatorOptions): TimeSource {
  const [, seed] = seedsOf(options)[0] ?? [];
  const seedNow = typeof seed === "object" ? seed.now : undefined;
  const { now = seedNow ?? START, speed = 1 } = options;
  if (typeof now !== "function") return { now: new Date(now).getTime(), speed };
  if (speed === 1) return { now: () => Number(now()), speed };
  const start = Number(now());
  return { now: () => start + (Number(now()) - start) * speed, speed };
}

/** The seed of each token. */
function seedsOf({ accounts, seed = DEFAULT_SEED, token }: EmulatorOptions): [token: string, seed: Seed | number][] {
  if (accounts !== undefined) return Object.entries(accounts);
  return [[token ?? randomHex({ random: seedNumber(seed) ^ TOKEN_SALT }, 64), seed]];
}

/** Connects the parts of an emulator. */
class Emulation {
  readonly #baseUrl: string;
  readonly #basePath: string;
  readonly #accounts: [Account, ...Account[]];
  /** The token of each account at the start. */
  readonly #firstTokens: ReadonlyMap<string, Account>;
  readonly #tokens: Map<string, Account>;
  /** Every valid or revoked token, with its account. */
  readonly #knownTokens: Map<string, Account>;
  readonly #faults = new FaultQueue();
  readonly #snapshots = new Snapshots();
  readonly #service: Service;

  constructor(options: EmulatorOptions) {
    this.#baseUrl = baseUrlOf(options.baseUrl ?? BASE_URL) ?? BASE_URL;
    this.#basePath = new URL(this.#baseUrl).pathname;
    const settings = settingsOf(options);
    const { allowDeliveryTo, onRequest } = options;
    const accounts: Account[] = [];
    const shared = { time: timeSourceOf(options), settings, allowDeliveryTo, accounts };
    this.#firstTokens = new Map(seedsOf(options).map(([token, seed]) => [token, new Account(seed, shared)]));
    this.#tokens = new Map(this.#firstTokens);
    this.#knownTokens = new Map(this.#firstTokens);
    this.#accounts = accounts as [Account, ...Account[]];
    this.#service = new Service({
      settings,
      basePath: this.#basePath,
      accounts: this.#accounts,
      tokens: this.#tokens,
      faults: this.#faults,
      onRequest,
    });
  }

  controls(): Emulator {
    const [first] = this.#accounts;
    const handle = (request: Request) => this.#service.handle(request, STORAGE_URL);
    const ofAllAccounts: Omit<Emulator, Exclude<keyof AccountControls, "requests" | "faults">> = {
      requests: this.#service.log.requests,
      faults: faultControls(this.#faults),
      handlers: () => mswHandlers(handle, [this.#baseUrl, STORAGE_URL]),
      listen: (options = {}) =>
        listen(options, this.#basePath, (request, storageUrl, control) =>
          control && isControl(request) ? this.#control(request) : this.#service.handle(request, storageUrl),
        ),
      as: (token) => this.#controlsOf(this.#knownAccount("as", token)),
      revokeToken: (token, replacement) => this.#revokeToken(token, replacement),
      snapshot: () => this.#snapshot(),
      restore: (snapshot) => this.#restore(snapshot),
      reset: () => this.#reset(),
    };
    // Spread syntax would read the getters once.
    return Object.defineProperties(
      this.#controlsOf(first),
      Object.getOwnPropertyDescriptors(ofAllAccounts),
    ) as Emulator;
  }

  #controlsOf(account: Account): AccountControls {
    const emulation = this;
    const service = this.#service;
    const settled = async () => {
      await Promise.all(this.#accounts.map(({ events }) => events.settled()));
    };
    const fetch = emulatedFetch((request) => service.handle(request, STORAGE_URL));
    return {
      baseUrl: this.#baseUrl,
      get token() {
        return emulation.#tokenOf(account);
      },
      get clientOptions() {
        return { baseUrl: this.baseUrl, token: this.token, fetch };
      },
      fetch,
      get requests() {
        return service.requestsOf(account);
      },
      get account() {
        return account.state.account;
      },
      clock: clockControls(this.#accounts, settled),
      faults: faultControls(account.faults),
      ...stateControls(account),
    };
  }

  async #control(request: Request): Promise<Response> {
    for (const { clock } of this.#accounts) clock.catchUp();
    const account = this.#service.accountOf(request.headers);
    const target = account && { account: this.#controlsOf(account), reset: () => this.#reset() };
    return toResponse(await respondToControl(request, target), false, request.signal);
  }

  /** The account's valid token, or its last one if none is valid. */
  #tokenOf(account: Account): string {
    const last = (tokens: ReadonlyMap<string, Account>) =>
      [...tokens].findLast(([, tokenAccount]) => tokenAccount === account)?.[0];
    return last(this.#tokens) ?? last(this.#knownTokens) ?? "";
  }

  #knownAccount(operation: string, token: string): Account {
    const account = this.#knownTokens.get(token);
    if (account === undefined) throw new EmulatorError(`${operation}: no account has this token`);
    return account;
  }

  #revokeToken(token: string, replacement: string | undefined): void {
    const account = this.#knownAccount("revokeToken", token);
    if (replacement !== undefined && this.#tokens.has(replacement)) {
      throw new EmulatorError("revokeToken: the replacement is already the token of an account");
    }
    this.#tokens.delete(token);
    if (replacement === undefined) return;
    this.#tokens.set(replacement, account);
    this.#knownTokens.set(replacement, account);
  }

  #snapshot(): Snapshot {
    const accounts = this.#accounts.map(({ state, faults }) => ({ state, faults: faults.snapshot() }));
    const tokens = new Map([...this.#tokens].map(([token, account]) => [token, this.#accounts.indexOf(account)]));
    const { requests } = this.#service.log;
    const content = { accounts, tokens, requests, faults: this.#faults.snapshot() };
    return this.#snapshots.take(content, this.#accounts[0].clock.now());
  }

  #restore(snapshot: Snapshot): void {
    const content = this.#snapshots.content(snapshot);
    for (const [index, { state, faults }] of content.accounts.entries()) {
      this.#accounts[index]?.restore(state);
      this.#accounts[index]?.faults.restore(faults);
    }
    this.#tokens.clear();
    for (const [token, index] of content.tokens) this.#tokens.set(token, this.#accounts[index] ?? this.#accounts[0]);
    this.#service.log.replace(content.requests);
    this.#faults.restore(content.faults);
  }

  #reset(): void {
    for (const account of this.#accounts) account.reset();
    this.#tokens.clear();
    for (const [token, account] of this.#firstTokens) this.#tokens.set(token, account);
    this.#service.log.replace([]);
    this.#faults.clear();
  }
}
