/**
 * Shares polls: the waits with one token. A request is sent in the async context of a wait that is due, and serves all
 * waits with equal headers that are due soon after it.
 */
import { newAbortController } from "../async/abort.js";
import type { Clock } from "../async/clock.js";
import { lookUpMeetings, type WaitAnswer, type WaitQuestion } from "./look-up-meetings.js";
import type { MeetingRequests } from "./meeting-requests.js";

/** The shortest time between two polls that are started by events, or by waits that begin one after the other. */
export const MIN_INTERVAL_MS = 1_000;

/**
 * The fraction of the poll interval by which a pause may be shorter or longer, so that clients do not all poll at once.
 */
const JITTER = 0.2;

/** A random factor for the pause between two polls. */
export const randomJitter = (): number => 1 - JITTER + 2 * JITTER * Math.random();

type Answers = (question: WaitQuestion) => WaitAnswer;

/** One poll for several waits. It is aborted when none of them waits for its answer any more. */
export class SharedPoll {
  /** A factor for the pause after this poll: the same for all waits. */
  readonly jitter = randomJitter();
  /** How many requests were sent so far. */
  requests = 0;
  readonly answers: Promise<Answers>;
  readonly #controller = newAbortController();
  #waiting: number;

  constructor(send: (signal: AbortSignal, onRequest: () => void) => Promise<Answers>, waits: number) {
    this.#waiting = waits;
    this.answers = send(this.#controller.signal, () => {
      this.requests += 1;
    });
    // Each wait gets the failure. If none is left, it must not become an unhandled rejection.
    this.answers.catch(() => {});
  }

  leave(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#controller.abort();
  }
}

/** A wait as its poller sees it. */
export interface PolledWait {
  readonly question: WaitQuestion;
  /** Equal for the waits that share polls if they have the same token. */
  readonly key: unknown;
  /** When a poll last served this wait. */
  readonly servedAt: number | undefined;
  isDueBy(time: number): boolean;
  /** Called when a poll includes the question of this wait. */
  serve(poll: SharedPoll, now: number): void;
}

/** The waits with one token, and the pause that the service has asked for when it refused that token. */
export class Poller {
  readonly #token: string;
  readonly #requests: MeetingRequests;
  readonly #clock: Clock;
  readonly waits = new Set<PolledWait>();
  #pause = { startedAt: 0, ms: 0 };

  constructor(token: string, requests: MeetingRequests, clock: Clock) {
    this.#token = token;
    this.#requests = requests;
    this.#clock = clock;
  }

  /** Called when the service asks for a pause: no wait with this token polls before it is over. */
  postpone(ms: number): void {
    if (ms > this.pauseMs) this.#pause = { startedAt: this.#clock.now(), ms };
  }

  /** The rest of the pause that the service asked for, in milliseconds. */
  get pauseMs(): number {
    return this.#remainingMs(this.#pause.startedAt, this.#pause.ms);
  }

  /** Polls for this wait, and for all that are due within `pollMs`. If it may not poll yet: for how many milliseconds. */
  poll(wait: PolledWait): number {
    const peers = [...this.waits].filter(({ key }) => key === wait.key);
    const pollMs = Math.min(...peers.map(({ question }) => question.pollMs));
    const restMs = Math.max(this.pauseMs, this.#gapMs(peers, pollMs));
    if (restMs > 0) return restMs;
    const now = this.#clock.now();
    const due = peers.filter((peer) => peer === wait || peer.isDueBy(now + pollMs));
    const questions = due.map(({ question }) => question);
    const poll = new SharedPoll((signal, onRequest) => {
      const request = { headers: wait.question.headers, token: this.#token, signal, onRequest };
      return lookUpMeetings((params) => this.#requests.listPages(params, request), questions, this.#requests.filter);
    }, due.length);
    for (const one of due) one.serve(poll, now);
    return 0;
  }

  /** The rest of the shortest time between two polls, in milliseconds. A single wait keeps its own pauses. */
  #gapMs(peers: readonly PolledWait[], pollMs: number): number {
    if (peers.length === 1) return 0;
    const gaps = peers.map(({ servedAt }) =>
      servedAt === undefined ? 0 : this.#remainingMs(servedAt, Math.min(MIN_INTERVAL_MS, pollMs * (1 - JITTER))),
    );
    return Math.max(...gaps);
  }

  /** The rest of `ms` milliseconds that began at `startedAt`; 0 if they began on another clock, as in test runners. */
  #remainingMs(startedAt: number, ms: number): number {
    const elapsedMs = this.#clock.now() - startedAt;
    return elapsedMs < 0 ? 0 : Math.max(0, Math.ceil(ms - elapsedMs));
  }
}
