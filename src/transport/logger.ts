/** The log record of one attempt. */
export interface AttemptRecord {
  /** The method of this library, for example `rooms.list`. */
  operation: string;
  /** The HTTP method. */
  method: string;
  /** The path relative to `baseUrl`, without the query string. */
  path: string;
  /** HTTP status; `undefined` if there was no response. */
  status: number | undefined;
  /** The time from the call of `fetch` to the last byte read, in milliseconds. */
  durationMs: number;
  /** The number of the attempt, starting at 1. */
  attempt: number;
}

/**
 * The fields of a record, by its subject:
 * - an attempt: `operation`, `method`, `path`, `status`, `durationMs` and `attempt`
 * - a wait of the throttle: `operation` and `waitMs`
 * - a response that does not match its schema: `operation`, `path` and `issues`
 */
export type LogFields = Partial<AttemptRecord> & { readonly [field: string]: unknown };

/** For loggers that take their arguments in another order. */
export type LogFunction = (level: "debug" | "info" | "warn" | "error", message: string, fields: LogFields) => void;

/** Receives the client's records. `console` is such a logger. */
export interface Logger {
  /** An attempt that succeeded. */
  debug(message: string, fields: LogFields): void;
  /** A call that waits for the rate limit. */
  info(message: string, fields: LogFields): void;
  /** An attempt that failed, or a response that does not match its schema. */
  warn(message: string, fields: LogFields): void;
  /** Currently not called. */
  error(message: string, fields: LogFields): void;
}

/** Writes a record. A logger that throws does not make the call fail, because the service may already have acted. */
export function log(logger: Logger | undefined, level: keyof Logger, message: string, fields: LogFields): void {
  try {
    const written: unknown = logger?.[level](message, fields);
    if (written) Promise.resolve(written).catch(() => {});
  } catch {
    // A failing logger cannot be logged.
  }
}

/** Calls a callback of the user. What it throws is thrown; a promise is not awaited, and its rejection is logged. */
export function notify<Report>(
  name: string,
  callback: ((report: Report) => unknown) | undefined,
  report: Report,
  logger?: Logger | undefined,
): void {
  Promise.resolve(callback?.(report)).catch((error: unknown) => {
    log(logger, "warn", `notetaker: ${name} rejected`, { callback: name, error });
  });
}
