/** The formats of transcript files, the built-in ones and the user's own, and the text of each file. */
import type { Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import { toSrt, toVtt } from "../../transcript/captions.js";
import { toMarkdown } from "../../transcript/to-markdown.js";
import { toText } from "../../transcript/to-text.js";

export const TRANSCRIPT_FORMATS = ["json", "markdown", "text", "srt", "vtt"] as const;
/** A format in which `folderStore` can save a transcript. */
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** A format of your own for the transcript. The file is `transcript.<extension>`. */
export interface TranscriptRenderer {
  /** 1 to 16 characters of a-z and 0-9. */
  extension: string;
  /** Returns the content of the file. If it throws, the transcript is listed in `missing`, and the run continues. */
  render(transcript: Transcript, meeting: Meeting): string;
}

export type TranscriptFormats = readonly (TranscriptFormat | TranscriptRenderer)[];

export function isTranscriptFormat(value: unknown): value is TranscriptFormat | TranscriptRenderer {
  if (typeof value === "string") return TRANSCRIPT_FORMATS.includes(value as TranscriptFormat);
  const { extension, render } = (value ?? {}) as Partial<TranscriptRenderer>;
  return typeof render === "function" && typeof extension === "string" && /^[a-z0-9]{1,16}$/.test(extension);
}

/** Limits of captions that fit into a player. */
const CAPTIONS = { maxLineLength: 42, maxCueSeconds: 7 };

/** `json` is the transcript as it was received. The others are made from the parts of it that match the schema. */
interface Renderer {
  readonly extension: string;
  render(transcript: Transcript, meeting: Meeting, received: unknown): string;
}

const RENDERERS: Readonly<Record<TranscriptFormat, Renderer>> = {
  json: { extension: "json", render: (_, __, received) => `${JSON.stringify(received, undefined, 2)}\n` },
  markdown: {
    extension: "md",
    render: (transcript, meeting) =>
      toMarkdown(transcript, { title: meeting.title, frontMatter: frontMatter(transcript, meeting) }),
  },
  text: { extension: "txt", render: (transcript) => toText(transcript) },
  srt: { extension: "srt", render: (transcript) => toSrt(transcript, CAPTIONS) },
  vtt: { extension: "vtt", render: (transcript) => toVtt(transcript, CAPTIONS) },
};

export const rendererOf = (format: TranscriptFormat | TranscriptRenderer): Renderer =>
  typeof format === "string"
    ? RENDERERS[format]
    : { extension: format.extension, render: (transcript, meeting) => format.render(transcript, meeting) };

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
