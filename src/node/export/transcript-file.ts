/** Renders a transcript as the text of a file. */
import type { Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import { toMarkdown } from "../../transcript/to-markdown.js";
import { toSrt } from "../../transcript/to-srt.js";
import { toText } from "../../transcript/to-text.js";
import { toVtt } from "../../transcript/to-vtt.js";
import type { TranscriptFormat, TranscriptRenderer } from "./transcript-format.js";

/** Limits of captions that fit into a player. */
const CAPTIONS = { maxLineLength: 42, maxCueSeconds: 7 };

/**
 * `received` is the transcript as it was received, for `json`. The other formats are made from `transcript`: the parts
 * of `received` that match the schema.
 */
export function transcriptText(
  format: TranscriptFormat | TranscriptRenderer,
  transcript: Transcript,
  meeting: Meeting,
  received: unknown,
): string {
  switch (format) {
    case "json":
      return `${JSON.stringify(received, undefined, 2)}\n`;
    case "markdown":
      return toMarkdown(transcript, { title: meeting.title, frontMatter: frontMatter(transcript, meeting) });
    case "text":
      return toText(transcript);
    case "srt":
      return toSrt(transcript, CAPTIONS);
    case "vtt":
      return toVtt(transcript, CAPTIONS);
    default:
      return format.render(transcript, meeting);
  }
}

const frontMatter = ({ language }: Transcript, meeting: Meeting) => ({
  id: meeting.id,
  title: meeting.title ?? undefined,
  date: meeting.start_time,
  duration: meeting.duration ?? undefined,
  source: meeting.source,
  language,
  host: meeting.host?.name ?? meeting.host?.email ?? undefined,
  participants: meeting.participants?.flatMap(({ name, email }) => name ?? email ?? []),
});
