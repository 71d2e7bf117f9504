import type { WireNames } from "../../unshown.js";
import type { Route } from "../http/route.js";
import { botRoutes } from "./bots.js";
import { documentRoutes } from "./documents.js";
import { meetingRoutes } from "./meetings.js";
import { permissionRoutes } from "./permissions.js";
import { roomRoutes } from "./rooms.js";
import { settingsRoutes } from "./settings.js";
import { uploadRoutes } from "./uploads.js";
import { webhookRoutes } from "./webhooks.js";

/** Every endpoint, with the parameter names in force. */
export const allRoutes = (names: WireNames): Route[] => [
  ...botRoutes,
  ...settingsRoutes,
  ...meetingRoutes(names.meetings),
  ...uploadRoutes,
  ...roomRoutes(names.rooms),
  ...permissionRoutes(names.permissions),
  ...documentRoutes(names.documents),
  ...webhookRoutes,
];
