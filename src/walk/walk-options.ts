/** The options of `walkMeetings` with their defaults, and its checkpoints. */
import * as z from "zod/mini";
import { isAsyncIterable } from "../async/symbols.js";
import { checkArgument, InvalidArgumentError } from "../errors/argument-errors.js";
import { fromBase64Url, toBase64Url } from "../json/base64url.js";
import { parseJson } from "../json/parse-json.js";
import { DOCUMENT_FORMATS, type DocumentFormat } from "../schemas/document.js";
import type { Issue } from "../schemas/format-issues.js";
import { idProblem } from "../schemas/ids.js";
import type { Meeting } from "../schemas/meeting.js";
import { custom, enumOf, functionSchema, nullish, numberOf, optionsSchema, stringOf } from "../schemas/primitives.js";
import { type ItemPlace, LIST_START, listPlaceShape } from "../sync/meeting-list.js";
import type { MissingPiece, WantedPieces } from "../sync/pieces.js";
import { type PeriodOptions, paceOf, periodIssues, type ReadOptions, readOptionsShape } from "../sync/read-options.js";

/** What to fetch of each meeting. */
export interface WalkFormats {
  /**
   * Whether to fetch the transcript. A list of formats, as for `exportMeetings`, means yes if it is not empty. Default:
   * `true`.
   */
  transcript?: boolean | readonly unknown[] | undefined;
  /** One request for each document and format. Default: `["markdown"]`. */
  documents?: readonly DocumentFormat[] | undefined;
}

/**
 * What is wanted of a meeting: `true` for everything that `formats` names, `false` for nothing, or a part of it, for
 * example `{ transcript: false }` or `{ documents: [] }`.
 */
export type WantedParts = boolean | WalkFormats;

/** The second argument of {@link WalkOptions.wants}. */
export interface WantsContext {
  /** Whether an event has named the meeting. Always `false` without `follow`. */
  event: boolean;
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
  /**
   * Called for each meeting of the list, before anything of it is fetched. What it returns is fetched; with `false`, the
   * meeting is left out. With `follow`, it is called once for each meeting that the checkpoint does not know. An error
   * that `wants` throws ends the walk. Default: everything.
   */
  wants?: ((meeting: Meeting, context: WantsContext) => WantedParts | Promise<WantedParts>) | undefined;
  /**
   * The ids of the meetings in your database, for `onGone`. With `follow`, a function that returns them; it is called at
   * each reading of the whole list.
   */
  known?: Iterable<string> | (() => KnownIds | Promise<KnownIds>) | undefined;
  /**
   * Called at the end of the walk for each `known` meeting that the service no longer has. Each `known` id that was not
   * in the walk is requested first, so a meeting that `since` or `until` excludes is not reported. If the list had no
   * meeting at all, none is reported. An error that `onGone` throws ends the walk.
   */
  onGone?: ((meetingId: string) => void | Promise<void>) | undefined;
  /**
   * Called for each row of the meeting list that has no meeting id. Such a row is never an item. An error that
   * `onInvalid` throws ends the walk. Default: the row is left out.
   */
  onInvalid?: ((row: MissingPiece) => void) | undefined;
  /**
   * `true`: after the last meeting the loop follows the account. It polls the list, asks again for what is missing, and
   * yields a meeting again when there is more of it. `"once"`: the same, until it has caught up: for a cron job or a
   * serverless function. Guide: docs/database.md.
   */
  follow?: boolean | "once" | undefined;
  /**
   * With `follow`: events that make the loop look at once, for example `receiver.events()` or `subscribe(url)`. The
   * meeting that an event names is requested by its id. If the events end or fail, the polls go on without them.
   */
  wake?: AsyncIterable<unknown> | undefined;
  /**
   * With `follow`: called when the loop has caught up. Also store this checkpoint: it has the times of the last poll and
   * of the next tries. An error that it throws ends the loop.
   */
  onIdle?: ((checkpoint: string) => void | Promise<void>) | undefined;
  /** With `follow`: the time between two polls, in milliseconds, ±20 %. Default: 60,000. */
  pollMs?: number | undefined;
  /**
   * With `follow`: how long after a meeting was first seen completed its missing pieces are asked for, in milliseconds.
   * Then they are given up: the item is yielded a last time, with `retryable: false`. Default: 86,400,000 (a day).
   */
  settleMs?: number | undefined;
}

/** The ids of the meetings in a database. */
export type KnownIds = Iterable<string> | AsyncIterable<string>;

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
const duration = z.optional(
  numberOf((value) => value > 0 && value <= Number.MAX_SAFE_INTEGER, "milliseconds, more than 0"),
);

export const walkOptionsSchema = optionsSchema<WalkOptions>()({
  ...readOptionsShape,
  resume: nullish(z.string()),
  formats: z.optional(formatsSchema),
  wants: z.optional(functionSchema),
  known: z.optional(
    custom((value) => isIterable(value) || typeof value === "function", "an iterable of meeting ids, or a function"),
  ),
  onGone: z.optional(functionSchema),
  onInvalid: z.optional(functionSchema),
  follow: z.optional(custom((value) => typeof value === "boolean" || value === "once", 'true, false or "once"')),
  wake: z.optional(custom(isAsyncIterable, "an async iterable of events, such as receiver.events()")),
  onIdle: z.optional(functionSchema),
  pollMs: duration,
  settleMs: duration,
});

/**
 * The checked options of a walk, with all defaults. `place` is the position at which to start.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} naming every invalid option
 */
export function walkPlan(options: WalkOptions) {
  checkArgument("walkMeetings", walkOptionsSchema, options);
  const { since, until, resume } = options;
  const known = new Set(typeof options.known === "function" ? [] : options.known);
  const place =
    typeof resume === "string" ? parsePlace(resume) : { ...LIST_START, seen: [], since, until, began: Date.now() };
  const issues = [...periodIssues(options), ...knownIssues(known)];
  for (const name of FOLLOW_OPTIONS) {
    if (options[name] !== undefined) issues.push({ path: name, message: "is an option of follow: set follow as well" });
  }
  if (typeof options.known === "function")
    issues.push({ path: "known", message: "expected an iterable of meeting ids" });
  if (place === undefined) {
    const message = resume?.startsWith("{")
      ? "expected the checkpoint of a walk; this one needs follow"
      : "expected the checkpoint of an item";
    issues.push({ path: "resume", message });
  }
  issues.push(...onGoneIssues(options));
  if (place === undefined || issues.length > 0) throw new InvalidArgumentError("walkMeetings", issues);
  return { place, wanted: wantedFormats(options), known, ...paceOf(options) };
}

const FOLLOW_OPTIONS = ["wake", "onIdle", "pollMs", "settleMs"] as const;

/** What `formats` names, with its defaults. */
export function wantedFormats({ formats = {} }: WalkOptions): WantedPieces {
  const { documents = ["markdown"] } = formats;
  return { transcript: hasTranscript(formats), recording: false, documents: [...new Set(documents)] };
}

const hasTranscript = ({ transcript = true }: WalkFormats) =>
  typeof transcript === "boolean" ? transcript : transcript.length > 0;

/** The part of `wanted` that the caller's `wants` accepts, or `false` if it leaves the meeting out. */
export async function wantedOf(
  meeting: Meeting,
  wanted: WantedPieces,
  wants: WalkOptions["wants"],
  event = false,
): Promise<WantedPieces | false> {
  const parts = wants === undefined ? true : await wants(meeting, { event });
  if (typeof parts === "boolean") return parts && wanted;
  checkArgument("walkMeetings", z.object({ wants: formatsSchema }), { wants: parts });
  const { documents = wanted.documents } = parts;
  return {
    ...wanted,
    transcript: wanted.transcript && hasTranscript(parts),
    documents: wanted.documents.filter((format) => documents.includes(format)),
  };
}

/** The issue with an `onGone` that would never be called. */
export function onGoneIssues({ onGone, known }: WalkOptions): Issue[] {
  if (onGone === undefined || known !== undefined) return [];
  return [{ path: "known", message: "expected the ids of the meetings that you have, which onGone needs" }];
}

/** The first id that cannot be one of a meeting. */
export function knownIssues(known: ReadonlySet<unknown>): Issue[] {
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
export interface WalkPlace extends ItemPlace, PeriodOptions {
  /** When the walk began, in milliseconds since 1970: for a follower that continues after it. */
  readonly began?: number | undefined;
}

export const savedMoment = z.optional(stringOf((text) => !Number.isNaN(Date.parse(text)), "a day or a time"));

const savedPlaceSchema = z.object({
  v: z.literal(1),
  ...listPlaceShape(),
  seen: z.array(z.string()),
  since: savedMoment,
  until: savedMoment,
  began: z.optional(z.number()),
});

/** The position as an opaque string: JSON in base64url, which needs no escaping in a URL. */
export function formatPlace({ cursor, page, seen, since, until, began }: WalkPlace): string {
  // A `Date` is written as a text with a time.
  return toBase64Url(JSON.stringify({ v: 1, cursor, page, seen, since, until, began }));
}

/** A `Date` was saved as a text with a time. */
export const momentOf = (saved: string | undefined) => (saved?.includes("T") ? new Date(saved) : saved);

/** The position that {@link formatPlace} wrote, or `undefined` if `text` is invalid. */
export function parsePlace(text: string): WalkPlace | undefined {
  const { data } = z.safeParse(savedPlaceSchema, parseJson(fromBase64Url(text) ?? ""));
  if (data === undefined) return undefined;
  const { since, until, ...place } = data;
  return { ...place, since: momentOf(since), until: momentOf(until) };
}
