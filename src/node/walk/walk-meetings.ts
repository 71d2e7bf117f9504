/**
 * `walkMeetings`: yields each meeting with its transcript and documents, and a checkpoint after which it can resume.
 */
import { isRecord } from "../../json/is-record.js";
import type { Document } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import { documentBytes, isOfAnotherFormat } from "../files/document-bytes.js";
import { findGone } from "../reading/find-gone.js";
import { followSignal } from "../reading/follow-signal.js";
import { issueText } from "../reading/issue-text.js";
import { MeetingList, type MeetingPage } from "../reading/meeting-list.js";
import { MeetingReader, type MeetingSource } from "../reading/meeting-reader.js";
import { Period } from "../reading/period.js";
import { isFatal, missingBecause } from "../reading/piece-failure.js";
import { type MissingPiece, missingPiece, nameOfPiece, type Piece, piecesOf } from "../reading/pieces.js";
import type { ListedMeeting } from "../reading/read-meeting.js";
import { inOrder } from "./in-order.js";
import { type WalkOptions, type WalkPlan, walkPlan } from "./walk-options.js";
import { formatPlace, MAX_SEEN, type WalkPlace } from "./walk-place.js";

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
 * Reads every meeting that the user can access, with its transcript and documents, one after another. Use it to fill a
 * database; {@link exportMeetings} fills a folder. Each meeting is returned once. The walk stays within the rate limit,
 * waits if the service asks it to, and fetches the next items while one is being used.
 *
 * Each item has a `checkpoint`. Store it in the same transaction as the item, and pass the last one as `resume`: after
 * a crash at any point, each meeting is in the database exactly once. When the loop has ended, delete the checkpoint,
 * so that the next walk starts from the beginning. Pieces of a meeting that cannot be fetched are listed in its
 * `missing`.
 *
 * @throws {InvalidArgumentError} an invalid option; nothing was sent
 * @throws {UnauthorizedError} the token is not accepted
 * @throws {RateLimitedError} the service responds 429 to one request ten times, or asks for a wait of more
 * than an hour
 * @throws {ConnectionError} the service could not be reached in five attempts
 * @throws {BadRequestError} the service no longer accepts the position in `resume`: start again without it
 * @throws the error of `onGone` or of `onInvalid`, or the reason of `signal`
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
  notetaker: MeetingSource,
  options: WalkOptions = {},
): AsyncGenerator<WalkedMeeting, void, undefined> {
  const plan = walkPlan(options);
  const { signal, onGone, onInvalid } = options;
  if (signal?.aborted) throw signal.reason;
  const following = followSignal(signal);
  try {
    const walk = new Walk(notetaker, plan, following.signal);
    yield* walk.items(onInvalid);
    if (onGone === undefined) return;
    for (const id of await walk.goneIds()) await onGone(id);
  } finally {
    following.release();
    // Cancels the requests for items that will not be read.
    following.abort();
  }
}

/** The fetched parts of a meeting. */
type Contents = Pick<WalkedMeeting, "transcript" | "documents" | "missing">;

class Walk {
  readonly #plan: WalkPlan;
  readonly #reader: MeetingReader;
  readonly #list: MeetingList;
  readonly #signal: AbortSignal;

  constructor(notetaker: MeetingSource, plan: WalkPlan, signal: AbortSignal) {
    this.#plan = plan;
    this.#reader = new MeetingReader(notetaker, { ...plan, onWait: () => {} });
    this.#list = new MeetingList(this.#reader, new Period(plan.place), plan.place.seen);
    this.#signal = signal;
  }

  async *items(onInvalid: WalkOptions["onInvalid"]): AsyncGenerator<WalkedMeeting, void, undefined> {
    let place = this.#plan.place;
    while (place.cursor !== undefined) {
      const page = await this.#list.readPage(place.cursor, place.page, this.#signal);
      for (const row of page.missing) if (row.meeting_id === "") onInvalid?.(row);
      const next: WalkPlace = { ...place, cursor: page.nextCursor ?? undefined, page: place.page + 1 };
      for await (const { item, result } of this.#contents(page)) {
        const { id } = item.meeting;
        const seen = [...place.seen, id].slice(-MAX_SEEN);
        const isLast = item === page.meetings.at(-1);
        place = isLast ? { ...next, seen } : { ...place, seen };
        yield { meeting: item.meeting, ...result, checkpoint: formatPlace(place) };
      }
      place = { ...next, seen: place.seen };
    }
  }

  /** The known meetings that were not among the items, and that the service does not return by id. */
  async goneIds(): Promise<string[]> {
    const unseen = [...this.#plan.known].filter((id) => !this.#list.seenIds.has(id));
    return findGone(this.#reader, unseen, this.#signal);
  }

  #contents({ meetings, missing }: MeetingPage) {
    return inOrder(meetings, this.#plan.concurrency, async (listed: ListedMeeting) => {
      if (this.#signal.aborted) throw this.#signal.reason;
      const { id } = listed.meeting;
      const rowMissing = missing.filter(({ meeting_id }) => meeting_id === id);
      return this.#fetch(listed.meeting, rowMissing);
    });
  }

  async #fetch(meeting: Meeting, rowMissing: readonly MissingPiece[]): Promise<Contents> {
    const { pieces, missing } = piecesOf(meeting, this.#plan.wanted);
    const contents: Contents = { transcript: undefined, documents: [], missing: [...rowMissing, ...missing] };
    for (const piece of pieces) {
      try {
        const issue = await this.#fetchPiece(meeting, piece, contents);
        if (issue !== undefined) contents.missing.push(missingPiece(meeting, nameOfPiece(piece), "invalid", issue));
      } catch (error) {
        if (this.#signal.aborted) throw this.#signal.reason;
        if (isFatal(piece, error)) throw error;
        contents.missing.push(missingBecause(meeting, piece, error));
      }
    }
    return contents;
  }

  /** Adds the piece to `contents`, and returns how it does not match the API specification, if so. */
  async #fetchPiece(meeting: Meeting, piece: Piece, contents: Contents): Promise<string | undefined> {
    if (piece.kind !== "document") {
      const { transcript, issues } = await this.#reader.transcript(meeting.id, this.#signal);
      contents.transcript = transcript;
      return issueText(issues[0]);
    }
    const { received, issues } = await this.#reader.document(piece.id, piece.format, this.#signal);
    const result = documentBytes(received, piece.format);
    const issue = "issue" in result ? result.issue : issues[0];
    if (!isRecord(received) || isOfAnotherFormat(received, piece.format)) throw new Error(issueText(issue));
    if (received.format === piece.format) contents.documents.push(received as unknown as Document);
    return issueText(issue);
  }
}
