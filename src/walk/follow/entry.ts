/** What the follower remembers of a meeting. */

import { digest } from "../../json/digest.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { WantedPieces } from "../../sync/pieces.js";

/** A meeting from which more is expected. */
export interface Open {
  /** The names of the missing pieces. Empty if only the row is expected to change. */
  readonly lacks: readonly string[];
  readonly firstSeenMs: number;
  /** When the meeting was first seen completed; `undefined` while it is in work. */
  readonly completedMs: number | undefined;
  /** How many times the missing pieces were requested. */
  readonly tries: number;
  /** When they are requested again; `Infinity`: never, unless an event names the meeting. */
  readonly dueMs: number;
  /** How many times the news of the meeting were held back, because a piece failed that the database has. Not saved. */
  readonly postponed: number;
}

export interface Entry {
  /** The fingerprint of the row; empty if an event named the meeting, and the list does not have it yet. */
  readonly print: string;
  readonly startMs: number;
  /** The wanted part of the meeting; `false` if `wants` has refused it. */
  readonly wanted: WantedPieces | false;
  readonly open?: Open | undefined;
}

/** The length of a fingerprint in characters. */
const PRINT_LENGTH = 7;

/** The fields whose change is news, as a short text. */
export function printOf({ status, title, start_time, documents }: Meeting): string {
  const listed = (documents ?? []).map(({ id, title, created_at }) => [id, title, created_at].join("\n")).sort();
  const text = JSON.stringify([status, title ?? null, start_time, ...listed]);
  return (digest(text) % 36 ** PRINT_LENGTH).toString(36).padStart(PRINT_LENGTH, "0");
}
