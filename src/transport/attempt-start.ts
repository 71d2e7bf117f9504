/** What an attempt needs before it is sent: its time limit, its token, and its turn under the rate limits. */
import { TimeLimit } from "../async/time-limit.js";
import type { TimeoutError } from "../errors/call-errors.js";
import { timeoutError } from "../errors/connection-error-from.js";
import type { CallToken } from "./call-token.js";
import type { CheckedCall } from "./checked-call.js";
import { waitForThrottle } from "./throttle-hook.js";

const THE_TOKEN = "timeoutMs of the token function";
const NO_PROGRESS = "timeoutMs without progress";

/** One for all attempts of a call. */
export class AttemptStart {
  readonly #call: CheckedCall;
  readonly #token: CallToken;
  /** Aborts when the call ends; `undefined` if nothing can end it early. */
  readonly #signal: AbortSignal | undefined;
  #limit: TimeLimit | undefined;
  #waitsFor = THE_TOKEN;
  #isSent = false;

  constructor(call: CheckedCall, token: CallToken, signal: AbortSignal | undefined) {
    this.#call = call;
    this.#token = token;
    this.#signal = signal;
  }

  get limit(): TimeLimit {
    this.#limit ??= new TimeLimit(this.#signal, this.#call.limits.timeoutMs, (ms) => this.#timeout(ms));
    return this.#limit;
  }

  async authorise({ headers }: Request): Promise<void> {
    await this.#token.next(this.limit.signal);
    headers.set("authorization", `Bearer ${this.#token.value}`);
  }

  /** Waits until the throttle admits the attempt. The limit does not run during this wait. */
  async waitForRateLimit(request: Request, deadline: TimeLimit): Promise<void> {
    const { throttle } = this.#call.config;
    if (throttle !== undefined) {
      await this.#untilBodyReady();
      const resume = this.limit.pause();
      const hasWaited = await waitForThrottle(throttle, this.#token.value, this.#call, deadline);
      resume();
      // The token may have expired.
      if (hasWaited) await this.authorise(request);
    }
    this.#isSent = true;
  }

  /** Its first bytes may be slow. The turn would then count long before the attempt is sent. */
  async #untilBodyReady(): Promise<void> {
    const { streamBody, request } = this.#call;
    if (streamBody === undefined) return;
    this.#waitsFor = NO_PROGRESS;
    this.limit.restart();
    await this.limit.abortable(streamBody.ready(request));
    this.limit.restart();
    this.#waitsFor = THE_TOKEN;
  }

  end(): void {
    this.#limit?.dispose();
    this.#limit = undefined;
    this.#isSent = false;
  }

  #timeout(ms: number): TimeoutError {
    const call = this.#call;
    if (!this.#isSent) return timeoutError(call, this.#waitsFor, ms, { outcome: "not_sent" });
    return timeoutError(call, call.streamBody ? NO_PROGRESS : "timeoutMs", ms);
  }
}
