/** The core of the emulator: a function from `Request` to `Response`. */
import { pause } from "../async/timers.js";
import type { Account } from "./account.js";
import { applyFault } from "./controls/apply-fault.js";
import type { FaultQueue } from "./controls/faults.js";
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
import { countRequest } from "./http/rate-limits.js";
import { type RecordedRequest, RequestLog, recordRequest } from "./http/requests.js";
import { noRoute, type RouteMatch, Router } from "./http/route.js";
import { RECORDING_ROUTE, serveRecording } from "./routes/recording-storage.js";
import { ROUTES } from "./routes/routes.js";
import type { EmulatorSettings } from "./state/context.js";

const RECORDINGS = "/recordings/";

interface ServiceParts {
  settings: EmulatorSettings;
  /** `/v1`, or a longer path that ends in it. */
  basePath: string;
  accounts: readonly [Account, ...Account[]];
  /** The account of each valid token. */
  tokens: ReadonlyMap<string, Account>;
  /** The simulated failures of requests to any account. */
  faults: FaultQueue;
  onRequest: ((request: RecordedRequest) => void) | undefined;
}

export class Service {
  readonly log = new RequestLog();
  readonly #parts: ServiceParts;
  readonly #router = new Router(ROUTES);
  readonly #accountOf = new WeakMap<RecordedRequest, Account>();

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** The requests with a token of the account. */
  requestsOf(account: Account): readonly RecordedRequest[] {
    return this.log.requests.filter((request) => this.#accountOf.get(request) === account);
  }

  /** The account of the bearer token, if it is valid. */
  accountOf(headers: Headers): Account | undefined {
    const token = /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
    return token === undefined ? undefined : this.#parts.tokens.get(token);
  }

  /** Responds to a request. `storageUrl` is the URL under which recordings are served. */
  async handle(request: Request, storageUrl: string): Promise<Response> {
    const { accounts, faults, onRequest } = this.#parts;
    const incoming = await readRequest(request);
    for (const { clock } of accounts) clock.catchUp();
    const { name, path, account, respond } = this.#route(incoming, storageUrl);
    const recorded = recordRequest(incoming, path, name, accounts[0].clock.now());
    this.log.add(recorded);
    if (account !== undefined) this.#accountOf.set(recorded, account);
    const fault = account?.faults.take(name) ?? faults.take(name);
    const response = fault === undefined ? respond() : applyFault(fault, respond);
    if (response !== "drop") recorded.status = response.status;
    // If the client disconnects, the delay ends early.
    if (fault?.delayMs) await pause(fault.delayMs, request.signal).catch(() => {});
    onRequest?.(recorded);
    return response === "drop" ? brokenOff() : toResponse(response, fault?.kind === "truncate", request.signal);
  }

  /** Finds the route and the account of a request. Nothing happens before `respond` is called. */
  #route(request: Incoming, storageUrl: string) {
    const { basePath, accounts } = this.#parts;
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
    const { accounts, settings } = this.#parts;
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
    const { settings, basePath } = this.#parts;
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
