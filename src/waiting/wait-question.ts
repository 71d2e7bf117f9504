import type { Meeting } from "../schemas/meeting.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Wake } from "./wake.js";

/** What a wait asks at each poll. */
export interface WaitQuestion {
  readonly meetingId: string;
  readonly documents: boolean;
  readonly transcript: boolean;
  readonly headers: RequestOptions["headers"];
  readonly pollMs: number;
  /** Aborted when the wait ends during a poll. */
  readonly signal: AbortSignal;
  readonly wake: Wake | undefined;
}

/** What a poll says of the meeting of a wait. */
export interface WaitAnswer {
  /** The row of the meeting as received, even if it does not match its schema. */
  readonly meeting?: Meeting | undefined;
  /** Whether the list contains the meeting; `undefined` if the list could not be read completely. */
  readonly isListed: boolean | undefined;
  /** Why the list could not be read. */
  readonly error?: unknown;
  /** Whether the wait may now request its transcript. */
  readonly hasTurn: boolean;
}
