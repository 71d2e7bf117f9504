/** The checked options of `walkMeetings({ follow })`, with their defaults, and the state with which the loop begins. */
import { DAY_MS, MINUTE_MS } from "../../async/timers.js";
import { checkArgument, InvalidArgumentError } from "../../errors/argument-errors.js";
import type { Issue } from "../../schemas/format-issues.js";
import type { Meeting } from "../../schemas/meeting.js";
import { LIST_START } from "../../sync/meeting-list.js";
import { type MeetingClient, pacedClient } from "../../sync/pace.js";
import { Period, paceOf } from "../../sync/read-options.js";
import {
  knownIssues,
  onGoneIssues,
  parsePlace,
  type WalkOptions,
  walkOptionsSchema,
  wantedFormats,
  wantedOf,
} from "../walk-options.js";
import { type FollowState, parseCheckpoint } from "./checkpoint.js";

/** An error that the caller's own function has thrown. It ends the loop, whatever its class. */
export class CallbackError extends Error {
  override name = "CallbackError";
}

async function callback<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new CallbackError("a callback has failed", { cause });
  }
}

function newState(since: FollowState["since"], history: FollowState["history"], beganMs = Date.now()): FollowState {
  return { since, beganMs, history, polledMs: beganMs, readMs: beganMs, entries: new Map() };
}

/** The checkpoint of a walk says when the walk began, unless it is old. Then the history is read again. */
function stateOf({ since, resume }: WalkOptions): FollowState | undefined {
  if (typeof resume !== "string") return newState(since, { ...LIST_START, seen: [] });
  const saved = parseCheckpoint(resume);
  if (saved !== undefined) return saved;
  const place = parsePlace(resume);
  if (place === undefined || place.until !== undefined) return undefined;
  const { cursor, page, seen, began } = place;
  if (began === undefined) return newState(place.since, { ...LIST_START, seen: [] });
  return newState(place.since, { cursor, page, seen }, began);
}

/**
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} naming every invalid option
 */
export function followPlan(notetaker: MeetingClient, options: WalkOptions) {
  checkArgument("walkMeetings", walkOptionsSchema, options);
  const { known, onGone, onIdle, onInvalid, wants, follow, pollMs = MINUTE_MS, settleMs = DAY_MS } = options;
  const issues: Issue[] = [];
  if (options.until !== undefined) issues.push({ path: "until", message: "has no meaning with follow" });
  if (known !== undefined && typeof known !== "function") {
    issues.push({ path: "known", message: "expected a function that returns the ids of the meetings that you have" });
  }
  issues.push(...onGoneIssues(options));
  const state = stateOf(options);
  if (state === undefined) issues.push({ path: "resume", message: "expected a checkpoint of an item or of onIdle" });
  if (state === undefined || issues.length > 0) throw new InvalidArgumentError("walkMeetings", issues);

  const formats = wantedFormats(options);
  const { concurrency, requestsPerMinute } = paceOf(options);
  return {
    state,
    formats,
    concurrency,
    pollMs,
    settleMs,
    client: patient(pacedClient(notetaker, requestsPerMinute)),
    since: state.since,
    period: new Period({ since: state.since }),
    isOnce: follow === "once",
    hasWants: wants !== undefined,
    /** Whether the whole list is read once a day. */
    readsAll: wants !== undefined || known !== undefined,
    wantedOf: (meeting: Meeting, event: boolean) => callback(() => wantedOf(meeting, formats, wants, event)),
    knownIds: () => callback(async () => (typeof known === "function" ? idsOf(await known()) : new Set<string>())),
    onIdle: (checkpoint: string) => callback(async () => onIdle?.(checkpoint)),
    onGone: (id: string) => callback(async () => onGone?.(id)),
    onInvalid: (row: Parameters<NonNullable<typeof onInvalid>>[0]) => callback(async () => onInvalid?.(row)),
  };
}

/** A longer pause is the loop's: it may be woken, and "once" may end. */
const patient = (client: MeetingClient): MeetingClient =>
  client.withOptions?.({ maxRetryDelayMs: MINUTE_MS }) ?? client;

export interface FollowPlan extends ReturnType<typeof followPlan> {
  readonly signal: AbortSignal;
}

async function idsOf(known: Iterable<string> | AsyncIterable<string>): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const id of known) ids.add(id);
  const issues = knownIssues(ids);
  if (issues.length > 0) throw new InvalidArgumentError("walkMeetings", issues);
  return ids;
}
