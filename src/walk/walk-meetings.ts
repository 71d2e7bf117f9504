/**
 * `walkMeetings`: yields each meeting with its transcript and documents, and a checkpoint after which it can resume.
 */

import { followSignal, throwIfAborted } from "../async/abort.js";
import { leavable } from "../lists/leavable.js";
import { inOrder } from "../sync/concurrently.js";
import { meetingPages, placeAfterRow, reportGone } from "../sync/meeting-list.js";
import { type MeetingClient, pacedClient } from "../sync/pace.js";
import { Period } from "../sync/read-options.js";
import type { MeetingRow } from "../sync/received.js";
import { fetchMeeting, type WalkedMeeting } from "./fetch-meeting.js";
import { followPlan } from "./follow/follow-plan.js";
import { Follower } from "./follow/follower.js";
import { EventInbox } from "./follow/inbox.js";
import { formatPlace, type WalkOptions, walkPlan, wantedOf } from "./walk-options.js";

/**
 * Iterates over every meeting with its transcript and documents, for example into a database. Store the
 * `checkpoint` of each item in the same transaction as the item, and pass the last one as `resume`: each meeting is
 * then stored exactly once. `follow` then keeps it up to date. Guide: docs/database.md.
 *
 * @throws {InvalidArgumentError} {@link InvalidArgumentError} for an invalid option; nothing was sent
 * @throws {UnauthorizedError} {@link UnauthorizedError} at once, {@link RateLimitedError} or {@link ConnectionError}
 * after five attempts
 * @throws {BadRequestError} {@link BadRequestError} if the service no longer accepts `resume`
 * @beta It reads the meeting list, which the API specification mentions but does not define.
 * @example
 * for await (const { meeting, transcript, checkpoint } of walkMeetings(notetaker, { resume: await db.checkpoint() })) {
 *   await db.transaction(async (tx) => {
 *     await tx.saveMeeting(meeting, transcript);
 *     await tx.saveCheckpoint(checkpoint);
 *   });
 * }
 * await db.deleteCheckpoint();
 */
export function walkMeetings(
  notetaker: MeetingClient,
  options: WalkOptions = {},
): AsyncGenerator<WalkedMeeting, void, undefined> {
  const walk = options?.follow ? followMeetings : walkOnce;
  return leavable((controller) => walk(notetaker, options, controller));
}

async function* walkOnce(
  notetaker: MeetingClient,
  options: WalkOptions,
  controller: AbortController,
): AsyncGenerator<WalkedMeeting, void, undefined> {
  const { place, wanted, known, concurrency, requestsPerMinute } = walkPlan(options);
  throwIfAborted(options.signal);
  const following = followSignal(options.signal, controller);
  const { signal } = following;
  const client = pacedClient(notetaker, requestsPerMinute);
  const fetchRow = async (row: MeetingRow) => {
    throwIfAborted(signal);
    const parts = await wantedOf(row.meeting, wanted, options.wants);
    return parts && fetchMeeting(client, row, parts, signal);
  };
  const seen = new Set(place.seen);
  let current = place;
  try {
    for await (const page of meetingPages(client, place, new Period(place), seen, signal)) {
      for (const row of page.unreadable) await options.onInvalid?.(row);
      for await (const { item: row, result } of inOrder(page.rows, concurrency, fetchRow)) {
        // A meeting that is left out counts as returned.
        current = { ...current, ...placeAfterRow(page, row, current.seen) };
        if (result) yield { ...result, checkpoint: formatPlace(current) };
      }
    }
    if (options.onGone !== undefined) await reportGone(client, known, seen, options.onGone, signal);
  } finally {
    following.release();
    // Cancels the requests for items that will not be read.
    following.abort();
  }
}

async function* followMeetings(
  notetaker: MeetingClient,
  options: WalkOptions,
  controller: AbortController,
): AsyncGenerator<WalkedMeeting, void, undefined> {
  const plan = followPlan(notetaker, options);
  throwIfAborted(options.signal);
  const following = followSignal(options.signal, controller);
  const inbox = new EventInbox(options.wake);
  try {
    yield* new Follower({ ...plan, signal: following.signal }, inbox).items();
  } finally {
    inbox.close();
    following.release();
    following.abort();
  }
}
