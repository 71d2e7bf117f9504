import { type LimitName, limitsCounting } from "../endpoints/limits.js";

/** A call that is about to be sent. */
export interface ThrottleRequest {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** The token of the call, which identifies the account. Only a hash of the token may be stored. */
  readonly token: string;
  /** Aborts when the call is cancelled or reaches its deadline. The call is then not sent. */
  readonly signal: AbortSignal | undefined;
  /**
   * The throttle calls this before each wait, and again if the wait becomes longer. If it throws, the call does not
   * wait so long: the throttle rejects it with this error, and does not count it.
   * @param pauseMs - How much of the wait is a pause that the service asks for, in milliseconds. Default 0.
   */
  onWait(waitMs: number, pauseMs?: number): void;
}

/** What a response reported about the limit that counted its call. */
export interface LimitReport {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** The token of the call: each account has its own limits. */
  readonly token: string;
  /** `X-RateLimit-Limit`, if the response has it. */
  readonly limit: number | undefined;
  /** How long no further call may be sent, in milliseconds. */
  readonly pauseMs: number;
}

/** Delays calls before they are sent, so that the account's rate limits are not exceeded. */
export interface Throttle {
  /** Resolves when the call may be sent. The call is then counted. First come, first served. */
  acquire(request: ThrottleRequest): Promise<void>;
  /** Called when the service reports a limit as used up. Delays the next calls; no call waits for it or fails. */
  pause(report: LimitReport): void | Promise<void>;
}

/** If two limits count the call, the number of allowed requests shows which one the response reports. */
export function reportedLimit({ operation, limit }: LimitReport, otherPerMinute: number): LimitName {
  const [own = "other"] = limitsCounting(operation);
  return own === "createWebhook" && limit === otherPerMinute ? "other" : own;
}

/** The argument of {@link ClientOptions.onThrottle}. */
export interface ThrottleReport {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** The wait before the request is sent, in milliseconds, as far as it is known now. */
  readonly waitMs: number;
}
