/** The core of the emulator: turns a request into a response, both as plain data. */
import type { Account } from "./account.js";
import { checkRequest } from "./http/check-request.js";
import { errorResponse, Refusal } from "./http/error-response.js";
import type { Incoming, ServiceResponse } from "./http/exchange.js";
import { countRequest } from "./http/rate-limits.js";
import { noRoute, type RouteMatch, type Router, routeName } from "./http/router.js";
import { RECORDING_ROUTE, serveRecording } from "./routes/recording-storage.js";
import type { EmulatorSettings } from "./state/context.js";

const RECORDINGS = "/recordings/";

export interface RoutedRequest {
  /** `GET /rooms`, or `undefined` if there is no such route. */
  name: string | undefined;
  /** The path, relative to the base URL if it is under it. */
  path: string;
  /** The account of the request's token; `undefined` without a valid token. */
  account: Account | undefined;
  /** Makes the service act and respond. Nothing happens before this call. */
  respond: () => ServiceResponse;
}

/** The reason why no route matches. */
interface NoRoute {
  message: string;
}

interface ServiceParts {
  settings: EmulatorSettings;
  /** `/v1`, or a longer path that ends in it. */
  basePath: string;
  router: Router;
  /** The account of each valid token. */
  tokens: ReadonlyMap<string, Account>;
  accounts: readonly Account[];
}

export class Service {
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** Finds the route and the account of a request. */
  route(request: Incoming, storageUrl: string): RoutedRequest {
    const { basePath, router, accounts } = this.#parts;
    const { pathname } = request.url;
    if (pathname.startsWith(RECORDINGS)) {
      const key = pathname.slice(RECORDINGS.length);
      const respond = () => serveRecording(accounts, key, request);
      return { name: RECORDING_ROUTE, path: pathname, account: undefined, respond };
    }
    const isUnderBase = pathname.startsWith(`${basePath}/`);
    const path = isUnderBase ? pathname.slice(basePath.length) : pathname;
    const match = isUnderBase ? router.find(request.method, path) : undefined;
    const account = this.accountOf(request.headers);
    return {
      name: match === undefined ? undefined : routeName(match.route),
      path,
      account,
      respond: () =>
        this.#respond(request, account, match ?? this.#unknownRoute(request.method, path, isUnderBase), storageUrl),
    };
  }

  /** The account of the bearer token, if it is valid. */
  accountOf(headers: Headers): Account | undefined {
    const token = /^bearer +(\S+) *$/i.exec(headers.get("authorization") ?? "")?.[1];
    return token === undefined ? undefined : this.#parts.tokens.get(token);
  }

  #respond(
    request: Incoming,
    account: Account | undefined,
    match: RouteMatch | NoRoute,
    storageUrl: string,
  ): ServiceResponse {
    const group = "route" in match ? (match.route.limit ?? "other") : "other";
    const { limits } = this.#parts.settings;
    const now = (account ?? this.#parts.accounts[0])?.clock.now() ?? 0;
    // Unauthenticated requests are not counted; their headers report an unused window.
    const { refusal, headers } = countRequest(account?.state.windows ?? {}, group, now, limits);
    const response = () => {
      if (account === undefined) return errorResponse(401, "authentication required");
      if (refusal !== undefined) return refusal;
      if (!("route" in match)) return errorResponse(404, match.message);
      return answer(request, account, match, storageUrl);
    };
    const { headers: responseHeaders, ...rest } = response();
    return { ...rest, headers: { ...headers, ...responseHeaders } };
  }

  #unknownRoute(method: string, path: string, isUnderBase: boolean): NoRoute {
    if (!this.#parts.settings.strict) return { message: "resource not found" };
    if (isUnderBase) return { message: this.#parts.router.explain(method, path) };
    return { message: `${noRoute(method, path)}; expected a path under ${this.#parts.basePath}` };
  }
}

function answer(request: Incoming, account: Account, { route, params }: RouteMatch, storageUrl: string) {
  try {
    const body = checkRequest(route, request, params, account.settings);
    return route.answer({ context: account, request, storageUrl, params, query: request.url.searchParams, body });
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    throw error;
  }
}
