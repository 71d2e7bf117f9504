/** The records of a client. */

/** What one attempt leaves in the log. */
export interface AttemptRecord {
  /** The method of this library, for example `rooms.list`. */
  operation: string;
  /** The HTTP method. */
  method: string;
  /** The path relative to `baseUrl`, without the query string. */
  path: string;
  /** HTTP status; `undefined` if there was no response. */
  status: number | undefined;
  /** From the first byte sent to the last byte read, in milliseconds. */
  durationMs: number;
  /** 1 for the first. */
  attempt: number;
}

/**
 * The fields of a record. The record of an attempt has those of {@link AttemptRecord}; that of a wait of the throttle
 * has `operation` and `waitMs`; that of a response that is not as promised has `operation`, `path` and `issues`.
 */
export type LogFields = Partial<AttemptRecord> & { readonly [field: string]: unknown };

/** A function that receives the client's records, for loggers that take their arguments in another order. */
export type LogFunction = (level: "debug" | "info" | "warn" | "error", message: string, fields: LogFields) => void;

/** Receives the client's records. `console` is such a logger. */
export interface Logger {
  /** An attempt that succeeded. */
  debug(message: string, fields: LogFields): void;
  /** A call that waits for the rate limit. */
  info(message: string, fields: LogFields): void;
  /** An attempt that failed, or a response that is not as promised. */
  warn(message: string, fields: LogFields): void;
  /** Not used so far. */
  error(message: string, fields: LogFields): void;
}

/** Writes a record. A logger that fails does not fail the call: the service may have acted by then. */
export function log(logger: Logger | undefined, level: keyof Logger, message: string, fields: LogFields): void {
  try {
    const written: unknown = logger?.[level](message, fields);
    if (written) Promise.resolve(written).catch(() => {});
  } catch {
    // A failing logger cannot be logged.
  }
}
