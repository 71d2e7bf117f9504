/** A transcript as a file. */
import type { Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import { toMarkdown } from "../../transcript/to-markdown.js";
import { toSrt } from "../../transcript/to-srt.js";
import { toText } from "../../transcript/to-text.js";
import { toVtt } from "../../transcript/to-vtt.js";
import type { TranscriptFormat, TranscriptRenderer } from "./export-options.js";

export const TRANSCRIPT_EXTENSIONS: Record<TranscriptFormat, string> = {
  json: "json",
  markdown: "md",
  text: "txt",
  srt: "srt",
  vtt: "vtt",
};

export const transcriptExtension = (form: TranscriptFormat | TranscriptRenderer) =>
  typeof form === "string" ? TRANSCRIPT_EXTENSIONS[form] : form?.extension;

/** Lines that a player can show. */
const CAPTIONS = { maxLineLength: 42, maxCueSeconds: 7 };

export function transcriptText(
  form: TranscriptFormat | TranscriptRenderer,
  transcript: Transcript,
  meeting: Meeting,
): string {
  switch (form) {
    case "json":
      return `${JSON.stringify(transcript, undefined, 2)}\n`;
    case "markdown":
      return toMarkdown(transcript, {
        title: meeting.title,
        frontMatter: {
          id: meeting.id,
          title: meeting.title ?? undefined,
          date: meeting.start_time,
          duration: meeting.duration ?? undefined,
          source: meeting.source,
          language: transcript.language,
          host: meeting.host?.name ?? meeting.host?.email ?? undefined,
          participants: meeting.participants?.flatMap(({ name, email }) => name ?? email ?? []),
        },
      });
    case "text":
      return toText(transcript);
    case "srt":
      return toSrt(transcript, CAPTIONS);
    case "vtt":
      return toVtt(transcript, CAPTIONS);
    default:
      return form.render(transcript, meeting);
  }
}
