import { Account, DEFAULT_SEED, seedNumber } from "./account.js";
import { type Listening, type ListenOptions, listen } from "./adapters/http-server.js";
import { mswHandlers } from "./adapters/in-process.js";
import { type AccountControls, accountControls } from "./controls/account.js";
import { isControl, respondToControl } from "./controls/control-endpoints.js";
import { faultControls } from "./controls/faults.js";
import { EmulatorError, mistakesError } from "./emulator-error.js";
import { toResponse } from "./http/exchange.js";
import type { PlannedFault } from "./http/fault.js";
import type { RecordedRequest } from "./http/requests.js";
import { baseUrlOf, type EmulatorOptions, optionMistakes, settingsOf } from "./options.js";
import { seedMistakes } from "./seed/check-seed.js";
import type { Seed } from "./seed/seed.js";
import { Service } from "./service.js";
import type { TimeSource } from "./state/clock.js";
import { randomHex } from "./state/random.js";
import type { State } from "./state/state.js";

/** The saved state of an emulator. Only the same emulator can restore it. */
export interface Snapshot {
  /** The emulator's time when the snapshot was taken, in milliseconds since 1970. */
  readonly takenAt: number;
}

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

/** What a snapshot contains. The state of each account is plain data. */
interface SnapshotContent {
  states: readonly State[];
  faults: readonly PlannedFault[];
  requests: readonly RecordedRequest[];
}

/** Connects the parts of an emulator. */
class Emulation {
  readonly #baseUrl: string;
  readonly #basePath: string;
  readonly #accounts: readonly [Account, ...Account[]];
  readonly #service: Service;
  readonly #snapshots = new WeakMap<Snapshot, SnapshotContent>();

  constructor(options: EmulatorOptions) {
    this.#baseUrl = baseUrlOf(options.baseUrl ?? BASE_URL) ?? BASE_URL;
    this.#basePath = new URL(this.#baseUrl).pathname;
    const settings = settingsOf(options);
    const { allowDeliveryTo, onRequest } = options;
    const accounts: Account[] = [];
    const shared = { time: timeSourceOf(options), settings, allowDeliveryTo, accounts };
    for (const [token, seed] of seedsOf(options)) new Account(token, seed, shared);
    this.#accounts = accounts as [Account, ...Account[]];
    this.#service = new Service({ settings, basePath: this.#basePath, accounts: this.#accounts, onRequest });
  }

  controls(): Emulator {
    const service = this.#service;
    const handle = (request: Request) => service.handle(request, STORAGE_URL);
    const ofAllAccounts: Omit<Emulator, Exclude<keyof AccountControls, "requests" | "faults">> = {
      requests: service.log.requests,
      faults: faultControls(() => service.faults),
      handlers: () => mswHandlers(handle, [this.#baseUrl, STORAGE_URL]),
      listen: (options = {}) =>
        listen(options, this.#basePath, (request, storageUrl, control) =>
          control && isControl(request) ? this.#control(request) : service.handle(request, storageUrl),
        ),
      as: (token) => this.#controlsOf(this.#accountOf("as", token)),
      revokeToken: (token, replacement) => this.#revokeToken(token, replacement),
      snapshot: () => this.#snapshot(),
      restore: (snapshot) => this.#restore(snapshot),
      reset: () => this.#reset(),
    };
    // Spread syntax would read the getters once.
    return Object.defineProperties(
      this.#controlsOf(this.#accounts[0]),
      Object.getOwnPropertyDescriptors(ofAllAccounts),
    ) as Emulator;
  }

  #controlsOf(account: Account): AccountControls {
    return accountControls(account, this.#service, this.#baseUrl, STORAGE_URL);
  }

  async #control(request: Request): Promise<Response> {
    for (const { clock } of this.#accounts) clock.catchUp();
    const account = this.#service.accountOf(request.headers);
    const target = account && { account: this.#controlsOf(account), reset: () => this.#reset() };
    return toResponse(await respondToControl(request, target), false, request.signal);
  }

  /** The account with this token, valid or revoked. */
  #accountOf(operation: string, token: string): Account {
    const account = this.#accounts.find(({ state }) => state.tokens.some(({ value }) => value === token));
    if (account === undefined) throw new EmulatorError(`${operation}: no account has this token`);
    return account;
  }

  #revokeToken(token: string, replacement: string | undefined): void {
    const { tokens } = this.#accountOf("revokeToken", token).state;
    if (replacement !== undefined && this.#service.accountWith(replacement) !== undefined) {
      throw new EmulatorError("revokeToken: the replacement is already the token of an account");
    }
    for (const known of tokens) if (known.value === token) known.revoked = true;
    if (replacement !== undefined) tokens.push({ value: replacement, revoked: false });
  }

  #snapshot(): Snapshot {
    const snapshot = Object.freeze({ takenAt: this.#accounts[0].clock.now() });
    const { faults, log } = this.#service;
    const plain = { states: this.#accounts.map(({ state }) => state), faults };
    this.#snapshots.set(snapshot, { ...structuredClone(plain), requests: [...log.requests] });
    return snapshot;
  }

  #restore(snapshot: Snapshot): void {
    const content = this.#snapshots.get(snapshot);
    if (content === undefined) throw new EmulatorError("restore: expected a snapshot that this emulator has taken");
    // Cloned each time, so that changes after a restore do not affect the snapshot.
    const { states, faults } = structuredClone({ states: content.states, faults: content.faults });
    for (const [index, state] of states.entries()) this.#accounts[index]?.restore(state);
    this.#service.faults = [...faults];
    this.#service.log.replace(content.requests);
  }

  #reset(): void {
    for (const account of this.#accounts) account.reset();
    this.#service.faults = [];
    this.#service.log.replace([]);
  }
}
