/** The options of an export with their defaults, checked. */
import * as z from "zod/mini";
import { checkArgument } from "../../errors/check-argument.js";
import { InvalidArgumentError } from "../../errors/invalid-argument-error.js";
import type { Issue } from "../../schemas/describe-issues.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../schemas/document.js";
import { sent } from "../../schemas/primitives.js";
import { aFunction, requestOptions } from "../../transport/request-options-schema.js";
import {
  type ExportOptions,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  type TranscriptRenderer,
} from "./export-options.js";
import { transcriptExtension } from "./transcript-file.js";

export interface ExportPlan {
  since: string | undefined;
  transcript: readonly (TranscriptFormat | TranscriptRenderer)[];
  documents: readonly DocumentFormat[];
  recording: boolean;
  concurrency: number;
  requestsPerMinute: number;
}

/** Which options there are. What their values may be, where a schema does not say it, `planOf` does. */
const value = z.optional(z.unknown());
const optionsSchema = sent({
  into: value,
  since: value,
  formats: z.optional(
    sent({
      transcript: z.optional(z.array(z.unknown())),
      documents: z.optional(z.array(z.unknown())),
      recording: z.optional(z.boolean()),
    }),
  ),
  concurrency: value,
  requestsPerMinute: value,
  signal: requestOptions.signal,
  onProgress: z.optional(aFunction),
  clock: value,
});

const DAY = /^\d{4}-\d\d-\d\d$/;

/** @throws {InvalidArgumentError} naming every option that cannot be */
export function planOf(options: ExportOptions): ExportPlan {
  checkArgument("exportMeetings", optionsSchema, options);
  const issues: Issue[] = [];
  const wrong = (path: string, message: string) => issues.push({ path, message });
  const { into, since, formats = {}, concurrency = 4, requestsPerMinute = 60 } = options;
  const { transcript = ["json", "markdown"], documents = ["markdown"], recording = false } = formats;

  const isSink = typeof into === "object" && typeof into?.write === "function" && typeof into?.read === "function";
  if (!isSink && (typeof into !== "string" || into === "")) {
    wrong("into", "expected a folder, or a sink with write(path, bytes) and read(path)");
  }
  const day = since instanceof Date ? dayOf(since) : since;
  if (day !== undefined && (typeof day !== "string" || !DAY.test(day) || dayOf(new Date(day)) !== day)) {
    wrong("since", "expected a Date, or a calendar date of the form YYYY-MM-DD");
  }
  if (!Number.isInteger(concurrency) || concurrency < 1) wrong("concurrency", "expected a whole number of at least 1");
  if (!(typeof requestsPerMinute === "number" && requestsPerMinute >= 1)) {
    wrong("requestsPerMinute", "expected a number of at least 1");
  }
  const extensions = new Set<string>();
  for (const [index, form] of transcript.entries()) {
    const path = `formats.transcript[${index}]`;
    const extension = transcriptExtension(form);
    const renders = typeof form === "string" || typeof form?.render === "function";
    if (!renders || typeof extension !== "string" || !/^[a-z0-9]{1,16}$/.test(extension)) {
      wrong(path, `expected ${TRANSCRIPT_FORMATS.join(", ")}, or an extension (a-z, 0-9) with a function to render`);
    } else if (extensions.has(extension)) wrong(path, `there are two forms for transcript.${extension}`);
    extensions.add(extension);
  }
  for (const [index, format] of documents.entries()) {
    if (!DOCUMENT_FORMATS.includes(format)) {
      wrong(`formats.documents[${index}]`, `expected ${DOCUMENT_FORMATS.join(", ")}`);
    }
  }
  if (issues.length > 0) throw new InvalidArgumentError("exportMeetings", issues);
  return { since: day, transcript, documents: [...new Set(documents)], recording, concurrency, requestsPerMinute };
}

const dayOf = (date: Date) => (Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10));
