/** The options of `exportMeetings` with their defaults, and its reports. */
import * as z from "zod/mini";
import { checkArgument, InvalidArgumentError } from "../../errors/argument-errors.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../schemas/document.js";
import type { Issue } from "../../schemas/format-issues.js";
import { custom, enumOf, functionSchema, optionsSchema } from "../../schemas/primitives.js";
import type { MissingPiece, WantedPieces } from "../../sync/pieces.js";
import { Period, paceOf, periodIssues, type ReadOptions, readOptionsShape } from "../../sync/read-options.js";
import {
  isTranscriptFormat,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  type TranscriptRenderer,
  transcriptExtension,
} from "../folder-store/transcript-files.js";
import { folderSink } from "../sink/folder-sink.js";
import type { ExportSink } from "../sink/sink.js";

/** The parts of each meeting that an export saves, and their formats. */
export interface ExportFormats {
  /** One request serves all formats. Default: `["json", "markdown"]`. */
  transcript?: readonly (TranscriptFormat | TranscriptRenderer)[] | undefined;
  /** One request for each document and format. Default: `["markdown"]`. */
  documents?: readonly DocumentFormat[] | undefined;
  /** Whether to save recordings, which may be large. Default: `false`. */
  recording?: boolean | undefined;
}

/** Options of `exportMeetings`. */
export interface ExportOptions extends ReadOptions {
  /** A folder, or a sink that stores the files. Use it for one account only, and for one export at a time. */
  into: string | ExportSink;
  /** What to save of each meeting. Default: transcripts as JSON and Markdown, documents as Markdown, no recordings. */
  formats?: ExportFormats | undefined;
  /**
   * Whether to skip files that were saved before, unless the meeting list shows that they have changed. Then a run
   * requests only the list if nothing is new. Default: `false`, which fetches every transcript and document again, and
   * writes those that differ.
   */
  skipExisting?: boolean | undefined;
  /**
   * Whether to delete the files of meetings that the service no longer lists. If the list of this run has no meeting at
   * all, nothing is deleted: see `notPruned`. Default: `false`.
   */
  prune?: boolean | undefined;
  /**
   * Called for each saved meeting that the service no longer lists. It is never called for a meeting that `since` or
   * `until` excludes. An error that it throws ends the export.
   */
  onGone?: ((meetingId: string) => void | Promise<void>) | undefined;
  /** Called at each step. An error that it throws ends the export. */
  onProgress?: ((progress: ExportProgress) => void) | undefined;
}

const formatsSchema = optionsSchema<ExportFormats>()({
  transcript: z.optional(
    z.array(
      custom(
        isTranscriptFormat,
        `${TRANSCRIPT_FORMATS.join(", ")}, or an extension (a-z, 0-9) with a function to render`,
      ),
    ),
  ),
  documents: z.optional(z.array(enumOf(DOCUMENT_FORMATS))),
  recording: z.optional(z.boolean()),
});

const exportOptionsSchema = optionsSchema<ExportOptions>()({
  ...readOptionsShape,
  into: custom(isFolderOrSink, "a folder, or a sink with write(path, bytes) and read(path)"),
  formats: z.optional(formatsSchema),
  skipExisting: z.optional(z.boolean()),
  prune: z.optional(z.boolean()),
  onGone: z.optional(functionSchema),
  onProgress: z.optional(functionSchema),
});

function isFolderOrSink(into: unknown): boolean {
  if (typeof into === "string") return into !== "";
  const sink = (into ?? {}) as Partial<ExportSink>;
  const isOptional = (method: unknown) => method === undefined || typeof method === "function";
  return (
    typeof sink.write === "function" &&
    typeof sink.read === "function" &&
    [sink.writeStream, sink.delete, sink.lock].every(isOptional)
  );
}

/** The checked options of an export, with all defaults. */
export type ExportPlan = ReturnType<typeof exportPlan>;

/** @throws {InvalidArgumentError} {@link InvalidArgumentError} naming every invalid option */
export function exportPlan(options: ExportOptions) {
  checkArgument("exportMeetings", exportOptionsSchema, options);
  const { into, formats = {}, skipExisting = false, prune = false, onGone, onProgress } = options;
  const { transcript = ["json", "markdown"], documents = ["markdown"], recording = false } = formats;
  const sink = typeof into === "string" ? folderSink(into) : into;
  const issues = [...periodIssues(options), ...extensionIssues(transcript), ...pruneIssues(prune, sink)];
  if (issues.length > 0) throw new InvalidArgumentError("exportMeetings", issues);
  const period = new Period(options);
  const wanted: WantedPieces = { transcript: transcript.length > 0, documents: [...new Set(documents)], recording };
  // A run resumes only a run with the same key.
  const key = JSON.stringify({
    since: period.startDate ?? null,
    until: period.endDate ?? null,
    ...wanted,
    transcript: transcript.map((format) => (typeof format === "string" ? format : `.${format.extension}`)),
  });
  return { sink, period, transcript, wanted, skipExisting, prune, onGone, onProgress, key, ...paceOf(options) };
}

function extensionIssues(formats: readonly (TranscriptFormat | TranscriptRenderer)[]): Issue[] {
  const extensions = formats.map(transcriptExtension);
  return extensions.flatMap((extension, index) =>
    extensions.indexOf(extension) === index
      ? []
      : [{ path: `formats.transcript[${index}]`, message: `two formats write transcript.${extension}` }],
  );
}

function pruneIssues(prune: boolean, sink: ExportSink): Issue[] {
  if (!prune || sink.delete !== undefined) return [];
  return [{ path: "into", message: "expected a sink with delete(path), which prune needs" }];
}

/** The progress of an export, as `onProgress` receives it. */
export interface ExportProgress {
  /**
   * `listing`: a page of meetings is being read. `exporting`: a piece was saved, or could not be saved. `waiting`: the
   * export waits for a second or more, because of the rate limit or until the service recovers. `done`: the export is
   * complete.
   */
  phase: "listing" | "exporting" | "waiting" | "done";
  /** Meetings found so far, including those of earlier runs of this export. */
  meetings: number;
  /** How many of these meetings are finished. */
  meetingsDone: number;
  /** Whether `meetings` is complete. */
  allListed: boolean;
  /** Transcripts, documents and recordings that were saved, including those of earlier runs. */
  saved: number;
  /** How many pieces are missing so far. */
  missing: number;
  /** The title (or the id) of the meeting that the latest step was about. */
  current: string | undefined;
  /** In phase `waiting`: the length of the wait, in milliseconds. */
  waitMs: number | undefined;
}

/** The result of an export. */
export interface ExportSummary {
  /** How many meetings the export contains. */
  meetings: number;
  /**
   * How many transcripts, documents and recordings were saved. This includes those of earlier runs of this export, and
   * those that `skipExisting` skipped.
   */
  saved: number;
  /** The pieces that could not be saved, and why. */
  missing: MissingPiece[];
  /** How many files this run wrote. */
  written: number;
  /**
   * How many existing files were not written: because their bytes were the same, or because `skipExisting` skipped
   * them.
   */
  unchanged: number;
  /** How many requests this run sent. */
  requests: number;
  /** Whether this run resumed an earlier one. */
  resumed: boolean;
  /**
   * Why no saved meeting counted as gone, so that `prune` deleted nothing and `onGone` was not called: the list had no
   * meeting at all, or the service did not return by id what it had listed. Else `undefined`.
   */
  notPruned: string | undefined;
}
