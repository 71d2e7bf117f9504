/** One connection of the relay: follows the log at its own speed, from a place of its own. */
import type { EventLog, LogEntry } from "./event-log.js";
import { eventFrame, positionFrame, resyncFrame, retryFrame } from "./event-stream.js";

/** How many entries are taken from the log at a time, and how much text is made of them: what a reader holds in memory. */
const BATCH = 100;
const CHUNK = 65_536;

/** A connection that takes nothing for this long is dropped: its client comes back and goes on from the log. */
const STALLED_MS = 60_000;

export interface RelayReaderOptions {
  log: EventLog;
  /** The id after which the reader goes on. */
  position: string;
  /** Whether the log has lost the place where the reader was. */
  resync: boolean;
  retryMs: number;
  hears: (entry: LogEntry) => boolean;
  /** Called once, when the connection has ended. */
  onEnd: () => void;
  /** Called when the log fails, which ends the connection. */
  onLogError: (error: unknown) => void;
}

/**
 * There is no queue: the log is one, and all readers share it. A reader that is slow falls behind in the log; when the
 * log has moved on past it, the connection is dropped, and events are not skipped in silence.
 */
export class RelayReader {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #options: RelayReaderOptions;
  #position: string;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Ends the wait for something to do. */
  #wake: (() => void) | undefined;
  #changed = false;
  #beat = false;
  #closing = false;
  #ended = false;
  /** Since when nothing was asked for; `undefined` while the connection waits for more. */
  #idleSince: number | undefined = Date.now();

  constructor(options: RelayReaderOptions) {
    this.#options = options;
    this.#position = options.position;
    const chunks = this.#chunks();
    const encoder = new TextEncoder();
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: async (controller) => {
          this.#idleSince = undefined;
          try {
            const { done, value } = await chunks.next();
            if (this.#ended) return;
            if (!done) return controller.enqueue(encoder.encode(value));
            this.#end();
            controller.close();
          } catch (error) {
            this.#options.onLogError(error);
            this.drop(error);
          } finally {
            this.#idleSince = Date.now();
          }
        },
        cancel: () => this.#end(),
      },
      { highWaterMark: 0 },
    );
  }

  /** Something was appended to the log. */
  changed(): void {
    this.#changed = true;
    this.#wake?.();
  }

  /** A heartbeat is due. */
  beat(): void {
    this.#beat = true;
    this.#wake?.();
    if (this.#idleSince !== undefined && Date.now() - this.#idleSince >= STALLED_MS) {
      this.drop(new Error("the reader has taken nothing for a while"));
    }
  }

  /** Ends the connection once it has what is in the log. */
  close(): void {
    this.#closing = true;
    this.#wake?.();
  }

  /** Ends the connection here and now. */
  drop(error: unknown): void {
    if (this.#ended) return;
    this.#controller?.error(error);
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#wake?.();
    this.#options.onEnd();
  }

  async *#chunks(): AsyncGenerator<string, void, undefined> {
    const { log, resync, retryMs } = this.#options;
    yield retryFrame(retryMs) + (resync ? resyncFrame(this.#position) : positionFrame(this.#position));
    while (!this.#ended) {
      this.#changed = false;
      const entries = await log.after(this.#position, BATCH);
      if (entries === undefined) return this.drop(new Error("the log has moved on past the reader"));
      yield* this.#heardOf(entries);
      if (entries.length > 0 || this.#changed) continue;
      if (this.#closing) return;
      await this.#somethingToDo();
      if (this.#beat) yield positionFrame(this.#position);
      this.#beat = false;
    }
  }

  *#heardOf(entries: readonly LogEntry[]): Generator<string, void, undefined> {
    let chunk = "";
    for (const entry of entries) {
      this.#position = entry.id;
      if (this.#options.hears(entry)) chunk += eventFrame(entry);
      if (chunk.length < CHUNK) continue;
      yield chunk;
      chunk = "";
    }
    if (chunk !== "") yield chunk;
  }

  async #somethingToDo(): Promise<void> {
    if (this.#changed || this.#closing || this.#ended || this.#beat) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}
