import { type Logger, log } from "./logger.js";

/** A callback of the user, which receives reports. */
export interface Listener<Report> {
  readonly callback: ((report: Report) => unknown) | undefined;
  /** The name of the option, for the log record. */
  readonly name: string;
  readonly operation: string;
  readonly logger: Logger | undefined;
}

/**
 * Calls a callback of the user. An error that it throws is thrown. If it returns a promise, the promise is not awaited;
 * if the promise rejects, one record is logged.
 */
export function notify<Report>({ callback, name, operation, logger }: Listener<Report>, report: Report): void {
  Promise.resolve(callback?.(report)).catch((error: unknown) => {
    log(logger, "warn", `${name} rejected`, { operation, error });
  });
}
