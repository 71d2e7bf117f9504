/** One connection of the relay: sends the entries of the log to a reader, one batch after the other. */
import { abortable, abortReason, newAbortController, onAbort, throwIfAborted } from "../../async/abort.js";
import type { EventLog, LogEntry } from "./event-log.js";
import { eventFrame, heartbeatFrame, resyncFrame, retryFrame } from "./event-stream-format.js";

/** A reader that requests no data for this long is disconnected. When it reconnects, it resumes from the log. */
const STALLED_MS = 60_000;

/** A reader that has not taken everything this long after the relay was closed is disconnected. */
const CLOSE_MS = 1_000;

/** How many entries a connection reads from the log at a time. */
const MAX_BATCH = 16;

/** Frames are sent together until they reach this length, in characters. */
const CHUNK_LENGTH = 65_536;

/** The reason with which a connection ends that has sent everything, or whose reader has left. */
const READER_CLOSED = Symbol();

/** The log no longer reaches back to the reader's position, or the reader has stopped reading. */
class ReaderTooSlow extends Error {
  constructor() {
    super("the reader is too slow");
  }
}

export interface FollowOptions {
  log: EventLog;
  /** The id after which the connection resumes. `null`: it begins with the next event. */
  lastEventId: string | null;
  retryMs: number;
  heartbeatMs: number;
  mayReceive: (entry: LogEntry) => boolean;
  /** Called if the log fails, which ends the connection. */
  onLogError: (error: unknown) => void;
  /** While the connection is open, this set has the function that ends it after it has sent all entries of the log. */
  connections: Set<() => void>;
}

/** What has happened since the reader last got data. */
class LogNews {
  /** Whether the log may have entries after the reader's position. */
  hasChanged = true;
  isClosing = false;
  /** How many heartbeats were due. */
  beats = 0;
  #wake = () => {};

  readonly change = (): void => {
    this.hasChanged = true;
    this.#wake();
  };

  readonly close = (): void => {
    this.isClosing = true;
    this.change();
  };

  beat(): void {
    this.beats += 1;
    this.#wake();
  }

  next(signal: AbortSignal): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    return abortable(woken, signal);
  }
}

/**
 * Connects to the log. Rejects if the log fails. The stream has no queue: all connections share one log. A slow reader
 * falls behind in the log. If the log no longer reaches back to the reader's position, the reader is disconnected, so
 * that no event is skipped without notice.
 */
export async function followLog(options: FollowOptions): Promise<ReadableStream<Uint8Array>> {
  const { log, heartbeatMs, onLogError, connections } = options;
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
  // A quiet connection needs a heartbeat. A reader that has stopped reading is disconnected.
  const timer = setInterval(() => {
    if (news.beats * heartbeatMs >= STALLED_MS) ended.abort(new ReaderTooSlow());
    news.beat();
  }, heartbeatMs);
  let closing: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    news.close();
    closing = setTimeout(() => ended.abort(new ReaderTooSlow()), CLOSE_MS);
  };
  connections.add(close);

  const end = (controller: ReadableStreamDefaultController<Uint8Array>, reason: unknown) => {
    clearInterval(timer);
    clearTimeout(closing);
    connections.delete(close);
    if (reason === READER_CLOSED) return;
    if (!(reason instanceof ReaderTooSlow)) onLogError(reason);
    controller.error(reason);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(first.value ?? ""));
        onAbort(signal, () => end(controller, abortReason(signal)));
      },
      async pull(controller) {
        try {
          const { done, value } = await frames.next();
          news.beats = 0;
          if (!done) return controller.enqueue(encoder.encode(value));
          ended.abort(READER_CLOSED);
          controller.close();
        } catch (error) {
          ended.abort(error);
        }
      },
      cancel: () => ended.abort(READER_CLOSED),
    },
    { highWaterMark: 0 },
  );
}

/** The position of a new connection, and the frame that reports it. */
async function openingAt({ log, lastEventId, retryMs }: FollowOptions): Promise<{ position: string; frame: string }> {
  const isResuming = lastEventId ? (await log.after(lastEventId, 1)) !== undefined : false;
  const position = lastEventId && isResuming ? lastEventId : await log.latestId();
  const positionFrame = lastEventId && !isResuming ? resyncFrame : heartbeatFrame;
  return { position, frame: retryFrame(retryMs) + positionFrame(position) };
}

/** The frames of a connection, each as soon as there is one. Throws the reason of `signal` as soon as it aborts. */
async function* nextFrames(options: FollowOptions, news: LogNews, signal: AbortSignal): AsyncGenerator<string, void> {
  const { log, mayReceive } = options;
  const opening = await openingAt(options);
  yield opening.frame;
  let { position } = opening;
  for (;;) {
    if (news.hasChanged) {
      news.hasChanged = false;
      const entries = await abortable(Promise.resolve(log.after(position, MAX_BATCH)), signal);
      if (entries === undefined) throw new ReaderTooSlow();
      yield* framesOf(entries, mayReceive);
      // Entries that the reader may not receive also move its position.
      position = entries[entries.length - 1]?.id ?? position;
      news.hasChanged ||= entries.length > 0;
    } else if (news.isClosing) {
      return;
    } else if (news.beats > 0) {
      yield heartbeatFrame(position);
    } else {
      await news.next(signal);
    }
  }
}

/** The frames of these entries, in pieces of about `CHUNK_LENGTH`. */
function* framesOf(entries: readonly LogEntry[], mayReceive: FollowOptions["mayReceive"]): Generator<string, void> {
  let frames = "";
  for (const entry of entries) {
    if (mayReceive(entry)) frames += eventFrame(entry);
    if (frames.length < CHUNK_LENGTH) continue;
    yield frames;
    frames = "";
  }
  if (frames !== "") yield frames;
}
