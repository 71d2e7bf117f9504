/** One connection of the relay: sends the entries of the log to a reader, one batch after the other. */
import { eventFrame, heartbeatFrame, resyncFrame, retryFrame } from "../event/event-stream-format.js";
import type { EventLog, LogEntry } from "./event-log.js";

/** A reader that requests no data for this long is disconnected. When it reconnects, it resumes from the log. */
const STALLED_MS = 60_000;

/** How many entries a connection reads from the log, and holds in memory, at a time. */
const BATCH = 16;

const TOO_SLOW = "the reader is too slow";

export interface FollowOptions {
  log: EventLog;
  /** The id after which the connection resumes. `null`: it begins with the next event. */
  lastEventId: string | null;
  retryMs: number;
  heartbeatMs: number;
  mayReceive: (entry: LogEntry) => boolean;
  /** Called when the log fails, which ends the connection. */
  onLogError: (error: unknown) => void;
}

/**
 * The stream of one connection. It has no queue: all connections share one log. A slow reader falls behind in the log.
 * If the log no longer reaches back to the reader's position, the reader is disconnected, so that no event is skipped
 * without notice.
 */
export class LogFollower {
  readonly #options: FollowOptions;
  readonly #encoder = new TextEncoder();
  /** Called once, when the connection ends. */
  readonly #onStop: () => void;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #position = "";
  /** Whether the log has changed since it was last read. */
  #hasChanged = false;
  #heartbeatTimer: ReturnType<typeof setInterval> | undefined;
  #isHeartbeatDue = false;
  /** How long the reader has requested no data. */
  #stalledMs = 0;
  #isOpen = false;
  #isClosing = false;
  #isStopped = false;
  /** Why the connection was stopped, if it failed. */
  #stopError: unknown;
  #wake = () => {};
  #stopListening = () => {};

  constructor(options: FollowOptions, onStop: () => void) {
    this.#options = options;
    this.#onStop = onStop;
  }

  /** Connects to the log. Rejects if the log fails. */
  async open(): Promise<ReadableStream<Uint8Array>> {
    let frames: AsyncGenerator<string, void>;
    try {
      frames = this.#frames(await this.#connect());
    } catch (error) {
      this.#stop();
      throw error;
    }
    this.#isOpen = true;
    this.#heartbeatTimer = setInterval(() => this.#beat(), this.#options.heartbeatMs);
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: (controller) => this.#pull(controller, frames),
        cancel: () => this.#stop(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Ends the connection after it has sent all entries of the log. */
  close(): void {
    this.#isClosing = true;
    this.#wake();
  }

  /** Returns the first frames of the connection. */
  async #connect(): Promise<string> {
    const { log, lastEventId, retryMs } = this.#options;
    // Listens before it reads the log, so that no change in between is missed.
    const stopListening = await log.listen(
      () => {
        this.#hasChanged = true;
        this.#wake();
      },
      (error) => this.#fail(error),
    );
    if (this.#isStopped) {
      stopListening();
      throw this.#stopError;
    }
    this.#stopListening = stopListening;
    const canResume = lastEventId ? (await log.after(lastEventId, 1)) !== undefined : false;
    this.#position = lastEventId && canResume ? lastEventId : await log.latestId();
    if (this.#isStopped) throw this.#stopError;
    const openingFrame = lastEventId && !canResume ? resyncFrame : heartbeatFrame;
    return retryFrame(retryMs) + openingFrame(this.#position);
  }

  /** A quiet connection needs a heartbeat. A reader that has stopped reading is disconnected. */
  #beat(): void {
    this.#isHeartbeatDue = true;
    this.#wake();
    if (this.#stalledMs >= STALLED_MS) this.#stop(new Error(TOO_SLOW));
    this.#stalledMs += this.#options.heartbeatMs;
  }

  async #pull(
    controller: ReadableStreamDefaultController<Uint8Array>,
    frames: AsyncGenerator<string, void>,
  ): Promise<void> {
    this.#stalledMs = 0;
    try {
      const { done, value } = await frames.next();
      if (this.#isStopped) return;
      this.#isHeartbeatDue = false;
      if (!done) return controller.enqueue(this.#encoder.encode(value));
      this.#stop();
      controller.close();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The frames to send, each as soon as there is one. */
  async *#frames(openingFrames: string): AsyncGenerator<string, void> {
    yield openingFrames;
    while (!this.#isStopped) {
      this.#hasChanged = false;
      const entries = await this.#options.log.after(this.#position, BATCH);
      if (entries === undefined) return this.#stop(new Error(TOO_SLOW));
      this.#position = entries.at(-1)?.id ?? this.#position;
      const frames = entries.filter(this.#options.mayReceive).map(eventFrame).join("");
      if (frames !== "") yield frames;
      else if (entries.length > 0 || this.#hasChanged) continue;
      else if (this.#isClosing) return;
      else if (this.#isHeartbeatDue) yield heartbeatFrame(this.#position);
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  /** Ends the connection because the log failed. */
  #fail(error: unknown): void {
    // While the connection is being opened, `open` rejects instead of calling `onLogError`.
    if (this.#isOpen && !this.#isStopped) this.#options.onLogError(error);
    this.#stop(error);
  }

  /** Stops the timer and the listening of the connection. With an error, the stream fails, too. */
  #stop(error?: unknown): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#stopError = error;
    if (error !== undefined) this.#controller?.error(error);
    clearInterval(this.#heartbeatTimer);
    this.#stopListening();
    this.#onStop();
    this.#wake();
  }
}
