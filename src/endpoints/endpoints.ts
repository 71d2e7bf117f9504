import { documentEndpoints } from "./documents.js";
import type { Endpoint } from "./endpoint.js";
import { meetingEndpoints } from "./meetings.js";
import { permissionEndpoints } from "./permissions.js";
import { roomEndpoints } from "./rooms.js";
import { settingEndpoints } from "./settings.js";
import { webhookEndpoints } from "./webhooks.js";

export const ENDPOINTS = [
  ...meetingEndpoints,
  ...roomEndpoints,
  ...documentEndpoints,
  ...permissionEndpoints,
  ...webhookEndpoints,
  ...settingEndpoints,
] as const satisfies readonly Endpoint[];

export type KnownEndpoint = (typeof ENDPOINTS)[number];
