/** The routes of all endpoints. The emulator finds, checks and answers requests with them. */
import type { WireNames } from "../../assumptions.js";
import type { Route } from "../http/route.js";
import { isHeeded } from "../state/dialect.js";
import { botRoutes } from "./bots.js";
import { documentRoutes } from "./documents.js";
import { meetingRoutes } from "./meetings.js";
import { permissionRoutes } from "./permissions.js";
import { roomRoutes } from "./rooms.js";
import { settingsRoutes } from "./settings.js";
import { uploadRoutes } from "./uploads.js";
import { webhookRoutes } from "./webhooks.js";

/** Every endpoint, with the wire names of its parameters. */
export const allRoutes = (names: WireNames): Route[] =>
  [
    ...botRoutes,
    ...settingsRoutes,
    ...meetingRoutes(names.meetings),
    ...uploadRoutes,
    ...roomRoutes(names.rooms),
    ...permissionRoutes(names.permissions),
    ...documentRoutes(names.documents),
    ...webhookRoutes,
  ].map(withHeededParameters);

/** The route without the parameters that the service ignores. */
function withHeededParameters(route: Route): Route {
  if (route.query === undefined) return route;
  return { ...route, query: Object.fromEntries(Object.entries(route.query).filter(([name]) => isHeeded(name))) };
}
