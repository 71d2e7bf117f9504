/** Polls for several waits with one token. A request is sent in the async context of the first wait that is due. */
import { newAbortController } from "../async/abort.js";
import { Clock } from "../async/clock.js";
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

/** A poll for several waits. */
export interface Poll {
  readonly startedAt: number;
  /** A factor for the pause after this poll: the same for all waits, so that they stay together. */
  readonly jitter: number;
  /** The waits that still need the answers. */
  readonly waits: Set<PolledWait>;
  readonly answers: Promise<(question: WaitQuestion) => WaitAnswer>;
  /** Ends the requests. */
  abort(): void;
}

/** A wait as its poller sees it. */
export interface PolledWait {
  readonly question: WaitQuestion;
  /** Equal for the waits that share polls if they have the same token. */
  readonly key: unknown;
  /** When its next poll is due; `undefined` after the beginning of a poll that serves this wait. */
  readonly dueAt: number | undefined;
  /** The latest poll that served this wait. */
  readonly poll: Poll | undefined;
  /** How many requests were sent for this wait, including those that it shared. */
  requests: number;
  /** Called when a poll begins that serves this wait. */
  serve(poll: Poll): void;
}

/** The waits with one token, and the pause that the service has asked for when it refused that token. */
export class Poller {
  readonly token: string;
  readonly waits = new Set<PolledWait>();
  readonly #requests: MeetingRequests;
  readonly #clock: Clock;
  #pause = { startedAt: 0, ms: 0 };

  constructor(token: string, requests: MeetingRequests, clock: Clock) {
    this.token = token;
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
    const gapMs = Math.min(MIN_INTERVAL_MS, pollMs * (1 - JITTER));
    // A single wait keeps its own pauses.
    const polls = peers.length === 1 ? [] : peers.flatMap(({ poll }) => poll ?? []);
    const restMs = Math.max(this.pauseMs, ...polls.map(({ startedAt }) => this.#remainingMs(startedAt, gapMs)));
    if (restMs > 0) return restMs;
    const now = this.#clock.now();
    const due = peers.filter((peer) => peer === wait || (peer.dueAt !== undefined && peer.dueAt <= now + pollMs));
    const poll = this.#pollFor(due, wait.question.headers);
    for (const peer of due) peer.serve(poll);
    return 0;
  }

  #pollFor(waits: readonly PolledWait[], headers: WaitQuestion["headers"]): Poll {
    const controller = newAbortController();
    const onRequest = () => {
      for (const wait of waits) wait.requests += 1;
    };
    const request = { headers, token: this.token, signal: controller.signal, onRequest };
    const answers = lookUpMeetings(
      (params) => this.#requests.listPages(params, request),
      waits.map(({ question }) => question),
      this.#requests.filter,
    );
    // Each wait gets the failure. If none is left, it must not become an unhandled rejection.
    answers.catch(() => {});
    return {
      startedAt: this.#clock.now(),
      jitter: randomJitter(),
      answers,
      waits: new Set(waits),
      abort: () => controller.abort(),
    };
  }

  /** The rest of `ms` milliseconds that began at `startedAt`; 0 if they began on another clock, as in test runners. */
  #remainingMs(startedAt: number, ms: number): number {
    const elapsedMs = this.#clock.now() - startedAt;
    return elapsedMs < 0 ? 0 : Math.max(0, Math.ceil(ms - elapsedMs));
  }
}

/** The pollers of one client. A poller is kept only as long as it has waits. */
export class Pollers {
  readonly requests: MeetingRequests;
  readonly clock = new Clock();
  readonly #byToken = new Map<string, Poller>();

  constructor(requests: MeetingRequests) {
    this.requests = requests;
  }

  join(token: string, wait: PolledWait): Poller {
    const poller = this.#byToken.get(token) ?? new Poller(token, this.requests, this.clock);
    this.#byToken.set(token, poller);
    poller.waits.add(wait);
    return poller;
  }

  leave({ token, waits }: Poller, wait: PolledWait): void {
    waits.delete(wait);
    if (waits.size === 0) this.#byToken.delete(token);
  }
}
