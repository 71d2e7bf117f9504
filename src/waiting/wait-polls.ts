/** A wait as it takes part in shared polls: it sleeps by itself, and polls in its own async context. */
import { abortable, throwIfAborted } from "../async/abort.js";
import { Clock } from "../async/clock.js";
import { UnauthorizedError } from "../errors/api-error.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { WaitAnswer, WaitQuestion } from "./look-up-meetings.js";
import type { MeetingRequests, PollRequest } from "./meeting-requests.js";
import { MIN_INTERVAL_MS, type PolledWait, Poller, type SharedPoll } from "./poller.js";

/**
 * A text that is the same for equal sets of headers, in any order. `undefined` in Cloudflare Workers: there, an outgoing
 * request belongs to the incoming request that sent it, and another wait cannot use it.
 */
function keyOf(headers: RequestOptions["headers"] = {}): string | undefined {
  if (globalThis.navigator?.userAgent === "Cloudflare-Workers") return undefined;
  const pairs: [string, unknown][] =
    Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
  return JSON.stringify(pairs.map(([name, value]) => [name.toLowerCase(), value, typeof value]).sort());
}

/** How many uploads a client remembers. */
const MAX_UPLOADS = 1_000;

/** What the waits of one client share. */
export class SharedPolls {
  readonly requests: MeetingRequests;
  readonly clock = new Clock();
  /** The meetings that are uploads of this client. A wait for one of them says nothing of bots. */
  readonly uploads = new Set<unknown>();
  /** By token. */
  readonly #pollers = new Map<string, Poller>();

  constructor(requests: MeetingRequests) {
    this.requests = requests;
  }

  addUpload(meetingId: unknown): void {
    this.uploads.add(meetingId);
    const [oldest] = this.uploads;
    if (this.uploads.size > MAX_UPLOADS) this.uploads.delete(oldest);
  }

  join(token: string, wait: PolledWait): Poller {
    const poller = this.#pollers.get(token) ?? new Poller(token, this.requests, this.clock);
    this.#pollers.set(token, poller);
    poller.waits.add(wait);
    return poller;
  }

  leave(token: string, wait: PolledWait): void {
    const poller = this.#pollers.get(token);
    poller?.waits.delete(wait);
    if (poller?.waits.size === 0) this.#pollers.delete(token);
  }
}

/**
 * The client's token function is called for each poll of a wait, in its async context, because the token may depend on
 * the user who waits. Only waits with the same token and equal headers share requests.
 */
export class WaitPolls implements PolledWait {
  /** What each of its polls asks. */
  readonly question: WaitQuestion;
  readonly key: unknown;
  servedAt: number | undefined;
  /** The factor for the pause after the latest poll. */
  jitter = 1;
  readonly #shared: SharedPolls;
  #joined: { readonly token: string; readonly poller: Poller } | undefined;
  /** When its next poll is due; `undefined` while a poll serves it. */
  #dueAt: number | undefined;
  #poll: SharedPoll | undefined;
  #onServed = () => {};
  /** How many requests were sent for it, without those of the poll that serves it now. */
  #requests = 0;

  constructor(shared: SharedPolls, question: WaitQuestion) {
    this.#shared = shared;
    this.question = question;
    this.key = keyOf(question.headers) ?? this;
  }

  /** Whether a poll serves this wait, and has not ended. */
  get isPolling(): boolean {
    return this.#dueAt === undefined;
  }

  /** How many requests were sent for this wait, including those that it shared. */
  get requests(): number {
    return this.#requests + (this.#poll?.requests ?? 0);
  }

  /** The rest of the pause that the service asked for, in milliseconds. */
  get pauseMs(): number {
    return this.#joined?.poller.pauseMs ?? 0;
  }

  /** Called when the service asks for a pause. */
  postpone(ms: number): void {
    this.#joined?.poller.postpone(ms);
  }

  isDueBy(time: number): boolean {
    return this.#dueAt !== undefined && this.#dueAt <= time;
  }

  serve(poll: SharedPoll, now: number): void {
    this.servedAt = now;
    this.#dueAt = undefined;
    this.#poll = poll;
    this.#onServed();
  }

  /** Waits before the next poll: `ms`, or less if an event arrives, or if another wait's poll serves this one. */
  async pause(ms: number): Promise<void> {
    // While the token function ran, and then failed, another wait may have polled for this one. That answer is not used.
    this.#leavePoll();
    this.#dueAt = this.#shared.clock.now() + ms;
    if (ms > 0) await this.#sleep(Math.min(ms, MIN_INTERVAL_MS));
    if (ms > MIN_INTERVAL_MS) await this.#sleep(ms - MIN_INTERVAL_MS, this.question.wake?.untilEvent());
  }

  /**
   * Polls, and passes the answer to `read`, with the options of further requests. A pause that the service asked for is
   * never shortened. If the service refuses the token, and the token function returns another one, polls once more.
   */
  async poll<T>(read: (answer: WaitAnswer, request: PollRequest) => Promise<T> | T): Promise<T> {
    const { headers, signal } = this.question;
    const onRequest = () => {
      this.#requests += 1;
    };
    const pollOnce = async (token: string) => read(await this.#nextAnswer(), { headers, signal, token, onRequest });
    const token = await this.#updateToken();
    try {
      return await pollOnce(token);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      const next = await this.#updateToken(token);
      if (next === token) throw error;
      return pollOnce(next);
    }
  }

  /** Call it when the wait ends. */
  leave(): void {
    this.#leavePoll();
    if (this.#joined !== undefined) this.#shared.leave(this.#joined.token, this);
  }

  async #updateToken(rejected?: string): Promise<string> {
    const token = await this.#shared.requests.token({ signal: this.question.signal, rejected });
    if (token === this.#joined?.token) return token;
    // A request that was sent with another token is of no use.
    this.leave();
    this.servedAt = undefined;
    this.#joined = { token, poller: this.#shared.join(token, this) };
    return token;
  }

  async #nextAnswer(): Promise<WaitAnswer> {
    try {
      const { answers, jitter } = await this.#untilServed();
      this.jitter = jitter;
      return (await abortable(answers, this.question.signal))(this.question);
    } finally {
      this.#dueAt = undefined;
      this.#leavePoll();
    }
  }

  /** Polls as soon as it may, unless another wait's poll serves this one first. */
  async #untilServed(): Promise<SharedPoll> {
    // Waits that begin at the same time share the poll.
    await undefined;
    while (this.#poll === undefined) {
      throwIfAborted(this.question.signal);
      this.#dueAt = this.#shared.clock.now();
      const restMs = this.#joined?.poller.poll(this) ?? 0;
      if (restMs > 0) await this.#sleep(restMs);
    }
    return this.#poll;
  }

  /** Ends early when a poll serves this wait. */
  async #sleep(ms: number, wake?: Promise<void>): Promise<void> {
    if (this.#poll !== undefined) return;
    const served = new Promise<void>((resolve) => {
      this.#onServed = resolve;
    });
    await this.#shared.clock.pause(ms, this.question.signal, wake ? Promise.race([wake, served]) : served);
  }

  #leavePoll(): void {
    this.#requests = this.requests;
    this.#poll?.leave();
    this.#poll = undefined;
  }
}
