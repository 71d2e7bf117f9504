/** The waits of one client that have the same token: one timer, and one request of the list for all of them. */
import { abortable, newAbortController } from "../async/abort.js";
import type { Clock } from "../async/clock.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { isRateLimited } from "../errors/is-temporary.js";
import type { Meeting } from "../schemas/meeting.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";
import { type FoundMeetings, lookUpMeetings } from "./look-up-meetings.js";
import type { Wake } from "./wake.js";

const MIN_INTERVAL_MS = 1_000;

/** The fraction by which a pause may be shorter or longer than the interval: not all clients should poll at once. */
const JITTER = 0.2;

export interface Wait {
  readonly meetingId: string;
  readonly documents: boolean;
  readonly transcript: boolean;
  readonly headers: RequestOptions["headers"];
  readonly pollMs: number;
  readonly signal: AbortSignal;
  readonly wake: Wake | undefined;
  /** How many requests were sent for it, including those that it shared. */
  requests: number;
  group?: PollGroup | undefined;
}

export interface WaitAnswer {
  /** The row of the meeting as received, even if it does not match its schema. */
  readonly meeting?: Meeting | undefined;
  /** Whether the list contains the meeting; `undefined` if the list could not be read completely. */
  readonly isListed: boolean | undefined;
  /** Why the list could not be read. */
  readonly error?: unknown;
  readonly requestsTranscript: boolean;
}

/** One request of the list, for the waits of one tick. The first of them that has its token begins it. */
export interface Poll {
  /** Those that still need the answers. If there are none, the request is aborted. */
  readonly waits: Set<Wait>;
  readonly controller: AbortController;
  answers?: Promise<(wait: Wait) => WaitAnswer>;
}

/** A 401 or a rate limit. After another error of the list, a transcript is still requested. */
export const endsPoll = (error: unknown): boolean => error instanceof UnauthorizedError || isRateLimited(error);

export class PollGroup {
  readonly token: string;
  readonly waits = new Set<Wait>();
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #waiting = new Map<Wait, (poll: Poll) => void>();
  #stopTimer = () => {};
  #ticksAt = Number.POSITIVE_INFINITY;
  #polls = 0;
  #tickedAt = Number.NEGATIVE_INFINITY;
  /** A factor for the pause after the last tick: the same for all waits, so that they stay together. */
  #jitter = 1;
  #pause = { startedAt: 0, ms: 0 };

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

  /** The service has asked for a pause: no tick comes before it is over. */
  postpone(ms: number): void {
    if (ms > this.#pauseMs) this.#pause = { startedAt: this.#clock.now(), ms };
  }

  /** The pause before the next poll of a wait: at least the rest of the pause that the service asked for. */
  pauseBeforeNext({ pollMs }: Wait, mostMs: number): number {
    return Math.ceil(Math.max(this.#pauseMs, Math.min(pollMs * this.#jitter, mostMs)));
  }

  /** Resolves at the next tick: after `afterMs`, or earlier if an event arrives, or a tick comes for another wait. */
  async tick(wait: Wait, afterMs: number): Promise<Poll> {
    const ticked = new Promise<Poll>((resolve) => this.#waiting.set(wait, resolve));
    this.#tickAfter(afterMs);
    wait.wake?.untilEvent().then(() => this.#waiting.has(wait) && this.#tickAfter(0));
    try {
      return await abortable(ticked, wait.signal);
    } finally {
      this.#waiting.delete(wait);
      if (this.#waiting.size === 0) this.#stop();
    }
  }

  #stop(): void {
    this.#stopTimer();
    this.#ticksAt = Number.POSITIVE_INFINITY;
  }

  #tickAfter(afterMs: number): void {
    const pollMs = Math.min(...[...this.waits].map((wait) => wait.pollMs));
    const gapMs = this.#rest(this.#tickedAt, Math.min(MIN_INTERVAL_MS, pollMs * (1 - JITTER)));
    const ms = Math.max(afterMs || gapMs, this.#pauseMs);
    const at = this.#clock.now() + ms;
    if (at >= this.#ticksAt) return;
    this.#stop();
    this.#ticksAt = at;
    // Waits that begin at the same time share the tick, which needs no timer: test runners may fake it.
    if (ms === 0) void Promise.resolve().then(() => this.#tick());
    else this.#stopTimer = this.#clock.startTimer(ms, () => this.#tick());
  }

  #tick(): void {
    this.#stop();
    if (this.#pauseMs > 0) this.#tickAfter(0);
    else if (this.#waiting.size > 0) {
      this.#tickedAt = this.#clock.now();
      this.#jitter = 1 - JITTER + 2 * JITTER * Math.random();
      const poll: Poll = { waits: new Set(this.#waiting.keys()), controller: newAbortController() };
      for (const resolve of this.#waiting.values()) resolve(poll);
      this.#waiting.clear();
    }
  }

  async answerOf(poll: Poll, wait: Wait): Promise<WaitAnswer> {
    const { waits, controller } = poll;
    poll.answers ??= this.#lookUp(
      [...waits].filter((one) => this.waits.has(one)),
      controller.signal,
    );
    try {
      return (await abortable(poll.answers, wait.signal))(wait);
    } finally {
      waits.delete(wait);
      if (waits.size === 0) controller.abort();
    }
  }

  async #lookUp(waits: readonly Wait[], signal: AbortSignal): Promise<(wait: Wait) => WaitAnswer> {
    // The list answers the events so far, except of a wait for a transcript.
    for (const { transcript, wake } of waits) if (!transcript) wake?.answer();
    const onRequest = () => {
      for (const wait of waits) wait.requests += 1;
    };
    const ids = [...new Set(waits.map(({ meetingId }) => meetingId))];
    const foundFor = await lookUpMeetings(ids, {
      transport: this.#transport,
      sending: { headers: waits[0]?.headers, token: this.token, signal },
      onRequest,
      // A transcript is requested whatever the list says, so a search for its meeting is not worth the requests.
      searches: waits.some(({ transcript }) => !transcript),
      expandsDocuments: waits.some(({ documents }) => documents),
      worksWithoutDocuments: waits.some(({ documents }) => !documents),
    });
    const answerOf = (wait: Wait) => answerFrom(foundFor(wait.meetingId), wait);
    const toRequest = this.#toRequest(waits, answerOf);
    return (wait) => {
      const requestsTranscript = toRequest.has(wait);
      if (requestsTranscript) wait.wake?.answer();
      return { ...answerOf(wait), requestsTranscript };
    };
  }

  /** Those with news, and one other: a single wait asks at each poll, and many do not use up the limit. */
  #toRequest(
    waits: readonly Wait[],
    answerOf: (wait: Wait) => Pick<WaitAnswer, "meeting" | "error">,
  ): ReadonlySet<Wait> {
    const candidates = [...this.waits].filter(
      (wait) => wait.transcript && waits.includes(wait) && !wait.signal.aborted && !endsPoll(answerOf(wait).error),
    );
    const hasNews = (wait: Wait) => wait.wake?.hasEvent || isFinal(answerOf(wait).meeting?.status);
    const others = candidates.filter((wait) => !hasNews(wait));
    const next = others[this.#polls % others.length];
    this.#polls += 1;
    return new Set(candidates.filter((wait) => wait === next || hasNews(wait)));
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
