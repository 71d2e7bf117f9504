/** Holds calls back before they are sent, so that the limits of the account are kept. */

/** The limits of an account, by the calls that they count. `createWebhook` calls count as `other`, too. */
export type LimitName = "sendBot" | "upload" | "createWebhook" | "other";

/** A call that wants to be sent. */
export interface ThrottleRequest {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** Whose budget it spends. Only a hash of it may be stored. */
  readonly token: string;
  /** Aborts when the call is cancelled. The call then takes no place. */
  readonly signal: AbortSignal | undefined;
  /** The time until the deadline of the call, in milliseconds; `Infinity` without one. */
  remainingMs(): number;
  /** To be called before each wait. */
  onWait(waitMs: number): void;
  /** The error for a wait that would go beyond the deadline. */
  createTimeoutError(): unknown;
}

/** What a response said of the limit that its call counted for. */
export interface LimitReport {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** The token of the call: each account has limits of its own. */
  readonly token: string;
  /** `X-RateLimit-Limit`, if the response has it. */
  readonly limit: number | undefined;
  /** For how long nothing more may be sent, in milliseconds. */
  readonly holdMs: number;
}

/** Holds calls back before they are sent, so that the account's rate limits are kept. */
export interface Throttle {
  /** Resolves when the call may be sent, and has taken its place: first come, first served. */
  acquire(request: ThrottleRequest): Promise<void>;
  /** The service says that the budget is spent, whoever spent it: holds back what follows. */
  hold(report: LimitReport): void | Promise<void>;
}

/** The limits that a call counts for: its own first. */
export function limitsOf(operation: string): readonly LimitName[] {
  switch (operation) {
    case "meetings.sendBot":
      return ["sendBot"];
    case "meetings.upload":
      return ["upload"];
    case "webhooks.create":
      return ["createWebhook", "other"];
    default:
      return ["other"];
  }
}

/**
 * The limit that a response reports. If the call counts for two limits, the response may report either: the number of
 * allowed requests tells which.
 */
export function reportedLimit({ operation, limit }: LimitReport, otherPerMinute: number): LimitName {
  const [own = "other"] = limitsOf(operation);
  return own === "createWebhook" && limit === otherPerMinute ? "other" : own;
}

/** The argument of {@link ClientOptions.onThrottle}. */
export interface ThrottleReport {
  /** The method of this library, for example `rooms.list`. */
  readonly operation: string;
  /** The wait before the request is sent, in milliseconds, as far as it is known now. */
  readonly waitMs: number;
}
