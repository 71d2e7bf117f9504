import {
  abortReason,
  type FollowingSignal,
  followSignal,
  newAbortController,
  onAbort,
  throwIfAborted,
} from "../../async/abort.js";
import { type AsyncDisposeMember, withAsyncDispose } from "../../async/symbols.js";
import { HOUR_MS, pause } from "../../async/timers.js";
import { isRetryable } from "../../errors/error-of-record.js";
import { MAX_EVENT_BYTES, type WebhookEvent } from "../event/event.js";
import { readChunks } from "../http/body.js";
import { callSafely, logRejection } from "../http/respond.js";
import { checkedStreamUrl, openStream, subscriptionError } from "./open-stream.js";
import { eventReader } from "./read-events.js";
import type { Reconnection, SubscribeOptions, SubscriptionState } from "./subscribe-options.js";

/** The events, in order, for one consumer: a second loop continues where the first stopped. */
export interface Subscription extends AsyncIterator<WebhookEvent, void, undefined>, AsyncDisposeMember {
  /** The id of the last event returned, or the position that the server reported. Store it to resume later. */
  readonly lastEventId: string | undefined;
  /** Ends the subscription and closes the connection; `break` does the same. */
  return(): Promise<IteratorResult<WebhookEvent, void>>;
  /** The subscription itself: `for await (const event of subscription)`. */
  [Symbol.asyncIterator](): Subscription;
}

/** The wait between two connections, unless the server says otherwise with `retry:`, which is at most an hour. */
const DEFAULT_RETRY_MS = 1_000;

/** The shortest wait, whatever the server requests: at most four connections begin in a second. */
const MIN_DELAY_MS = 250;

/** The longest wait that failures can cause, without the random part. */
const MAX_DELAY_MS = 30_000;

/** Connections without any response before it gives up: about a minute. A browser hides whether CORS is why. */
const MAX_UNANSWERED = 7;

const CLOSED = Symbol();

class EventSubscription {
  readonly #url: URL;
  readonly #options: SubscribeOptions;
  readonly #events = this.#readAll();
  /** Aborts when the subscription ends: with `CLOSED`, or with the reason of the user's signal. */
  readonly #ended = newAbortController();
  lastEventId: string | undefined;
  #retryMs = DEFAULT_RETRY_MS;
  #failures = 0;
  #isAnswered = false;

  constructor(url: URL, options: SubscribeOptions) {
    this.#url = url;
    this.#options = { ...options };
    this.lastEventId = options.lastEventId;
  }

  // Functions without `this`: a `#field` cannot be read through a `Proxy`, in which some frameworks wrap objects.
  readonly next = (): Promise<IteratorResult<WebhookEvent, void>> => this.#events.next();

  readonly return = (): Promise<IteratorResult<WebhookEvent, void>> => {
    this.#ended.abort(CLOSED);
    return this.#events.return();
  };

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#readAll(): AsyncGenerator<WebhookEvent, void> {
    const { signal, onReconnect } = this.#options;
    const ended = this.#ended.signal;
    const stopListening = onAbort(signal, () => this.#ended.abort(signal && abortReason(signal)));
    let failure: unknown;
    try {
      for (;;) {
        throwIfAborted(ended);
        this.#report("connecting");
        const lost = yield* this.#connectOnce();
        if (lost === undefined) return;
        const delayMs = this.#reconnectDelayMs();
        logRejection(onReconnect?.({ delayMs, ...lost }));
        this.#report("waiting");
        await pause(delayMs, ended);
      }
    } catch (error) {
      if (error === CLOSED) return;
      failure = error;
      throw error;
    } finally {
      stopListening();
      callSafely(() => this.#options.onState?.("ended", failure));
    }
  }

  #report(state: SubscriptionState): void {
    logRejection(this.#options.onState?.(state));
  }

  /** Doubled for each failure, up to 30 s, plus up to 50 %, so that not all readers return at once. */
  #reconnectDelayMs(): number {
    const shortest = Math.max(this.#retryMs, MIN_DELAY_MS);
    const doubled = shortest * 2 ** Math.max(0, this.#failures - 1);
    const delayMs = Math.max(shortest, Math.min(MAX_DELAY_MS, doubled));
    return Math.floor(delayMs * (1 + Math.random() / 2));
  }

  /** Until the connection is lost; `undefined` after a 204. Throws what a new connection cannot solve. */
  async *#connectOnce(): AsyncGenerator<WebhookEvent, Pick<Reconnection, "error"> | undefined> {
    const ended = this.#ended.signal;
    const connection = followSignal(ended);
    try {
      const opening = openStream(this.#url, this.#options, this.lastEventId, connection.signal);
      const stream = await this.#inTime(opening, connection);
      if (stream === undefined) {
        throwIfAborted(ended);
        return undefined;
      }
      this.#isAnswered = true;
      this.#report("open");
      yield* this.#readEvents(stream, connection);
      return { error: undefined };
    } catch (error) {
      throwIfAborted(ended);
      this.#isAnswered ||= (error as Error).name !== "ConnectionError";
      const isHopeless = !this.#isAnswered && this.#failures === MAX_UNANSWERED - 1;
      if (isHopeless || !isRetryable(error)) throw error;
      return { error: error as Reconnection["error"] };
    } finally {
      connection.release();
      this.#failures += 1;
    }
  }

  async *#readEvents(
    stream: ReadableStream<Uint8Array>,
    connection: FollowingSignal,
  ): AsyncGenerator<WebhookEvent, void> {
    const { signal } = connection;
    const eventsIn = eventReader(MAX_EVENT_BYTES, {
      onRetry: (retryMs) => {
        this.#retryMs = Math.min(retryMs, HOUR_MS);
      },
      onId: (id) => {
        this.lastEventId = id;
      },
    });
    const chunks = readChunks(stream, signal);
    const nextChunk = () =>
      chunks.next().catch((cause: unknown) => {
        throwIfAborted(signal);
        throw subscriptionError(this.#url, "broke off", cause);
      });
    try {
      for (;;) {
        const { done, value } = await this.#inTime(nextChunk(), connection);
        if (done) return;
        this.#failures = 0;
        for (const event of eventsIn(value)) {
          yield event;
          throwIfAborted(signal);
        }
      }
    } finally {
      void chunks.return();
    }
  }

  /** Settles like `step`. Ends the connection if nothing arrives on it for `staleAfterMs`. */
  async #inTime<T>(step: Promise<T>, connection: FollowingSignal): Promise<T> {
    const { staleAfterMs = 45_000 } = this.#options;
    const timer = setTimeout(
      () => connection.abort(subscriptionError(this.#url, `received nothing for ${staleAfterMs} ms (staleAfterMs)`)),
      staleAfterMs,
    );
    try {
      return await step;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** It connects at the first step. */
export function openSubscription(url: string | URL, options: SubscribeOptions): Subscription {
  const subscription = new EventSubscription(checkedStreamUrl(url, options.allowInsecureHttp), options);
  return withAsyncDispose(subscription, async () => void (await subscription.return()));
}
