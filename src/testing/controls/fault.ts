/** What a test says of a fault. */

/**
 * - `drop`: the connection breaks before an answer
 * - `truncate`: the answer breaks off in the middle of its body
 * - `malformed`: the answer arrives whole and is no JSON
 * - `html`: a proxy answers in the service's place, with 502 or the given status
 * - `validation`: a validation envelope
 */
export type FaultKind = "drop" | "truncate" | "malformed" | "html" | "validation";

export interface Fault {
  kind?: FaultKind | undefined;
  /** Answers with this status, from 200 to 599; an error status comes with the error envelope. */
  status?: number | undefined;
  /** The `Retry-After` header: seconds, or a date as it is. */
  retryAfter?: number | string | undefined;
  /** Further headers of the answer. */
  headers?: Record<string, string> | undefined;
  /** The body in place of the envelope: JSON, or a string as it is. */
  body?: unknown;
  /** The answer comes this much later, in milliseconds of real time (or of the test runner's mocked timers). */
  delayMs?: number | undefined;
  /** How many requests it hits. Default: 1. `Infinity`: all, until `clear`. */
  times?: number | undefined;
  /**
   * Whether the service does what it was asked all the same, so that the answer alone is lost. Default: yes for `truncate`,
   * `malformed` and a mere delay, no for the others.
   */
  acts?: boolean | undefined;
}

/** A fault by name alone, in full, or with its name as a switch: `"drop"`, `{ kind: "drop" }`, `{ drop: true }`. */
export type FaultInput =
  | FaultKind
  | (Fault & { [K in FaultKind]?: true })
  | (Omit<Fault, "status"> & { status: FaultKind });
