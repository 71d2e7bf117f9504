/** Reads events over one connection after another, and reconnects when a connection ends. */
import { abortable, onAbort } from "../../async/abort.js";
import { MAX_TIMER_MS, pause } from "../../async/timers.js";
import { type AnyNotetakerError, isNotetakerError } from "../../errors/any-notetaker-error.js";
import type { WebhookEvent } from "../event/event.js";
import { readChunks } from "../http/body.js";
import { logRejection } from "../http/respond.js";
import { openStream, streamConnectionError } from "./open-stream.js";
import { eventReader, type StreamItem } from "./read-events.js";
import type { SubscribeSettings } from "./subscribe-options.js";

/** The wait between two connections, unless the server says otherwise with `retry:`. */
const DEFAULT_RETRY_MS = 1_000;

/** The shortest wait, whatever the server requests: at most four connections begin in a second. */
const MIN_DELAY_MS = 250;

/** The longest wait that failures can cause, without the random part. */
const MAX_DELAY_MS = 30_000;

/** A connection that was open this long worked, even if it brought no event. */
const WORKED_MS = 1_000;

/** Counts the failed connections in a row of one subscription, and returns the wait after each connection. */
class ReconnectPolicy {
  /** The wait that the server requested. */
  retryMs = DEFAULT_RETRY_MS;
  #failures = 0;

  /**
   * The wait after a connection that was open for `durationMs`; 0 if it could not be opened. It starts with the time
   * that the server requested, and doubles for each further failure, up to 30 seconds. A random part of up to 50 % is
   * added, so that the readers of a lost server do not all return at once.
   */
  delayAfter({ durationMs, receivedEvent }: { durationMs: number; receivedEvent: boolean }): number {
    this.#failures = receivedEvent || durationMs >= WORKED_MS ? 0 : this.#failures + 1;
    const shortest = Math.max(this.retryMs, MIN_DELAY_MS);
    const doubled = shortest * 2 ** Math.max(0, this.#failures - 1);
    const delayMs = Math.max(shortest, Math.min(MAX_DELAY_MS, doubled));
    return Math.min(MAX_TIMER_MS, Math.floor(delayMs * (1 + Math.random() / 2)));
  }
}

/** How one connection ended, after which the next is opened. */
interface ConnectionEnd {
  receivedEvent: boolean;
  /** How long it was open, in milliseconds; 0 if it could not be opened. */
  durationMs: number;
  /** Why it ended; `undefined` if the server closed it properly. */
  error: AnyNotetakerError | undefined;
}

/** The reason with which `close` ends a subscription. */
const CLOSED = Symbol("closed");

/** The connections of one subscription, one after the other. */
export class EventSubscription {
  readonly #url: URL;
  readonly #settings: SubscribeSettings;
  readonly #reconnectPolicy = new ReconnectPolicy();
  /** Aborts when the subscription ends: with `CLOSED`, or with the reason of the user's signal. */
  readonly #ended = new AbortController();
  #lastEventId: string | undefined;

  constructor(url: URL, settings: SubscribeSettings) {
    this.#url = url;
    this.#settings = settings;
    this.#lastEventId = settings.lastEventId;
  }

  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** Ends the subscription and its current step. */
  close(): void {
    this.#ended.abort(CLOSED);
  }

  /** The events of all connections. */
  async *events(): AsyncGenerator<WebhookEvent, void> {
    const { signal, onReconnect } = this.#settings;
    const ended = this.#ended.signal;
    const stopListening = onAbort(signal, () => this.#ended.abort(signal?.reason));
    try {
      for (;;) {
        if (ended.aborted) throw ended.reason;
        const end = yield* this.#connectOnce();
        if (end === undefined) return;
        const delayMs = this.#reconnectPolicy.delayAfter(end);
        logRejection(onReconnect?.({ delayMs, error: end.error }));
        await pause(delayMs, ended);
      }
    } catch (error) {
      if (error !== CLOSED) throw error;
    } finally {
      stopListening();
    }
  }

  /**
   * The events of one connection, until it ends; `undefined` if the server has no more to send. Throws an error that a
   * new connection cannot solve, and the reason for which the subscription ends.
   */
  async *#connectOnce(): AsyncGenerator<WebhookEvent, ConnectionEnd | undefined> {
    const ended = this.#ended.signal;
    const connection = new AbortController();
    const stopListening = onAbort(ended, () => connection.abort(ended.reason));
    let receivedEvent = false;
    let openedAt: number | undefined;
    const end = (error: AnyNotetakerError | undefined): ConnectionEnd => {
      const durationMs = openedAt === undefined ? 0 : performance.now() - openedAt;
      return { receivedEvent, durationMs, error };
    };
    try {
      const body = await this.#inTime(this.#open(connection.signal), connection);
      if (body === undefined) return undefined;
      openedAt = performance.now();
      for await (const event of this.#readStream(body, connection)) {
        receivedEvent = true;
        yield event;
      }
      return end(undefined);
    } catch (error) {
      if (ended.aborted) throw ended.reason;
      if (!(isNotetakerError(error) && error.retryable)) throw error;
      return end(error);
    } finally {
      stopListening();
    }
  }

  async #open(signal: AbortSignal): Promise<ReadableStream<Uint8Array> | undefined> {
    const { headers, fetch = globalThis.fetch } = this.#settings;
    const current = async () => (typeof headers === "function" ? headers() : headers);
    return openStream({
      url: this.#url,
      headers: await abortable(current(), signal),
      lastEventId: this.#lastEventId,
      fetch,
      signal,
    });
  }

  /** The events in the body of a connection. Updates the position and the wait that the server requests. */
  async *#readStream(body: ReadableStream<Uint8Array>, connection: AbortController): AsyncGenerator<WebhookEvent> {
    const { signal } = connection;
    const readItems = eventReader(this.#settings.maxEventBytes);
    const chunks = readChunks(body, signal);
    try {
      for (;;) {
        const chunk = await this.#inTime(abortable(chunks.next(), signal), connection).catch((cause: unknown) => {
          if (signal.aborted) throw signal.reason;
          throw streamConnectionError(this.#url, "broke off", cause);
        });
        if (chunk.done) return;
        yield* this.#eventsOf(readItems(chunk.value), signal);
      }
    } finally {
      void chunks.return();
    }
  }

  *#eventsOf(items: readonly StreamItem[], signal: AbortSignal): Generator<WebhookEvent, void> {
    for (const item of items) {
      if (signal.aborted) throw signal.reason;
      if (item.kind === "retry") this.#reconnectPolicy.retryMs = item.retryMs;
      else if (item.kind === "position") this.#lastEventId = item.lastEventId;
      else yield item.read();
    }
  }

  /** Settles like `step`. Ends the connection if nothing arrives on it for `staleAfterMs`. */
  async #inTime<T>(step: Promise<T>, connection: AbortController): Promise<T> {
    const { staleAfterMs } = this.#settings;
    const timer = setTimeout(
      () =>
        connection.abort(streamConnectionError(this.#url, `received nothing for ${staleAfterMs} ms (staleAfterMs)`)),
      staleAfterMs,
    );
    try {
      return await step;
    } finally {
      clearTimeout(timer);
    }
  }
}
