/** Tools that read. */
import * as z from "zod/mini";
import { isRecord } from "../json/is-record.js";
import type { NotetakerLike } from "../notetaker-like.js";
import { ID_PREFIXES } from "../schemas/ids.js";
import type { Meeting } from "../schemas/meeting.js";
import type { UpcomingMeeting } from "../schemas/meeting-list.js";
import type { Room } from "../schemas/room.js";
import { formatTime } from "../transcript/format-time.js";
import { singleLine } from "../transcript/split-text.js";
import { turns } from "../transcript/turns.js";
import type { Turn } from "../transcript/types.js";
import { cutPieces, linesOf } from "./cut-text.js";
import { fields } from "./fields.js";
import { defineTool, type ExecuteOptions, type LeftOut, pageResult, type ToolDefinition, withLeftOut } from "./tool.js";

const DEFAULT_LIMIT = 20;

/** The fields of a meeting that a model gets. Links are left out, because anyone who has a link may join or watch. */
const meetingFacts = (meeting: Meeting) => {
  const { id, title, status, source, start_time, end_time, duration, host, participants, documents } = meeting;
  return {
    ...{ id, title, status, source, start_time, end_time },
    duration_seconds: duration,
    host: host?.name ?? host?.email,
    participants: participants?.map((participant) => participant?.name ?? participant?.email).filter(Boolean),
    documents: documents?.map((document) => ({ id: document.id, title: document.title })),
  };
};

const roomFacts = ({ id, title, meeting_count, created_at }: Room) => ({ id, title, meeting_count, created_at });

const MEETING_FACTS =
  "id, title, status (completed, processing, scheduled, failed), source, start_time (ISO 8601), duration_seconds, host and participants";

const findMeetings = /* @__PURE__ */ defineTool({
  name: "find_meetings",
  description: `Finds meetings by topic, title, participant, company or date; without parameters, lists all. Returns for each ${MEETING_FACTS}, at most 100 at once; continue with next_cursor, which is null at the end.`,
  inputSchema: () =>
    z.strictObject({
      search: fields.optionalText("Text in the title."),
      q: fields.optionalText("What the meeting was about: a question or a few words. Searches by meaning."),
      participant: fields.optionalText("A participant's name or e-mail address."),
      company: fields.optionalText("A participant's company: its name or domain."),
      room_id: fields.optionalText("Only meetings of this room, room_…"),
      status: fields.optionalText("Only meetings of this status, for example completed."),
      start_date: fields.date("Only meetings on this day or later: YYYY-MM-DD."),
      end_date: fields.date("Only meetings on this day or earlier: YYYY-MM-DD."),
      ...fields.ofPage(),
    }),
  async run(notetaker, input, options) {
    const page = await notetaker.meetings.list({ limit: DEFAULT_LIMIT, ...input }, { ...options, onInvalid: "skip" });
    return pageResult("meetings", page, meetingFacts);
  },
});

const getMeeting = /* @__PURE__ */ defineTool({
  name: "get_meeting",
  description: `One meeting: ${MEETING_FACTS}, and its documents (id and title) for get_document.`,
  inputSchema: () => z.strictObject({ meeting_id: fields.meetingId() }),
  async run(notetaker, { meeting_id }, options) {
    return { meeting: meetingFacts(await notetaker.meetings.get(meeting_id, { expand: ["documents"] }, options)) };
  },
});

const listRooms = /* @__PURE__ */ defineTool({
  name: "list_rooms",
  description:
    "Lists rooms, which group related meetings, or finds them by title. Returns id, title, meeting_count and created_at; continue with next_cursor, which is null at the end. The meetings of a room: find_meetings with room_id.",
  inputSchema: () =>
    z.strictObject({
      search: fields.optionalText("Text in the title."),
      scope: z.optional(
        fields.oneOf(["owned", "shared", "all"], "Whose rooms: owned by the user, shared with the user, or all."),
      ),
      ...fields.ofPage(),
    }),
  async run(notetaker, input, options) {
    const page = await notetaker.rooms.list({ limit: DEFAULT_LIMIT, ...input }, { ...options, onInvalid: "skip" });
    return pageResult("rooms", page, roomFacts);
  },
});

const MAX_SPEAKER_CHARACTERS = 100;

/**
 * The lines of one turn. Each begins with the time and the speaker, also where a long turn is divided: no text that
 * somebody says can look like the turn of another speaker.
 */
function transcriptLines({ start_time, speaker_name, text }: Turn): string[] {
  const speaker = singleLine(speaker_name).slice(0, MAX_SPEAKER_CHARACTERS);
  return linesOf(singleLine(text)).map((part) => `[${formatTime(start_time)}] ${speaker}: ${part}`);
}

const getTranscript = /* @__PURE__ */ defineTool({
  name: "get_transcript",
  description:
    "What was said in a meeting, as text: a line for each turn, with its time since the beginning (hours:minutes:seconds) and the speaker. Long transcripts come in parts: continue with next_cursor, which is null at the end. Available once the meeting is completed.",
  inputSchema: () => z.strictObject({ meeting_id: fields.meetingId(), ...fields.ofPart() }),
  async run(notetaker, { meeting_id, ...wanted }, options) {
    const transcript = await notetaker.meetings.getTranscript(meeting_id, options);
    const lines = turns(transcript, { maxCharacters: 2_000 }).flatMap(transcriptLines);
    return { meeting_id, language: transcript.language, ...cutPieces("get_transcript", lines, wanted) };
  },
});

const getDocument = /* @__PURE__ */ defineTool({
  name: "get_document",
  description:
    "A document that was written about a meeting (summary, action items, notes), as Markdown. Long documents come in parts: continue with next_cursor, which is null at the end.",
  inputSchema: () => z.strictObject({ document_id: fields.documentId(), ...fields.ofPart() }),
  async run(notetaker, { document_id, ...wanted }, options) {
    const { id, title, content } = await notetaker.documents.get(document_id, { format: "markdown" }, options);
    return { id, title, ...cutPieces("get_document", linesOf(content), wanted) };
  },
});

const findDocument = /* @__PURE__ */ defineTool({
  name: "find_document",
  description:
    "The newest summary or the newest action items of a meeting, as Markdown; document is null if there is none. Long documents come in parts: continue with next_cursor, which is null at the end.",
  inputSchema: () =>
    z.strictObject({
      meeting_id: fields.meetingId(),
      kind: fields.oneOf(["summary", "action_items"], "Which document."),
      ...fields.ofPart(),
    }),
  async run(notetaker, { meeting_id, kind, ...wanted }, options) {
    const document = await notetaker.documents.find(meeting_id, kind, { format: "markdown" }, options);
    if (document === undefined) return { document: null };
    const { id, title, content } = document;
    return { document: { id, title, ...cutPieces("find_document", linesOf(content), wanted) } };
  },
});

const MAX_EVENTS = 100;

/**
 * The upcoming events as received. If some are invalid, the validation error has the list; its events are returned one
 * by one, as far as their ids can be read.
 */
async function upcomingEvents(notetaker: NotetakerLike, options: ExecuteOptions): Promise<readonly unknown[]> {
  try {
    return await notetaker.meetings.upcoming(options);
  } catch (error) {
    const { name, body } = error as { name?: string; body?: unknown };
    const events = isRecord(body) ? body.data : body;
    if (name !== "ResponseValidationError" || !Array.isArray(events)) throw error;
    return events;
  }
}

const isEvent = (event: unknown): event is UpcomingMeeting =>
  isRecord(event) && typeof event.id === "string" && event.id.startsWith(ID_PREFIXES.eventId);

const listUpcomingMeetings = /* @__PURE__ */ defineTool({
  name: "list_upcoming_meetings",
  description: "The upcoming events of the user's calendar, with the evt_… ids that schedule_bot and cancel_bot take.",
  inputSchema: () => z.strictObject({}),
  async run(notetaker, _input, options) {
    const events = await upcomingEvents(notetaker, options);
    const readable = events.filter(isEvent);
    const missing: LeftOut[] = [];
    if (events.length > readable.length) {
      missing.push({ reason: `${events.length - readable.length} events have no id of the form evt_…` });
    }
    if (readable.length > MAX_EVENTS) {
      missing.push({
        reason: `${readable.length - MAX_EVENTS} further events: only the first ${MAX_EVENTS} are listed`,
      });
    }
    const shown = readable.slice(0, MAX_EVENTS).map(({ id, title, start_time }) => ({ id, title, start_time }));
    return { events: shown, ...withLeftOut(missing) };
  },
});

export const READING_TOOLS: readonly ToolDefinition[] = [
  findMeetings,
  getMeeting,
  listRooms,
  getTranscript,
  getDocument,
  findDocument,
  listUpcomingMeetings,
];
