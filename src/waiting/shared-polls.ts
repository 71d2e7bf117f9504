/** The polls of the waits of one client. Waits with the same token and equal headers share their requests. */
import { abortable, newAbortController, throwIfAborted } from "../async/abort.js";
import { Clock } from "../async/clock.js";
import { listMeetings } from "../endpoints/meetings.js";
import { UnauthorizedError } from "../errors/api-error.js";
import { headerEntries, mergeHeaders } from "../transport/allowed-headers.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";
import { lookUpMeetings } from "./look-up-meetings.js";
import { type PollRequest, requestPages } from "./poll-requests.js";
import { TranscriptTurns } from "./transcript-turns.js";
import type { WaitAnswer, WaitQuestion } from "./wait-question.js";

/** The shortest time between two polls that are started by events, or by waits that begin one after the other. */
const MIN_INTERVAL_MS = 1_000;

/** The fraction by which a pause may be shorter or longer than the interval: not all clients should poll at once. */
const JITTER = 0.2;

/** Reads an answer. `request` has the options of further requests. */
export type ReadAnswer<T> = (answer: WaitAnswer, request: PollRequest) => T | Promise<T>;

/** A question of a wait that runs. Only {@link SharedPolls} changes it. */
export interface Asked extends WaitQuestion {
  /** Equal for the waits that share polls if they have the same token. */
  readonly key: unknown;
  token?: string | undefined;
  /** When its next poll is due; `undefined` after the beginning of a poll that answers it. */
  dueAt?: number | undefined;
  /** The latest poll that answers it. */
  poll?: Poll | undefined;
  /** How many requests were sent for it, including those that it shared. */
  requests: number;
  onServed(): void;
}

interface Poll {
  readonly startedAt: number;
  /** A factor for the pause after this poll: the same for all waits, so that they stay together. */
  readonly jitter: number;
  /** Those that still need the answers. */
  readonly asked: Set<Asked>;
  readonly answers: Promise<(question: WaitQuestion) => WaitAnswer>;
  abort(): void;
}

/**
 * A text that is the same for equal sets of headers, in any order. `undefined` in Cloudflare Workers: there, an outgoing
 * request belongs to the incoming request that sent it, and another wait cannot use it.
 */
function keyOf(headers: RequestOptions["headers"] = {}): string | undefined {
  if (globalThis.navigator?.userAgent === "Cloudflare-Workers") return undefined;
  const sent = Object.entries(mergeHeaders({}, headers, []));
  const removed = headerEntries(headers).flatMap(([name, value]) => (value === null ? String(name).toLowerCase() : []));
  return JSON.stringify([sent.sort(), removed.sort()]);
}

/**
 * Each wait has a timer of its own. The first one that is due polls for all, in its async context. The client's token
 * function is called for each poll of a wait in the context of that wait, because the token may depend on the user who
 * waits.
 */
export class SharedPolls {
  readonly transport: Transport;
  readonly clock = new Clock();
  readonly #turns = new TranscriptTurns();
  readonly #asked = new Set<Asked>();
  /** By token: the pause that the service asked for, as long as a wait has that token. */
  readonly #pauses = new Map<string | undefined, { startedAt: number; ms: number }>();

  constructor(transport: Transport) {
    this.transport = transport;
  }

  /** Call it when a wait begins. */
  add(question: WaitQuestion): Asked {
    const asked = { ...question, key: keyOf(question.headers) ?? question, requests: 0, onServed() {} };
    this.#asked.add(asked);
    return asked;
  }

  /** Call it when the wait ends. */
  remove(asked: Asked): void {
    this.#setToken(asked, undefined);
    this.#asked.delete(asked);
  }

  /** The service has asked for a pause: no wait with this token polls before it is over. */
  postpone({ token }: Asked, ms: number): void {
    if (ms > this.#pauseMs(token)) this.#pauses.set(token, { startedAt: this.clock.now(), ms });
  }

  /** The pause before the next poll of a wait: at least the rest of the pause that the service asked for. */
  pauseBeforeNext({ token, pollMs, poll }: Asked, mostMs: number): number {
    return Math.ceil(Math.max(this.#pauseMs(token), Math.min(pollMs * (poll?.jitter ?? 1), mostMs)));
  }

  /**
   * Polls after `afterMs`, or earlier if an event arrives or another wait's poll answers as well, and reads the answer.
   * If the service refuses the token, and the token function returns another one, polls once more.
   */
  async ask<T>(asked: Asked, afterMs: number, read: ReadAnswer<T>): Promise<T> {
    // While the token function ran, and then failed, another wait may have polled for this one. That answer is not used.
    this.#leavePoll(asked);
    asked.dueAt = this.clock.now() + afterMs;
    if (afterMs > 0) await this.#sleep(asked, Math.min(afterMs, MIN_INTERVAL_MS));
    if (afterMs > MIN_INTERVAL_MS) await this.#sleep(asked, afterMs - MIN_INTERVAL_MS, asked.wake?.untilEvent());
    const token = await this.#updateToken(asked);
    try {
      return await this.#poll(asked, token, read);
    } catch (error) {
      if (!(error instanceof UnauthorizedError)) throw error;
      const next = await this.#updateToken(asked, token);
      if (next === token) throw error;
      return this.#poll(asked, next, read);
    }
  }

  /** Ends early when a poll answers `asked`. */
  async #sleep(asked: Asked, ms: number, wake?: Promise<void>): Promise<void> {
    if (asked.dueAt === undefined) return;
    const served = new Promise<void>((resolve) => {
      asked.onServed = resolve;
    });
    await this.clock.pause(ms, asked.signal, wake ? Promise.race([wake, served]) : served);
  }

  async #updateToken(asked: Asked, rejected?: string): Promise<string> {
    const token = await this.transport.token(listMeetings.name, { signal: asked.signal, rejected });
    // The answer to a request with another token is of no use.
    if (token !== asked.token) this.#setToken(asked, token);
    return token;
  }

  #setToken(asked: Asked, token: string | undefined): void {
    this.#leavePoll(asked);
    const before = asked.token;
    Object.assign(asked, { token, poll: undefined, dueAt: this.clock.now() });
    if (![...this.#asked].some((other) => other.token === before)) this.#pauses.delete(before);
  }

  /** Polls as soon as it may, unless another wait's poll answers first. */
  async #poll<T>(asked: Asked, token: string, read: ReadAnswer<T>): Promise<T> {
    const { headers, signal } = asked;
    // Waits that begin at the same time share the poll.
    await undefined;
    while (asked.poll === undefined || asked.dueAt !== undefined) {
      throwIfAborted(signal);
      asked.dueAt = this.clock.now();
      const restMs = this.#start(asked);
      if (restMs > 0) await this.#sleep(asked, restMs);
    }
    let answer: WaitAnswer;
    try {
      answer = (await abortable(asked.poll.answers, signal))(asked);
    } finally {
      this.#leavePoll(asked);
    }
    return read(answer, { headers, signal, token, onRequest: () => countRequest([asked]) });
  }

  /** Polls for `asked`, and for all that are due within `pollMs`. If it may not poll yet: for how many milliseconds. */
  #start(asked: Asked): number {
    const peers = [...this.#asked].filter(({ key, token }) => key === asked.key && token === asked.token);
    const pollMs = Math.min(...peers.map((peer) => peer.pollMs));
    const gapMs = Math.min(MIN_INTERVAL_MS, pollMs * (1 - JITTER));
    // A single wait keeps its own pauses.
    const polls = peers.length === 1 ? [] : peers.flatMap(({ poll }) => poll ?? []);
    const rests = polls.map(({ startedAt }) => this.#remainingMs(startedAt, gapMs));
    const restMs = Math.max(this.#pauseMs(asked.token), ...rests);
    if (restMs > 0) return restMs;
    const now = this.clock.now();
    const due = peers.filter((peer) => peer === asked || (peer.dueAt !== undefined && peer.dueAt <= now + pollMs));
    const poll = this.#pollFor(due, asked);
    for (const peer of due) {
      peer.poll = poll;
      peer.dueAt = undefined;
      peer.onServed();
    }
    return 0;
  }

  #pollFor(due: readonly Asked[], { headers, token }: Asked): Poll {
    const controller = newAbortController();
    const request = { headers, token, signal: controller.signal, onRequest: () => countRequest(due) };
    const answers = lookUpMeetings((params) => requestPages(this.transport, params, request), due, {
      filter: this.transport.config.names.meetings.ids,
      turns: this.#turns,
    });
    // Each wait gets the failure. If none is left, it must not become an unhandled rejection.
    answers.catch(() => {});
    return {
      startedAt: this.clock.now(),
      jitter: 1 - JITTER + 2 * JITTER * Math.random(),
      asked: new Set(due),
      answers,
      abort: () => controller.abort(),
    };
  }

  #leavePoll(asked: Asked): void {
    const { poll } = asked;
    poll?.asked.delete(asked);
    if (poll?.asked.size === 0) poll.abort();
  }

  #pauseMs(token: string | undefined): number {
    const { startedAt, ms } = this.#pauses.get(token) ?? { startedAt: 0, ms: 0 };
    return this.#remainingMs(startedAt, ms);
  }

  /** The rest of `ms` milliseconds that began at `startedAt`; 0 if they began on another clock, as in test runners. */
  #remainingMs(startedAt: number, ms: number): number {
    const elapsedMs = this.clock.now() - startedAt;
    return elapsedMs < 0 ? 0 : Math.max(0, Math.ceil(ms - elapsedMs));
  }
}

function countRequest(asked: readonly Asked[]): void {
  for (const one of asked) one.requests += 1;
}
