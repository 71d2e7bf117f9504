/** The options of an export with their defaults, checked. */
import * as z from "zod/mini";
import { checkArgument } from "../../errors/check-argument.js";
import { InvalidArgumentError } from "../../errors/invalid-argument-error.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../schemas/document.js";
import { custom, date, requestObject } from "../../schemas/primitives.js";
import { aFunction, requestOptions } from "../../transport/request-options-schema.js";
import {
  type ExportOptions,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  type TranscriptRenderer,
} from "./export-options.js";
import type { ExportSink } from "./sink.js";
import { transcriptExtension } from "./transcript-file.js";

export interface ExportPlan {
  since: string | undefined;
  transcript: readonly (TranscriptFormat | TranscriptRenderer)[];
  documents: readonly DocumentFormat[];
  recording: boolean;
  concurrency: number;
  requestsPerMinute: number;
}

const dayOf = (date: Date) => (Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10));

const isPlace = (into: unknown) => {
  const { write, read } = Object(into) as Partial<ExportSink>;
  return typeof into === "string" ? into !== "" : typeof write === "function" && typeof read === "function";
};
const isDay = (since: unknown) => z.safeParse(date(), since instanceof Date ? dayOf(since) : since).success;
const isAtLeastOne = (value: unknown) => typeof value === "number" && value >= 1;

const isForm = (form: unknown) => {
  const extension: unknown = transcriptExtension(form as TranscriptFormat | TranscriptRenderer);
  const renders =
    typeof form === "string" || typeof (form as Partial<TranscriptRenderer> | null)?.render === "function";
  return renders && typeof extension === "string" && /^[a-z0-9]{1,16}$/.test(extension);
};
const aForm = `${TRANSCRIPT_FORMATS.join(", ")}, or an extension (a-z, 0-9) with a function to render`;

const optionsSchema = requestObject({
  into: custom(isPlace, "a folder, or a sink with write(path, bytes) and read(path)"),
  since: z.optional(custom(isDay, "a Date, or a calendar date of the form YYYY-MM-DD")),
  concurrency: z.optional(
    custom((value) => Number.isInteger(value) && isAtLeastOne(value), "a whole number of at least 1"),
  ),
  requestsPerMinute: z.optional(custom(isAtLeastOne, "a number of at least 1")),
  formats: z.optional(
    requestObject({
      transcript: z.optional(z.array(custom(isForm, aForm))),
      documents: z.optional(
        z.array(custom((value) => DOCUMENT_FORMATS.includes(value as DocumentFormat), DOCUMENT_FORMATS.join(", "))),
      ),
      recording: z.optional(z.boolean()),
    }),
  ),
  signal: requestOptions.signal,
  onProgress: z.optional(aFunction),
  clock: z.optional(z.unknown()),
});

/** @throws {InvalidArgumentError} naming every option that cannot be */
export function planOf(options: ExportOptions): ExportPlan {
  checkArgument("exportMeetings", optionsSchema, options);
  const { since, formats = {}, concurrency = 4, requestsPerMinute = 60 } = options;
  const { transcript = ["json", "markdown"], documents = ["markdown"], recording = false } = formats;

  const extensions = transcript.map(transcriptExtension);
  const issues = extensions.flatMap((extension, index) =>
    extensions.indexOf(extension) === index
      ? []
      : { path: `formats.transcript[${index}]`, message: `there are two forms for transcript.${extension}` },
  );
  if (issues.length > 0) throw new InvalidArgumentError("exportMeetings", issues);
  const day = since instanceof Date ? dayOf(since) : since;
  return { since: day, transcript, documents: [...new Set(documents)], recording, concurrency, requestsPerMinute };
}
