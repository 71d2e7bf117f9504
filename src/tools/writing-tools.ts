/** Tools that send, share or change. There is none for webhooks, because their secret would reach the model. */
import * as z from "zod/mini";
import { ASSUMED_TEAM, ASSUMED_TEAMMATE } from "../assumptions.js";
import { AUTOMATION_MODES } from "../schemas/automation.js";
import { RECIPIENT_ANYONE, ROLE_READ } from "../schemas/permission.js";
import { brief } from "./cut-text.js";
import { fields } from "./input-fields.js";
import { MAX_ROWS, pageResult } from "./page-result.js";
import { defineTool, type ToolDefinition } from "./tool.js";

export const WRITING_TOOLS: readonly ToolDefinition[] = [
  /* @__PURE__ */ defineTool({
    name: "send_bot",
    title: "Send a bot into a call",
    effect: "adds",
    description:
      "Sends a note-taker bot into a running call now: a Zoom, Google Meet, Microsoft Teams or Webex join link of at most 1024 characters. At most 10 a minute and 60 an hour. Returns meeting_id, under which the transcript will appear; the bot has not joined yet. Do not repeat it for the same call.",
    inputSchema: () => z.strictObject({ meeting_url: fields.text("The join link.") }),
    async run(notetaker, input, options) {
      const { meeting_id, status } = await notetaker.meetings.sendBot(input, options);
      return { meeting_id: brief(meeting_id, 200), status: brief(status) };
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "schedule_bot",
    title: "Schedule a bot",
    effect: "adds",
    description: "Schedules the bot for an upcoming calendar event. Returns event_id and status scheduling.",
    inputSchema: () => z.strictObject({ event_id: fields.eventId() }),
    async run(notetaker, input, options) {
      const { event_id, status } = await notetaker.meetings.scheduleBot(input.event_id, options);
      return { event_id: brief(event_id, 200), status: brief(status) };
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "cancel_bot",
    title: "Cancel a bot",
    effect: "cancels",
    description: "Cancels the bot of an upcoming calendar event. Returns event_id and status cancelling.",
    inputSchema: () => z.strictObject({ event_id: fields.eventId() }),
    async run(notetaker, input, options) {
      const { event_id, status } = await notetaker.meetings.cancelBot(input.event_id, options);
      return { event_id: brief(event_id, 200), status: brief(status) };
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "set_automation",
    title: "Set which events the bot joins",
    effect: "cancels",
    description:
      "Sets which calendar events the bot joins by itself: MANUAL (none), JOIN_AS_HOST (those that the user organizes), JOIN_ALL_EVENTS. Bots of upcoming events are scheduled or cancelled at once.",
    inputSchema: () => z.strictObject({ automation: fields.oneOf(AUTOMATION_MODES, "The mode.") }),
    async run(notetaker, input, options) {
      const { automation } = await notetaker.settings.setNotetakerAutomation(input, options);
      return { automation: brief(automation) };
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "share_meeting",
    title: "Share a meeting",
    effect: "repeatable",
    description:
      "Gives a teammate or the team access to a meeting that the user owns. Returns the id of the permission, for revoke_permission. Not for public access: that is share_meeting_with_anyone.",
    inputSchema: () =>
      z.strictObject({
        meeting_id: fields.meetingId(),
        recipient_type: fields.oneOf([ASSUMED_TEAMMATE, ASSUMED_TEAM], "Who gets access."),
        email: fields.optionalText("The teammate's e-mail address."),
        role: fields.text("What they may do, for example read."),
      }),
    async run(notetaker, { meeting_id, recipient_type, email, role }, options) {
      const recipient = { type: recipient_type, ...(email === undefined ? {} : { email }) };
      const permission = await notetaker.permissions.set(meeting_id, { recipient, role }, options);
      return { id: brief(permission.id, 200), role: brief(permission.role) };
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "share_meeting_with_anyone",
    title: "Make a meeting public",
    effect: "repeatable",
    description:
      "Makes a meeting that the user owns public: anyone with its link can read it. Ask the user before. Returns the id of the permission, for revoke_permission.",
    inputSchema: () => z.strictObject({ meeting_id: fields.meetingId() }),
    async run(notetaker, { meeting_id }, options) {
      const params = { recipient: { type: RECIPIENT_ANYONE }, role: ROLE_READ };
      const permission = await notetaker.permissions.set(meeting_id, params, options);
      return { id: brief(permission.id, 200), role: brief(permission.role) };
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "list_permissions",
    title: "List who has access",
    effect: "reads",
    description:
      "Who has access to a meeting that the user owns. Returns id, recipient type and role of each permission; continue with next_cursor, which is null at the end.",
    inputSchema: () => z.strictObject({ meeting_id: fields.meetingId(), ...fields.ofPage() }),
    async run(notetaker, { meeting_id, limit = MAX_ROWS, cursor }, options) {
      const params = { limit, cursor };
      const page = await notetaker.permissions.list(meeting_id, params, { ...options, onInvalid: "skip" });
      return pageResult("permissions", page, ({ id, recipient, role }) => ({
        item: { id: brief(id, 200), recipient_type: brief(recipient.type), role: brief(role) },
      }));
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "revoke_permission",
    title: "Revoke access",
    effect: "cancels",
    description: "Revokes access to a meeting. Returns revoked: true.",
    inputSchema: () =>
      z.strictObject({
        meeting_id: fields.meetingId(),
        permission_id: fields.text("The id of the permission, as list_permissions returns it."),
      }),
    async run(notetaker, { meeting_id, permission_id }, options) {
      await notetaker.permissions.revoke(meeting_id, permission_id, options);
      return { revoked: true };
    },
  }),
];
