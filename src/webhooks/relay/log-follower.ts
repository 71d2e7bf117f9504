/** One connection of the relay: sends the entries of the log to a reader, one batch after the other. */
import { eventFrame, heartbeatFrame, resyncFrame, retryFrame } from "../event/event-stream-format.js";
import type { EventLog, LogEntry } from "./event-log.js";

/** A reader that requests no data for this long is disconnected. When it reconnects, it resumes from the log. */
const STALLED_MS = 60_000;

/** How many entries a connection reads from the log at a time, while they are small. */
const MAX_BATCH = 16;

/** A batch ends when its frames reach this length, in characters: each connection may hold a batch in memory. */
const BATCH_LENGTH = 65_536;

const TOO_SLOW = "the reader is too slow";

export interface FollowOptions {
  log: EventLog;
  /** The id after which the connection resumes. `null`: it begins with the next event. */
  lastEventId: string | null;
  retryMs: number;
  heartbeatMs: number;
  mayReceive: (entry: LogEntry) => boolean;
  /** Called if the log fails, which ends the connection. */
  onLogError: (error: unknown) => void;
  /** Called once, when the open connection ends. */
  onEnd: () => void;
}

/**
 * The stream of one connection. It has no queue: all connections share one log. A slow reader falls behind in the log.
 * If the log no longer reaches back to the reader's position, the reader is disconnected, so that no event is skipped
 * without notice.
 */
export class LogFollower {
  readonly #options: FollowOptions;
  readonly #encoder = new TextEncoder();
  readonly #frames = this.#nextFrames();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #position = "";
  /** Whether the log may have entries after the position. */
  #hasChanged = true;
  #heartbeatTimer: ReturnType<typeof setInterval> | undefined;
  /** How many heartbeats were due since the reader last got data. */
  #beats = 0;
  #isClosing = false;
  /** Why the connection has ended: an error, or nothing. */
  #ended: { error: unknown } | undefined;
  #wake = () => {};
  #stopListening = () => {};

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  /** Connects to the log. Rejects if the log fails. */
  async open(): Promise<ReadableStream<Uint8Array>> {
    const { log, lastEventId, retryMs, heartbeatMs } = this.#options;
    // Listens before it reads the log, so that no change in between is missed.
    const stopListening = await log.listen(
      () => this.#change(),
      (error) => this.#fail(error),
    );
    let openingFrame = heartbeatFrame;
    try {
      const canResume = lastEventId ? (await log.after(lastEventId, 1)) !== undefined : false;
      this.#position = lastEventId && canResume ? lastEventId : await log.latestId();
      if (lastEventId && !canResume) openingFrame = resyncFrame;
      if (this.#ended !== undefined) throw this.#ended.error;
    } catch (error) {
      stopListening();
      throw error;
    }
    this.#stopListening = stopListening;
    this.#heartbeatTimer = setInterval(() => this.#beat(), heartbeatMs);
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          controller.enqueue(this.#encoder.encode(retryFrame(retryMs) + openingFrame(this.#position)));
        },
        pull: (controller) => this.#pull(controller),
        cancel: () => this.#end(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Ends the connection after it has sent all entries of the log. */
  close(): void {
    this.#isClosing = true;
    this.#change();
  }

  #change(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  /** A quiet connection needs a heartbeat. A reader that has stopped reading is disconnected. */
  #beat(): void {
    if (this.#beats * this.#options.heartbeatMs >= STALLED_MS) this.#end(new Error(TOO_SLOW));
    this.#beats += 1;
    this.#wake();
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      const { done, value } = await this.#frames.next();
      if (this.#ended !== undefined) return;
      this.#beats = 0;
      if (!done) return controller.enqueue(this.#encoder.encode(value));
      this.#end();
      controller.close();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The frames after the first, each as soon as there is one. */
  async *#nextFrames(): AsyncGenerator<string, void> {
    const { log } = this.#options;
    let limit = MAX_BATCH;
    while (this.#ended === undefined) {
      if (this.#hasChanged) {
        this.#hasChanged = false;
        const entries = await log.after(this.#position, limit);
        if (entries === undefined) return this.#end(new Error(TOO_SLOW));
        const { frames, count } = this.#take(entries);
        limit = nextLimit(limit, count, entries.length);
        if (frames !== "") yield frames;
      } else if (this.#isClosing) {
        return;
      } else if (this.#beats > 0) {
        yield heartbeatFrame(this.#position);
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  /** The frames of the first entries, until they are long enough. Moves the position past these entries. */
  #take(entries: readonly LogEntry[]): { frames: string; count: number } {
    let frames = "";
    let count = 0;
    for (const entry of entries) {
      if (frames.length >= BATCH_LENGTH) break;
      // Entries that the reader may not receive move its position, too.
      if (this.#options.mayReceive(entry)) frames += eventFrame(entry);
      this.#position = entry.id;
      this.#hasChanged = true;
      count += 1;
    }
    return { frames, count };
  }

  /** Ends the connection because the log failed. While it is being opened, `open` rejects instead. */
  #fail(error: unknown): void {
    if (this.#controller !== undefined && this.#ended === undefined) this.#options.onLogError(error);
    this.#end(error);
  }

  /** Stops the timer and the listening of the connection. With an error, the stream fails, too. */
  #end(error?: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = { error };
    if (error !== undefined) this.#controller?.error(error);
    clearInterval(this.#heartbeatTimer);
    this.#stopListening();
    this.#options.onEnd();
    this.#wake();
  }
}

/** Entries that did not fit are read again, so fewer are read while they are large. */
const nextLimit = (limit: number, count: number, read: number): number =>
  count < read ? count : Math.min(MAX_BATCH, limit * 2);
