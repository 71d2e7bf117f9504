/** The options of `walkMeetings`, with their defaults. */
import * as z from "zod/mini";
import { checkArgument, InvalidArgumentError } from "../../errors/argument-errors.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../schemas/document.js";
import type { Issue } from "../../schemas/format-issues.js";
import { idProblem } from "../../schemas/ids.js";
import { custom, enumOf, functionSchema, nullish, optionsSchema } from "../../schemas/primitives.js";
import type { ExportFormats } from "../export/export-options.js";
import { LIST_START } from "../reading/meeting-list.js";
import type { MissingPiece, WantedPieces } from "../reading/pieces.js";
import { paceOf, periodIssues, type ReadOptions, type ReadPace, readOptionsShape } from "../reading/read-options.js";
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
export interface WalkOptions extends ReadOptions {
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
}

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
  ...readOptionsShape,
  resume: nullish(z.string()),
  formats: z.optional(formatsSchema),
  known: z.optional(custom(isIterable, "an iterable of meeting ids")),
  onGone: z.optional(functionSchema),
  onInvalid: z.optional(functionSchema),
});

/** The checked options of a walk, with all defaults. */
export interface WalkPlan extends ReadPace {
  /** The position at which to start. */
  place: WalkPlace;
  wanted: WantedPieces;
  known: ReadonlySet<string>;
}

/** @throws {InvalidArgumentError} {@link InvalidArgumentError} naming every invalid option */
export function walkPlan(options: WalkOptions): WalkPlan {
  checkArgument("walkMeetings", walkOptionsSchema, options);
  const { since, until, resume, formats = {}, onGone } = options;
  const { transcript = true, documents = ["markdown"] } = formats;
  const known = new Set(options.known);
  const place = typeof resume === "string" ? parsePlace(resume) : { ...LIST_START, seen: [], since, until };
  const issues = [...periodIssues(options), ...knownIssues(known)];
  if (place === undefined) issues.push({ path: "resume", message: "expected the checkpoint of an item" });
  if (onGone !== undefined && options.known === undefined) {
    issues.push({ path: "known", message: "expected the ids of the meetings that you have, which onGone needs" });
  }
  if (place === undefined || issues.length > 0) throw new InvalidArgumentError("walkMeetings", issues);
  const hasTranscript = typeof transcript === "boolean" ? transcript : transcript.length > 0;
  const wanted = { transcript: hasTranscript, recording: false, documents: [...new Set(documents)] };
  return { place, wanted, known, ...paceOf(options) };
}

/** The first id that cannot be one of a meeting. */
function knownIssues(known: ReadonlySet<unknown>): Issue[] {
  for (const [index, id] of [...known].entries()) {
    const message = idProblem("meetingId", id);
    if (message !== undefined) return [{ path: `known[${index}]`, message }];
  }
  return [];
}
