import type { Logger } from "../options.js";

/** Writes a record. A logger that fails does not fail the call: the service may have acted by then. */
export function log(logger: Logger | undefined, level: keyof Logger, message: string, fields: object): void {
  try {
    logger?.[level](message, fields);
  } catch {
    // There is no one left to tell.
  }
}
