/**
 * `walkMeetings`: yields each meeting with its transcript and documents, and a checkpoint after which it can resume.
 */

import { followSignal } from "../../async/abort.js";
import type { Document } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import { inOrder } from "../reading/concurrently.js";
import { findGone, meetingPages } from "../reading/meeting-list.js";
import { type MeetingClient, pacedClient } from "../reading/pace.js";
import { type MissingPiece, missingPiece, piecesOf, tryPiece, type WantedPieces } from "../reading/pieces.js";
import { Period } from "../reading/read-options.js";
import { type MeetingRow, requestDocument, requestTranscript } from "../reading/received.js";
import { formatPlace, MAX_EARLIER_IDS, type WalkOptions, walkPlan } from "./walk-options.js";

/** A meeting with its transcript and documents. */
export interface WalkedMeeting {
  /** The meeting from the list. An invalid field is empty, and named in `missing`. */
  meeting: Meeting;
  /** `undefined` if it is missing or was not requested. */
  transcript: Transcript | undefined;
  /** Each document in each format; `content` as the service sends it (base64 for `docx`: see `decodeDocx`). */
  documents: Document[];
  /** The pieces that could not be fetched or do not match the API specification, and why. */
  missing: MissingPiece[];
  /** Pass it as `resume` to continue after this item. Store it in the same transaction as the item. */
  checkpoint: string;
}

/**
 * Iterates over every meeting with its transcript and documents, for example into a database. Store the
 * `checkpoint` of each item in the same transaction as the item, and pass the last one as `resume`: each meeting is
 * then stored exactly once. Guide: docs/export.md#into-a-database.
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
export async function* walkMeetings(
  notetaker: MeetingClient,
  options: WalkOptions = {},
): AsyncGenerator<WalkedMeeting, void, undefined> {
  const { place, wanted, known, concurrency, requestsPerMinute } = walkPlan(options);
  if (options.signal?.aborted) throw options.signal.reason;
  const following = followSignal(options.signal);
  const { signal } = following;
  const client = pacedClient(notetaker, requestsPerMinute);
  const fetchRow = async (row: MeetingRow) => {
    if (signal.aborted) throw signal.reason;
    return fetchMeeting(client, row, wanted, signal);
  };
  const seen = new Set(place.seen);
  let latestIds = place.seen;
  try {
    for await (const page of meetingPages(client, place, new Period(place), seen, signal)) {
      for (const row of page.unreadable) await options.onInvalid?.(row);
      for await (const { item, result } of inOrder(page.rows, concurrency, fetchRow)) {
        latestIds = [...latestIds, item.meeting.id];
        const isLast = item === page.rows.at(-1);
        if (isLast) latestIds = latestIds.slice(-MAX_EARLIER_IDS);
        const { cursor, page: number } = isLast ? page.next : page.place;
        yield { ...result, checkpoint: formatPlace({ ...place, cursor, page: number, seen: latestIds }) };
      }
    }
    if (options.onGone === undefined) return;
    const unseen = [...known].filter((id) => !seen.has(id));
    for (const id of await findGone(client, unseen, signal)) await options.onGone(id);
  } finally {
    following.release();
    // Cancels the requests for items that will not be read.
    following.abort();
  }
}

/** Fetches the pieces of a meeting one after another. */
async function fetchMeeting(
  client: MeetingClient,
  row: MeetingRow,
  wanted: WantedPieces,
  signal: AbortSignal,
): Promise<Omit<WalkedMeeting, "checkpoint">> {
  const { meeting } = row;
  const { pieces, missing } = piecesOf(row, wanted);
  let transcript: Transcript | undefined;
  const documents: Document[] = [];
  for (const piece of pieces) {
    const { missing: problem } = await tryPiece(piece, signal, async () => {
      if (piece.kind === "document") {
        const { received, issue } = await requestDocument(client, piece.id, piece.format, signal);
        if (received.format === piece.format) documents.push(received as unknown as Document);
        return { issue };
      }
      const answer = await requestTranscript(client, meeting.id, signal);
      transcript = answer.transcript;
      return answer;
    });
    if (problem !== undefined) missing.push(problem);
  }
  return { meeting, transcript, documents, missing: missing.map((one) => missingPiece(meeting, one)) };
}
