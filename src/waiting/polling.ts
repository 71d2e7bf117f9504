/** The polls of one wait: its own, and those of other waits that serve it as well. */
import { abortable, throwIfAborted } from "../async/abort.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { headerEntries } from "../transport/allowed-headers.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { WaitAnswer, WaitQuestion } from "./look-up-meetings.js";
import type { PollRequest } from "./meeting-requests.js";
import { MIN_INTERVAL_MS, type Poll, type PolledWait, type Poller, type Pollers } from "./poller.js";

/**
 * A text that is the same for equal sets of headers, in any order. `undefined` in Cloudflare Workers: there, an outgoing
 * request belongs to the incoming request that sent it, and another wait cannot use it.
 */
function keyOf(headers: RequestOptions["headers"] = {}): string | undefined {
  if (globalThis.navigator?.userAgent === "Cloudflare-Workers") return undefined;
  // Invalid headers are refused when the first request is made.
  const entries = headerEntries(headers).map(([name, value]) => [
    String(name).toLowerCase(),
    String(value),
    typeof value,
  ]);
  return JSON.stringify(entries.sort());
}

/** Reads an answer. `request` has the options of further requests. */
export type ReadAnswer<T> = (answer: WaitAnswer, request: PollRequest) => T | Promise<T>;

/**
 * The client's token function is called for each poll of a wait, in its async context, because the token may depend on
 * the user who waits. Only waits with the same token and equal headers share requests.
 */
export class Polling implements PolledWait {
  readonly question: WaitQuestion;
  readonly key: unknown;
  poll: Poll | undefined;
  dueAt: number | undefined;
  requests = 0;
  readonly #pollers: Pollers;
  /** The poller of its latest token. */
  #poller: Poller | undefined;
  #onServed = () => {};

  constructor(pollers: Pollers, question: WaitQuestion) {
    this.#pollers = pollers;
    this.question = question;
    this.key = keyOf(question.headers) ?? this;
  }

  /** Whether a poll that serves this wait has begun since its last pause. */
  get isServed(): boolean {
    return this.dueAt === undefined;
  }

  /** The factor for the pause after the latest poll. */
  get jitter(): number {
    return this.poll?.jitter ?? 1;
  }

  /** The rest of the pause that the service asked for, in milliseconds. */
  get pauseMs(): number {
    return this.#poller?.pauseMs ?? 0;
  }

  /** Called when the service asks for a pause. */
  postpone(ms: number): void {
    this.#poller?.postpone(ms);
  }

  serve(poll: Poll): void {
    this.poll = poll;
    this.dueAt = undefined;
    this.#onServed();
  }

  /** Waits before the next poll: `ms`, or less if an event arrives, or if another wait's poll serves this one. */
  async pause(ms: number): Promise<void> {
    // While the token function ran, and then failed, another wait may have polled for this one. That answer is not used.
    this.#leavePoll();
    this.dueAt = this.#pollers.clock.now() + ms;
    if (ms > 0) await this.#sleep(Math.min(ms, MIN_INTERVAL_MS));
    if (ms > MIN_INTERVAL_MS) await this.#sleep(ms - MIN_INTERVAL_MS, this.question.wake?.untilEvent());
  }

  /**
   * Polls, and reads the answer. If the service refuses the token, and the token function returns another one, polls
   * once more.
   */
  async ask<T>(read: ReadAnswer<T>): Promise<T> {
    const token = await this.#updateToken();
    try {
      return await this.#pollWith(token, read);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      const next = await this.#updateToken(token);
      if (next === token) throw error;
      return this.#pollWith(next, read);
    }
  }

  /** Call it when the wait ends. */
  leave(): void {
    this.#leavePoll();
    if (this.#poller !== undefined) this.#pollers.leave(this.#poller, this);
  }

  async #updateToken(rejected?: string): Promise<string> {
    const token = await this.#pollers.requests.token({ signal: this.question.signal, rejected });
    if (token === this.#poller?.token) return token;
    // A request that was sent with another token is of no use.
    this.leave();
    this.poll = undefined;
    this.dueAt = this.#pollers.clock.now();
    this.#poller = this.#pollers.join(token, this);
    return token;
  }

  async #pollWith<T>(token: string, read: ReadAnswer<T>): Promise<T> {
    const { headers, signal } = this.question;
    const onRequest = () => {
      this.requests += 1;
    };
    return read(await this.#nextAnswer(), { headers, signal, token, onRequest });
  }

  /** Polls as soon as it may, unless another wait's poll serves this one first. */
  async #nextAnswer(): Promise<WaitAnswer> {
    const { question } = this;
    // Waits that begin at the same time share the poll.
    await undefined;
    while (this.poll === undefined || !this.isServed) {
      throwIfAborted(question.signal);
      this.dueAt = this.#pollers.clock.now();
      const restMs = this.#poller?.poll(this) ?? 0;
      if (restMs > 0) await this.#sleep(restMs);
    }
    try {
      return (await abortable(this.poll.answers, question.signal))(question);
    } finally {
      this.#leavePoll();
    }
  }

  /** Ends early when a poll serves this wait. */
  async #sleep(ms: number, wake?: Promise<void>): Promise<void> {
    if (this.isServed) return;
    const served = new Promise<void>((resolve) => {
      this.#onServed = resolve;
    });
    await this.#pollers.clock.pause(ms, this.question.signal, wake ? Promise.race([wake, served]) : served);
  }

  #leavePoll(): void {
    this.poll?.waits.delete(this);
    if (this.poll?.waits.size === 0) this.poll.abort();
  }
}
