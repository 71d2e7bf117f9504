/** The options of `walkMeetings` with their defaults, and its checkpoints. */
import * as z from "zod/mini";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { checkArgument } from "../errors/check-arguments.js";
import { fromBase64Url, toBase64Url } from "../json/base64url.js";
import { parseJson } from "../json/parse-json.js";
import { DOCUMENT_FORMATS } from "../schemas/document.js";
import type { Meeting } from "../schemas/meeting.js";
import {
  enumOf,
  functionOf,
  type Infer,
  nullish,
  readonlyArray,
  type Schema,
  stringOf,
} from "../schemas/primitives.js";
import { LIST_START, type ListPosition, listPositionShape } from "../sync/meeting-list.js";
import { type PeriodOptions, periodIssues, type ReadOptions, readLimits, readOptionsShape } from "../sync/period.js";
import type { MissingPiece, WantedFormats as SyncedFormats } from "../sync/pieces.js";

const walkFormats = {
  /** Whether to fetch the transcript. Default: `true`. */
  transcript: z.optional(z.boolean()),
  /** One request for each document and format. Default: `["markdown"]`. */
  documents: z.optional(readonlyArray(enumOf(DOCUMENT_FORMATS))),
};

export interface WalkFormats extends Infer<typeof walkFormats> {}

const formatsSchema = z.strictObject(walkFormats);

/** `true` for all of `formats`, `false` for nothing, or a part: `{ transcript: false }`, `{ documents: [] }`. */
export type WantedParts = boolean | WalkFormats;

const walkOptions = {
  /** The `checkpoint` of the last item stored: resumes after it, with the earlier `since` and `until`. */
  resume: nullish(z.string()),
  /** What to fetch of each meeting. Default: the transcript, and documents as Markdown. */
  formats: z.optional(formatsSchema as z.ZodMiniType as Schema<WalkFormats>),
  /** Called before anything of a meeting is fetched, and decides what is; `false` leaves it out. Default: all. */
  wants: z.optional(functionOf<(meeting: Meeting) => WantedParts | Promise<WantedParts>>()),
  /** Called for each row without a meeting id, which is never an item. Its error ends the walk. */
  onInvalid: z.optional(functionOf<(row: MissingPiece) => void>()),
};

export interface WalkOptions extends ReadOptions, Infer<typeof walkOptions> {}

const walkOptionsSchema = z.strictObject({ ...readOptionsShape, ...walkOptions });

/**
 * The checked options of a walk, with all defaults. `position` is the position at which to start.
 * @throws {InvalidArgumentError} naming every invalid option
 */
export function walkPlan(options: WalkOptions) {
  checkArgument("walkMeetings", walkOptionsSchema, options);
  const { since, until, resume } = options;
  const position = typeof resume === "string" ? parsePosition(resume) : { ...LIST_START, seen: [], since, until };
  const issues = periodIssues(options);
  if (position === undefined)
    issues.push({ path: "resume", code: "invalid", message: "expected the checkpoint of an item" });
  if (position === undefined || issues.length > 0)
    throw new InvalidArgumentError({ operation: "walkMeetings", issues });
  return { position, wanted: wantedFormats(options), ...readLimits(options) };
}

/** The formats with their defaults. A walk reads no recordings. */
export type WantedFormats = Omit<SyncedFormats, "recording">;

function wantedFormats({ formats = {} }: WalkOptions): WantedFormats {
  const { transcript = true, documents = ["markdown"] } = formats;
  return { transcript, documents: [...new Set(documents)] };
}

/** The part of `wanted` that the caller's `wants` accepts, or `false` if it leaves the meeting out. */
export async function acceptedParts(
  meeting: Meeting,
  wanted: WantedFormats,
  wants: WalkOptions["wants"],
): Promise<WantedFormats | false> {
  const parts = wants === undefined ? true : await wants(meeting);
  if (typeof parts === "boolean") return parts && wanted;
  checkArgument("walkMeetings", z.object({ wants: formatsSchema }), { wants: parts });
  const { transcript = true, documents = wanted.documents } = parts;
  return {
    transcript: wanted.transcript && transcript,
    documents: wanted.documents.filter((format) => documents.includes(format)),
  };
}

/** The position of a walk in the meeting list, which the `checkpoint` of an item contains. */
export interface WalkPosition extends ListPosition, PeriodOptions {
  /** The latest ids, which are not returned again: a page may be read twice, a row may move to the next. */
  readonly seen: readonly string[];
}

const savedMoment = z.optional(stringOf((text) => !Number.isNaN(Date.parse(text)), "a day or a time"));

const savedPositionSchema = z.object({
  v: z.literal(1),
  ...listPositionShape(),
  seen: z.array(z.string()),
  since: savedMoment,
  until: savedMoment,
});

/** The position as an opaque string: JSON in base64url, which needs no escaping in a URL. */
export function formatPosition({ cursor, page, seen, since, until }: WalkPosition): string {
  // A `Date` is written as a text with a time.
  return toBase64Url(JSON.stringify({ v: 1, cursor, page, seen, since, until }));
}

/** A `Date` was saved as a text with a time. */
const momentOf = (saved: string | undefined) => (saved?.includes("T") ? new Date(saved) : saved);

/** The position that {@link formatPosition} wrote, or `undefined` if `text` is invalid. */
function parsePosition(text: string): WalkPosition | undefined {
  const { data } = z.safeParse(savedPositionSchema, parseJson(fromBase64Url(text) ?? ""));
  if (data === undefined) return undefined;
  const { since, until, ...position } = data;
  return { ...position, since: momentOf(since), until: momentOf(until) };
}
