/** Reads events over one connection after another, and reconnects when a connection ends. */
import { abortable, onAbort } from "../../async/abort.js";
import type { ByteReader } from "../../async/byte-reader.js";
import { MAX_TIMER_MS, pause } from "../../async/timers.js";
import { isNotetakerError } from "../../errors/any-notetaker-error.js";
import type { WebhookEvent } from "../event/event.js";
import { logRejection } from "../http/respond.js";
import { openStream, streamConnectionError } from "./open-stream.js";
import { eventReader, type StreamItem } from "./read-events.js";
import type { Reconnection, SubscribeSettings } from "./subscribe-options.js";

/** The wait between two connections, unless the server says otherwise with `retry:`. */
const DEFAULT_RETRY_MS = 1_000;

/** The shortest wait, whatever the server requests: at most four connections begin in a second. */
const MIN_DELAY_MS = 250;

/** The longest wait that failures can cause, without the random part. */
const MAX_DELAY_MS = 30_000;

/** A connection that was open this long worked, even if it brought no event. */
const WORKED_MS = 1_000;

/** The reason with which `close` ends a subscription. */
const CLOSED = Symbol("closed");

/** The connections of one subscription, one after the other. */
export class EventSubscription {
  readonly #url: URL;
  readonly #settings: SubscribeSettings;
  /** Aborts when the subscription ends: with `CLOSED`, or with the reason of the user's signal. */
  readonly #ended = new AbortController();
  /** The position of the reader. */
  lastEventId: string | undefined;
  /** The wait between two connections that the server requested. */
  #retryMs = DEFAULT_RETRY_MS;
  /** How many connections have failed in a row. */
  #failures = 0;

  constructor(url: URL, settings: SubscribeSettings) {
    this.#url = url;
    this.#settings = settings;
    this.lastEventId = settings.lastEventId;
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
        const lost = yield* this.#connectOnce();
        if (lost === undefined) return;
        const delayMs = this.#reconnectDelayMs();
        logRejection(onReconnect?.({ delayMs, ...lost }));
        await pause(delayMs, ended);
      }
    } catch (error) {
      if (error !== CLOSED) throw error;
    } finally {
      stopListening();
    }
  }

  /**
   * The wait before the next connection. It starts with the time that the server requested, and doubles for each
   * further failure, up to 30 seconds. A random part of up to 50 % is added, so that the readers of a lost server do not
   * all return at once.
   */
  #reconnectDelayMs(): number {
    const shortest = Math.max(this.#retryMs, MIN_DELAY_MS);
    const doubled = shortest * 2 ** Math.max(0, this.#failures - 1);
    const delayMs = Math.max(shortest, Math.min(MAX_DELAY_MS, doubled));
    return Math.min(MAX_TIMER_MS, Math.floor(delayMs * (1 + Math.random() / 2)));
  }

  /**
   * The events of one connection, until it is lost; `undefined` if the server has no more to send. Throws an error that
   * a new connection cannot solve, and the reason for which the subscription ends.
   */
  async *#connectOnce(): AsyncGenerator<WebhookEvent, Pick<Reconnection, "error"> | undefined> {
    const ended = this.#ended.signal;
    const connection = new AbortController();
    const stopListening = onAbort(ended, () => connection.abort(ended.reason));
    let openedAt = Number.POSITIVE_INFINITY;
    let hasWorked = false;
    try {
      const stream = await this.#inTime(this.#open(connection.signal), connection);
      if (stream === undefined) return undefined;
      openedAt = performance.now();
      for await (const event of this.#readStream(stream, connection)) {
        hasWorked = true;
        yield event;
      }
      return { error: undefined };
    } catch (error) {
      if (ended.aborted) throw ended.reason;
      if (!(isNotetakerError(error) && error.retryable)) throw error;
      return { error };
    } finally {
      stopListening();
      hasWorked ||= performance.now() - openedAt >= WORKED_MS;
      this.#failures = hasWorked ? 0 : this.#failures + 1;
    }
  }

  async #open(signal: AbortSignal): Promise<ByteReader | undefined> {
    const { headers, fetch = globalThis.fetch } = this.#settings;
    const current = async () => (typeof headers === "function" ? headers() : headers);
    return openStream({
      url: this.#url,
      headers: await abortable(current(), signal),
      lastEventId: this.lastEventId,
      fetch,
      signal,
    });
  }

  /** The events of a connection. */
  async *#readStream(stream: ByteReader, connection: AbortController): AsyncGenerator<WebhookEvent, void> {
    const { signal } = connection;
    const readItems = eventReader(this.#settings.maxEventBytes);
    const stopListening = onAbort(signal, () => stream.close(signal.reason));
    try {
      for (;;) {
        const bytes = await this.#inTime(this.#read(stream, signal), connection);
        if (bytes === undefined) return;
        for (const item of readItems(bytes)) {
          const event = this.#accept(item, signal);
          if (event !== undefined) yield event;
        }
      }
    } finally {
      stopListening();
      stream.close(undefined);
    }
  }

  /** The next bytes of a connection; `undefined` at its end. */
  async #read(stream: ByteReader, signal: AbortSignal): Promise<Uint8Array | undefined> {
    try {
      const { done, value } = await abortable(stream.read(), signal);
      return done ? undefined : (value as Uint8Array);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw streamConnectionError(this.#url, "broke off", cause);
    }
  }

  /** The event, if the item is one. Each other item changes the position or the wait. */
  #accept(item: StreamItem, signal: AbortSignal): WebhookEvent | undefined {
    if (signal.aborted) throw signal.reason;
    if (item.kind === "event") return item.read();
    if (item.kind === "retry") this.#retryMs = item.retryMs;
    else this.lastEventId = item.lastEventId;
    return undefined;
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
