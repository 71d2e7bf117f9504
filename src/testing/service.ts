/** The core of the emulator: a function from `Request` to `Response`. */
import { pause } from "../async/timers.js";
import type { Account } from "./account.js";
import type { Accounts } from "./accounts.js";
import { EmulatorError } from "./emulator-error.js";
import { checkRequest } from "./http/check-request.js";
import {
  brokenOff,
  type Incoming,
  RefusedRequest,
  readRequest,
  refusal,
  type ServiceResponse,
  toResponse,
} from "./http/exchange.js";
import { applyFault, takeFault } from "./http/fault.js";
import { countUnderLimits } from "./http/rate-limits.js";
import { MAX_KEPT_REQUESTS, type RecordedRequest, recordedRequest } from "./http/requests.js";
import type { Route } from "./http/route.js";
import { RECORDING_ROUTE, serveRecording } from "./routes/recordings.js";
import { expectedInstead, findRoute, type RouteMatch } from "./routes/routes.js";

const RECORDINGS = "/recordings/";

/** The saved state of an emulator, which only this emulator can restore. */
export interface Snapshot {
  /** The emulator's time when the snapshot was taken, in milliseconds since 1970. */
  readonly takenAt: number;
}

export class Service {
  /** The newest requests to any account, the oldest first. */
  readonly requests: RecordedRequest[] = [];
  readonly #accountOf = new WeakMap<RecordedRequest, Account>();
  readonly #snapshots = new WeakMap<Snapshot, () => void>();

  /** `basePath` is `/v1`, or a longer path that ends in it. */
  constructor(
    private readonly accounts: Accounts,
    private readonly basePath: string,
  ) {}

  requestsOf(scope: Account | "all accounts"): readonly RecordedRequest[] {
    if (scope === "all accounts") return this.requests;
    return this.requests.filter((request) => this.#accountOf.get(request) === scope);
  }

  accountOf(headers: Headers): Account | undefined {
    const token = /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
    return token === undefined ? undefined : this.accounts.withToken(token);
  }

  snapshot(): Snapshot {
    const snapshot = Object.freeze({ takenAt: this.accounts.clock.now() });
    const restoreAccounts = this.accounts.snapshot();
    const requests = [...this.requests];
    this.#snapshots.set(snapshot, () => {
      restoreAccounts();
      this.requests.splice(0, MAX_KEPT_REQUESTS, ...requests);
    });
    return snapshot;
  }

  restore(snapshot: Snapshot): void {
    const restore = this.#snapshots.get(snapshot);
    if (restore === undefined) throw new EmulatorError("restore: expected a snapshot that this emulator has taken");
    restore();
  }

  reset(): void {
    this.accounts.reset();
    this.requests.length = 0;
  }

  /** Responds to a request. `storageUrl` is the URL under which recordings are served. */
  async handle(request: Request, storageUrl: string): Promise<Response> {
    const { clock, settings } = this.accounts;
    const incoming = await readRequest(request);
    clock.catchUp();
    const { name, path, account, respond } = this.#route(incoming, storageUrl);
    const recorded = recordedRequest(incoming, path, name, clock.now());
    this.requests.push(recorded);
    if (this.requests.length > MAX_KEPT_REQUESTS) this.requests.shift();
    if (account !== undefined) this.#accountOf.set(recorded, account);
    const fault = takeFault(account?.state.faults ?? [], name) ?? takeFault(this.accounts.state.faults, name);
    const response = fault === undefined ? respond() : applyFault(fault, respond);
    if (response !== "drop") recorded.status = response.status;
    // If the client disconnects, the delay ends early.
    if (fault?.delayMs) await pause(fault.delayMs, request.signal).catch(() => {});
    settings.onRequest?.(recorded);
    return response === "drop" ? brokenOff() : toResponse(response, fault?.kind === "truncate", request.signal);
  }

  /** The route and the account of a request. Nothing happens before `respond` is called. */
  #route(request: Incoming, storageUrl: string) {
    const { basePath, accounts } = this;
    const { pathname } = request.url;
    const isUnderBase = pathname.startsWith(`${basePath}/`);
    if (pathname.startsWith(RECORDINGS) && !isUnderBase) {
      const key = pathname.slice(RECORDINGS.length);
      const respond = () => serveRecording(accounts.list, key, request);
      return { name: RECORDING_ROUTE, path: pathname, account: undefined, respond };
    }
    const path = isUnderBase ? pathname.slice(basePath.length) : pathname;
    const match = isUnderBase ? findRoute(request.method, path) : undefined;
    const account = this.accountOf(request.headers);
    const act = (account: Account) => {
      if (match !== undefined) return respondFor(account, request, match, storageUrl);
      if (!account.settings.strict) return refusal(404, "resource not found");
      const expected = isUnderBase ? expectedInstead(request.method, path) : `; expected a path under ${basePath}`;
      return refusal(404, `no route ${request.method} ${path} in the emulator${expected}`);
    };
    const respond = () => this.#limited(account, match?.route.limits, act);
    return { name: match?.route.name, path, account, respond };
  }

  /** The response of `act` to an authenticated request within the limits, with the headers of the limits. */
  #limited(
    account: Account | undefined,
    limits: Route["limits"] | undefined,
    act: (account: Account) => ServiceResponse,
  ): ServiceResponse {
    const { clock, settings } = account ?? this.accounts;
    // Unauthenticated requests are not counted; their headers report an unused limit.
    const counted = countUnderLimits(account?.state.counted ?? {}, limits, clock, settings.limits);
    const response =
      account === undefined ? refusal(401, "authentication required") : (counted.refusal ?? act(account));
    return { ...response, headers: { ...counted.headers, ...response.headers } };
  }
}

function respondFor(account: Account, request: Incoming, { route, params }: RouteMatch, storageUrl: string) {
  try {
    const checked = checkRequest(route, request, params, account.settings);
    return route.respond({ route, context: account, request, storageUrl, params, ...checked });
  } catch (error) {
    if (error instanceof RefusedRequest) return error.response;
    throw error;
  }
}
