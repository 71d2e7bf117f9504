/** The client's method for each endpoint of the transcription. */
import type { Notetaker } from "notetaker-sdk";
import type * as z from "zod/mini";
import { notetakerAutomationParamsSchema } from "../../src/schemas/automation.js";
import { sendBotParamsSchema } from "../../src/schemas/bot.js";
import { documentGetParamsSchema } from "../../src/schemas/document.js";
import { meetingListParamsSchema } from "../../src/schemas/meeting-list.js";
import { permissionListParamsSchema, permissionSetParamsSchema } from "../../src/schemas/permission.js";
import { roomListParamsSchema } from "../../src/schemas/room.js";
import { uploadParamsSchema } from "../../src/schemas/upload.js";
import { webhookCreateParamsSchema, webhookUpdateParamsSchema } from "../../src/schemas/webhook.js";
import type { OperationName } from "./interface.js";

export interface Method {
  /** The name of the method. */
  operation: string;
  call(notetaker: Notetaker, ids: readonly string[], params: never): PromiseLike<unknown>;
  /** The schema of the method's parameters, or of its body. */
  params?: z.core.$ZodType;
}

export const METHODS: Record<OperationName, Method> = {
  sendBot: {
    operation: "meetings.sendBot",
    call: ({ meetings }, _, body) => meetings.sendBot(body),
    params: sendBotParamsSchema,
  },
  cancelBot: { operation: "meetings.cancelBot", call: ({ meetings }, [id]) => meetings.cancelBot(id!) },
  setNotetakerAutomation: {
    operation: "settings.setNotetakerAutomation",
    call: ({ settings }, _, body) => settings.setNotetakerAutomation(body),
    params: notetakerAutomationParamsSchema,
  },
  upload: {
    operation: "meetings.upload",
    call: ({ meetings }, _, params) =>
      meetings.upload(new Blob(["a"]), { contentType: "audio/wav", ...(params as object) }),
    params: uploadParamsSchema,
  },
  listRooms: {
    operation: "rooms.list",
    call: ({ rooms }, _, params) => rooms.list(params),
    params: roomListParamsSchema,
  },
  setPermission: {
    operation: "permissions.set",
    call: ({ permissions }, [id], body) => permissions.set(id!, body),
    params: permissionSetParamsSchema,
  },
  listPermissions: {
    operation: "permissions.list",
    call: ({ permissions }, [id], params) => permissions.list(id!, params),
    params: permissionListParamsSchema,
  },
  getDocument: {
    operation: "documents.get",
    call: ({ documents }, [id], params) => documents.get(id!, params),
    params: documentGetParamsSchema,
  },
  getTranscript: { operation: "meetings.getTranscript", call: ({ meetings }, [id]) => meetings.getTranscript(id!) },
  getRecording: { operation: "meetings.getRecording", call: ({ meetings }, [id]) => meetings.getRecording(id!) },
  listWebhooks: { operation: "webhooks.list", call: ({ webhooks }) => webhooks.list() },
  listMeetings: {
    operation: "meetings.list",
    call: ({ meetings }, _, params) => meetings.list(params),
    params: meetingListParamsSchema,
  },
  upcomingMeetings: { operation: "meetings.upcoming", call: ({ meetings }) => meetings.upcoming() },
  scheduleBot: { operation: "meetings.scheduleBot", call: ({ meetings }, [id]) => meetings.scheduleBot(id!) },
  createWebhook: {
    operation: "webhooks.create",
    call: ({ webhooks }, _, body) => webhooks.create(body),
    params: webhookCreateParamsSchema,
  },
  updateWebhook: {
    operation: "webhooks.update",
    call: ({ webhooks }, [id], body) => webhooks.update(id!, body),
    params: webhookUpdateParamsSchema,
  },
  deleteWebhook: { operation: "webhooks.delete", call: ({ webhooks }, [id]) => webhooks.delete(id!) },
  getNotetakerAutomation: {
    operation: "settings.getNotetakerAutomation",
    call: ({ settings }) => settings.getNotetakerAutomation(),
  },
  revokePermission: {
    operation: "permissions.revoke",
    call: ({ permissions }, ids) => permissions.revoke(ids[0]!, ids[1]!),
  },
};

/** The one parameter with different names in the library and in the request. */
export const libraryName = (wireName: string) => (wireName === "id" ? "ids" : wireName);
