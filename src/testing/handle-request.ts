import { pause } from "../async/timers.js";
import type { Account } from "./account.js";
import { checkRequest } from "./http/check-request.js";
import { brokenOff, type Incoming, readRequest, type ServiceResponse, toResponse } from "./http/exchange.js";
import { applyFault, takeFault } from "./http/fault.js";
import { countUnderLimits } from "./http/rate-limits.js";
import { RefusedRequest, refusal } from "./http/refusals.js";
import { recordedRequest } from "./http/requests.js";
import type { Route } from "./http/route.js";
import { RECORDING_ROUTE, serveRecording } from "./routes/recordings.js";
import { expectedInstead, findRoute, type RouteMatch } from "./routes/routes.js";
import type { Service } from "./service.js";

const RECORDINGS = "/recordings/";

/** `basePath` is `/v1`, or a longer path that ends in it; recordings are served under `storageUrl`. */
export async function handleRequest(
  service: Service,
  basePath: string,
  request: Request,
  storageUrl: string,
): Promise<Response> {
  const { clock, settings } = service;
  const incoming = await readRequest(request);
  clock.catchUp();
  const { name, path, account, respond } = routeOf(service, basePath, incoming, storageUrl);
  const recorded = recordedRequest(incoming, path, name, clock.now());
  service.record(recorded, account);
  const fault = takeFault(account?.state.faults ?? [], name) ?? takeFault(service.faults, name);
  const response = fault === undefined ? respond() : applyFault(fault, respond);
  if (response !== "drop") recorded.status = response.status;
  // If the client disconnects, the delay ends early.
  if (fault?.delayMs) await pause(fault.delayMs, request.signal).catch(() => {});
  settings.onRequest?.(recorded);
  return response === "drop" ? brokenOff() : toResponse(response, fault?.kind === "truncate", request.signal);
}

/** The route and the account of a request. Nothing happens before `respond` is called. */
function routeOf(service: Service, basePath: string, request: Incoming, storageUrl: string) {
  const { pathname } = request.url;
  const isUnderBase = pathname.startsWith(`${basePath}/`);
  if (pathname.startsWith(RECORDINGS) && !isUnderBase) {
    const key = pathname.slice(RECORDINGS.length);
    const respond = () => serveRecording(service.accounts, key, request);
    return { name: RECORDING_ROUTE, path: pathname, account: undefined, respond };
  }
  const path = isUnderBase ? pathname.slice(basePath.length) : pathname;
  const match = isUnderBase ? findRoute(request.method, path) : undefined;
  const account = service.accountOf(request.headers);
  const act = (account: Account) => {
    if (match !== undefined) return respondFor(account, request, match, storageUrl);
    if (!account.settings.strict) return refusal(404, "resource not found");
    const expected = isUnderBase ? expectedInstead(request.method, path) : `; expected a path under ${basePath}`;
    return refusal(404, `no route ${request.method} ${path} in the emulator${expected}`);
  };
  const respond = () => limited(service, account, match?.route.limits, act);
  return { name: match?.route.name, path, account, respond };
}

/** The response of `act` to an authenticated request within the limits, with the headers of the limits. */
function limited(
  { clock, settings }: Service,
  account: Account | undefined,
  limits: Route["limits"] | undefined,
  act: (account: Account) => ServiceResponse,
): ServiceResponse {
  // Unauthenticated requests are not counted; their headers report an unused limit.
  const counted = countUnderLimits(account?.state.counted ?? {}, limits, clock, settings.limits);
  const response = account === undefined ? refusal(401, "authentication required") : (counted.refusal ?? act(account));
  return { ...response, headers: { ...counted.headers, ...response.headers } };
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
