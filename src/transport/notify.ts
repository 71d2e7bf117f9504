import { type Logger, log } from "./logger.js";

/**
 * Calls a callback of the user. An error that it throws is thrown. If it returns a promise, the promise is not awaited;
 * if the promise rejects, one record is logged.
 */
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
