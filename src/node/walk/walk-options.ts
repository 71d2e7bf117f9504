/** The options of `walkMeetings`, with their defaults. */
import * as z from "zod/mini";
import { checkArgument, InvalidArgumentError } from "../../errors/argument-errors.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../schemas/document.js";
import type { Issue } from "../../schemas/format-issues.js";
import { idProblem } from "../../schemas/ids.js";
import { custom, enumOf, functionSchema, nullish, optionsSchema } from "../../schemas/primitives.js";
import { requestOptionsShape } from "../../transport/request-options.js";
import type { ExportFormats } from "../export/export-options.js";
import { LIST_START } from "../reading/meeting-list.js";
import { DEFAULT_PACE, paceShape } from "../reading/pace.js";
import { type PeriodOptions, periodIssues, periodShape } from "../reading/period.js";
import type { MissingPiece, WantedPieces } from "../reading/pieces.js";
import { parsePlace, type WalkPlace } from "./walk-place.js";

/** What to fetch of each meeting. */
export interface WalkFormats {
  /**
   * Whether to fetch the transcript. A list of formats, as for `exportMeetings`, means yes if it is not empty. Default:
   * `true`.
   */
  transcript?: boolean | ExportFormats["transcript"];
  /** One request for each document and format. Default: `["markdown"]`. */
  documents?: readonly DocumentFormat[] | undefined;
}

/** Options of `walkMeetings`. */
export interface WalkOptions extends PeriodOptions {
  /**
   * The `checkpoint` of the last item that was stored. The walk resumes after that item, with the `since` and `until`
   * of the earlier walk. `null` or absent: a new walk.
   */
  resume?: string | null | undefined;
  /** What to fetch of each meeting. Default: the transcript, and documents as Markdown. */
  formats?: WalkFormats | undefined;
  /** The ids of the meetings in your database, for `onGone`. */
  known?: Iterable<string> | undefined;
  /**
   * Called at the end of the walk for each `known` meeting that the service no longer has. Each `known` id that was not
   * in the walk is requested first, so a meeting that `since` or `until` excludes is not reported. An error that
   * `onGone` throws ends the walk.
   */
  onGone?: ((meetingId: string) => void | Promise<void>) | undefined;
  /**
   * Called for each row of the meeting list that has no meeting id. Such a row is never an item. An error that
   * `onInvalid` throws ends the walk. Default: the row is left out.
   */
  onInvalid?: ((row: MissingPiece) => void) | undefined;
  /** How many requests may be in flight at once. Default: 4. */
  concurrency?: number | undefined;
  /** How many requests may start in any minute. Fewer start if the service reports that fewer remain. Default: 60. */
  requestsPerMinute?: number | undefined;
  /** Ends the walk, which throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

const DEFAULTS = { ...DEFAULT_PACE, transcript: true, documents: ["markdown"] } as const;

const formatsSchema = optionsSchema<WalkFormats>()({
  transcript: z.optional(
    custom((value) => typeof value === "boolean" || Array.isArray(value), "true, false or a list of formats"),
  ),
  documents: z.optional(z.array(enumOf(DOCUMENT_FORMATS))),
});

const isIterable = (value: unknown) =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as Partial<Iterable<string>>)[Symbol.iterator] === "function";

const walkOptionsSchema = optionsSchema<WalkOptions>()({
  ...periodShape,
  ...paceShape,
  resume: nullish(z.string()),
  formats: z.optional(formatsSchema),
  known: z.optional(custom(isIterable, "an iterable of meeting ids")),
  onGone: z.optional(functionSchema),
  onInvalid: z.optional(functionSchema),
  signal: requestOptionsShape.signal,
});

/** The checked options of a walk, with all defaults. */
export interface WalkPlan {
  /** The position at which to start. */
  place: WalkPlace;
  wanted: WantedPieces;
  known: ReadonlySet<string>;
  concurrency: number;
  requestsPerMinute: number;
}

/** @throws {InvalidArgumentError} naming every invalid option */
export function walkPlan(options: WalkOptions): WalkPlan {
  checkArgument("walkMeetings", walkOptionsSchema, options);
  const { since, until, resume, formats = {}, onGone } = options;
  const { transcript = DEFAULTS.transcript, documents = DEFAULTS.documents } = formats;
  const known = new Set(options.known);
  const place = typeof resume === "string" ? parsePlace(resume) : { ...LIST_START, seen: [], since, until };
  const issues = [...periodIssues(options), ...knownIssues(known)];
  if (place === undefined) issues.push({ path: "resume", message: "expected the checkpoint of an item" });
  if (onGone !== undefined && options.known === undefined) {
    issues.push({ path: "known", message: "expected the ids of the meetings that you have, which onGone needs" });
  }
  if (place === undefined || issues.length > 0) throw new InvalidArgumentError("walkMeetings", issues);
  return {
    place,
    wanted: {
      transcript: typeof transcript === "boolean" ? transcript : transcript.length > 0,
      recording: false,
      documents: [...new Set(documents)],
    },
    known,
    concurrency: options.concurrency ?? DEFAULTS.concurrency,
    requestsPerMinute: options.requestsPerMinute ?? DEFAULTS.requestsPerMinute,
  };
}

function knownIssues(known: ReadonlySet<unknown>): Issue[] {
  let index = 0;
  for (const id of known) {
    const message = idProblem("meetingId", id);
    if (message !== undefined) return [{ path: `known[${index}]`, message }];
    index += 1;
  }
  return [];
}
