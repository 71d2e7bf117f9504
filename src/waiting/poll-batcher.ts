/**
 * Shares polls. Each wait sleeps by itself, with its own timer. The first wait that is due sends one request, which
 * also serves the waits that are due soon after it.
 */
import { abortable } from "../async/abort.js";
import { pause } from "../async/timers.js";
import { UnauthorizedError } from "../errors/api-error.js";
import type { RequestOptions } from "../transport/request-options.js";
import { lookUpMeetings, type WaitAnswer, type WaitQuestion } from "./look-up-meetings.js";
import type { MeetingRequests, PollRequest } from "./meeting-requests.js";

/** The shortest time between two polls that are started by events, or by waits that begin one after the other. */
const MIN_INTERVAL_MS = 1_000;

/**
 * The fraction of the poll interval by which a pause may be shorter or longer, so that clients do not all poll at once.
 */
const JITTER = 0.2;

/** A random factor for the pause between two polls. */
export const randomJitter = (): number => 1 - JITTER + 2 * JITTER * Math.random();

/** The rest of `ms` milliseconds that began at `startedAt`; 0 if they began on another clock, as in test runners. */
function remainingMs(startedAt: number, ms: number): number {
  const elapsedMs = performance.now() - startedAt;
  return elapsedMs < 0 ? 0 : Math.max(0, Math.ceil(ms - elapsedMs));
}

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

type Answers = (question: WaitQuestion) => WaitAnswer;

/** One request for several waits. It is aborted when none of them waits for its answer any more. */
class Batch {
  /** A factor for the pause after this poll: the same for all waits. */
  readonly jitter = randomJitter();
  readonly answers: Promise<Answers>;
  readonly #controller = new AbortController();
  #waiting: number;

  constructor(send: (signal: AbortSignal) => Promise<Answers>, waits: number) {
    this.#waiting = waits;
    this.answers = send(this.#controller.signal);
    // Each wait gets the failure. If none is left, it must not become an unhandled rejection.
    this.answers.catch(() => {});
  }

  leave(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#controller.abort();
  }
}

/** The waits with one token, and the pause that the service has asked for when it refused that token. */
class TokenGroup {
  readonly members = new Set<PollMember>();
  pause = { startedAt: 0, ms: 0 };
}

/** What the waits of one client share. */
export class PollBatcher {
  readonly requests: MeetingRequests;
  readonly groups = new Map<string, TokenGroup>();

  constructor(requests: MeetingRequests) {
    this.requests = requests;
  }
}

/**
 * A wait that takes part in the polls. The client's token function is called for each of its polls, in its async
 * context, because the token may depend on the user who waits. Only waits with the same token and equal headers share
 * requests.
 */
export class PollMember {
  readonly #batcher: PollBatcher;
  /** What each of its polls asks. */
  readonly #question: WaitQuestion;
  readonly #key: unknown;
  #token: string | undefined;
  /** `undefined` until the first poll. */
  #group: TokenGroup | undefined;
  /**
   * When the next poll is due, on the clock of `performance.now()`; `Infinity` while the wait does not wait for it.
   */
  #dueAt = Number.POSITIVE_INFINITY;
  #sentAt = Number.NEGATIVE_INFINITY;
  #batch: Batch | undefined;
  #wakeUp = () => {};
  /** The factor for the pause after the latest poll. */
  jitter = 1;

  constructor(batcher: PollBatcher, question: WaitQuestion) {
    this.#batcher = batcher;
    this.#question = question;
    this.#key = keyOf(question.headers) ?? this;
  }

  /** Waits before the next poll: `ms`, or less if an event arrives, or if another wait's request serves this one. */
  async pause(ms: number): Promise<void> {
    // While the token function ran, and then failed, another wait may have polled for this one. That answer is not used.
    this.#leaveBatch();
    this.#dueAt = performance.now() + ms;
    if (ms > 0) await this.#sleep(Math.min(ms, MIN_INTERVAL_MS));
    if (ms > MIN_INTERVAL_MS) await this.#sleep(ms - MIN_INTERVAL_MS, this.#question.wake?.event);
  }

  /**
   * Polls, and passes the answer to `read`, with the options of further requests. A pause that the service asked for is
   * never shortened. If the service refuses the token, and the token function returns another one, polls once more.
   */
  async poll<T>(read: (answer: WaitAnswer, request: PollRequest) => Promise<T> | T): Promise<T> {
    const { headers, signal } = this.#question;
    const pollOnce = async () => read(await this.#nextAnswer(), { headers, signal, token: this.#token });
    await this.#updateToken();
    try {
      return await pollOnce();
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      const rejected = this.#token;
      await this.#updateToken(rejected);
      if (this.#token === rejected) throw error;
      return pollOnce();
    }
  }

  /** Whether a request of a poll has been sent, and the poll has not ended. */
  get isPolling(): boolean {
    return this.#dueAt === Number.POSITIVE_INFINITY;
  }

  /** Called when the service asks for a pause: no wait with this token polls before it is over. */
  postpone(ms: number): void {
    if (this.#group && ms > this.postponedMs) this.#group.pause = { startedAt: performance.now(), ms };
  }

  /** The rest of the pause that the service asked for, in milliseconds. */
  get postponedMs(): number {
    const { startedAt, ms } = this.#group?.pause ?? { startedAt: 0, ms: 0 };
    return remainingMs(startedAt, ms);
  }

  /** Call it when the wait ends. */
  leave(): void {
    this.#leaveBatch();
    this.#group?.members.delete(this);
    if (this.#group?.members.size === 0) this.#batcher.groups.delete(this.#token as string);
  }

  async #updateToken(rejected?: string): Promise<void> {
    const { requests, groups } = this.#batcher;
    const token = await requests.token({ signal: this.#question.signal, rejected });
    if (token === this.#token) return;
    // A request that was sent with another token is of no use.
    this.leave();
    this.#sentAt = Number.NEGATIVE_INFINITY;
    this.#token = token;
    this.#group = groups.get(token) ?? new TokenGroup();
    this.#group.members.add(this);
    groups.set(token, this.#group);
  }

  async #nextAnswer(): Promise<WaitAnswer> {
    try {
      const { answers, jitter } = await this.#untilServed();
      this.jitter = jitter;
      return (await abortable(answers, this.#question.signal))(this.#question);
    } finally {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#leaveBatch();
    }
  }

  /** Ends early when a request serves this wait. */
  async #sleep(ms: number, wake?: Promise<void>): Promise<void> {
    if (this.#batch !== undefined) return;
    const served = new Promise<void>((resolve) => {
      this.#wakeUp = resolve;
    });
    await pause(ms, this.#question.signal, wake ? Promise.race([wake, served]) : served);
  }

  /** Sends a request as soon as one may be sent, unless another wait sends it first. */
  async #untilServed(): Promise<Batch> {
    const { signal } = this.#question;
    // Waits that begin at the same time share the request.
    await undefined;
    while (this.#batch === undefined) {
      this.#dueAt = Number.NEGATIVE_INFINITY;
      const peers = [...(this.#group?.members ?? [])].filter((member) => member.#key === this.#key);
      const pollMs = Math.min(...peers.map((member) => member.#question.pollMs));
      const busyMs = Math.max(this.postponedMs, this.#gapMs(peers, pollMs));
      if (busyMs > 0) await this.#sleep(busyMs);
      else if (signal.aborted) throw signal.reason;
      else this.#send(peers, pollMs);
    }
    return this.#batch;
  }

  /** The rest of the shortest time between two requests, in milliseconds. A single wait keeps its own pauses. */
  #gapMs(peers: readonly PollMember[], pollMs: number): number {
    if (peers.length === 1) return 0;
    const sentAt = Math.max(...peers.map((member) => member.#sentAt));
    return remainingMs(sentAt, Math.min(MIN_INTERVAL_MS, pollMs * (1 - JITTER)));
  }

  /** Sends one request, in the async context of this wait, for all waits that are due within `pollMs`. */
  #send(peers: readonly PollMember[], pollMs: number): void {
    const now = performance.now();
    const due = peers.filter((member) => member.#dueAt <= now + pollMs);
    const questions = due.map((member) => member.#question);
    const batch = new Batch((signal) => {
      const request = { headers: this.#question.headers, token: this.#token, signal };
      return lookUpMeetings((params) => this.#batcher.requests.listPages(params, request), questions);
    }, due.length);
    for (const member of due) {
      member.#sentAt = now;
      member.#dueAt = Number.POSITIVE_INFINITY;
      member.#batch = batch;
      member.#wakeUp();
    }
  }

  #leaveBatch(): void {
    this.#batch?.leave();
    this.#batch = undefined;
  }
}
