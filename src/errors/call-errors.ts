import { type Issue, type IssueInit, withCodes } from "../checks/format-issues.js";
import type { RequestSummary } from "./api-error.js";
import { type ErrorArguments, type ErrorInit, NotetakerError, named, readArguments } from "./notetaker-error.js";
import { issuesText } from "./one-line.js";

/** The fields of a {@link ConnectionError}. */
export interface ConnectionErrorInit extends ErrorInit {
  /** The request that failed. */
  request?: RequestSummary | undefined;
}

/**
 * The connection failed before the response was complete, a redirect was refused, the source of an upload failed, or
 * the storage returned no usable recording; see `cause`.
 */
export class ConnectionError extends /* @__PURE__ */ named(NotetakerError, "ConnectionError") {
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

/** The fields of a {@link TimeoutError}. */
export interface TimeoutErrorInit extends ErrorInit {
  /** The limit that was reached, in milliseconds. */
  timeoutMs: number;
  /** The request that took too long. */
  request?: RequestSummary | undefined;
}

/** An attempt took longer than `timeoutMs`, or the whole call longer than `deadlineMs`. */
export class TimeoutError extends /* @__PURE__ */ named(NotetakerError, "TimeoutError") {
  declare readonly name: "TimeoutError";
  /** The request that took too long. */
  readonly request: RequestSummary | undefined;
  /** The limit that was reached, in milliseconds. */
  readonly timeoutMs: number;

  constructor(message: string, fields: TimeoutErrorInit);
  constructor(fields: TimeoutErrorInit);
  constructor(...args: ErrorArguments<TimeoutErrorInit>) {
    const { message, fields } = readArguments(args, ({ timeoutMs }) =>
      timeoutMs === undefined ? "Timed out" : `Timed out after ${timeoutMs} ms`,
    );
    super(message, fields);
    this.request = fields.request;
    this.timeoutMs = fields.timeoutMs ?? 0;
  }
}

/** The fields of a {@link ResponseValidationError}. Each can be left out. */
export interface ResponseValidationErrorInit extends ErrorInit {
  /** Which parts of the response are invalid. Default: none. */
  issues?: readonly IssueInit[] | undefined;
  /** HTTP status. Default: 200. */
  status?: number | undefined;
  /** The body of the response. */
  body?: unknown;
  /** The headers of the response. Default: none. */
  headers?: Headers | undefined;
  /** The request. Default: empty texts. */
  request?: RequestSummary | undefined;
}

/**
 * A successful response whose body is not JSON, does not match its schema, or is longer than `maxResponseBytes`. The
 * service has acted: `outcome` is `accepted`.
 */
export class ResponseValidationError extends /* @__PURE__ */ named(NotetakerError, "ResponseValidationError") {
  declare readonly name: "ResponseValidationError";
  /**
   * Which parts of the response are invalid: their paths and the kinds of their values, without their content. The
   * first 20 issues, then one that counts the others.
   */
  readonly issues: readonly Issue[];
  /** HTTP status. */
  readonly status: number;
  /**
   * The body of the response: parsed, or the first 2 KiB of its text if it is not JSON. Secrets are replaced. The field
   * is not enumerable and not in the error's record, because the body may be a conversation.
   */
  declare readonly body: unknown;
  /** The headers of the response. Secrets are replaced. */
  readonly headers: Headers;
  /** The request that the response belongs to. */
  readonly request: RequestSummary;

  constructor(message: string, fields?: ResponseValidationErrorInit);
  constructor(fields?: ResponseValidationErrorInit);
  constructor(...args: ErrorArguments<ResponseValidationErrorInit>) {
    const { message, fields } = readArguments<ResponseValidationErrorInit>(
      args,
      ({ issues = [] }) =>
        `The response does not match its schema${issues.length > 0 ? `: ${issuesText(issues)}` : ""}`,
    );
    super(message, { outcome: "accepted", attempts: 1, ...fields });
    this.issues = withCodes(fields.issues);
    this.status = fields.status ?? 200;
    Object.defineProperty(this, "body", { value: fields.body, writable: true, configurable: true });
    this.headers = fields.headers ?? new Headers();
    this.request = fields.request ?? { method: "", url: "" };
  }
}

/**
 * A list cannot be continued, or has more items than `toArray` allows. For example, `has_more` is true, but
 * `next_cursor` is missing or repeats an earlier one: to continue would drop items or never end.
 */
export class PaginationError extends /* @__PURE__ */ named(NotetakerError, "PaginationError") {
  declare readonly name: "PaginationError";

  constructor(message: string, fields?: ErrorInit);
  constructor(fields?: ErrorInit);
  constructor(...args: ErrorArguments<ErrorInit>) {
    const { message, fields } = readArguments(args, () => "The list cannot be continued");
    super(message, { outcome: "accepted", ...fields });
  }
}

/** JavaScript code may leave out a field that is required. */
const meetingWithId = (id: string | undefined) => (id === undefined ? "The meeting" : `The meeting ${id}`);

/** The fields of a {@link MeetingFailedError}. */
export interface MeetingFailedErrorInit extends ErrorInit {
  /** The meeting: `mtg_…`. */
  meetingId: string;
}

/** The meeting that a waiter waited for has failed. It will have no transcript. */
export class MeetingFailedError extends /* @__PURE__ */ named(NotetakerError, "MeetingFailedError") {
  declare readonly name: "MeetingFailedError";
  /** The meeting: `mtg_…`. */
  readonly meetingId: string;

  constructor(message: string, fields: MeetingFailedErrorInit);
  constructor(fields: MeetingFailedErrorInit);
  constructor(...args: ErrorArguments<MeetingFailedErrorInit>) {
    const { message, fields } = readArguments(args, ({ meetingId }) => `${meetingWithId(meetingId)} has failed`);
    super(message, { outcome: "rejected", ...fields });
    this.meetingId = fields.meetingId ?? "";
  }
}

/** The fields of a {@link WaitTimeoutError}. */
export interface WaitTimeoutErrorInit extends ErrorInit {
  /** The meeting: `mtg_…`. */
  meetingId: string;
  /** How long the wait was, in milliseconds. */
  waitedMs: number;
}

/** A waiter gave up. The meeting may still become ready: to continue, wait again with the same `meetingId`. */
export class WaitTimeoutError extends /* @__PURE__ */ named(NotetakerError, "WaitTimeoutError") {
  declare readonly name: "WaitTimeoutError";
  /** The meeting: `mtg_…`. */
  readonly meetingId: string;
  /** How long the wait was, in milliseconds. */
  readonly waitedMs: number;

  constructor(message: string, fields: WaitTimeoutErrorInit);
  constructor(fields: WaitTimeoutErrorInit);
  constructor(...args: ErrorArguments<WaitTimeoutErrorInit>) {
    const { message, fields } = readArguments(
      args,
      ({ meetingId, waitedMs }) =>
        `${meetingWithId(meetingId)} was not ready ${waitedMs === undefined ? "in time" : `after ${waitedMs} ms`}`,
    );
    super(message, { retryable: true, ...fields });
    this.meetingId = fields.meetingId ?? "";
    this.waitedMs = fields.waitedMs ?? 0;
  }
}
