/** One connection of the relay: sends the entries of the log to a reader, one batch after the other. */
import { abortable, abortReason, newAbortController, onAbort, throwIfAborted } from "../../async/abort.js";
import { pause } from "../../async/timers.js";
import type { EventLog, LogEntry } from "./event-log.js";
import { eventFrame, heartbeatFrame, resyncFrame, retryFrame } from "./event-stream-format.js";

/** A reader that takes no data for this long is disconnected. When it reconnects, it resumes from the log. */
const STALLED_MS = 60_000;

/** A reader that has not taken everything this long after the relay was closed is disconnected. */
const CLOSE_MS = 1_000;

/** How many entries a connection reads from the log at a time. */
const MAX_BATCH = 16;

/** The reason with which a connection ends that has sent everything, or that its reader or the relay has ended. */
const ENDED = Symbol();

/** The log no longer reaches back to the reader's position, or the reader has stopped reading. */
class ReaderTooSlow extends Error {
  constructor() {
    super("the reader is too slow");
  }
}

/** A connection as long as it is open. */
export interface OpenConnection {
  /** Ends it after it has sent all entries of the log. */
  close(): void;
  /** Ends it at once. */
  end(): void;
}

interface FollowOptions<Connection extends object> {
  log: EventLog;
  /** The id after which the connection resumes. `null`: it begins with the next event. */
  lastEventId: string | null;
  retryMs: number;
  heartbeatMs: number;
  /** After this time, and again after the same time, `mayContinue` is called. `false` ends the connection. */
  reauthorizeMs: number;
  mayContinue: () => Promise<boolean>;
  mayReceive: (entry: LogEntry) => boolean;
  /** Called with an error of the log or of `mayContinue`, which ends the connection. */
  onError: (error: unknown) => void;
  connection: Connection;
  /** Has `connection` while it is open. */
  connections: Map<Connection, OpenConnection>;
}

/** What a connection waits for. */
class LogNews {
  /** Whether the log may have entries after the reader's position. */
  hasChanged = true;
  isClosing = false;
  /** When the last frame was sent. */
  sentAt = 0;
  wake = () => {};

  readonly change = (): void => {
    this.hasChanged = true;
    this.wake();
  };

  /** Waits until there are news, at most until `time`. */
  until(time: number, signal: AbortSignal): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.wake = resolve;
    });
    return pause(time - performance.now(), signal, woken);
  }
}

/**
 * Connects to the log. Rejects if the log fails. The stream has no queue: all connections share one log. A slow reader
 * falls behind in the log. If the log no longer reaches back to the reader's position, the reader is disconnected, so
 * that no event is skipped without notice.
 */
export async function followLog<Connection extends object>(
  options: FollowOptions<Connection>,
): Promise<ReadableStream<Uint8Array>> {
  const { log, onError, connection, connections } = options;
  const news = new LogNews();
  const ended = newAbortController();
  const { signal } = ended;
  const encoder = new TextEncoder();
  // Listens before it reads the log, so that no change in between is missed.
  onAbort(signal, await log.listen(news.change, (error) => ended.abort(error)));
  const frames = nextFrames(options, news, signal);
  const first = await frames.next().catch((error) => {
    ended.abort(error);
    throw error;
  });
  throwIfAborted(signal);

  let timer: ReturnType<typeof setTimeout> | undefined;
  const mustReadWithin = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => ended.abort(new ReaderTooSlow()), ms);
  };
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string) => {
    controller.enqueue(encoder.encode(text));
    news.sentAt = performance.now();
    if (!news.isClosing) mustReadWithin(STALLED_MS);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        connections.set(connection, {
          close() {
            news.isClosing = true;
            news.change();
            mustReadWithin(CLOSE_MS);
          },
          end() {
            ended.abort(ENDED);
            controller.close();
          },
        });
        onAbort(signal, () => {
          clearTimeout(timer);
          connections.delete(connection);
          const reason = abortReason(signal);
          if (reason === ENDED) return;
          if (!(reason instanceof ReaderTooSlow)) onError(reason);
          controller.error(reason);
        });
        send(controller, first.value ?? "");
      },
      async pull(controller) {
        if (!news.isClosing) clearTimeout(timer);
        try {
          const { done, value } = await frames.next();
          throwIfAborted(signal);
          if (!done) return send(controller, value);
          ended.abort(ENDED);
          controller.close();
        } catch (error) {
          ended.abort(error);
        }
      },
      cancel: () => ended.abort(ENDED),
    },
    { highWaterMark: 0 },
  );
}

/** The position of a new connection, and the frame that reports it. */
async function openingAt({
  log,
  lastEventId,
  retryMs,
}: FollowOptions<object>): Promise<{ position: string; frame: string }> {
  const isResuming = lastEventId ? (await log.after(lastEventId, 1)) !== undefined : false;
  const position = lastEventId && isResuming ? lastEventId : await log.latestId();
  const positionFrame = lastEventId && !isResuming ? resyncFrame : heartbeatFrame;
  return { position, frame: retryFrame(retryMs) + positionFrame(position) };
}

/** The frames of a connection, each as soon as there is one. Throws the reason of `signal` as soon as it aborts. */
async function* nextFrames(
  options: FollowOptions<object>,
  news: LogNews,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { mayContinue, heartbeatMs, reauthorizeMs } = options;
  const opening = await openingAt(options);
  yield opening.frame;
  let { position } = opening;
  let authorizedAt = performance.now();
  for (;;) {
    const now = performance.now();
    if (now >= authorizedAt + reauthorizeMs) {
      if (!(await abortable(mayContinue(), signal))) return;
      authorizedAt = now;
    } else if (news.hasChanged) {
      news.hasChanged = false;
      const next = yield* framesAfter(position, options, signal);
      news.hasChanged ||= next !== position;
      position = next;
    } else if (news.isClosing) {
      return;
    } else if (now >= news.sentAt + heartbeatMs) {
      yield heartbeatFrame(position);
    } else {
      await news.until(Math.min(news.sentAt + heartbeatMs, authorizedAt + reauthorizeMs), signal);
    }
  }
}

/** The frames of the next entries. Returns the position after them, also after entries that the reader may not receive. */
async function* framesAfter(
  position: string,
  { log, mayReceive }: FollowOptions<object>,
  signal: AbortSignal,
): AsyncGenerator<string, string> {
  const entries = await abortable(Promise.resolve(log.after(position, MAX_BATCH)), signal);
  if (entries === undefined) throw new ReaderTooSlow();
  for (const entry of entries) if (mayReceive(entry)) yield eventFrame(entry);
  return entries[entries.length - 1]?.id ?? position;
}
