/** Hears the events that a relay passes on, in any runtime. */
import { ConfigurationError } from "../../errors/configuration-error.js";
import { NotetakerError } from "../../errors/notetaker-error.js";
import { checkNumbers, rejectUnknownOptions } from "../check-options.js";
import type { WebhookEvent } from "../event/event.js";
import { readChunks } from "../http/read-chunks.js";
import { eventReader } from "./event-reader.js";
import { type HeadersInput, openStream, streamConnectionError } from "./open-stream.js";
import { pause, reconnectDelay } from "./reconnect-delay.js";

export interface Reconnection {
  /** How long it waits, in milliseconds. */
  delayMs: number;
  /** Why the connection ended; `undefined` when the server closed it in good order. */
  error: NotetakerError | undefined;
}

export interface SubscribeOptions {
  /** Sent with every connection. A function is asked before each: for a token that expires. */
  headers?: HeadersInput | (() => HeadersInput | Promise<HeadersInput>) | undefined;
  /** Goes on after this event: {@link Subscription.lastEventId} of an earlier subscription. Default: from now on. */
  lastEventId?: string | undefined;
  /** Ends the subscription at once: the next step rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Default: the global `fetch`, as it is when a connection is made. */
  fetch?: typeof fetch | undefined;
  /**
   * A connection that brings nothing for this long, in milliseconds, is given up and made again. Default 45,000: three
   * heartbeats of the relay.
   */
  staleAfterMs?: number | undefined;
  /** The largest event, in bytes; a larger one is an error. Default 2 MiB. */
  maxEventBytes?: number | undefined;
  /** Called before each wait between two connections. */
  onReconnect?: ((reconnection: Reconnection) => void) | undefined;
}

/** The events, in order. For one consumer: a second loop goes on where the first stopped. */
export interface Subscription extends AsyncIterableIterator<WebhookEvent, void, undefined> {
  /** The id of the last event handed out, or of where the server said the reader is. Keep it to go on from there. */
  readonly lastEventId: string | undefined;
  /** Ends the subscription and closes the connection; `break` does the same. */
  return(): Promise<IteratorResult<WebhookEvent, void>>;
}

/** What the server is left alone for, unless it says otherwise with `retry:`. */
const RETRY_MS = 1_000;

function checkedUrl(url: string | URL): URL {
  // In a browser, an address may be relative to the page.
  const base = globalThis.location?.href;
  const parsed = URL.canParse(url, base) ? new URL(url, base) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol) && !(parsed.username || parsed.password)) return parsed;
  throw new ConfigurationError("subscribe url: expected an absolute http(s) address without credentials");
}

/**
 * The events of a relay, or of any server that sends events as server-sent events, for as long as one listens. Nothing
 * is opened before the first step.
 *
 * A lost or silent connection, 408, 429 and 5xx are tried again with jittered backoff, as long as it takes, from the
 * last event on. A server that cannot go on from there says so with an event of the kind `"resync"`: read the state
 * anew. Redirects are not followed: the headers may carry a token.
 *
 * The loop ends when the server answers 204. It throws {@link UnauthorizedError} on 401, {@link ForbiddenError} on 403,
 * {@link ApiError} on any other refusal, {@link WebhookVerificationError} for what is no event (`not_an_event`) or is
 * too large (`too_large`), and the signal's reason when it aborts.
 *
 * @throws {@link ConfigurationError} for an address or a number that cannot be one, and an option that there is not.
 * @example
 * const events = subscribe("https://app.example.com/events", { headers: { authorization: `Bearer ${token}` } });
 * for await (const event of events) {
 *   if (event.kind === "resync") await reload();
 *   else if (isMeetingEvent(event, "meeting.transcript_ready")) show(event.meetingId);
 *   localStorage.setItem("last", events.lastEventId ?? "");
 * }
 */
export function subscribe(
  url: string | URL,
  {
    headers: givenHeaders,
    lastEventId,
    signal,
    fetch: givenFetch,
    staleAfterMs = 45_000,
    maxEventBytes = 2_097_152,
    onReconnect,
    ...others
  }: SubscribeOptions = {},
): Subscription {
  const target = checkedUrl(url);
  rejectUnknownOptions("subscribe", others);
  checkNumbers("subscribe", { staleAfterMs, maxEventBytes });
  let retryMs = RETRY_MS;
  /** Whether the connection has brought anything. */
  let brought = false;
  let left = false;
  /** Ends what is under way: a connection, or the wait for the next. */
  let current = new AbortController();
  const abort = () => current.abort(signal?.reason);

  /** Waits for the server, and not for longer than `staleAfterMs`. */
  async function waitFor<T>(step: Promise<T>): Promise<T> {
    const connection = current;
    const watch = setTimeout(() => {
      connection.abort(streamConnectionError(target, `brought nothing for ${staleAfterMs} ms`));
    }, staleAfterMs);
    return step.finally(() => clearTimeout(watch));
  }

  /** One connection, to its end. Gives whether there is to be another. */
  async function* connection(here: AbortSignal): AsyncGenerator<WebhookEvent, boolean> {
    const headers = typeof givenHeaders === "function" ? await givenHeaders() : givenHeaders;
    const body = await waitFor(openStream(target, headers, lastEventId, givenFetch ?? globalThis.fetch, here));
    if (body === undefined) return false;

    const read = eventReader(maxEventBytes, (ms) => {
      retryMs = ms;
    });
    const chunks = readChunks(body, here);
    try {
      for (;;) {
        const { done, value } = await waitFor(chunks.next()).catch((cause: unknown) => {
          here.throwIfAborted();
          throw streamConnectionError(target, "broke off", cause);
        });
        if (done) return true;
        brought = true;
        for (const { id, event } of read(value)) {
          here.throwIfAborted();
          lastEventId = id ?? lastEventId;
          if (event) yield event();
        }
      }
    } finally {
      void chunks.return();
    }
  }

  async function* events(): AsyncGenerator<WebhookEvent, void> {
    signal?.addEventListener("abort", abort);
    try {
      for (let failures = 0; !left; ) {
        let error: NotetakerError | undefined;
        brought = false;
        try {
          signal?.throwIfAborted();
          current = new AbortController();
          if (!(yield* connection(current.signal))) return;
        } catch (thrown) {
          // Leaving is not a failure, also of a step that was under way.
          if (left) return;
          signal?.throwIfAborted();
          if (!(thrown instanceof NotetakerError && thrown.retryable)) throw thrown;
          error = thrown;
        }
        failures = brought ? 0 : failures + 1;
        const delayMs = reconnectDelay(failures, retryMs);
        current = new AbortController();
        onReconnect?.({ delayMs, error });
        await pause(delayMs, current.signal);
      }
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  const iterator = events();
  return {
    get lastEventId() {
      return lastEventId;
    },
    next: () => iterator.next(),
    return() {
      left = true;
      current.abort();
      return iterator.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
