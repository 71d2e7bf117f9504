import * as z from "zod/mini";
import { isRecord } from "../json/is-record.js";
import type { NotetakerLike } from "../notetaker-like.js";
import type { Document } from "../schemas/document.js";
import { ID_PREFIXES } from "../schemas/ids.js";
import type { UpcomingMeeting } from "../schemas/meeting-list.js";
import { SCOPES } from "../schemas/page.js";
import { findQuote } from "../transcript/find-quotes.js";
import { formatTime } from "../transcript/format-time.js";
import { composedTurns, type FoundText, findText, matchesIn } from "../transcript/search.js";
import { singleLine } from "../transcript/split-text.js";
import { turns } from "../transcript/turns.js";
import type { Turn } from "../transcript/types.js";
import { brief, cutLines, jsonLength, type Line, linesOf, MAX_RESULT, type WantedPart } from "./cut-text.js";
import { eventFacts, meetingFacts, roomFacts } from "./facts.js";
import { fields } from "./input-fields.js";
import { MAX_ROWS, pageResult, withLeftOut } from "./page-result.js";
import { defineTool, type ExecuteOptions, type ToolDefinition, type ToolResult } from "./tool.js";

const MEETING_FACTS =
  "id, title, status (completed, processing, scheduled, failed), source, start_time (ISO 8601), duration_seconds, host and participants";

/** Each line begins with time and speaker: nothing that is said can look like another speaker's turn. */
function transcriptLines({ start_time, speaker_name, text }: Turn): Line[] {
  const prefix = `[${formatTime(start_time)}] ${brief(singleLine(speaker_name))}: `;
  return linesOf(singleLine(text)).map((part) => ({ prefix, text: part }));
}

const documentPart = <T extends object>(
  operation: string,
  { id, title, content }: Document,
  wanted: WantedPart,
  frame: (document: object) => T,
): T =>
  cutLines(
    operation,
    linesOf(content).map((text) => ({ prefix: "", text })),
    wanted,
    (part) => frame({ id: brief(id, 150), title: brief(title), ...part }),
  );

const MAX_MATCH_CHARACTERS = 500;
const MAX_MATCHES = 10;

/** A text as one line, cut to 500 characters around a place in it. */
export function around(text: string, index: number, length: number): string {
  const room = Math.max(0, MAX_MATCH_CHARACTERS - 2 - length);
  const end = Math.min(text.length, Math.max(index - Math.floor(room / 2), 0) + room + length);
  const from = Math.max(0, Math.min(index, end - room - length));
  const shown = text.slice(from, Math.min(end, from + MAX_MATCH_CHARACTERS - 2));
  // Half a character at an end is left out.
  const whole = singleLine(shown.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, ""));
  return `${from > 0 ? "…" : ""}${whole}${from + shown.length < text.length ? "…" : ""}`;
}

/** Finds a text as `search` does, within words as well, and as a quotation, whatever its punctuation. */
function findEither(query: string): (text: string) => FoundText[] {
  const finders = [findText(query), findQuote(query)];
  return (text) => {
    let reached = 0;
    return finders
      .flatMap((find) => find(text))
      .sort((a, b) => a.index - b.index)
      .filter(({ index, length }) => {
        if (index < reached) return false;
        reached = index + length;
        return true;
      });
  };
}

/** As many of the items as fit, and how many of `total` were left out. */
export function fitting(name: string, items: readonly object[], total = items.length): ToolResult {
  let room = MAX_RESULT - 200;
  const fits = items.filter((item) => {
    room -= jsonLength(item) + 1;
    return room >= 0;
  });
  const more = total - fits.length;
  return { [name]: fits, ...withLeftOut(more === 0 ? [] : [{ reason: `${more} further ${name}` }]) };
}

/** As received: if some are invalid, the error has the list, and those whose ids can be read are returned. */
async function receivedEvents(notetaker: NotetakerLike, options: ExecuteOptions): Promise<readonly unknown[]> {
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

export const READING_TOOLS: readonly ToolDefinition[] = [
  /* @__PURE__ */ defineTool({
    name: "find_meetings",
    title: "Find meetings",
    effect: "reads",
    description: `Finds meetings by topic, title, participant, company or date; without parameters, lists all. Returns for each ${MEETING_FACTS}, at most 20 at once; continue with next_cursor, which is null at the end.`,
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
    async run(notetaker, { limit = MAX_ROWS, ...params }, options) {
      const page = await notetaker.meetings.list({ ...params, limit }, { ...options, onInvalid: "skip" });
      return pageResult("meetings", page, meetingFacts);
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "get_meeting",
    title: "Get a meeting",
    effect: "reads",
    description: `One meeting: ${MEETING_FACTS}, and its documents (id and title) for get_document.`,
    inputSchema: () => z.strictObject({ meeting_id: fields.meetingId() }),
    async run(notetaker, { meeting_id }, options) {
      const meeting = await notetaker.meetings.get(meeting_id, { expand: ["documents"] }, options);
      const { item, leftOut } = meetingFacts(meeting, MAX_RESULT - 100);
      return { meeting: item, ...withLeftOut(leftOut) };
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "list_rooms",
    title: "List rooms",
    effect: "reads",
    description:
      "Lists rooms, which group related meetings, or finds them by title. Returns id, title, meeting_count and created_at; continue with next_cursor, which is null at the end. The meetings of a room: find_meetings with room_id.",
    inputSchema: () =>
      z.strictObject({
        search: fields.optionalText("Text in the title."),
        scope: fields.optional(fields.oneOf(SCOPES, "Whose rooms: owned by the user, shared with the user, or all.")),
        ...fields.ofPage(),
      }),
    async run(notetaker, { limit = MAX_ROWS, ...params }, options) {
      const page = await notetaker.rooms.list({ ...params, limit }, { ...options, onInvalid: "skip" });
      return pageResult("rooms", page, roomFacts);
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "get_transcript",
    title: "Read a transcript",
    effect: "reads",
    description:
      "What was said in a meeting, as text: a line for each turn, with its time since the beginning (hours:minutes:seconds) and the speaker. Long transcripts come in parts: continue with next_cursor, which is null at the end. Available once the meeting is completed.",
    inputSchema: () => z.strictObject({ meeting_id: fields.meetingId(), ...fields.ofPart() }),
    async run(notetaker, { meeting_id, ...wanted }, options) {
      const transcript = await notetaker.meetings.getTranscript(meeting_id, options);
      const lines = turns(transcript, { maxCharacters: 2_000 }).flatMap(transcriptLines);
      const language = brief(transcript.language, 20);
      return cutLines("get_transcript", lines, wanted, (part) => ({ meeting_id, language, ...part }));
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "search_transcript",
    title: "Search a transcript",
    effect: "reads",
    description:
      "Finds a word, a phrase or a quotation in the transcript of a meeting, whatever its case, punctuation and spaces. Returns for each match its time since the beginning (hours:minutes:seconds), the speaker, and up to 500 characters of text around it. Shorter than get_transcript: use it to find a place or to check a quotation.",
    inputSchema: () =>
      z.strictObject({
        meeting_id: fields.meetingId(),
        query: fields.text("The word or phrase, as it was said."),
        limit: fields.integer(1, 50, "How many matches to return: 1 to 50. Default 10."),
      }),
    async run(notetaker, { meeting_id, query, limit = MAX_MATCHES }, options) {
      const found = matchesIn(
        composedTurns(await notetaker.meetings.getTranscript(meeting_id, options)),
        findEither(query),
      );
      const items = found.slice(0, limit).map(({ start_time, turn, index, match }) => ({
        ...{ time: formatTime(start_time), speaker: brief(turn.speaker_name) },
        text: around(turn.text, index, match.length),
      }));
      return fitting("matches", items, found.length);
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "get_document",
    title: "Read a document",
    effect: "reads",
    description:
      "A document that was written about a meeting (summary, action items, notes), as Markdown. Long documents come in parts: continue with next_cursor, which is null at the end.",
    inputSchema: () => z.strictObject({ document_id: fields.documentId(), ...fields.ofPart() }),
    async run(notetaker, { document_id, ...wanted }, options) {
      const document = await notetaker.documents.get(document_id, { format: "markdown" }, options);
      return documentPart("get_document", document, wanted, (part) => ({ ...part }));
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "find_document",
    title: "Find a summary or action items",
    effect: "reads",
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
      return documentPart("find_document", document, wanted, (part) => ({ document: part }));
    },
  }),
  /* @__PURE__ */ defineTool({
    name: "list_upcoming_meetings",
    title: "List upcoming meetings",
    effect: "reads",
    description:
      "The upcoming events of the user's calendar, with the evt_… ids that schedule_bot and cancel_bot take: at most 20.",
    inputSchema: () => z.strictObject({}),
    async run(notetaker, _, options) {
      const events = await receivedEvents(notetaker, options);
      const readable = events.filter(isEvent);
      const unreadable = events.length - readable.length;
      const missing = unreadable === 0 ? [] : [{ reason: `${unreadable} events have no id of the form evt_…` }];
      return pageResult("events", { data: readable, has_more: false }, eventFacts, missing);
    },
  }),
];
