/** The options of `syncMeetings`, with their defaults, and what it resolves to. */
import * as z from "zod/mini";
import type { DocumentTitles } from "../assumptions.js";
import { hasMethod } from "../async/byte-reader.js";
import { isAsyncIterable } from "../async/symbols.js";
import { DAY_MS, MINUTE_MS } from "../async/timers.js";
import type { Issue } from "../checks/format-issues.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { checkArgument } from "../errors/check-arguments.js";
import { DOCUMENT_FORMATS } from "../schemas/document.js";
import { idIssues } from "../schemas/ids.js";
import {
  custom,
  enumOf,
  functionOf,
  type Infer,
  positiveInteger,
  positiveNumber,
  readonlyArray,
  type Schema,
} from "../schemas/primitives.js";
import { dayOf, Period, periodIssues, type ReadOptions, readLimits, readOptionsShape } from "./period.js";
import type { MissingPiece, WantedFormats } from "./pieces.js";
import type { MeetingChange, MeetingStore } from "./store.js";

const syncFormats = {
  /** Default: `true`. */
  transcript: z.optional(z.boolean()),
  /** One request for each document and format. Default: `["markdown"]`. */
  documents: z.optional(readonlyArray(enumOf(DOCUMENT_FORMATS))),
  /** Only for a store of files, such as `folderStore`. Default: `false`. */
  recording: z.optional(z.boolean()),
};

/** What to keep of each meeting, besides its row of the list. */
export interface SyncFormats extends Infer<typeof syncFormats> {}

const budget = {
  /** The number of requests, every attempt included. */
  requests: z.optional(positiveInteger),
  /** The time from the start of the run, in milliseconds. */
  ms: z.optional(positiveNumber),
};

/** How much one run of `syncMeetings` may use. When it is used up, the run ends as paused. */
export interface Budget extends Infer<typeof budget> {}

/** How far a run is. All numbers are of this run: see {@link SyncResult}. */
export interface SyncProgress extends Pick<SyncResult, "meetings" | "changed" | "requests"> {
  /**
   * `history`: reads the whole list for the first time. `pass`: reads it again. `poll`: looks for new meetings. `due`:
   * requests what was missing. `event`: requests what an event has named. `waiting`: see `waitsFor`. `idle`: has caught up.
   */
  readonly phase: "history" | "pass" | "poll" | "due" | "event" | "waiting" | "idle";
  /** How many pieces are missing. */
  readonly missing: number;
  /** With `waiting`: how long, in milliseconds. */
  readonly waitMs?: number | undefined;
  /**
   * With `waiting`. `store`: another run holds the store, or the store is away. `rate_limit`: as many requests were sent as
   * are allowed. `service`: it fails, and is asked again.
   */
  readonly waitsFor?: "store" | "rate_limit" | "service" | undefined;
}

/** What `syncMeetings` resolves to. All numbers are of this run. */
export interface SyncResult {
  /** `done`: it has caught up. `paused`: the budget is used up. `busy`: another run holds the store. */
  readonly ended: "done" | "paused" | "busy";
  /**
   * When the next run has something to do. `paused`: now, or after the pause that a failing service needs. `busy`: at the
   * end of the other run's lease.
   */
  readonly nextAt: Date;
  /** How many meetings were read: each of a full pass, and each that had news. */
  readonly meetings: number;
  /** How many changes were written. */
  readonly changed: number;
  /** How many meetings were removed from the store. */
  readonly removed: number;
  /**
   * Why `prune` has not removed what is gone. `prune: "all"` removes it, unless the list is empty, or the store refuses a
   * removal.
   */
  readonly notRemoved?: string | undefined;
  /** What is missing of the meetings that were read: at most 1,000 pieces, those that are requested again first. */
  readonly missing: readonly MissingPiece[];
  /** How many pieces are missing in all. */
  readonly missingCount: number;
  /** How many requests were sent. */
  readonly requests: number;
}

const METHODS = ["readState", "readMemory", "due", "ids", "write"] as const;
const STORE = `a store, such as sqliteStore(db), postgresStore(pool), folderStore(path) or memoryStore(), with ${METHODS.join(", ")}`;
const isStore = (value: unknown) => METHODS.every((name) => hasMethod(value, name));
const storeSchema = /* @__PURE__ */ custom<MeetingStore>(isStore, STORE);

export const storeArgument = z.looseObject({ store: storeSchema });

const isWakeSource = (value: unknown) => typeof value === "function" || isAsyncIterable(value);
const WAKE = "an async iterable of events, such as receiver.events(), or a function that returns one";
const isPrune = (value: unknown) => typeof value === "boolean" || value === "all";

const syncOptions = {
  /** The store to fill: `sqliteStore`, `postgresStore`, `folderStore`, `memoryStore`, or one of your own. */
  into: storeSchema,
  /** `true`: keeps the store up to date until `signal` aborts. Default: `false`, until it has caught up. */
  follow: z.optional(z.boolean()),
  /**
   * Reads these meetings alone, and at once: for a job that an event starts. In a database it takes no lock. If the budget
   * ends before, the run is `paused`, and remembers nothing of the others: pass their ids again. An id that the list does
   * not have yet is requested again until `settleMs`. Not together with `follow`, `since` or `until`.
   */
  only: z.optional(custom<readonly string[]>(Array.isArray, "a list of meeting ids")),
  /**
   * The run ends as `paused` after so many requests (every attempt counts, those for recordings included) or so many
   * milliseconds, and the next run continues: for a Worker, or a queue with many accounts. What has begun is finished.
   * Fewer than five requests cannot get further. Not together with `follow`. Default: none.
   */
  budget: z.optional(z.strictObject(budget) as z.ZodMiniType as Schema<Budget>),
  /**
   * With `follow`: events that make the run look at once, for example `receiver.events()` or `subscribe(url)`. A function
   * gets a signal that aborts when the run ends. If the events end or fail, the polls go on without them.
   */
  wake: z.optional(
    custom<AsyncIterable<unknown> | ((signal: AbortSignal) => AsyncIterable<unknown>)>(isWakeSource, WAKE),
  ),
  /** What to keep of each meeting. Default: its transcript, and its documents as Markdown. */
  formats: z.optional(z.strictObject(syncFormats) as z.ZodMiniType as Schema<SyncFormats>),
  /**
   * What happens to a meeting that the service no longer has. `false`: it is marked as gone. `true`: it is removed,
   * unless more than a tenth of what was stored before would go, and at least three, or the list had none of it: a wrong
   * token looks like that, and `notRemoved` says so. `"all"`: it is removed, however many would go. If the list is empty,
   * nothing is removed. Default: `false`.
   */
  prune: z.optional(custom<boolean | "all">(isPrune, 'true, false or "all"')),
  /** The time between two polls, and the first pause before something missing is requested again. Default: 60,000. */
  pollMs: z.optional(positiveNumber),
  /**
   * How long a missing piece of a completed meeting is requested, in milliseconds: ever more rarely, at least once an hour.
   * Then it is given up: at once if the service does not have it, else after five tries. An event, another status and a 429
   * begin this time anew. Default: 86,400,000 (a day).
   */
  settleMs: z.optional(positiveNumber),
  /** Called after each change was written: for a log line. An error that it throws ends the run. */
  onChange: z.optional(functionOf<(change: MeetingChange) => void | Promise<void>>()),
  /** Called after each step: for a progress bar. An error that it throws ends the run. */
  onProgress: z.optional(functionOf<(progress: SyncProgress) => void>()),
};

/** Options of `syncMeetings`. */
export interface SyncOptions extends ReadOptions, Infer<typeof syncOptions> {}

const schema = z.strictObject({ ...readOptionsShape, ...syncOptions });

const OPERATION = "syncMeetings";

/** @throws {InvalidArgumentError} {@link InvalidArgumentError} naming every invalid option */
export function syncPlan(options: SyncOptions, titles: DocumentTitles) {
  checkArgument(OPERATION, schema, options);
  const { formats = {}, budget, only, prune = false } = options;
  const { transcript = true, documents = ["markdown"], recording = false } = formats;
  const wanted: WantedFormats = { transcript, recording, documents: [...new Set(documents)] };
  const issues = [...combinationIssues(options, wanted), ...idsIssues(only ?? [], "only"), ...periodIssues(options)];
  if (issues.length > 0) throw new InvalidArgumentError({ operation: OPERATION, issues });
  return {
    ...options,
    ...readLimits(options),
    follow: options.follow ?? false,
    pollMs: options.pollMs ?? MINUTE_MS,
    settleMs: options.settleMs ?? DAY_MS,
    prune,
    wanted,
    titles,
    period: new Period(options),
    scope: scopeOf(options, wanted),
    only: only && [...new Set(only)],
    // One without a limit is none.
    budget: budget?.requests === undefined && budget?.ms === undefined ? undefined : budget,
  };
}

export type SyncPlan = ReturnType<typeof syncPlan>;

/** Another text begins another full pass. The day in UTC counts: `since` may be 30 days ago at each run. */
function scopeOf({ since, until, prune }: SyncOptions, { transcript, recording, documents }: WantedFormats): string {
  const day = (moment: string | Date | undefined) =>
    moment instanceof Date ? dayOf(moment.getTime()) : (moment ?? "");
  return JSON.stringify([day(since), day(until), transcript, recording, [...documents].sort(), prune]);
}

function combinationIssues(
  { into, follow, only, budget, wake, since, until }: SyncOptions,
  wanted: WantedFormats,
): Issue[] {
  const rules: [isBroken: boolean | undefined, path: string, message: string][] = [
    [only?.length === 0, "only", "expected at least 1 meeting id, received 0"],
    [only && follow, "only", "cannot be combined with follow"],
    [only && since !== undefined, "since", "cannot be combined with only"],
    [only && until !== undefined, "until", "cannot be combined with only"],
    [budget && follow, "budget", "cannot be combined with follow"],
    [wake && !follow, "wake", "is an option of follow: set follow as well"],
    [wanted.recording && !into.saveRecording, "formats.recording", "this store keeps no recordings: folderStore does"],
  ];
  return rules.flatMap(([isBroken, path, message]) => (isBroken ? { path, code: "invalid", message } : []));
}

/** The issues with a list of meeting ids. */
export function idsIssues(ids: unknown, path: string): Issue[] {
  if (!Array.isArray(ids)) return [{ path, code: "invalid", message: "expected a list of meeting ids" }];
  return ids.flatMap((id, index) => idIssues("meetingId", id, `${path}[${index}]`)).slice(0, 1);
}
