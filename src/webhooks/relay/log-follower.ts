/** One connection of the relay: sends the entries of the log to a reader, one batch after the other. */
import { abortable, abortReason, newAbortController, onAbort, throwIfAborted } from "../../async/abort.js";
import { pause } from "../../async/timers.js";
import type { EventLog, LogEntry } from "./event-log.js";
import { eventFrame, heartbeatFrame, resyncFrame, retryFrame } from "./event-stream-format.js";

/** A reader that takes no data for this long is disconnected. When it reconnects, it resumes from the log. */
const STALLED_MS = 60_000;

/** A reader that has not taken everything this long after the relay was closed is disconnected. */
const CLOSE_MS = 1_000;

const MAX_BATCH = 16;

/** The reason with which a connection ends that has sent everything, or that the relay ends. */
const ENDED = Symbol();

const LEFT = Symbol();

/** The log no longer reaches back to the reader's position, or the reader has stopped reading. */
class ReaderTooSlow extends Error {
  constructor() {
    super("the reader is too slow");
  }
}

interface LogReaderOptions {
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
  onOpen: (connection: LogFollower) => void;
  onEnd: () => void;
}

/** Without a queue: a slow reader falls behind in the log, and is disconnected once the log has dropped events. */
export class LogFollower {
  readonly #options: LogReaderOptions;
  readonly #ended = newAbortController();
  readonly #encoder = new TextEncoder();
  /** The id of the last entry that the reader has got, or may not receive. */
  #position = "";
  #hasChanged = true;
  #isClosing = false;
  #sentAt = performance.now();
  #wake = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LogReaderOptions) {
    this.#options = options;
  }

  close(): void {
    this.#isClosing = true;
    this.#change();
    this.#mustReadWithin(CLOSE_MS);
  }

  end(): void {
    this.#ended.abort(ENDED);
  }

  async open(): Promise<ReadableStream<Uint8Array>> {
    const { log, onOpen } = this.#options;
    const { signal } = this.#ended;
    const broken = (error: unknown) => this.#ended.abort(error);
    // Listens before it reads the log, so that no change in between is missed.
    onAbort(signal, await log.listen(() => this.#change(), broken));
    const opening = await this.#openingFrame().catch((error) => {
      broken(error);
      throw error;
    });
    throwIfAborted(signal);
    const frames = this.#nextFrames();
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          onOpen(this);
          onAbort(signal, () => this.#onEnded(controller));
          this.#send(controller, opening);
        },
        pull: async (controller) => {
          if (!this.#isClosing) clearTimeout(this.#timer);
          try {
            const { done, value } = await frames.next();
            throwIfAborted(signal);
            if (done) this.end();
            else this.#send(controller, value);
          } catch (error) {
            broken(error);
          }
        },
        cancel: () => this.#ended.abort(LEFT),
      },
      { highWaterMark: 0 },
    );
  }

  async #openingFrame(): Promise<string> {
    const { log, lastEventId, retryMs } = this.#options;
    const isResuming = lastEventId ? (await log.after(lastEventId, 1)) !== undefined : false;
    this.#position = lastEventId && isResuming ? lastEventId : await log.latestId();
    const positionFrame = lastEventId && !isResuming ? resyncFrame : heartbeatFrame;
    return retryFrame(retryMs) + positionFrame(this.#position);
  }

  /** Each frame as soon as there is one. Throws the reason of the end as soon as the connection has ended. */
  async *#nextFrames(): AsyncGenerator<string, void> {
    const { mayContinue, heartbeatMs, reauthorizeMs } = this.#options;
    const { signal } = this.#ended;
    let authorizedAt = performance.now();
    for (;;) {
      const now = performance.now();
      if (now >= authorizedAt + reauthorizeMs) {
        if (!(await abortable(mayContinue(), signal))) return;
        authorizedAt = now;
      } else if (this.#hasChanged) {
        yield* this.#newFrames();
      } else if (this.#isClosing) {
        return;
      } else if (now >= this.#sentAt + heartbeatMs) {
        yield heartbeatFrame(this.#position);
      } else {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        await pause(Math.min(this.#sentAt + heartbeatMs, authorizedAt + reauthorizeMs) - now, signal, woken);
      }
    }
  }

  async *#newFrames(): AsyncGenerator<string, void> {
    const { log, mayReceive } = this.#options;
    this.#hasChanged = false;
    const entries = await abortable(Promise.resolve(log.after(this.#position, MAX_BATCH)), this.#ended.signal);
    if (entries === undefined) throw new ReaderTooSlow();
    for (const entry of entries) {
      this.#position = entry.id;
      if (mayReceive(entry)) yield eventFrame(entry);
    }
    this.#hasChanged ||= entries.length > 0;
  }

  #change(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  #send(controller: ReadableStreamDefaultController<Uint8Array>, frame: string): void {
    controller.enqueue(this.#encoder.encode(frame));
    this.#sentAt = performance.now();
    if (!this.#isClosing) this.#mustReadWithin(STALLED_MS);
  }

  #mustReadWithin(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ended.abort(new ReaderTooSlow()), ms);
  }

  #onEnded(controller: ReadableStreamDefaultController<Uint8Array>): void {
    clearTimeout(this.#timer);
    this.#options.onEnd();
    const reason = abortReason(this.#ended.signal);
    if (reason === LEFT) return;
    if (reason === ENDED) controller.close();
    else controller.error(reason);
    if (reason !== ENDED && !(reason instanceof ReaderTooSlow)) this.#options.onError(reason);
  }
}
