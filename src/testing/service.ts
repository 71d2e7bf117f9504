/** The core of the emulator: a function from `Request` to `Response`. */
import { pause } from "../async/timers.js";
import type { Account } from "./account.js";
import { checkRequest } from "./http/check-request.js";
import {
  brokenOff,
  errorResponse,
  type Incoming,
  Refusal,
  readRequest,
  type ServiceResponse,
  toResponse,
} from "./http/exchange.js";
import { applyFault, type PlannedFault, takeFault } from "./http/fault.js";
import { countRequest } from "./http/rate-limits.js";
import { type RecordedRequest, RequestLog, recordRequest } from "./http/requests.js";
import { noRoute, type RouteMatch, Router } from "./http/route.js";
import type { EmulatorSettings } from "./options.js";
import { RECORDING_ROUTE, serveRecording } from "./routes/recordings.js";
import { ROUTES } from "./routes/routes.js";
import type { State } from "./state/state.js";

const RECORDINGS = "/recordings/";

interface ServiceOptions {
  settings: EmulatorSettings;
  /** `/v1`, or a longer path that ends in it. */
  basePath: string;
  accounts: readonly [Account, ...Account[]];
  onRequest: ((request: RecordedRequest) => void) | undefined;
}

export class Service {
  readonly log = new RequestLog();
  /** The simulated failures of requests to any account. */
  faults: PlannedFault[] = [];
  readonly #options: ServiceOptions;
  readonly #router = new Router(ROUTES);
  readonly #accountOf = new WeakMap<RecordedRequest, Account>();

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  /** The requests with a token of the account. */
  requestsOf(account: Account): readonly RecordedRequest[] {
    return this.log.requests.filter((request) => this.#accountOf.get(request) === account);
  }

  /** The account of the bearer token, if it is valid. */
  accountOf(headers: Headers): Account | undefined {
    const token = /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
    return token === undefined ? undefined : this.accountWith(token);
  }

  accountWith(validToken: string): Account | undefined {
    const isValid = ({ value, revoked }: State["tokens"][number]) => value === validToken && !revoked;
    return this.#options.accounts.find(({ state }) => state.tokens.some(isValid));
  }

  /** Responds to a request. `storageUrl` is the URL under which recordings are served. */
  async handle(request: Request, storageUrl: string): Promise<Response> {
    const { accounts, onRequest } = this.#options;
    const incoming = await readRequest(request);
    for (const { clock } of accounts) clock.catchUp();
    const { name, path, account, respond } = this.#route(incoming, storageUrl);
    const recorded = recordRequest(incoming, path, name, accounts[0].clock.now());
    this.log.add(recorded);
    if (account !== undefined) this.#accountOf.set(recorded, account);
    const fault = takeFault(account?.state.faults ?? [], name) ?? takeFault(this.faults, name);
    const response = fault === undefined ? respond() : applyFault(fault, respond);
    if (response !== "drop") recorded.status = response.status;
    // If the client disconnects, the delay ends early.
    if (fault?.delayMs) await pause(fault.delayMs, request.signal).catch(() => {});
    onRequest?.(recorded);
    return response === "drop" ? brokenOff() : toResponse(response, fault?.kind === "truncate", request.signal);
  }

  /** Finds the route and the account of a request. Nothing happens before `respond` is called. */
  #route(request: Incoming, storageUrl: string) {
    const { basePath, accounts } = this.#options;
    const { pathname } = request.url;
    if (pathname.startsWith(RECORDINGS)) {
      const key = pathname.slice(RECORDINGS.length);
      const respond = () => serveRecording(accounts, key, request);
      return { name: RECORDING_ROUTE, path: pathname, account: undefined, respond };
    }
    const isUnderBase = pathname.startsWith(`${basePath}/`);
    const path = isUnderBase ? pathname.slice(basePath.length) : pathname;
    const match = isUnderBase ? this.#router.find(request.method, path) : undefined;
    const account = this.accountOf(request.headers);
    const found = match ?? this.#unknownRoute(request.method, path, isUnderBase);
    const respond = () => this.#respond(request, account, found, storageUrl);
    return { name: match?.route.name, path, account, respond };
  }

  /** `match` is the route, or the message of the 404. */
  #respond(
    request: Incoming,
    account: Account | undefined,
    match: RouteMatch | string,
    storageUrl: string,
  ): ServiceResponse {
    const { accounts, settings } = this.#options;
    const group = typeof match === "string" ? "other" : (match.route.limit ?? "other");
    const now = (account ?? accounts[0]).clock.now();
    // Unauthenticated requests are not counted; their headers report an unused window.
    const { refusal, headers } = countRequest(account?.state.windows ?? {}, group, now, settings.limits);
    const response = () => {
      if (account === undefined) return errorResponse(401, "authentication required");
      if (refusal !== undefined) return refusal;
      if (typeof match === "string") return errorResponse(404, match);
      return respondFor(account, request, match, storageUrl);
    };
    const { headers: responseHeaders, ...rest } = response();
    return { ...rest, headers: { ...headers, ...responseHeaders } };
  }

  #unknownRoute(method: string, path: string, isUnderBase: boolean): string {
    const { settings, basePath } = this.#options;
    if (!settings.strict) return "resource not found";
    if (isUnderBase) return this.#router.explain(method, path);
    return `${noRoute(method, path)}; expected a path under ${basePath}`;
  }
}

function respondFor(account: Account, request: Incoming, { route, params }: RouteMatch, storageUrl: string) {
  try {
    const checked = checkRequest(route, request, params, account.settings);
    return route.respond({ context: account, request, storageUrl, params, ...checked });
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    throw error;
  }
}
