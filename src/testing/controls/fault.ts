/** The faults that a test can plan. */

/**
 * - `drop`: the connection breaks before a response
 * - `truncate`: the connection breaks after the first half of the response's body
 * - `malformed`: the response is complete, but not JSON
 * - `html`: a proxy responds instead of the service, with 502 or the given status
 * - `validation`: the service responds with a validation envelope
 */
export type FaultKind = "drop" | "truncate" | "malformed" | "html" | "validation";

/** A fault: what the emulator does instead of its normal response. */
export interface Fault {
  /** What goes wrong: see {@link FaultKind}. */
  kind?: FaultKind | undefined;
  /** The status of the response, from 200 to 599. With an error status, the body is the error envelope. */
  status?: number | undefined;
  /** The `Retry-After` header: seconds, or a date as text. */
  retryAfter?: number | string | undefined;
  /** Further headers of the response. */
  headers?: Record<string, string> | undefined;
  /** The body of the response: JSON, or a string that is sent unchanged. */
  body?: unknown;
  /** Delays the response by this many milliseconds of real time (or of the test runner's mocked timers). */
  delayMs?: number | undefined;
  /** How many requests the fault affects. Default: 1. `Infinity`: all requests until `clear`. */
  times?: number | undefined;
  /**
   * Whether the service processes the request before the fault, so that only the response is lost. Default: true for
   * `truncate`, `malformed` and a fault without kind and status (a delay, for example); false for the others.
   */
  acts?: boolean | undefined;
}

/** A fault in one of its forms: `"drop"`, `{ kind: "drop" }`, `{ drop: true }` or `{ status: "drop" }`. */
export type FaultInput =
  | FaultKind
  | (Fault & { [K in FaultKind]?: true })
  | (Omit<Fault, "status"> & {
      /** What goes wrong: see {@link FaultKind}. */
      status: FaultKind;
    });
