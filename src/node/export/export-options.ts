/** The options of `exportMeetings`, with their defaults. */
import * as z from "zod/mini";
import { checkArgument, InvalidArgumentError } from "../../errors/argument-errors.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../schemas/document.js";
import type { Issue } from "../../schemas/format-issues.js";
import { custom, enumOf, functionSchema, optionsSchema } from "../../schemas/primitives.js";
import { requestOptionsShape } from "../../transport/request-options.js";
import { type ExportClock, realClock } from "../reading/export-clock.js";
import { paceShape } from "../reading/pace-options.js";
import { Period, type PeriodOptions, periodIssues, periodShape } from "../reading/period.js";
import { folderSink } from "../sink/folder-sink.js";
import type { ExportSink } from "../sink/sink.js";
import type { ExportProgress } from "./export-report.js";
import {
  isTranscriptFormat,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  type TranscriptRenderer,
  transcriptExtension,
} from "./transcript-format.js";

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
export interface ExportOptions extends PeriodOptions {
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
  /** Whether to delete the files of meetings that the service no longer lists. Default: `false`. */
  prune?: boolean | undefined;
  /**
   * Called for each saved meeting that the service no longer lists. It is never called for a meeting that `since` or
   * `until` excludes. An error that it throws ends the export.
   */
  onGone?: ((meetingId: string) => void | Promise<void>) | undefined;
  /** How many requests may be in flight at once. Default: 4. */
  concurrency?: number | undefined;
  /** How many requests may start in any minute. Fewer start if the service reports that fewer remain. Default: 60. */
  requestsPerMinute?: number | undefined;
  /** Ends the export, which then rejects with the signal's reason. The next run resumes it. */
  signal?: AbortSignal | undefined;
  /** Called at each step. An error that it throws ends the export. */
  onProgress?: ((progress: ExportProgress) => void) | undefined;
  /** The clock for all waits, for tests. Default: the real clock. */
  clock?: ExportClock | undefined;
}

const DEFAULTS = {
  transcript: ["json", "markdown"],
  documents: ["markdown"],
  recording: false,
  skipExisting: false,
  prune: false,
  concurrency: 4,
  requestsPerMinute: 60,
  clock: realClock,
} as const;

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
  ...periodShape,
  ...paceShape,
  into: custom(isFolderOrSink, "a folder, or a sink with write(path, bytes) and read(path)"),
  formats: z.optional(formatsSchema),
  skipExisting: z.optional(z.boolean()),
  prune: z.optional(z.boolean()),
  onGone: z.optional(functionSchema),
  signal: requestOptionsShape.signal,
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
export interface ExportPlan {
  sink: ExportSink;
  period: Period;
  transcript: readonly (TranscriptFormat | TranscriptRenderer)[];
  documents: readonly DocumentFormat[];
  recording: boolean;
  skipExisting: boolean;
  prune: boolean;
  concurrency: number;
  requestsPerMinute: number;
  clock: ExportClock;
  /** Identifies the period and formats. A run resumes only a run with the same key. */
  key: string;
}

/** @throws {InvalidArgumentError} naming every invalid option */
export function exportPlan(options: ExportOptions): ExportPlan {
  checkArgument("exportMeetings", exportOptionsSchema, options);
  const { into, formats = {}, prune = DEFAULTS.prune } = options;
  const { transcript = DEFAULTS.transcript, documents = DEFAULTS.documents, recording = DEFAULTS.recording } = formats;
  const sink = typeof into === "string" ? folderSink(into) : into;
  const issues = [...periodIssues(options), ...extensionIssues(transcript), ...pruneIssues(prune, sink)];
  if (issues.length > 0) throw new InvalidArgumentError("exportMeetings", issues);
  const period = new Period(options);
  const plan = { transcript, documents: [...new Set(documents)], recording };
  return {
    ...plan,
    sink,
    period,
    skipExisting: options.skipExisting ?? DEFAULTS.skipExisting,
    prune,
    concurrency: options.concurrency ?? DEFAULTS.concurrency,
    requestsPerMinute: options.requestsPerMinute ?? DEFAULTS.requestsPerMinute,
    clock: options.clock ?? DEFAULTS.clock,
    key: planKey(period, plan),
  };
}

const planKey = (
  period: Period,
  { transcript, ...others }: Pick<ExportPlan, "transcript" | "documents" | "recording">,
) =>
  JSON.stringify({
    since: period.startDate ?? null,
    until: period.endDate ?? null,
    transcript: transcript.map((format) => (typeof format === "string" ? format : `.${format.extension}`)),
    ...others,
  });

function extensionIssues(formats: ExportPlan["transcript"]): Issue[] {
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
