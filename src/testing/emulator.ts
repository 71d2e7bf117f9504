import { wireNames } from "../unshown.js";
import { believableAccount } from "./believable-account.js";
import { InternalClock } from "./clock.js";
import { Core, written } from "./core.js";
import type { Incoming, Outgoing } from "./exchange.js";
import { emulatedFetch, type FetchLike } from "./fetch.js";
import { type Listening, type ListenOptions, listen } from "./listen.js";
import type { EmulatorOptions } from "./options.js";
import { emptyState, plant } from "./plant.js";
import { randomHex } from "./random.js";
import { type RecordedRequest, recorded } from "./requests.js";
import type { AccountRecord } from "./state.js";
import { takeStep } from "./take-step.js";
import type { LifeTimes, World } from "./world.js";

export interface Emulator {
  /** For a client's `baseUrl`; its host does not exist. */
  readonly baseUrl: string;
  readonly token: string;
  /** Takes what the global `fetch` takes, and never touches the network. */
  readonly fetch: FetchLike;
  /** Serves the same account over HTTP on this machine (Node, Bun, Deno). */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Every request that arrived since the start or the last reset, the oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** The account's own switches, to read and to set: `account.usageLimitReached = true`. */
  readonly account: AccountRecord;
  /** Back to the start: the seed, its time, no requests. */
  reset(): void;
}

const START = Date.UTC(2025, 5, 2, 9);
const BASE_URL = "https://api.notetaker.test/v1";
/** Where recordings are kept: another host than the service's, as with real storage. */
const STORAGE_URL = "https://storage.notetaker.test/recordings";

const LIFE_TIMES: LifeTimes = {
  createMs: 2_000,
  admitMs: 5_000,
  callMs: 60_000,
  transcribeMs: 20_000,
  summariseMs: 10_000,
  cancelMs: 2_000,
};

/**
 * The service in memory: stateful, deterministic, and strict about what it is sent.
 *
 * @example
 * const service = createEmulator();
 * const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const { seed = 1, strict = true, limits = "interface", life = {} } = options;
  const baseUrl = (options.baseUrl ?? BASE_URL).replace(/\/$/, "");
  const basePath = new URL(baseUrl).pathname;
  const seedNumber = typeof seed === "number" ? seed : (seed.random ?? 1);
  const token = options.token ?? randomHex({ random: seedNumber ^ 0x70_6b_65_6e }, 64);
  const requests: RecordedRequest[] = [];

  const world: World = {
    state: emptyState(seedNumber),
    clock: new InternalClock({
      now: startOf(options.now),
      state: () => world.state,
      run: (task) => takeStep(world, task),
    }),
    strict,
    limits,
    life: life === "manual" ? life : { ...LIFE_TIMES, ...life },
    names: wireNames(options.unshown),
    emit: () => {},
  };
  const core = new Core(world, basePath, token);

  const reset = () => {
    world.state = emptyState(seedNumber);
    requests.length = 0;
    plant(world, typeof seed === "number" ? believableAccount(world.clock.now(), world.state) : seed);
  };
  reset();

  const handle = async (incoming: Incoming, storageUrl: string): Promise<Outgoing> => {
    world.clock.catchUp();
    const { name, path, answer } = core.find(incoming, storageUrl);
    const record = recorded(incoming, path, name, world.clock.now());
    requests.push(record);
    const outgoing = written(answer());
    record.status = outgoing.status;
    return outgoing;
  };

  return {
    baseUrl,
    token,
    fetch: emulatedFetch((incoming) => handle(incoming, STORAGE_URL)),
    listen: (listenOptions = {}) => listen(listenOptions, basePath, handle),
    requests,
    get account() {
      return world.state.account;
    },
    reset,
  };
}

function startOf(now: EmulatorOptions["now"]): number | (() => number) {
  if (now === undefined) return START;
  if (typeof now === "function") return () => Number(now());
  const start = new Date(now).getTime();
  if (Number.isNaN(start)) throw new TypeError(`createEmulator: now is no time: ${String(now)}`);
  return start;
}
