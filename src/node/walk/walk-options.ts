/** The options of `walkMeetings` with their defaults, and its checkpoints. */
import * as z from "zod/mini";
import { checkArgument, InvalidArgumentError } from "../../errors/argument-errors.js";
import { parseJson } from "../../json/parse-json.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../../schemas/document.js";
import type { Issue } from "../../schemas/format-issues.js";
import { idProblem } from "../../schemas/ids.js";
import {
  custom,
  enumOf,
  functionSchema,
  nonEmptyString,
  nullish,
  optionsSchema,
  stringOf,
} from "../../schemas/primitives.js";
import type { ExportFormats } from "../export/export-options.js";
import { LIST_START, type ListPlace } from "../reading/meeting-list.js";
import type { MissingPiece, WantedPieces } from "../reading/pieces.js";
import {
  type PeriodOptions,
  paceOf,
  periodIssues,
  type ReadOptions,
  readOptionsShape,
} from "../reading/read-options.js";

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

/**
 * The checked options of a walk, with all defaults. `place` is the position at which to start.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} naming every invalid option
 */
export function walkPlan(options: WalkOptions) {
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
  const wanted: WantedPieces = { transcript: hasTranscript, recording: false, documents: [...new Set(documents)] };
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

/**
 * The position of a walk in the meeting list, which the `checkpoint` of an item contains. The place in the list is the
 * page of the next item.
 */
export interface WalkPlace extends ListPlace, PeriodOptions {
  /**
   * The ids of the latest items, which are not returned again: the page may be read again, and the list may repeat a
   * row on the next page.
   */
  readonly seen: readonly string[];
}

/** How many ids of earlier pages a position keeps, besides all those of the page that is being read. */
export const MAX_EARLIER_IDS = 100;

const savedMoment = z.optional(stringOf((text) => !Number.isNaN(Date.parse(text)), "a day or a time"));

const savedPlaceSchema = z.object({
  v: z.literal(1),
  cursor: nullish(nonEmptyString()),
  page: z.number().check(z.int(), z.positive()),
  seen: z.array(z.string()),
  since: savedMoment,
  until: savedMoment,
});

/** The position as an opaque string: JSON in base64url, which needs no escaping in a URL. */
export function formatPlace({ cursor, page, seen, since, until }: WalkPlace): string {
  // A `Date` is written as a text with a time.
  return Buffer.from(JSON.stringify({ v: 1, cursor, page, seen, since, until })).toString("base64url");
}

/** The position that {@link formatPlace} wrote, or `undefined` if `text` is invalid. */
function parsePlace(text: string): WalkPlace | undefined {
  const { data } = z.safeParse(savedPlaceSchema, parseJson(Buffer.from(text, "base64url").toString("utf8")));
  if (data === undefined) return undefined;
  const momentOf = (saved: string | undefined) => (saved?.includes("T") ? new Date(saved) : saved);
  const { cursor, page, seen, since, until } = data;
  return { cursor, page, seen, since: momentOf(since), until: momentOf(until) };
}
