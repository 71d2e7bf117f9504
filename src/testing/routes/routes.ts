import type { WireRoute } from "../../endpoints/endpoint.js";
import type { KnownEndpoint } from "../../endpoints/endpoints.js";
import { decoded } from "../http/decoded.js";
import type { Route } from "../http/route.js";
import { botRoutes } from "./bots.js";
import { meetingRoutes } from "./meetings.js";
import { permissionRoutes } from "./permissions.js";
import { RECORDING_ROUTE, uploadRoutes } from "./recordings.js";
import { roomRoutes } from "./rooms.js";
import { webhookRoutes } from "./webhooks.js";

const ROUTES: readonly Route[] = [
  ...botRoutes,
  ...meetingRoutes,
  ...uploadRoutes,
  ...roomRoutes,
  ...permissionRoutes,
  ...webhookRoutes,
];

/** The name of a route, such as `GET /rooms`. Its parameters may have any name: `GET /documents/:id`. */
export type RouteName = WireRoute<KnownEndpoint["route"]> | typeof RECORDING_ROUTE;

/** The requests that can fail: those to the endpoints, and the download of a recording. */
export const ROUTE_NAMES: readonly string[] = [...ROUTES.map(({ name }) => name), RECORDING_ROUTE];

export interface RouteMatch {
  route: Route;
  /** The ids in the path. */
  params: Record<string, string>;
}

/** The endpoint of a request. `path` begins with a slash and is still percent-encoded. */
export function findRoute(method: string, path: string): RouteMatch | undefined {
  for (const route of ROUTES) {
    const match = route.method === method ? route.pattern.exec(path) : null;
    if (match === null) continue;
    const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)]);
    return { route, params: Object.fromEntries(params) };
  }
  return undefined;
}

/** What was expected instead of a request that no endpoint has. */
export function expectedInstead(method: string, path: string): string {
  const methods = ROUTES.filter(({ pattern }) => pattern.test(path)).map((route) => route.method);
  if (methods.length > 0) return `; expected ${methods.join(" or ")}`;
  if (method === "GET" && /^\/meetings\/[^/]+$/.test(path)) return ": to read one meeting, use GET /meetings?id=mtg_…";
  return `; expected one of ${ROUTES.map(({ name }) => name).join(", ")}`;
}
