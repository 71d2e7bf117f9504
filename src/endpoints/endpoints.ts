/** Every endpoint of the service: for the throttle, the emulator, the OpenAPI document, the tables of the guides, and the tests. */

import { getDocument } from "./documents.js";
import type { Endpoint } from "./endpoint.js";
import {
  cancelBot,
  getRecording,
  getTranscript,
  listMeetings,
  listUpcoming,
  scheduleBot,
  sendBot,
  upload,
} from "./meetings.js";
import { listPermissions, revokePermission, setPermission } from "./permissions.js";
import { listRooms } from "./rooms.js";
import { getNotetakerAutomation, setNotetakerAutomation } from "./settings.js";
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from "./webhooks.js";

export const ENDPOINTS = [
  sendBot,
  cancelBot,
  scheduleBot,
  upload,
  getTranscript,
  getRecording,
  listMeetings,
  listUpcoming,
  listRooms,
  getDocument,
  setPermission,
  listPermissions,
  revokePermission,
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  setNotetakerAutomation,
  getNotetakerAutomation,
] as const satisfies readonly Endpoint[];

/** An endpoint of the service. */
export type KnownEndpoint = (typeof ENDPOINTS)[number];
