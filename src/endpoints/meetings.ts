import { eventBotResultSchema, sendBotParamsSchema, sendBotResultSchema } from "../schemas/bot.js";
import { meetingSchema } from "../schemas/meeting.js";
import { meetingListParamsSchema, upcomingMeetingsSchema } from "../schemas/meeting-list.js";
import { plainPage } from "../schemas/page.js";
import { recordingLinkSchema } from "../schemas/recording.js";
import { transcriptSchema } from "../schemas/transcript.js";
import { uploadParamsSchema, uploadResultSchema } from "../schemas/upload.js";
import { endpoint } from "./endpoint.js";

export const sendBot = endpoint({
  name: "meetings.sendBot",
  route: "POST /meetings/bot",
  body: sendBotParamsSchema,
  response: sendBotResultSchema,
  retry: "unrepeatable",
  invalid: "error",
  source: "specified",
});

export const cancelBot = endpoint({
  name: "meetings.cancelBot",
  route: "DELETE /meetings/{eventId}/bot",
  response: eventBotResultSchema,
  retry: "repeatable",
  invalid: "validation",
  source: "specified",
});

export const scheduleBot = endpoint({
  name: "meetings.scheduleBot",
  route: "POST /meetings/{eventId}/bot",
  response: eventBotResultSchema,
  retry: "unrepeatable",
  invalid: "error",
  source: "guessed",
});

export const upload = endpoint({
  name: "meetings.upload",
  route: "PUT /meetings/upload",
  query: uploadParamsSchema,
  response: uploadResultSchema,
  retry: "unrepeatable",
  invalid: "validation",
  source: "specified",
});

export const getTranscript = endpoint({
  name: "meetings.getTranscript",
  route: "GET /meetings/{meetingId}/transcript",
  response: transcriptSchema,
  retry: "repeatable",
  invalid: "validation",
  source: "specified",
});

export const getRecording = endpoint({
  name: "meetings.getRecording",
  route: "GET /meetings/{meetingId}/recording",
  response: recordingLinkSchema,
  retry: "repeatable",
  invalid: "validation",
  source: "specified",
});

export const listMeetings = endpoint({
  name: "meetings.list",
  route: "GET /meetings",
  query: meetingListParamsSchema,
  names: "meetings",
  response: meetingSchema,
  page: plainPage,
  retry: "repeatable",
  invalid: "error",
  source: "documented",
});

export const listUpcoming = endpoint({
  name: "meetings.upcoming",
  route: "GET /meetings/upcoming",
  response: upcomingMeetingsSchema,
  retry: "repeatable",
  invalid: "error",
  source: "guessed",
});

export const meetingEndpoints = [
  sendBot,
  cancelBot,
  scheduleBot,
  upload,
  getTranscript,
  getRecording,
  listMeetings,
  listUpcoming,
] as const;
