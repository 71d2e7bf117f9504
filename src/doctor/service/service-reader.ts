/** Sends the doctor's requests: few, within the rate limit, and only GET. */
import { pause } from "../../async/timers.js";
import { ApiError, InvalidRequestError, UnauthorizedError } from "../../errors/api-error.js";
import { ConnectionError, ResponseValidationError, TimeoutError } from "../../errors/call-errors.js";
import { isRateLimited } from "../../errors/is-temporary.js";
import type { RateLimit } from "../../schemas/rate-limit.js";
import { hintMs } from "../../transport/retry-policy.js";
import type { DoctorClient } from "../doctor-client.js";
import { DriftLog, type ReadOperation } from "./drift-log.js";

/** The maximum number of requests of one diagnosis. */
export const MAX_REQUESTS = 60;

/** The longest wait that the service may ask for, in milliseconds. If it asks for a longer wait, its 429 is thrown. */
const MAX_WAIT_MS = 60_000;

/** The pauses before a request is sent again, in milliseconds: after a 429 without a hint, and after a 5xx. */
const RATE_LIMITED_PAUSE_MS = 5_000;
const SERVER_ERROR_PAUSE_MS = 500;

/** The parameters of a query. A list is sent as a repeated parameter. */
export type Query = Readonly<Record<string, string | number | readonly string[]>>;

/** The result of a request. */
export type Reading =
  | { readonly outcome: "read"; readonly body: unknown }
  /** The service refused the request; `names` are the parameters that it says it refused. */
  | { readonly outcome: "refused"; readonly status: number; readonly names: readonly string[] }
  /** The response could not be read. */
  | { readonly outcome: "failed"; readonly reason: string };

/** No requests remain. */
export class BudgetError extends Error {}

/** The parameters that the error names, if it names any. */
function refusedNames(error: ApiError): string[] {
  if (error instanceof InvalidRequestError) return error.issues.flatMap(({ loc }) => String(loc.at(-1) ?? ""));
  return (error.details ?? []).map(({ field }) => String(field));
}

export class ServiceReader {
  readonly log = new DriftLog();
  readonly #client: DoctorClient;
  readonly #signal: AbortSignal | undefined;
  #requests = 0;
  #limit: { readonly rateLimit: RateLimit; readonly serverMs: number; readonly readAt: number } | undefined;

  constructor(client: DoctorClient, signal: AbortSignal | undefined) {
    this.#client = client;
    this.#signal = signal;
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.#requests;
  }

  /** How many requests may still be sent. */
  get remaining(): number {
    return MAX_REQUESTS - this.#requests;
  }

  /**
   * Requests a path. Repeats the request after every 429, and after the first 5xx. Throws an `UnauthorizedError`, and a
   * `RateLimitedError` that asks for too long a wait. If the first request of the diagnosis gets no response, or no
   * JSON, its error is thrown, too: then there is no service to diagnose.
   */
  async read(operation: ReadOperation, path: string, query: Query = {}): Promise<Reading> {
    const isFirst = this.#requests === 0;
    for (let mayRepeat = true; ; ) {
      try {
        const body = await this.#send(path, query);
        this.log.read(operation, body);
        return { outcome: "read", body };
      } catch (error) {
        if (this.#signal?.aborted) throw this.#signal.reason;
        if (error instanceof BudgetError || error instanceof UnauthorizedError) throw error;
        const pauseMs = pauseBeforeRepeat(error, mayRepeat);
        if (pauseMs === undefined) return readFailure(error, isFirst);
        mayRepeat &&= isRateLimited(error);
        await pause(pauseMs, this.#signal);
      }
    }
  }

  async #send(path: string, query: Query): Promise<unknown> {
    if (this.remaining <= 0) throw new BudgetError();
    await this.#untilWindow();
    this.#requests += 1;
    const options = { query, maxRetries: 0, signal: this.#signal };
    try {
      const { data, response, rateLimit } = await this.#client.request("GET", path, options).withResponse();
      this.#remember(rateLimit, response.headers);
      return data;
    } catch (error) {
      if (error instanceof ApiError) this.#remember(error.rateLimit, error.headers);
      throw error;
    }
  }

  #remember(rateLimit: RateLimit | undefined, headers: Headers): void {
    if (rateLimit === undefined) return;
    const date = Date.parse(headers.get("date") ?? "");
    this.#limit = { rateLimit, serverMs: Number.isNaN(date) ? Date.now() : date, readAt: Date.now() };
  }

  /** If the latest headers say that no request remains in the window, waits for the next window. */
  async #untilWindow(): Promise<void> {
    if (this.#limit === undefined || this.#limit.rateLimit.remaining > 0) return;
    const { rateLimit, serverMs, readAt } = this.#limit;
    this.#limit = undefined;
    // The wait is computed by the service's clock, which may differ from the local one. Without a `Date` header the
    // clocks may differ by any time, so the wait is limited to a minute.
    const waitMs = rateLimit.resetAt.getTime() - serverMs - (Date.now() - readAt) + 1;
    if (waitMs > 0) await pause(Math.min(waitMs, MAX_WAIT_MS), this.#signal);
  }
}

/**
 * The pause before the request is repeated, in milliseconds; `undefined` if it is not repeated. Throws a 429 that asks
 * for too long a wait.
 */
function pauseBeforeRepeat(error: unknown, mayRepeat: boolean): number | undefined {
  if (isRateLimited(error)) {
    const waitMs = hintMs(error) ?? RATE_LIMITED_PAUSE_MS;
    if (waitMs > MAX_WAIT_MS) throw error;
    return waitMs;
  }
  return mayRepeat && error instanceof ApiError && error.status >= 500 ? SERVER_ERROR_PAUSE_MS : undefined;
}

function readFailure(error: unknown, isFirst: boolean): Reading {
  if (error instanceof ApiError) {
    const { status } = error;
    if (status >= 500) return { outcome: "failed", reason: `the endpoint responds with ${status}` };
    return { outcome: "refused", status, names: refusedNames(error) };
  }
  const isOfService =
    error instanceof ResponseValidationError || error instanceof ConnectionError || error instanceof TimeoutError;
  if (isFirst || !isOfService) throw error;
  const reason = error instanceof ResponseValidationError ? "the response is not JSON" : "the connection failed";
  return { outcome: "failed", reason };
}
