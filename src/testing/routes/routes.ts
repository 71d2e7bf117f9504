/** The endpoints of the emulated service. */
import type { KnownEndpoint } from "../../resources/endpoints.js";
import type { WireRoute } from "../../transport/endpoint.js";
import type { Route } from "../http/route.js";
import { botRoutes } from "./bots.js";
import { meetingRoutes } from "./meetings.js";
import { permissionRoutes } from "./permissions.js";
import { RECORDING_ROUTE, uploadRoutes } from "./recordings.js";
import { roomRoutes } from "./rooms.js";
import { webhookRoutes } from "./webhooks.js";

export const ROUTES: readonly Route[] = [
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
