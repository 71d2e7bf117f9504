import { brand } from "./brand.js";
import { toRecord } from "./error-record.js";

/**
 * What a call did at the service, as far as the client knows:
 * - `not_sent`: nothing reached the service
 * - `rejected`: the service answered and did nothing
 * - `accepted`: the service accepted the call, but its response could not be used
 * - `unknown`: the service may have acted (5xx, a lost connection, a timeout)
 */
export type Outcome = "not_sent" | "rejected" | "accepted" | "unknown";

/** Facts about a call that its error carries. */
export interface CallFacts {
  /** See {@link Outcome}. Default: `unknown`. */
  outcome: Outcome;
  /** Whether it is safe to make the same call again, and it may then succeed. Default: `false`. */
  retryable: boolean;
  /** How many requests were made, including those that did not reach the service. Default: 0. */
  attempts: number;
}

/** The fields that every error has. All of them can be left out. */
export interface ErrorInit extends Partial<CallFacts> {
  /** One line about the failure. Default: a sentence made from the other fields. */
  message?: string | undefined;
  /** The error or value that caused this error. */
  cause?: unknown;
  /** The cursor from which a list can be continued. */
  cursor?: string | undefined;
}

/** The base of every error of this library. */
export abstract class NotetakerError extends Error implements CallFacts {
  /** The name of the class, for logs and for `switch`. */
  declare readonly name: string;
  /** What the call did at the service, as far as the client knows: see {@link Outcome}. */
  readonly outcome: Outcome;
  /** Whether it is safe to make the same call again, and it may then succeed. */
  readonly retryable: boolean;
  /** How many requests were made, including those that did not reach the service. */
  readonly attempts: number;
  /** On an error that ended a walk over a list: the cursor from which `list({ cursor })` continues. */
  declare readonly cursor?: string | undefined;

  constructor(
    message: string,
    { outcome = "unknown", retryable = false, attempts = 0, cause, cursor }: ErrorInit = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.outcome = outcome;
    this.retryable = retryable;
    this.attempts = attempts;
    if (cursor !== undefined) this.cursor = cursor;
  }

  /**
   * A record for a log, and for `errorFromJSON`: plain JSON of less than 64 KB. It has every enumerable field except
   * `headers`. Its `cause` has a name, a message and a code. Long texts and lists are cut. It contains no secret.
   */
  toJSON(): Record<string, unknown> {
    return toRecord(this);
  }
}
brand(NotetakerError, "NotetakerError");

/** Adds facts about a whole call to the error of its last attempt. */
export function addCallFacts<E extends NotetakerError>(
  error: E,
  facts: Partial<CallFacts> & { readonly cursor?: string },
): E {
  return Object.assign(error, facts);
}
