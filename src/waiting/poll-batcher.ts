/**
 * Shares polls. Each wait sleeps by itself, with its own timer. The first wait that is due sends one request, which
 * also serves the waits that are due soon after it.
 */
import { abortable } from "../async/abort.js";
import { pause } from "../async/timers.js";
import { UnauthorizedError } from "../errors/api-error.js";
import type { RequestOptions } from "../transport/request-options.js";

/** The shortest time between two polls that are started by events, or by waits that begin one after the other. */
const MIN_INTERVAL_MS = 1_000;

/**
 * The fraction of the poll interval by which a pause may be shorter or longer, so that clients do not all poll at once.
 */
const JITTER = 0.2;

/** How a request is sent. Without `token`, it is sent with the client's own. */
export interface PollRequest extends Pick<RequestOptions, "headers" | "signal"> {
  readonly token: string | undefined;
}

/**
 * Sends as few requests as possible for all questions. Resolves to a function that returns the answer to each question.
 */
export type SendQuestions<Question, Answer> = (
  questions: readonly Question[],
  request: PollRequest,
) => Promise<(question: Question) => Answer>;

/** Calls the client's token function. `rejected` is the token that the service has just refused. */
export type RequestToken = (options: { signal: AbortSignal; rejected: string | undefined }) => Promise<string>;

/** A wait or a watch that takes part in the polls. Only members with equal headers and tokens share requests. */
export interface MemberOptions<Question> {
  /** What each of its polls asks. */
  readonly question: Question;
  readonly headers: RequestOptions["headers"];
  readonly pollMs: number;
  readonly signal: AbortSignal;
  /** Its promise resolves when an event should start the next poll early. */
  readonly wake?: { readonly event: Promise<void> } | undefined;
}

/** The rest of `ms` milliseconds that began at `startedAt`; 0 if they began on another clock, as in test runners. */
function remainingMs(startedAt: number, ms: number): number {
  const elapsedMs = performance.now() - startedAt;
  return elapsedMs < 0 ? 0 : Math.max(0, Math.ceil(ms - elapsedMs));
}

/**
 * A text that is the same for the same token and equal sets of headers, in any order. `undefined` in Cloudflare
 * Workers: there, an outgoing request belongs to the incoming request that sent it, and another wait cannot use it.
 */
function keyOf(headers: RequestOptions["headers"] = {}, token: string | undefined): string | undefined {
  if (globalThis.navigator?.userAgent === "Cloudflare-Workers") return undefined;
  const pairs: [string, unknown][] =
    Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
  const sorted = pairs.map(([name, value]) => [name.toLowerCase(), value, typeof value]).sort();
  return JSON.stringify([sorted, token]);
}

/** One request for several members. It is aborted when none of them waits for its answer any more. */
class Batch<Question, Answer> {
  /** A factor for the pause after this poll: the same for all members. */
  readonly jitter = 1 - JITTER + 2 * JITTER * Math.random();
  readonly answers: Promise<(question: Question) => Answer>;
  readonly #controller = new AbortController();
  #waiting: number;

  constructor(send: (signal: AbortSignal) => Promise<(question: Question) => Answer>, members: number) {
    this.#waiting = members;
    this.answers = send(this.#controller.signal);
    // Each waiting member gets the failure. If no member is left, it must not become an unhandled rejection.
    this.answers.catch(() => {});
  }

  leave(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#controller.abort();
  }
}

/** What the members of one client share. */
export class PollBatcher<Question, Answer> {
  readonly members = new Set<PollMember<Question, Answer>>();
  /** The pauses that the service has asked for, by the token that was refused. */
  readonly pauses = new Map<string | undefined, { readonly startedAt: number; readonly ms: number }>();
  readonly send: SendQuestions<Question, Answer>;
  /** `undefined` if the client has a fixed token. */
  readonly requestToken: RequestToken | undefined;

  constructor(send: SendQuestions<Question, Answer>, requestToken: RequestToken | undefined) {
    this.send = send;
    this.requestToken = requestToken;
  }
}

/**
 * A wait or a watch that takes part in the polls. The client's token function is called for each of its polls, in its
 * async context, because the token may depend on the user who waits.
 */
export class PollMember<Question, Answer> {
  readonly #batcher: PollBatcher<Question, Answer>;
  readonly #options: MemberOptions<Question>;
  /** Only members with the same key share requests. */
  #key: unknown;
  #token: string | undefined;
  /** The token that replaces one that the service has just refused. */
  #renewedToken: string | undefined;
  /**
   * When the next poll is due, on the clock of `performance.now()`; `Infinity` while the member does not wait for it.
   */
  #dueAt = Number.POSITIVE_INFINITY;
  #sentAt = Number.NEGATIVE_INFINITY;
  #batch: Batch<Question, Answer> | undefined;
  #wakeUp = () => {};
  /** The factor for the pause after the latest poll. */
  jitter = 1;

  constructor(batcher: PollBatcher<Question, Answer>, options: MemberOptions<Question>) {
    this.#batcher = batcher;
    this.#options = options;
    batcher.members.add(this);
  }

  /**
   * Polls after `delayMs`, and passes the answer to `read`, with the options of further requests. Polls earlier if an
   * event arrives, or if another member's request serves this one, too. A pause that the service asked for is never
   * shortened. If the service refuses the token, and the token function returns another one, polls once more at once.
   */
  async poll<T>(delayMs: number, read: (answer: Answer, request: PollRequest) => Promise<T> | T): Promise<T> {
    const { headers, signal } = this.#options;
    const pollOnce = async (ms: number) => read(await this.#nextAnswer(ms), { headers, signal, token: this.#token });
    try {
      return await pollOnce(delayMs);
    } catch (error) {
      const { requestToken } = this.#batcher;
      if (requestToken === undefined || !(error instanceof UnauthorizedError)) throw error;
      const rejected = this.#token;
      this.#renewedToken = await requestToken({ signal, rejected });
      if (this.#renewedToken === rejected) throw error;
      return pollOnce(0);
    }
  }

  async #nextAnswer(delayMs: number): Promise<Answer> {
    const { question, signal, wake } = this.#options;
    try {
      this.#dueAt = performance.now() + delayMs;
      if (delayMs > 0) await this.#sleep(Math.min(delayMs, MIN_INTERVAL_MS));
      if (delayMs > MIN_INTERVAL_MS) await this.#sleep(delayMs - MIN_INTERVAL_MS, wake?.event);
      await this.#updateToken();
      const { answers, jitter } = await this.#untilServed();
      this.jitter = jitter;
      return (await abortable(answers, signal))(question);
    } finally {
      this.#dueAt = Number.POSITIVE_INFINITY;
      this.#leaveBatch();
    }
  }

  async #updateToken(): Promise<void> {
    const { headers, signal } = this.#options;
    const token = this.#renewedToken ?? (await this.#batcher.requestToken?.({ signal, rejected: undefined }));
    this.#renewedToken = undefined;
    const key = keyOf(headers, token) ?? this;
    if (key !== this.#key) {
      // A request that was sent with another token is of no use.
      this.#leaveBatch();
      this.#leaveToken();
      this.#sentAt = Number.NEGATIVE_INFINITY;
    }
    this.#key = key;
    this.#token = token;
  }

  /** Whether a request of a poll has been sent, and the poll has not ended. */
  get isPolling(): boolean {
    return this.#dueAt === Number.POSITIVE_INFINITY;
  }

  /** Called when the service asks for a pause: no member with this token polls before it is over. */
  postpone(ms: number): void {
    if (ms > this.postponedMs) this.#batcher.pauses.set(this.#token, { startedAt: performance.now(), ms });
  }

  /** The rest of the pause that the service asked for, in milliseconds. */
  get postponedMs(): number {
    const requested = this.#batcher.pauses.get(this.#token);
    return requested === undefined ? 0 : remainingMs(requested.startedAt, requested.ms);
  }

  /** Call it when the wait ends. */
  leave(): void {
    this.#batcher.members.delete(this);
    this.#leaveToken();
  }

  #leaveToken(): void {
    const token = this.#token;
    this.#token = undefined;
    for (const member of this.#batcher.members) if (member.#token === token) return;
    this.#batcher.pauses.delete(token);
  }

  /** Ends early when a request serves this member. */
  async #sleep(ms: number, wake?: Promise<void>): Promise<void> {
    if (this.#batch !== undefined) return;
    const served = new Promise<void>((resolve) => {
      this.#wakeUp = resolve;
    });
    await pause(ms, this.#options.signal, wake ? Promise.race([wake, served]) : served);
  }

  /** Sends a request as soon as one may be sent, unless another member sends it first. */
  async #untilServed(): Promise<Batch<Question, Answer>> {
    const { signal } = this.#options;
    // Waits that begin at the same time share the request.
    await undefined;
    while (this.#batch === undefined) {
      this.#dueAt = Number.NEGATIVE_INFINITY;
      const peers = [...this.#batcher.members].filter((member) => member.#key === this.#key);
      const pollMs = Math.min(...peers.map((member) => member.#options.pollMs));
      const busyMs = Math.max(this.postponedMs, this.#gapMs(peers, pollMs));
      if (busyMs > 0) await this.#sleep(busyMs);
      else if (signal.aborted) throw signal.reason;
      else this.#send(peers, pollMs);
    }
    return this.#batch;
  }

  /** The rest of the shortest time between two requests, in milliseconds. A single member keeps its own pauses. */
  #gapMs(peers: readonly PollMember<Question, Answer>[], pollMs: number): number {
    if (peers.length === 1) return 0;
    const sentAt = Math.max(...peers.map((member) => member.#sentAt));
    return remainingMs(sentAt, Math.min(MIN_INTERVAL_MS, pollMs * (1 - JITTER)));
  }

  /** Sends one request, in the async context of this member, for all members that are due within `pollMs`. */
  #send(peers: readonly PollMember<Question, Answer>[], pollMs: number): void {
    const now = performance.now();
    const { headers } = this.#options;
    const due = peers.filter((member) => member.#dueAt <= now + pollMs);
    const questions = due.map((member) => member.#options.question);
    const send = (signal: AbortSignal) => this.#batcher.send(questions, { headers, token: this.#token, signal });
    const batch = new Batch(send, due.length);
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
