/** The waits of one client that have the same token: one timer, and one request of the list for all of them. */
import { abortable, newAbortController } from "../async/abort.js";
import type { Clock } from "../async/clock.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { isRateLimited } from "../errors/is-temporary.js";
import type { Meeting } from "../schemas/meeting.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";
import { type FoundMeetings, lookUpMeetings } from "./look-up-meetings.js";
import { requestPages } from "./poll-requests.js";
import type { Wake } from "./wake.js";

/** The shortest time between two polls. */
const MIN_INTERVAL_MS = 1_000;

/** The fraction by which a pause may be shorter or longer than the interval: not all clients should poll at once. */
const JITTER = 0.2;

/** A wait that runs. */
export interface Wait {
  readonly meetingId: string;
  readonly documents: boolean;
  readonly transcript: boolean;
  readonly headers: RequestOptions["headers"];
  readonly pollMs: number;
  /** Aborted when the wait ends. */
  readonly signal: AbortSignal;
  readonly wake: Wake | undefined;
  /** How many requests were sent for it, including those that it shared. */
  requests: number;
  /** The status that its meeting had when it last requested its transcript. */
  seenStatus?: string | undefined;
  /** The group that polls for it. */
  group?: PollGroup | undefined;
}

/** What a poll says of the meeting of a wait. */
export interface WaitAnswer {
  /** The row of the meeting as received, even if it does not match its schema. */
  readonly meeting?: Meeting | undefined;
  /** Whether the list contains the meeting; `undefined` if the list could not be read completely. */
  readonly isListed: boolean | undefined;
  /** Why the list could not be read. */
  readonly error?: unknown;
  /** Whether the wait may now request its transcript. */
  readonly hasTurn: boolean;
}

/** One request of the list. */
export interface Poll {
  /** Those that still need the answers. If there are none, the request is aborted. */
  readonly waits: Set<Wait>;
  readonly answers: Promise<(wait: Wait) => WaitAnswer>;
  readonly abort: () => void;
}

/**
 * Whether an error of the list ends the poll of a wait: a 401 or a rate limit, after which any further request would
 * fail, too. After any other error, a transcript is still requested, because the API specification does not define the
 * list.
 */
export const endsPoll = (error: unknown): boolean => error instanceof UnauthorizedError || isRateLimited(error);

export class PollGroup {
  readonly token: string;
  /** The wait whose last request of a transcript is the oldest comes first. */
  readonly waits = new Set<Wait>();
  readonly #transport: Transport;
  readonly #clock: Clock;
  /** The waits that need the next poll. The first of them that still runs begins it, in its own async context. */
  readonly #due = new Map<Wait, (begin: () => Poll) => void>();
  /** A factor for the pause after the last poll: the same for all waits, so that they stay together. */
  #jitter = 1;
  #startedAt = Number.NEGATIVE_INFINITY;
  #pollsAt = Number.POSITIVE_INFINITY;
  /** The pause that the service asked for. */
  #pause = { startedAt: 0, ms: 0 };
  #stopTimer = () => {};

  constructor(transport: Transport, clock: Clock, token: string) {
    this.#transport = transport;
    this.#clock = clock;
    this.token = token;
  }

  /** The rest of a time that began at `startedAt`; 0 if it began on another clock, as in test runners. */
  #rest(startedAt: number, ms: number): number {
    const elapsedMs = this.#clock.now() - startedAt;
    return elapsedMs < 0 ? 0 : Math.max(0, Math.ceil(ms - elapsedMs));
  }

  get #pauseMs(): number {
    return this.#rest(this.#pause.startedAt, this.#pause.ms);
  }

  /** The service has asked for a pause: no poll begins before it is over. */
  postpone(ms: number): void {
    if (ms > this.#pauseMs) this.#pause = { startedAt: this.#clock.now(), ms };
  }

  /** The pause before the next poll of a wait: at least the rest of the pause that the service asked for. */
  pauseBeforeNext({ pollMs }: Wait, mostMs: number): number {
    return Math.ceil(Math.max(this.#pauseMs, Math.min(pollMs * this.#jitter, mostMs)));
  }

  /**
   * Resolves when the next poll is due: after `afterMs`, or earlier if an event arrives or another wait polls. The
   * function begins the poll for all that are due, unless another one of them has done so.
   */
  async turn(wait: Wait, afterMs: number): Promise<() => Poll> {
    const due = new Promise<() => Poll>((resolve) => this.#due.set(wait, resolve));
    this.#pollAfter(afterMs);
    wait.wake?.untilEvent().then(() => this.#due.has(wait) && this.#pollAfter(0));
    try {
      return await abortable(due, wait.signal);
    } finally {
      this.#due.delete(wait);
      if (this.#due.size === 0) this.#stop();
    }
  }

  #stop(): void {
    this.#stopTimer();
    this.#pollsAt = Number.POSITIVE_INFINITY;
  }

  #pollAfter(afterMs: number): void {
    const pollMs = Math.min(...[...this.waits].map((wait) => wait.pollMs));
    const gapMs = this.#rest(this.#startedAt, Math.min(MIN_INTERVAL_MS, pollMs * (1 - JITTER)));
    const ms = Math.max(afterMs || gapMs, this.#pauseMs);
    const at = this.#clock.now() + ms;
    if (at >= this.#pollsAt) return;
    this.#stop();
    this.#pollsAt = at;
    // Waits that begin at the same time share the poll.
    if (ms === 0) void Promise.resolve().then(() => this.#poll());
    else this.#stopTimer = this.#clock.startTimer(ms, () => this.#poll());
  }

  #poll(): void {
    this.#stop();
    if (this.#pauseMs > 0) this.#pollAfter(0);
    else if (this.#due.size > 0) {
      const due = [...this.#due];
      let poll: Poll | undefined;
      const begin = () => {
        poll ??= this.#start(due.map(([wait]) => wait).filter((wait) => this.waits.has(wait)));
        return poll;
      };
      this.#due.clear();
      for (const [, goOn] of due) goOn(begin);
    }
  }

  #start(due: readonly Wait[]): Poll {
    this.#startedAt = this.#clock.now();
    this.#jitter = 1 - JITTER + 2 * JITTER * Math.random();
    const controller = newAbortController();
    const answers = this.#lookUp(due, controller.signal);
    // Each wait gets the failure. If none is left, it must not become an unhandled rejection.
    answers.catch(() => {});
    return { waits: new Set(due), answers, abort: () => controller.abort() };
  }

  async #lookUp(due: readonly Wait[], signal: AbortSignal): Promise<(wait: Wait) => WaitAnswer> {
    // The list answers the events so far, except of a wait for a transcript.
    for (const { transcript, wake } of due) if (!transcript) wake?.answer();
    const onRequest = () => {
      for (const wait of due) wait.requests += 1;
    };
    const request = { headers: due[0]?.headers, token: this.token, signal, onRequest };
    const ids = [...new Set(due.map(({ meetingId }) => meetingId))];
    const foundFor = await lookUpMeetings(ids, {
      listPages: (params) => requestPages(this.#transport, params, request),
      filter: this.#transport.config.names.meetings.ids,
      // A transcript is requested whatever the list says, so a search for its meeting is not worth the requests.
      searches: due.some(({ transcript }) => !transcript),
      expandsDocuments: due.some(({ documents }) => documents),
      worksWithoutDocuments: due.some(({ documents }) => !documents),
    });
    const answers = new Map(due.map((wait) => [wait, answerFrom(foundFor(wait.meetingId), wait)]));
    const turns = this.#turns(answers);
    return (wait) => ({ ...(answers.get(wait) as Omit<WaitAnswer, "hasTurn">), hasTurn: turns.has(wait) });
  }

  /**
   * The waits that request their transcripts after this request of the list: those that have news of their meeting, and
   * one of the others in turn. So a single wait requests its transcript at each poll, and many waits do not use up the
   * rate limit.
   */
  #turns(answers: ReadonlyMap<Wait, Omit<WaitAnswer, "hasTurn">>): ReadonlySet<Wait> {
    const statusOf = (wait: Wait) => answers.get(wait)?.meeting?.status;
    const hasNews = (wait: Wait) =>
      wait.wake?.hasEvent || (isFinal(statusOf(wait)) && statusOf(wait) !== wait.seenStatus);
    const candidates = [...this.waits].filter(
      (wait) => wait.transcript && !wait.signal.aborted && answers.has(wait) && !endsPoll(answers.get(wait)?.error),
    );
    const next = candidates.find((wait) => !hasNews(wait));
    const turns = new Set(candidates.filter((wait) => wait === next || hasNews(wait)));
    for (const wait of turns) {
      wait.seenStatus = statusOf(wait);
      wait.wake?.answer();
      this.waits.delete(wait);
      this.waits.add(wait);
    }
    return turns;
  }
}

export async function answerOf({ waits, answers, abort }: Poll, wait: Wait): Promise<WaitAnswer> {
  try {
    return (await abortable(answers, wait.signal))(wait);
  } finally {
    waits.delete(wait);
    if (waits.size === 0) abort();
  }
}

const isFinal = (status: unknown): boolean => status === "completed" || status === "failed";

function answerFrom({ meetings, isComplete, error }: FoundMeetings, { meetingId, documents }: Wait) {
  const meeting = meetings.get(meetingId);
  // Without the expansion, the meeting has no documents.
  if (meeting !== undefined && !(documents && error !== undefined)) return { meeting, isListed: true };
  if (error !== undefined) return { isListed: undefined, error };
  return { isListed: isComplete ? false : undefined };
}
