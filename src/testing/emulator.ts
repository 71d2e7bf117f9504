import { wireNames } from "../unshown.js";
import { emulatedFetch, type FetchLike } from "./adapters/fetch.js";
import { type Listening, type ListenOptions, listen } from "./adapters/http-server.js";
import { mswHandlers } from "./adapters/msw.js";
import { optionMistakes } from "./check-options.js";
import { applyFault } from "./controls/apply-fault.js";
import { type BotControls, botControls } from "./controls/bots.js";
import { type ClockControls, clockControls } from "./controls/clock.js";
import { type FaultControls, FaultQueue } from "./controls/faults.js";
import { type MeetingControls, meetingControls } from "./controls/meetings.js";
import { type Snapshot, Snapshots } from "./controls/snapshots.js";
import { type WebhookControls, webhookControls } from "./controls/webhooks.js";
import { delay } from "./delay.js";
import { DeliveryQueue } from "./deliveries/delivery-queue.js";
import { mistakesError } from "./emulator-error.js";
import type { Incoming, ServiceResult } from "./http/exchange.js";
import { toOutgoing } from "./http/exchange.js";
import { type RecordedRequest, recordRequest } from "./http/recorded-request.js";
import { runTask } from "./lifecycle/run-task.js";
import type { EmulatorOptions } from "./options.js";
import { RECORDING_ROUTE } from "./routes/recording-storage.js";
import { applySeed } from "./seed/apply-seed.js";
import { seedMistakes } from "./seed/check-seed.js";
import { defaultAccount } from "./seed/default-account.js";
import { Service } from "./service.js";
import { InternalClock } from "./state/clock.js";
import { randomHex } from "./state/random.js";
import type { AccountRecord } from "./state/records.js";
import { lifeTimes } from "./state/settings.js";
import { emptyState } from "./state/state.js";
import type { EmulatorContext } from "./state/world.js";

export interface Emulator {
  /** For a client's `baseUrl`; its host does not exist. */
  readonly baseUrl: string;
  readonly token: string;
  /** Takes what the global `fetch` takes, and never touches the network. */
  readonly fetch: FetchLike;
  /**
   * Request handlers for msw: `setupServer(...service.handlers())`, or `setupWorker` in a browser. They answer requests to
   * `baseUrl` and to the storage that recordings are downloaded from. msw itself is not loaded.
   */
  // biome-ignore lint/suspicious/noExplicitAny: msw's own type would be an error in every project that has no msw.
  handlers(): any[];
  /** Serves the same account over HTTP on this machine (Node, Bun, Deno). */
  listen(options?: ListenOptions): Promise<Listening>;
  /** What arrived since the start or the last reset, the oldest first; the last ten thousand requests are kept. */
  readonly requests: readonly RecordedRequest[];
  /** The account's own switches, to read and to set: `service.account.usageLimitReached = true`. */
  readonly account: AccountRecord;
  readonly clock: ClockControls;
  readonly meetings: MeetingControls;
  readonly bots: BotControls;
  readonly webhooks: WebhookControls;
  readonly faults: FaultControls;
  /** Everything as it is now, to come back to. */
  snapshot(): Snapshot;
  /** Back to a snapshot of this emulator, as often as wanted. */
  restore(snapshot: Snapshot): void;
  /** Back to the start: the seed, its time, no requests, no faults, deliveries to their addresses. */
  reset(): void;
}

const START = Date.UTC(2025, 5, 2, 9);
const BASE_URL = "https://api.notetaker.test/v1";
/** Where recordings are kept: another host than the service's, as with real storage. */
const STORAGE_URL = "https://storage.notetaker.test/recordings";

const KEPT_REQUESTS = 10_000;

/**
 * The service in memory: stateful, deterministic, and strict about what it is sent.
 *
 * @throws {EmulatorError} for an option that is none, or a seed that breaks the interface, naming each place.
 * @example
 * const service = createEmulator();
 * const notetaker = new Notetaker({ baseUrl: service.baseUrl, token: service.token, fetch: service.fetch });
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const wrong = optionMistakes(options);
  if (wrong.length > 0) throw mistakesError("createEmulator", wrong);
  const { seed = 1, strict = true, limits = "interface", life = {}, onRequest } = options;
  const baseUrl = checkedBaseUrl(options.baseUrl ?? BASE_URL);
  const basePath = new URL(baseUrl).pathname;
  const seedNumber = typeof seed === "number" ? seed : (seed.random ?? 1);
  const token = options.token ?? randomHex({ random: seedNumber ^ 0x746f6b }, 64);
  const requests: RecordedRequest[] = [];

  const world: EmulatorContext = {
    state: emptyState(seedNumber),
    clock: new InternalClock({
      now: startOf(options.now),
      state: () => world.state,
      run: (task) => runTask(world, task),
    }),
    strict,
    limits,
    life: life === "manual" ? life : lifeTimes(life),
    names: wireNames(options.unshown),
    emit: (event, meeting) => deliveries.emit(event, meeting),
    deliverDue: () => deliveries.start(),
  };
  const deliveries = new DeliveryQueue(world, options.allowDeliveryTo);
  const settled = () => deliveries.settled();
  const snapshots = new Snapshots();
  const core = new Service(world, basePath, token);
  const faults = new FaultQueue([
    ...core.router.routes.map(({ method, path }) => `${method} ${path}`),
    RECORDING_ROUTE,
  ]);

  const mistakes = typeof seed === "number" ? [] : seedMistakes(seed);
  if (mistakes.length > 0) throw mistakesError("createEmulator: seed", mistakes);
  const begin = () => {
    world.state = emptyState(seedNumber);
    applySeed(world, typeof seed === "number" ? defaultAccount(world.clock.now(), world.state) : seed);
  };
  begin();

  const handle = async (incoming: Incoming, storageUrl: string): Promise<ServiceResult> => {
    world.clock.catchUp();
    const { name, path, answer } = core.find(incoming, storageUrl);
    const record = recordRequest(incoming, path, name, world.clock.now());
    requests.push(record);
    if (requests.length > KEPT_REQUESTS) requests.shift();
    const fault = faults.take(name);
    const answered = fault === undefined ? answer() : applyFault(fault, answer);
    if (answered !== "drop") record.status = answered.status;
    if (fault?.delayMs) await delay(fault.delayMs, incoming.signal);
    onRequest?.(record);
    return answered === "drop" ? answered : toOutgoing(answered, fault?.kind === "truncate");
  };
  const fetch = emulatedFetch((incoming) => handle(incoming, STORAGE_URL));

  return {
    baseUrl,
    token,
    fetch,
    handlers: () => mswHandlers(fetch, [baseUrl, STORAGE_URL]),
    listen: (listenOptions = {}) => listen(listenOptions, basePath, handle),
    requests,
    get account() {
      return world.state.account;
    },
    clock: clockControls(world.clock, settled),
    meetings: meetingControls(world, settled),
    bots: botControls(world),
    webhooks: webhookControls(world, deliveries),
    faults: {
      next: (route, fault) => faults.next(route, fault),
      unused: () => faults.unused(),
      clear: () => faults.clear(),
    },
    snapshot: () => snapshots.take({ state: world.state, requests, faults: faults.snapshot() }, world.clock.now()),
    restore(snapshot) {
      const content = snapshots.content(snapshot);
      deliveries.abandon();
      world.state = content.state;
      requests.splice(0, requests.length, ...content.requests);
      faults.restore(content.faults);
    },
    reset() {
      deliveries.abandon();
      deliveries.handler = undefined;
      requests.length = 0;
      faults.clear();
      begin();
    },
  };
}

function checkedBaseUrl(baseUrl: string): string {
  const address = baseUrl.replace(/\/$/, "");
  if (!URL.canParse(address) || !/^https?:\/\/[^?#]*\/v1$/.test(address)) {
    throw mistakesError("createEmulator", [
      { path: "baseUrl", message: `expected an absolute address that ends in /v1, received ${baseUrl}` },
    ]);
  }
  return address;
}

function startOf(now: EmulatorOptions["now"]): number | (() => number) {
  if (now === undefined) return START;
  if (typeof now === "function") return () => Number(now());
  const start = new Date(now).getTime();
  if (Number.isNaN(start)) {
    throw mistakesError("createEmulator", [{ path: "now", message: `expected a time, received ${String(now)}` }]);
  }
  return start;
}
