import { type Account, DEFAULT_SEED, seedNumber } from "./account.js";
import { type Listening, type ListenOptions, serveHttp } from "./adapters/http-server.js";
import { emulatedFetch, mswHandlers } from "./adapters/in-process.js";
import { type AccountControls, accountControls } from "./controls/account.js";
import { isControl, respondToControl } from "./controls/control-endpoints.js";
import { checkValue, mistakesError } from "./emulator-error.js";
import { handleRequest } from "./handle-request.js";
import { clockTime, type EmulatorOptions, optionMistakes, settingsOf } from "./options.js";
import { type Seed, seedSchema } from "./seed/seed.js";
import { Service } from "./service.js";
import type { TimeSource } from "./state/clock.js";
import { randomHex } from "./state/random.js";

/** The emulated service. Its own controls are those of its account, or of the first one. */
export interface Emulator extends AccountControls {
  /** The requests of all accounts, and the requests without a valid token. */
  readonly requests: AccountControls["requests"];
  /** Simulated failures of requests to any account. */
  readonly faults: AccountControls["faults"];
  /** Handlers for msw's `setupServer` and `setupWorker`: of `baseUrl` and of the storage of recordings. */
  // biome-ignore lint/suspicious/noExplicitAny: msw's own type would be an error in every project without msw.
  handlers(): any[];
  /** Serves the same accounts over HTTP on this machine (Node, Bun, Deno). */
  listen(options?: ListenOptions): Promise<Listening>;
  /** The controls of the account with this token, even if the token was revoked. */
  as(token: string): AccountControls;
  /** Refuses the token with 401 from now on. `replacement` is the new token of the account. */
  revokeToken(token: string, replacement?: string): void;
  /** Returns to the start: its seeds, time and tokens, no requests, no planned failures, deliveries to their URLs. */
  reset(): void;
}

const START = Date.UTC(2025, 5, 2, 9);
const BASE_URL = "https://api.notetaker.test/v1";
const STORAGE_URL = "https://storage.notetaker.test/recordings";
const TOKEN_SALT = 0x746f6b;

/**
 * Creates an emulator: the service in memory, stateful, deterministic, and strict about the requests that it receives.
 * @throws {EmulatorError} for an unknown or invalid option or an invalid seed; lists every mistake with its path.
 * @example
 * const service = createEmulator();
 * const notetaker = new Notetaker(service.clientOptions);
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  checkEmulatorOptions(options);
  const baseUrl = (options.baseUrl ?? BASE_URL).replace(/\/$/, "");
  const basePath = new URL(baseUrl).pathname;
  const service = new Service(seedsOf(options), timeSourceOf(options), settingsOf(options));
  const respond = (request: Request, storageUrl: string) => handleRequest(service, basePath, request, storageUrl);
  const handle = (request: Request) => respond(request, STORAGE_URL);
  const access = { baseUrl, fetch: emulatedFetch(handle) };
  const controlsOf = (account: Account) => accountControls(account, service, access, account);
  const controlTargetOf = (account: Account | undefined) =>
    account && {
      account: controlsOf(account),
      revokeToken: (replacement?: string) => service.revokeToken(account.state.token, replacement),
      reset: () => service.reset(),
    };
  const respondOrControl = (request: Request, storageUrl: string, control: boolean) => {
    if (!control || !isControl(request)) return respond(request, storageUrl);
    service.clock.catchUp();
    return respondToControl(request, controlTargetOf(service.ownerOfRequest(request.headers)));
  };
  return Object.assign(accountControls(service.first, service, access, "all accounts"), {
    handlers: () => mswHandlers(handle, [new URL(baseUrl).href, STORAGE_URL]),
    listen: (options: ListenOptions = {}) => serveHttp(options, basePath, respondOrControl),
    as: (token: string) => controlsOf(service.ownerOf("as", token)),
    revokeToken: (token: string, replacement?: string) => service.revokeToken(token, replacement),
    reset: () => service.reset(),
  });
}

function checkEmulatorOptions(options: EmulatorOptions): void {
  const mistakes = optionMistakes(options);
  if (mistakes.length > 0) throw mistakesError("createEmulator", mistakes);
  const seeds = [
    ["seed", options.seed],
    ...Object.entries(options.accounts ?? {}).map(([token, seed]) => [`accounts[${JSON.stringify(token)}]`, seed]),
  ] as const;
  for (const [path, seed] of seeds) {
    if (typeof seed === "object") checkValue(`createEmulator: ${path}`, seedSchema, seed);
  }
}

function timeSourceOf({ now = START, speed = 1 }: EmulatorOptions): TimeSource {
  if (typeof now !== "function") return { now: clockTime(now), speed };
  const real = () => Number(now());
  if (speed === 1) return { now: real, speed, real };
  const start = real();
  return { now: () => start + (real() - start) * speed, speed, real };
}

function seedsOf({ accounts, seed = DEFAULT_SEED, token }: EmulatorOptions): [token: string, seed: Seed | number][] {
  if (accounts !== undefined) return Object.entries(accounts);
  return [[token ?? randomHex({ random: seedNumber(seed) ^ TOKEN_SALT }, 64), seed]];
}
