/** What a test can make go wrong. */

/**
 * - `drop`: the connection breaks before a response
 * - `truncate`: the response breaks off in the middle of its body
 * - `malformed`: the response is complete, but not JSON
 * - `html`: a proxy responds instead of the service, with 502 or the given status
 * - `validation`: a validation envelope
 */
export type FaultKind = "drop" | "truncate" | "malformed" | "html" | "validation";

/** What the emulator does wrong in place of its answer. */
export interface Fault {
  /** What goes wrong: see {@link FaultKind}. */
  kind?: FaultKind | undefined;
  /** Responds with this status, from 200 to 599; an error status has the error envelope. */
  status?: number | undefined;
  /** The `Retry-After` header: seconds, or a date as text. */
  retryAfter?: number | string | undefined;
  /** Further headers of the response. */
  headers?: Record<string, string> | undefined;
  /** The body instead of the envelope: JSON, or a string that is sent unchanged. */
  body?: unknown;
  /** Delays the response by this many milliseconds of real time (or of the test runner's mocked timers). */
  delayMs?: number | undefined;
  /** The number of requests. Default: 1. `Infinity`: all, until `clear`. */
  times?: number | undefined;
  /**
   * True if the service does what was requested, so that only the response is lost. Default: true for `truncate`,
   * `malformed` and a delay alone, false for the others.
   */
  acts?: boolean | undefined;
}

/** A fault by its name alone, in full, or with its name as a switch: `"drop"`, `{ kind: "drop" }`, `{ drop: true }`. */
export type FaultInput =
  | FaultKind
  | (Fault & { [K in FaultKind]?: true })
  | (Omit<Fault, "status"> & {
      /** What goes wrong: see {@link FaultKind}. */
      status: FaultKind;
    });
