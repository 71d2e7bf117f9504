import { type Issue, withCodes } from "../checks/format-issues.js";
import type { RequestSummary } from "./api-error.js";
import { type ErrorFields, errorClass, NotetakerError } from "./notetaker-error.js";
import { issuesText } from "./one-line.js";

/** A lost connection, a refused redirect, a failing source of an upload, or no usable recording; see `cause`. */
export class ConnectionError extends /* @__PURE__ */ errorClass(NotetakerError, "ConnectionError") {
  declare readonly name: "ConnectionError";
  /** The request that failed. */
  readonly request: RequestSummary | undefined;

  constructor(fields: ErrorFields<ConnectionError> = {}) {
    super({ ...fields, message: fields.message ?? "The connection failed" });
    this.request = fields.request;
  }
}

/** An attempt took longer than `timeoutMs`, or the whole call longer than `deadlineMs`. */
export class TimeoutError extends /* @__PURE__ */ errorClass(NotetakerError, "TimeoutError") {
  declare readonly name: "TimeoutError";
  /** The request that took too long. */
  readonly request: RequestSummary | undefined;
  /** The limit that was reached, in milliseconds. */
  readonly timeoutMs: number;

  constructor(fields: ErrorFields<TimeoutError> = {}) {
    const time = fields.timeoutMs === undefined ? "" : ` after ${fields.timeoutMs} ms`;
    super({ ...fields, message: fields.message ?? `Timed out${time}` });
    this.request = fields.request;
    this.timeoutMs = fields.timeoutMs ?? 0;
  }
}

/**
 * A successful response whose body is not JSON, does not match its schema, or is longer than `maxResponseBytes`.
 * `outcome` is `accepted`, because the service has acted. If the body is not JSON, it is `unknown`: a firewall or a proxy
 * may have answered in place of the service.
 */
export class ResponseValidationError extends /* @__PURE__ */ errorClass(NotetakerError, "ResponseValidationError") {
  declare readonly name: "ResponseValidationError";
  /** The invalid parts of the response: paths and kinds of values, never content. At most 20, then a count. */
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

  constructor(fields: ErrorFields<ResponseValidationError> = {}) {
    const issues = withCodes(fields.issues);
    const found = issues.length > 0 ? `: ${issuesText(issues)}` : "";
    const message = fields.message ?? `The response does not match its schema${found}`;
    super({ outcome: "accepted", attempts: 1, ...fields, message });
    this.issues = issues;
    this.status = fields.status ?? 200;
    Object.defineProperty(this, "body", { value: fields.body, writable: true, configurable: true });
    this.headers = fields.headers ?? new Headers();
    this.request = fields.request ?? { method: "", url: "" };
  }
}

/** A list cannot be continued (such as a `next_cursor` that repeats), or has more items than `toArray` allows. */
export class PaginationError extends /* @__PURE__ */ errorClass(NotetakerError, "PaginationError") {
  declare readonly name: "PaginationError";

  constructor(fields: ErrorFields = {}) {
    super({ outcome: "accepted", ...fields, message: fields.message ?? "The list cannot be continued" });
  }
}

const meetingWithId = (id: string | undefined) => (id === undefined ? "The meeting" : `The meeting ${id}`);

/** The meeting that a waiter waited for has failed. It will have no transcript. */
export class MeetingFailedError extends /* @__PURE__ */ errorClass(NotetakerError, "MeetingFailedError") {
  declare readonly name: "MeetingFailedError";
  /** The meeting: `mtg_…`. */
  readonly meetingId: string;

  constructor(fields: ErrorFields<MeetingFailedError> = {}) {
    const message = fields.message ?? `${meetingWithId(fields.meetingId)} has failed`;
    super({ outcome: "rejected", ...fields, message });
    this.meetingId = fields.meetingId ?? "";
  }
}

/** A waiter gave up. The meeting may still become ready: to continue, wait again with the same `meetingId`. */
export class WaitTimeoutError extends /* @__PURE__ */ errorClass(NotetakerError, "WaitTimeoutError") {
  declare readonly name: "WaitTimeoutError";
  /** The meeting: `mtg_…`. */
  readonly meetingId: string;
  /** How long the wait was, in milliseconds. */
  readonly waitedMs: number;

  constructor(fields: ErrorFields<WaitTimeoutError> = {}) {
    const { meetingId, waitedMs } = fields;
    const time = waitedMs === undefined ? "in time" : `after ${waitedMs} ms`;
    const message = fields.message ?? `${meetingWithId(meetingId)} was not ready ${time}`;
    super({ retryable: true, ...fields, message });
    this.meetingId = meetingId ?? "";
    this.waitedMs = waitedMs ?? 0;
  }
}
