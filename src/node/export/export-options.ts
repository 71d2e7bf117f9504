/** What `exportMeetings` takes and gives. */
import type { DocumentFormat } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import type { ExportClock } from "./export-clock.js";
import type { ExportSink } from "./sink.js";

export const TRANSCRIPT_FORMATS = ["json", "markdown", "text", "srt", "vtt"] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** A form of the transcript of one's own: the file is `transcript.<extension>`. */
export interface TranscriptRenderer {
  extension: string;
  render(transcript: Transcript, meeting: Meeting): string;
}

export interface ExportFormats {
  /** One request for all of them. Default: `["json", "markdown"]`. */
  transcript?: readonly (TranscriptFormat | TranscriptRenderer)[] | undefined;
  /** One request for each document and format. Default: `["markdown"]`. */
  documents?: readonly DocumentFormat[] | undefined;
  /** Whether to save recordings, which may be large. Default: `false`. */
  recording?: boolean | undefined;
}

export interface ExportOptions {
  /** A folder, or a sink that keeps the files. One place is for one account and one export at a time. */
  into: string | ExportSink;
  /** Only meetings that started on this day or later: `YYYY-MM-DD`, or the UTC day of a `Date`. Default: every meeting. */
  since?: string | Date | undefined;
  formats?: ExportFormats | undefined;
  /** How many requests may be under way at once. Default: 4. */
  concurrency?: number | undefined;
  /** How many requests may begin in any minute. Less, when the service says that less is left. Default: 60. */
  requestsPerMinute?: number | undefined;
  /** Ends the export, which rejects with the signal's reason and can be gone on with. */
  signal?: AbortSignal | undefined;
  /** Told of each step. What it throws ends the export. */
  onProgress?: ((progress: ExportProgress) => void) | undefined;
  /** The time to wait by, for tests. Default: the real one. */
  clock?: ExportClock | undefined;
}

export interface ExportProgress {
  /** `listing`: a page of meetings is being read; `waiting`: for a second or more, for the rate limit or for the service to recover. */
  phase: "listing" | "exporting" | "waiting" | "done";
  /** Meetings found so far, those of earlier runs of this export included. */
  meetings: number;
  /** Of those, the ones that are dealt with. */
  meetingsDone: number;
  /** Whether `meetings` is all there are. */
  allListed: boolean;
  /** Transcripts, documents and recordings that were saved, those of earlier runs included. */
  saved: number;
  /** What is missing so far. */
  missing: number;
  /** The title (or the id) of the meeting that the latest step was about. */
  current: string | undefined;
  /** In phase `waiting`: for how long, in milliseconds. */
  waitMs: number | undefined;
}

/** Something that could not be saved. */
export interface MissingPiece {
  meeting_id: string;
  title: string | null;
  /** `transcript`, `recording`, or `document doc_… (markdown)`. */
  what: string;
  /**
   * `not_found`: the service has none. `not_ready`: the meeting is not completed, so that it was not asked for.
   * `failed`: it could not be had; `message` says why.
   */
  reason: "not_found" | "not_ready" | "failed";
  message: string;
}

export interface ExportSummary {
  /** How many meetings the export holds. */
  meetings: number;
  /** How many transcripts, documents and recordings were saved, those of earlier runs of this export included. */
  saved: number;
  /** What could not be saved, and why. */
  missing: MissingPiece[];
  /** Files that this run wrote; those that were there already with the same bytes were left alone. */
  written: number;
  unchanged: number;
  /** Requests that this run made. */
  requests: number;
  /** Whether this run went on with one that had not come to its end. */
  resumed: boolean;
}
