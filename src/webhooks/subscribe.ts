/** Hears the events that a relay passes on, in any runtime. */
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import type { NotetakerError } from "../errors/notetaker-error.js";
import { pause, reconnectDelay } from "./backoff.js";
import { checkedNumber } from "./checked-number.js";
import type { WebhookEvent } from "./event.js";
import { connectionLost, Interruption, openStream } from "./open-stream.js";
import { readStream } from "./read-stream.js";

export interface Reconnection {
  /** How long it waits, in milliseconds. */
  delayMs: number;
  /** Why the connection ended; `undefined` when the server closed it in good order. */
  error: NotetakerError | undefined;
}

export interface SubscribeOptions {
  /** Sent with every connection. A function is asked before each: for a token that expires. */
  headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>) | undefined;
  /** Goes on after this event: {@link Subscription.lastEventId} of an earlier subscription. Default: from now on. */
  lastEventId?: string | undefined;
  /** Ends the subscription at once: the next step rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Default: the global `fetch`, as it is when a connection is made. */
  fetch?: typeof fetch | undefined;
  /** A connection that brings nothing for this long, in milliseconds, is given up and made again. Default 45,000: three heartbeats of the relay. */
  staleAfterMs?: number | undefined;
  /** The largest event, in bytes; a larger one is an error. Default 2 MiB. */
  maxEventBytes?: number | undefined;
  /** Called before each wait between two connections. */
  onReconnect?: ((reconnection: Reconnection) => void) | undefined;
}

/** The events, in order. For one consumer: a second loop goes on where the first stopped. */
export interface Subscription extends AsyncIterableIterator<WebhookEvent, void, undefined> {
  /** The id of the last event that was handed out, or of where the server said the reader is. Keep it to go on from there. */
  readonly lastEventId: string | undefined;
  /** Ends the subscription and closes the connection; `break` does the same. */
  return(): Promise<IteratorResult<WebhookEvent, void>>;
}

/** What the server is left alone for, unless it says otherwise with `retry:`. */
const RETRY_MS = 1_000;

function checkedUrl(url: string | URL): URL {
  const refuse = (message: string) => new InvalidArgumentError("subscribe", [{ path: "url", message }]);
  // In a browser, an address may be relative to the page.
  const base = globalThis.location?.href;
  if (!URL.canParse(url, base)) throw refuse("expected an absolute address");
  const parsed = new URL(url, base);
  if (!/^https?:$/.test(parsed.protocol)) throw refuse("expected an address with https: or http:");
  if (parsed.username || parsed.password) throw refuse("expected no credentials in the address: send them in headers");
  return parsed;
}

/**
 * The events of a relay, or of any server that sends events as server-sent events, for as long as one listens. Nothing is opened before the first step.
 *
 * A lost or silent connection, 408, 429 and 5xx are tried again with jittered backoff, as long as it takes, from the last event on. A server
 * that cannot go on from there says so with an event of the kind `"resync"`: read the state anew.
 *
 * The loop ends when the server answers 204. It throws {@link UnauthorizedError} on 401, {@link ForbiddenError} on 403, the error of the status
 * on any other refusal, {@link WebhookVerificationError} for what is no event, {@link ResponseValidationError} for an event that is too large
 * or an answer that is no event stream, and the signal's reason when it aborts.
 *
 * @throws {@link InvalidArgumentError} for an address that cannot be one.
 * @example
 * const events = subscribe("https://app.example.com/events", { headers: { authorization: `Bearer ${token}` } });
 * for await (const event of events) {
 *   if (event.kind === "resync") await reload();
 *   else if (isMeetingEvent(event, "meeting.transcript_ready")) show(event.meetingId);
 *   localStorage.setItem("last", events.lastEventId ?? "");
 * }
 */
export function subscribe(url: string | URL, options: SubscribeOptions = {}): Subscription {
  const target = checkedUrl(url);
  const { signal, staleAfterMs = 45_000, maxEventBytes = 2_097_152 } = options;
  checkedNumber("subscribe staleAfterMs", staleAfterMs);
  checkedNumber("subscribe maxEventBytes", maxEventBytes);
  let lastEventId = options.lastEventId;
  let left = false;
  /** Aborts when the consumer leaves, and when its signal does. */
  const ending = new AbortController();

  /** One connection, to its end. Gives whether there is to be another. */
  async function* connection(progress: { retryMs: number; brought: boolean }): AsyncGenerator<WebhookEvent, boolean> {
    const closing = new AbortController();
    const close = () => closing.abort(ending.signal.reason);
    ending.signal.addEventListener("abort", close);
    let watch: ReturnType<typeof setTimeout> | undefined;
    let stale: Interruption | undefined;
    const watching = (waiting: boolean) => {
      clearTimeout(watch);
      if (!waiting) return;
      watch = setTimeout(() => {
        stale = connectionLost(target, `brought nothing for ${staleAfterMs} ms`);
        closing.abort();
      }, staleAfterMs);
    };
    try {
      const headers = typeof options.headers === "function" ? await options.headers() : options.headers;
      watching(true);
      const body = await openStream({
        url: target,
        headers,
        lastEventId,
        fetch: options.fetch ?? globalThis.fetch,
        signal: closing.signal,
      });
      if (body === undefined) return false;
      for await (const item of readStream({
        body,
        signal: closing.signal,
        maxEventBytes,
        onWait: watching,
        url: target,
      })) {
        progress.brought = true;
        progress.retryMs = item.retryMs ?? progress.retryMs;
        lastEventId = item.lastEventId ?? lastEventId;
        if (item.event) yield item.event;
      }
      if (stale) throw stale;
      return true;
    } catch (error) {
      throw stale ?? error;
    } finally {
      watching(false);
      ending.signal.removeEventListener("abort", close);
      closing.abort();
    }
  }

  async function* events(): AsyncGenerator<WebhookEvent, void> {
    const progress = { retryMs: RETRY_MS, brought: false };
    let failures = 0;
    for (;;) {
      let interruption: Interruption | undefined;
      progress.brought = false;
      try {
        ending.signal.throwIfAborted();
        if (!(yield* connection(progress))) return;
      } catch (error) {
        ending.signal.throwIfAborted();
        if (!(error instanceof Interruption)) throw error;
        interruption = error;
      }
      ending.signal.throwIfAborted();
      failures = progress.brought ? 0 : failures + 1;
      const delayMs = Math.max(reconnectDelay(failures, progress.retryMs), interruption?.retryAfterMs ?? 0);
      options.onReconnect?.({ delayMs, error: interruption?.error });
      await pause(delayMs, ending.signal);
    }
  }

  const iterator = events();
  const abort = () => ending.abort(signal?.reason);
  const end = () => signal?.removeEventListener("abort", abort);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();

  return {
    get lastEventId() {
      return lastEventId;
    },
    async next() {
      try {
        const result = await iterator.next();
        if (result.done) end();
        return result;
      } catch (error) {
        end();
        // Leaving is not a failure, also for a step that was under way.
        if (left) return { done: true, value: undefined };
        throw error;
      }
    },
    async return() {
      left = true;
      end();
      ending.abort();
      await iterator.return(undefined).catch(() => {});
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
