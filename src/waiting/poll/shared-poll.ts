/**
 * Polls that several waiters or watches share: one of them sends a request, and all that are waiting get its answer.
 */
import { abortable } from "../../async/abort.js";
import { pause } from "../../async/timers.js";
import type { RunInContext } from "./context-runner.js";

/** Events start at most one poll in this time, for each member and for all members together. */
const MIN_INTERVAL_MS = 1_000;

/**
 * The fraction of the poll interval by which a pause may be shorter or longer, so that clients do not all poll at once.
 */
const JITTER = 0.2;

/**
 * Sends as few requests as possible for all questions. Resolves to a function that returns the answer to each question.
 */
export type SendQuestions<Question, Answer> = (
  questions: readonly Question[],
  options: { readonly token: string | undefined; readonly signal: AbortSignal },
) => Promise<(question: Question) => Answer>;

/** When and how a member polls next. */
export interface NextPoll {
  /**
   * The longest time until the poll, in milliseconds. The member also takes part in an earlier poll of another member.
   */
  readonly delayMs: number;
  /** The member's poll interval, in milliseconds. If it is shorter than `MIN_INTERVAL_MS`, it replaces that minimum. */
  readonly pollMs: number;
  /** If it resolves, the member polls earlier, but not before the end of a pause that the service asked for. */
  readonly wake?: Promise<void> | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * The token of the caller, requested in the caller's async context. Only members with the same token share a request.
   */
  readonly token?: { next(): Promise<string> } | undefined;
  /** Called when the poll begins. */
  readonly onBegin?: (() => void) | undefined;
}

/** The result of a poll for one member. */
export interface PollAnswer<Answer> {
  readonly answer: Answer;
  /** The request that the answer came from: the same object for all members that shared the request. */
  readonly poll: SharedRequest;
}

interface SharedRequest {
  /** A random factor for the pauses after this request. */
  readonly jitter: number;
}

/** A waiter or a watch that takes part in the polls until it leaves. */
export interface PollMember<Answer> {
  nextPoll(options: NextPoll): Promise<PollAnswer<Answer>>;
  leave(): void;
}

export interface SharedPollOptions {
  /** Runs the requests. */
  readonly run: RunInContext;
  /** Called when the last member has left. */
  readonly onEmpty: () => void;
}

/** How long a request waits for the token functions of other members, in milliseconds: enough for cached tokens. */
const GATHER_TOKENS_MS = 20;

/** A member's question in a batch. */
interface Ticket<Answer> {
  readonly poll: SharedRequest;
  answer(signal: AbortSignal | undefined): Promise<Answer>;
  /** Call it when the member no longer waits for the answer. */
  release(): void;
}

/** A request that accepts questions until it is sent. It is aborted when no member waits for its answer any more. */
class Batch<Question, Answer> implements SharedRequest {
  readonly jitter = 1 - JITTER + 2 * JITTER * Math.random();
  readonly #questions: Question[] = [];
  readonly #controller = new AbortController();
  readonly #answers: Promise<(question: Question) => Answer>;
  readonly #close: () => void;
  #waiting = 0;

  /** Calls `close` when the batch accepts no further questions. */
  constructor(send: SendQuestions<Question, Answer>, token: string | undefined, run: RunInContext, close: () => void) {
    const { signal } = this.#controller;
    this.#close = close;
    this.#answers = run(async () => {
      // Waiters that begin at the same time share the request.
      if (token === undefined) await undefined;
      else await pause(GATHER_TOKENS_MS);
      if (signal.aborted) throw signal.reason;
      close();
      return send(this.#questions, { token, signal });
    });
    // Each waiting member gets the failure. If no member is left, it must not become an unhandled rejection.
    this.#answers.catch(() => {});
  }

  add(question: Question): Ticket<Answer> {
    this.#questions.push(question);
    this.#waiting += 1;
    return {
      poll: this,
      answer: async (signal) => (await abortable(this.#answers, signal))(question),
      release: () => {
        this.#waiting -= 1;
        if (this.#waiting > 0 || this.#controller.signal.aborted) return;
        this.#close();
        this.#controller.abort();
      },
    };
  }
}

/** A member that waits for its turn. */
interface Sleeper<Question, Answer> {
  readonly question: Question;
  /** Whether the member has to request its token first. */
  readonly hasToken: boolean;
  hasTurn: boolean;
  ticket: Ticket<Answer> | undefined;
  wakeUp(): void;
}

/**
 * The remaining time of `ms` milliseconds that began at `startedAt`. If the clock is set back, it is still at most
 * `ms`.
 */
const remainingMs = (startedAt: number, ms: number) => Math.min(ms, Math.max(0, startedAt + ms - Date.now()));

/** The polls of its members. When the pause of one member is over, all waiting members poll together. */
export class SharedPoll<Question, Answer> {
  readonly #send: SendQuestions<Question, Answer>;
  readonly #options: SharedPollOptions;
  readonly #members = new Set<object>();
  readonly #sleepers = new Set<Sleeper<Question, Answer>>();
  /** The batches that still accept questions, by their token. */
  readonly #open = new Map<string | undefined, Batch<Question, Answer>>();
  #polledAt = Number.NEGATIVE_INFINITY;
  #heldAt = 0;
  #heldMs = 0;

  constructor(send: SendQuestions<Question, Answer>, options: SharedPollOptions) {
    this.#send = send;
    this.#options = options;
  }

  /** Adds a member. Each of its polls has this question. */
  join(question: Question): PollMember<Answer> {
    const member = {};
    this.#members.add(member);
    return {
      nextPoll: (next) => this.#nextPoll(question, next),
      leave: () => {
        this.#members.delete(member);
        if (this.#members.size === 0) this.#options.onEmpty();
      },
    };
  }

  /** Called when the service asks for a pause: no member polls before the pause is over. */
  hold(ms: number): void {
    if (ms <= this.heldMs()) return;
    this.#heldAt = Date.now();
    this.#heldMs = ms;
  }

  /** The remaining time of the pause that the service asked for, in milliseconds. */
  heldMs(): number {
    return remainingMs(this.#heldAt, this.#heldMs);
  }

  async #nextPoll(question: Question, next: NextPoll): Promise<PollAnswer<Answer>> {
    const { signal, token, onBegin } = next;
    let ticket: Ticket<Answer> | undefined;
    try {
      ticket = await this.#untilTurn(question, next);
      onBegin?.();
      ticket ??= this.#openBatch(await token?.next()).add(question);
      return { answer: await ticket.answer(signal), poll: ticket.poll };
    } finally {
      ticket?.release();
    }
  }

  /** Waits for the member's turn. When the pause of one member is over, all waiting members get their turn together. */
  async #untilTurn(question: Question, next: NextPoll): Promise<Ticket<Answer> | undefined> {
    const { delayMs, wake, signal } = next;
    let wakeUp = () => {};
    const turn = new Promise<void>((resolve) => {
      wakeUp = resolve;
    });
    const hasToken = next.token !== undefined;
    const sleeper: Sleeper<Question, Answer> = { question, hasToken, hasTurn: false, ticket: undefined, wakeUp };
    this.#sleepers.add(sleeper);
    try {
      if (delayMs > 0) await pause(Math.min(delayMs, MIN_INTERVAL_MS), signal, turn);
      const restMs = Math.max(delayMs - MIN_INTERVAL_MS, this.heldMs());
      if (!sleeper.hasTurn && restMs > 0) await pause(restMs, signal, wake ? Promise.race([wake, turn]) : turn);
      for (let ms = this.#busyMs(next); !sleeper.hasTurn && ms > 0; ms = this.#busyMs(next)) {
        await pause(ms, signal, turn);
      }
      if (signal?.aborted) throw signal.reason;
      if (!sleeper.hasTurn) this.#takeTurns();
      return sleeper.ticket;
    } catch (error) {
      sleeper.ticket?.release();
      throw error;
    } finally {
      this.#sleepers.delete(sleeper);
    }
  }

  #takeTurns(): void {
    this.#polledAt = Date.now();
    for (const sleeper of this.#sleepers) {
      sleeper.hasTurn = true;
      if (!sleeper.hasToken) sleeper.ticket = this.#openBatch(undefined).add(sleeper.question);
      sleeper.wakeUp();
    }
    this.#sleepers.clear();
  }

  /**
   * How long the next poll still has to wait, because the service asked for a pause or another member has just polled.
   */
  #busyMs({ pollMs, token }: NextPoll): number {
    const isGathering = token !== undefined && Date.now() - this.#polledAt < GATHER_TOKENS_MS;
    const mayJoin = this.#open.size > 0 || isGathering || this.#members.size === 1;
    const gapMs = mayJoin ? 0 : remainingMs(this.#polledAt, Math.min(MIN_INTERVAL_MS, pollMs));
    return Math.max(this.heldMs(), gapMs);
  }

  #openBatch(token: string | undefined): Batch<Question, Answer> {
    const open = this.#open.get(token);
    if (open !== undefined) return open;
    const batch: Batch<Question, Answer> = new Batch(this.#send, token, this.#options.run, () => {
      if (this.#open.get(token) === batch) this.#open.delete(token);
    });
    this.#open.set(token, batch);
    return batch;
  }
}
