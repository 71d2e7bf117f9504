/** The tools over an archive: what it holds, and a search of all meetings at once. */
import * as z from "zod/mini";
import type { Archive } from "../sql/search/archive.js";
import { formatTime } from "../transcript/format-time.js";
import { brief } from "./cut-text.js";
import { fields } from "./input-fields.js";
import { MAX_ROWS } from "./page-result.js";
import { around, fitting, READING_TOOLS } from "./reading-tools.js";
import { defineTool, type ToolDefinition } from "./tool.js";

/** An archive has no rooms and no calendar. */
const NOT_STORED = ["list_rooms", "list_upcoming_meetings"];

export const STORED_TOOLS: readonly ToolDefinition[] = /* @__PURE__ */ READING_TOOLS.filter(
  ({ name }) => !NOT_STORED.includes(name),
).map((definition) => ({
  ...definition,
  ...(definition.name === "find_meetings" ? { inputSchema: () => storedFilters(definition) } : {}),
  isStored: true,
}));

/** The stored list does not say which room a meeting is in, and nothing is searched by meaning. */
function storedFilters({ inputSchema }: ToolDefinition) {
  const filters = z.omit(inputSchema() as z.ZodMiniObject<{ room_id: z.ZodMiniType }>, { room_id: true });
  return z.extend(filters, {
    q: fields.optionalText("Words that were said in the meeting or written about it, as search_meetings takes them."),
  });
}

const MAX_HITS = 10;

export const searchMeetingsTool = (archive: Archive): ToolDefinition =>
  defineTool({
    name: "search_meetings",
    title: "Search all meetings",
    effect: "reads",
    isStored: true,
    description:
      'Finds where something was said, or written in a document, in all meetings at once. A query has words, "phrases", beginnings (contr*) and exclusions (-draft). Returns the best passages: meeting_id, title and start_time of the meeting, the time since its beginning (hours:minutes:seconds) and the speaker, or the document, and up to 500 characters of text. exact is false where only some of the words, or other forms of them, were found.',
    inputSchema: () =>
      z.strictObject({
        query: fields.text("What was said: a few words that the speaker may have used, rather than a question."),
        speaker: fields.optionalText("Only what this person said: a name."),
        meeting_ids: fields.meetingIds("Only these meetings: mtg_… ids, as find_meetings returns them."),
        since: fields.date("Only meetings on this day or later: YYYY-MM-DD."),
        until: fields.date("Only meetings on this day or earlier: YYYY-MM-DD."),
        limit: fields.integer(1, MAX_ROWS, "How many passages to return: 1 to 20. Default 10."),
      }),
    async run(_, { query, limit = MAX_HITS, meeting_ids, ...filters }, options) {
      const hits = await archive.search(query, { ...filters, ...options, meetingIds: meeting_ids, limit });
      const items = hits.map(({ meeting, text, matches: [first], start_time, speaker, document, exact }) => ({
        ...{ meeting_id: brief(meeting.id), title: brief(meeting.title), start_time: brief(meeting.start_time, 40) },
        ...(meeting.gone ? { gone: true } : {}),
        ...(start_time === undefined ? {} : { time: formatTime(start_time), speaker: brief(speaker) }),
        ...(document === undefined ? {} : { document_id: brief(document.id), document: brief(document.title) }),
        text: around(text, first?.start ?? 0, first === undefined ? 0 : first.end - first.start),
        exact,
      }));
      return fitting("passages", items);
    },
  });
