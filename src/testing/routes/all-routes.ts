/** The endpoints of the emulated service. */
import type { Route } from "../http/route.js";
import { botRoutes } from "./bots.js";
import { documentRoutes } from "./documents.js";
import { meetingRoutes } from "./meetings.js";
import { permissionRoutes } from "./permissions.js";
import { roomRoutes } from "./rooms.js";
import { settingsRoutes } from "./settings.js";
import { uploadRoutes } from "./uploads.js";
import { webhookRoutes } from "./webhooks.js";

export const ALL_ROUTES: readonly Route[] = [
  ...botRoutes,
  ...settingsRoutes,
  ...meetingRoutes,
  ...uploadRoutes,
  ...roomRoutes,
  ...permissionRoutes,
  ...documentRoutes,
  ...webhookRoutes,
];
