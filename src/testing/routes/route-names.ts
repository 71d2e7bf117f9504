import { ENDPOINTS, type KnownEndpoint } from "../../resources/endpoints.js";
import { type WireRoute, wireRoute } from "../../transport/endpoint.js";

/** Where the emulator serves recordings: no endpoint of the service, but requests to it may fail, too. */
const RECORDING = "GET /recordings/{key}";

/** The name of a route, such as `GET /rooms`. Its parameters may have any name: `GET /documents/:id`. */
export type RouteName = WireRoute<KnownEndpoint["route"]> | typeof RECORDING;

export const ROUTE_NAMES: readonly RouteName[] = [...ENDPOINTS.map(({ route }) => wireRoute(route)), RECORDING];
