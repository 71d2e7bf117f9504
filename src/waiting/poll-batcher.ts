/**
 * Shares polls. Each wait sleeps by itself, with its own timer. The first wait that is due sends one request, which
 * also serves the waits that are due soon after it.
 */
import { abortable } from "../async/abort.js";
import { pause } from "../async/timers.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { CallerToken } from "./caller-token.js";

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

/** A wait or a watch that takes part in the polls. Only members with equal headers and tokens share requests. */
export interface MemberOptions<Question> {
  /** What each of its polls asks. */
  readonly question: Question;
  readonly headers: RequestOptions["headers"];
  readonly token: CallerToken;
  readonly pollMs: number;
  readonly signal: AbortSignal;
  /** Called when a request with its question is sent, in the async context of any member. */
  readonly onSent?: () => void;
}

/** The result of a poll for one member. */
export interface PollAnswer<Answer> {
  readonly answer: Answer;
  /** A factor for the pause after this poll: the same for all members that shared the request. */
  readonly jitter: number;
}

/** The rest of `ms` milliseconds that began at `startedAt`; 0 if they began on another clock, as in test runners. */
function remainingMs(startedAt: number, ms: number): number {
  const elapsedMs = performance.now() - startedAt;
  return elapsedMs < 0 ? 0 : Math.max(0, Math.ceil(ms - elapsedMs));
}

/** A text that is the same for equal sets of headers, in any order. */
function headersKey(headers: RequestOptions["headers"]): string {
  if (headers === undefined) return "";
  const pairs: [string, unknown][] =
    Symbol.iterator in headers ? [...(headers as Iterable<[string, string]>)] : Object.entries(headers);
  return JSON.stringify(pairs.map(([name, value]) => [name.toLowerCase(), value, typeof value]).sort());
}

/**
 * In Cloudflare Workers, an outgoing request belongs to the incoming request that sent it. There, a wait cannot use the
 * request of another wait.
 */
const canShareRequests = () => globalThis.navigator?.userAgent !== "Cloudflare-Workers";

/** One request for several members. It is aborted when none of them waits for its answer any more. */
class Batch<Question, Answer> {
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

/** A pause that the service asked for. It belongs to the token: groups with the same token share it. */
interface RequestedPause {
  startedAt: number;
  ms: number;
}

/** The members with the same headers and token. */
class Group<Question, Answer> {
  readonly members = new Set<PollMember<Question, Answer>>();
  readonly key: unknown;
  readonly token: string | undefined;
  readonly requestedPause: RequestedPause;
  readonly #send: (questions: readonly Question[], signal: AbortSignal) => Promise<(question: Question) => Answer>;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(
    key: unknown,
    requestedPause: RequestedPause,
    request: Omit<PollRequest, "signal">,
    send: SendQuestions<Question, Answer>,
  ) {
    this.key = key;
    this.token = request.token;
    this.requestedPause = requestedPause;
    this.#send = (questions, signal) => send(questions, { ...request, signal });
  }

  get #shortestPollMs(): number {
    return [...this.members].reduce((shortest, { pollMs }) => Math.min(shortest, pollMs), Number.POSITIVE_INFINITY);
  }

  /** Called when the service asks for a pause: no member polls before it is over. */
  postpone(ms: number): void {
    if (ms > this.postponedMs) Object.assign(this.requestedPause, { startedAt: performance.now(), ms });
  }

  get postponedMs(): number {
    return remainingMs(this.requestedPause.startedAt, this.requestedPause.ms);
  }

  /** The time until the next request may be sent, in milliseconds. A single member keeps its own pauses. */
  get busyMs(): number {
    if (this.members.size === 1) return this.postponedMs;
    const gapMs = Math.min(MIN_INTERVAL_MS, this.#shortestPollMs * (1 - JITTER));
    return Math.max(this.postponedMs, remainingMs(this.#sentAt, gapMs));
  }

  /** Sends one request, in the async context of the caller, for all members that are due within the shortest `pollMs`. */
  send(): void {
    this.#sentAt = performance.now();
    const dueBy = this.#sentAt + this.#shortestPollMs;
    const due = [...this.members].filter(({ dueAt }) => dueAt <= dueBy);
    const questions = due.map(({ question }) => question);
    const batch = new Batch<Question, Answer>((signal) => this.#send(questions, signal), due.length);
    for (const member of due) member.serve(batch);
  }
}

export class PollMember<Question, Answer> {
  readonly question: Question;
  readonly pollMs: number;
  /** When the next poll is due, on the clock of `performance.now()`; `Infinity` while the member does not wait for it. */
  dueAt = Number.POSITIVE_INFINITY;
  readonly #batcher: PollBatcher<Question, Answer>;
  readonly #options: MemberOptions<Question>;
  #group: Group<Question, Answer> | undefined;
  #batch: Batch<Question, Answer> | undefined;
  #wakeUp = () => {};

  constructor(batcher: PollBatcher<Question, Answer>, options: MemberOptions<Question>) {
    this.question = options.question;
    this.pollMs = options.pollMs;
    this.#batcher = batcher;
    this.#options = options;
  }

  /**
   * Polls after `delayMs`. Polls earlier if `wake` resolves, or if another member's request serves this one, too. A
   * pause that the service asked for is never shortened.
   */
  async nextPoll(delayMs: number, wake?: Promise<void>): Promise<PollAnswer<Answer>> {
    const { token, signal } = this.#options;
    try {
      this.dueAt = performance.now() + delayMs;
      if (delayMs > 0) await this.#pause(Math.min(delayMs, MIN_INTERVAL_MS));
      if (delayMs > MIN_INTERVAL_MS) await this.#pause(delayMs - MIN_INTERVAL_MS, wake);
      const group = this.#enterGroup(await token.next());
      const { answers, jitter } = await this.#untilServed(group);
      return { answer: (await abortable(answers, signal))(this.question), jitter };
    } finally {
      this.dueAt = Number.POSITIVE_INFINITY;
      this.#leaveBatch();
    }
  }

  /** Called when a request with the member's question has been sent. */
  serve(batch: Batch<Question, Answer>): void {
    this.dueAt = Number.POSITIVE_INFINITY;
    this.#batch = batch;
    this.#options.onSent?.();
    this.#wakeUp();
  }

  postpone(ms: number): void {
    this.#group?.postpone(ms);
  }

  get postponedMs(): number {
    return this.#group?.postponedMs ?? 0;
  }

  /** Call it when the wait ends. */
  leave(): void {
    if (this.#group !== undefined) this.#batcher.leave(this, this.#group);
  }

  /** Ends early when a request serves this member. */
  async #pause(ms: number, wake?: Promise<void>): Promise<void> {
    if (this.#batch !== undefined) return;
    const served = new Promise<void>((resolve) => {
      this.#wakeUp = resolve;
    });
    await pause(ms, this.#options.signal, wake ? Promise.race([wake, served]) : served);
  }

  #enterGroup(token: string | undefined): Group<Question, Answer> {
    if (this.#group === undefined || this.#group.token !== token) {
      // A request that was sent with another token is of no use.
      this.#leaveBatch();
      this.leave();
      this.#group = this.#batcher.enter(this, { headers: this.#options.headers, token });
    }
    return this.#group;
  }

  /** Sends a request as soon as the group may send one, unless another member sends it first. */
  async #untilServed(group: Group<Question, Answer>): Promise<Batch<Question, Answer>> {
    // Waits that begin at the same time share the request.
    await undefined;
    while (this.#batch === undefined) {
      const { busyMs } = group;
      this.dueAt = Number.NEGATIVE_INFINITY;
      if (busyMs > 0) await this.#pause(busyMs);
      else if (this.#options.signal.aborted) throw this.#options.signal.reason;
      else group.send();
    }
    return this.#batch;
  }

  #leaveBatch(): void {
    this.#batch?.leave();
    this.#batch = undefined;
  }
}

/** The polls of all waits of one client. */
export class PollBatcher<Question, Answer> {
  readonly #createSender: () => SendQuestions<Question, Answer>;
  readonly #groups = new Map<unknown, Group<Question, Answer>>();

  /** `createSender` is called for each set of headers and token. */
  constructor(createSender: () => SendQuestions<Question, Answer>) {
    this.#createSender = createSender;
  }

  join(options: MemberOptions<Question>): PollMember<Question, Answer> {
    return new PollMember(this, options);
  }

  enter(member: PollMember<Question, Answer>, request: Omit<PollRequest, "signal">): Group<Question, Answer> {
    const { headers, token } = request;
    const key = canShareRequests() ? JSON.stringify([headersKey(headers), token]) : member;
    let group = this.#groups.get(key);
    if (group === undefined) {
      const sameToken = [...this.#groups.values()].find((other) => other.token === token);
      const requestedPause = sameToken?.requestedPause ?? { startedAt: 0, ms: 0 };
      group = new Group(key, requestedPause, request, this.#createSender());
      this.#groups.set(key, group);
    }
    group.members.add(member);
    return group;
  }

  leave(member: PollMember<Question, Answer>, group: Group<Question, Answer>): void {
    group.members.delete(member);
    if (group.members.size === 0) this.#groups.delete(group.key);
  }
}
