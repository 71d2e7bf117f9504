import { brand } from "./brand.js";
import { isErrorLike } from "./error-like.js";

/**
 * What a call did at the service, as far as can be known:
 * - `not_sent`: nothing reached the service
 * - `rejected`: it answered and did nothing
 * - `accepted`: it answered yes, but the answer could not be read
 * - `unknown`: it may have acted (5xx, a lost connection, a timeout)
 */
export type Outcome = "not_sent" | "rejected" | "accepted" | "unknown";

/** What a call adds to the error it ends with. */
export interface CallFacts {
  /** See {@link Outcome}. */
  outcome: Outcome;
  /** Whether the same call may be made again as it is, and may then succeed. */
  retryable: boolean;
  /** How many requests were made. */
  attempts: number;
}

export type ErrorInit = Partial<CallFacts> & { cause?: unknown };

/** The base of every error of this library. */
export abstract class NotetakerError extends Error implements CallFacts {
  static {
    brand(this, "NotetakerError");
  }

  /** Of the class: what `instanceof` tells, for records and for `switch`. */
  declare readonly name: string;
  declare readonly outcome: Outcome;
  declare readonly retryable: boolean;
  declare readonly attempts: number;

  /** `fields` become the error's own: a class that has more of them declares them, and no more. */
  constructor(message: string, { cause, ...fields }: ErrorInit & Readonly<Record<string, unknown>> = {}) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { outcome: "unknown", retryable: false, attempts: 0 }, fields);
  }

  /** A record for a log: every field but `headers`, `cause` by name and message, no secret. */
  toJSON(): Record<string, unknown> {
    const { headers: _, ...fields } = { ...this } as Record<string, unknown>;
    const { name, message, cause } = this;
    const shown = isErrorLike(cause) ? { name: cause.name, message: cause.message } : cause && String(cause);
    return { ...fields, name, message, cause: shown };
  }
}

/** Writes what the call as a whole knows into the error that its last attempt ended with. */
export function addCallFacts<E extends NotetakerError>(error: E, facts: Partial<CallFacts>): E {
  return Object.assign(error, facts);
}
