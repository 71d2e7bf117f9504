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
  /** The first frames of the connection; empty once they are sent. */
  #openingFrames = "";
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
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#pull(),
        cancel: () => this.#stop(),
      },
      { highWaterMark: 0 },
    );
    try {
      await this.#connect();
    } catch (error) {
      this.#stop();
      throw error;
    }
    this.#isOpen = true;
    this.#heartbeatTimer = setInterval(() => this.#beat(), this.#options.heartbeatMs);
    return stream;
  }

  /** Ends the connection after it has sent all entries of the log. */
  close(): void {
    this.#isClosing = true;
    this.#wake();
  }

  async #connect(): Promise<void> {
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
    this.#openingFrames = retryFrame(retryMs) + openingFrame(this.#position);
  }

  /** A quiet connection needs a heartbeat. A reader that has stopped reading is disconnected. */
  #beat(): void {
    this.#isHeartbeatDue = true;
    this.#wake();
    if (this.#stalledMs >= STALLED_MS) this.#stop(new Error(TOO_SLOW));
    this.#stalledMs += this.#options.heartbeatMs;
  }

  async #pull(): Promise<void> {
    this.#stalledMs = 0;
    try {
      const frames = await this.#nextFrames();
      if (this.#isStopped) return;
      if (frames === undefined) {
        this.#stop();
        this.#controller?.close();
      } else {
        this.#isHeartbeatDue = false;
        this.#controller?.enqueue(this.#encoder.encode(frames));
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Waits for the frames to send next. `undefined` at the end of the stream. */
  async #nextFrames(): Promise<string | undefined> {
    const openingFrames = this.#openingFrames;
    this.#openingFrames = "";
    if (openingFrames !== "") return openingFrames;
    while (!this.#isStopped) {
      this.#hasChanged = false;
      const entries = await this.#options.log.after(this.#position, BATCH);
      if (entries === undefined) {
        this.#stop(new Error(TOO_SLOW));
        return undefined;
      }
      this.#position = entries.at(-1)?.id ?? this.#position;
      const frames = entries.filter(this.#options.mayReceive).map(eventFrame).join("");
      if (frames !== "") return frames;
      if (entries.length > 0 || this.#hasChanged) continue;
      if (this.#isClosing) return undefined;
      if (this.#isHeartbeatDue) return heartbeatFrame(this.#position);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return undefined;
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
