import type { RequestSummary } from "./api-error.js";
import { brand } from "./brand.js";
import { type ErrorArguments, readArguments } from "./error-arguments.js";
import { type ErrorInit, NotetakerError } from "./notetaker-error.js";

/** The fields of a {@link ConnectionError}. */
export interface ConnectionErrorInit extends ErrorInit {
  /** The request that failed. */
  request?: RequestSummary | undefined;
}

/**
 * The connection failed before the response was complete, a redirect was refused, the source of an upload failed, or
 * the storage returned no usable recording; see `cause`.
 */
export class ConnectionError extends NotetakerError {
  declare readonly name: "ConnectionError";
  /** The request that failed. */
  readonly request: RequestSummary | undefined;

  constructor(message: string, fields?: ConnectionErrorInit);
  constructor(fields?: ConnectionErrorInit);
  constructor(...args: ErrorArguments<ConnectionErrorInit>) {
    const { message, fields } = readArguments(args, () => "The connection failed");
    super(message, fields);
    this.request = fields.request;
  }
}
brand(ConnectionError, "ConnectionError");
