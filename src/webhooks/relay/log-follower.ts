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

interface FollowOptions {
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

/** What a connection waits for. */
class LogNews {
  /** Whether the log may have entries after the reader's position. */
  hasChanged = true;
  isClosing = false;
  wake = () => {};

  readonly change = (): void => {
    this.hasChanged = true;
    this.wake();
  };
}

/**
 * Connects to the log. Rejects if the log fails. The stream has no queue: all connections share one log. A slow reader
 * falls behind in the log. If the log no longer reaches back to the reader's position, the reader is disconnected, so
 * that no event is skipped without notice.
 */
export async function followLog(options: FollowOptions): Promise<ReadableStream<Uint8Array>> {
  const { log, onLogError, connections } = options;
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
  const close = () => {
    news.isClosing = true;
    news.change();
    mustReadWithin(CLOSE_MS);
  };
  connections.add(close);

  const end = (controller: ReadableStreamDefaultController<Uint8Array>, reason: unknown) => {
    clearTimeout(timer);
    connections.delete(close);
    if (reason === READER_CLOSED) return;
    if (!(reason instanceof ReaderTooSlow)) onLogError(reason);
    controller.error(reason);
  };
  const send = (controller: ReadableStreamDefaultController<Uint8Array>, text: string) => {
    controller.enqueue(encoder.encode(text));
    if (!news.isClosing) mustReadWithin(STALLED_MS);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        send(controller, first.value ?? "");
        onAbort(signal, () => end(controller, abortReason(signal)));
      },
      async pull(controller) {
        if (!news.isClosing) clearTimeout(timer);
        try {
          const { done, value } = await frames.next();
          if (!done) return send(controller, value);
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
  const { log, mayReceive, heartbeatMs } = options;
  const nextBeat = () => performance.now() + heartbeatMs;
  const opening = await openingAt(options);
  yield opening.frame;
  let { position } = opening;
  let beatsAt = nextBeat();
  for (;;) {
    const quietMs = beatsAt - performance.now();
    if (news.hasChanged) {
      news.hasChanged = false;
      const entries = await abortable(Promise.resolve(log.after(position, MAX_BATCH)), signal);
      if (entries === undefined) throw new ReaderTooSlow();
      for (const frames of framesOf(entries, mayReceive)) {
        yield frames;
        beatsAt = nextBeat();
      }
      // Entries that the reader may not receive also move its position.
      position = entries[entries.length - 1]?.id ?? position;
      news.hasChanged ||= entries.length > 0;
    } else if (news.isClosing) {
      return;
    } else if (quietMs > 0) {
      const woken = new Promise<void>((resolve) => {
        news.wake = resolve;
      });
      await pause(quietMs, signal, woken);
    } else {
      yield heartbeatFrame(position);
      beatsAt = nextBeat();
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
