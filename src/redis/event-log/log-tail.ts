/** Follows the log for all readers of a process, over one connection. */
import type { LogEntry } from "../../webhooks/relay/event-log.js";
import type { BlockingConnection } from "../connection.js";
import { REDIS_TIMEOUT_MS } from "../redis-server.js";
import type { LogPosition, LogStore, StoredEntry } from "./log-store.js";

/** How long one command waits for the next entry. Then the log is read again, to notice if it was flushed. */
const BLOCK_MS = 3_000;

/** How often the log is read if there is no blocking connection (Cluster, Sentinel, pool). */
const POLL_MS = 200;

/** How many entries are read at a time. */
const BATCH = 200;

/** The limits of the entries in memory. The oldest are dropped when either of them is exceeded. */
const MAX_ENTRIES = 1_000;
const MAX_CHARS = 4_000_000;

/** The newest entries that this process has read from the log. Most readers are served from this memory. */
class LogWindow {
  /** The position before the first entry. */
  #start: LogPosition;
  #entries: StoredEntry[] = [];
  #chars = 0;

  constructor(start: LogPosition) {
    this.#start = start;
  }

  /** The position of the newest entry. */
  get end(): LogPosition {
    return this.#entries.at(-1)?.position ?? this.#start;
  }

  add(entries: readonly StoredEntry[]): void {
    for (const entry of entries) {
      this.#entries.push(entry);
      this.#chars += entry.json?.length ?? 0;
    }
    let dropped = 0;
    while (this.#entries.length - dropped > MAX_ENTRIES || this.#chars > MAX_CHARS) {
      this.#chars -= this.#entries[dropped]?.json?.length ?? 0;
      dropped += 1;
    }
    this.#start = this.#entries[dropped - 1]?.position ?? this.#start;
    if (dropped > 0) this.#entries = this.#entries.slice(dropped);
  }

  /** The entries after a position, or `undefined` if it is not in the window. */
  after({ number, mark }: LogPosition, limit: number): LogEntry[] | undefined {
    const index = number - this.#start.number;
    const position = index === 0 ? this.#start : this.#entries[index - 1]?.position;
    return position?.mark === mark ? this.#entries.slice(index, index + limit) : undefined;
  }
}

export interface LogListener {
  changed: () => void;
  broken: (error: unknown) => void;
}

export class LogTail {
  readonly #store: LogStore;
  readonly #window: LogWindow;
  readonly #listeners = new Set<LogListener>();
  readonly #blocking: BlockingConnection | undefined;
  readonly #onStop: () => void;
  #isStopped = false;
  #endPause = () => {};

  private constructor(
    store: LogStore,
    window: LogWindow,
    blocking: BlockingConnection | undefined,
    onStop: () => void,
  ) {
    this.#store = store;
    this.#window = window;
    this.#blocking = blocking;
    this.#onStop = onStop;
  }

  /** Starts to follow the log after its newest entry. Rejects if Redis cannot be reached. */
  static async start(store: LogStore, onStop: () => void): Promise<LogTail> {
    const latest = await store.latest();
    const blocking = await openBlocking(store);
    const tail = new LogTail(store, new LogWindow(latest), blocking, onStop);
    void tail.#follow();
    return tail;
  }

  /** The entries after a position, if this process has read them. */
  after(position: LogPosition, limit: number): LogEntry[] | undefined {
    return this.#isStopped ? undefined : this.#window.after(position, limit);
  }

  /**
   * Returns a function that stops listening. When the last listener stops, the tail ends. `undefined` if the tail has
   * ended already.
   */
  listen(listener: LogListener): (() => void) | undefined {
    if (this.#isStopped) return undefined;
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  async #follow(): Promise<void> {
    try {
      while (!this.#isStopped) {
        await this.#waitForEntries();
        await this.#catchUp();
      }
    } catch (error) {
      const listeners = this.#isStopped ? [] : [...this.#listeners];
      this.#stop();
      for (const { broken } of listeners) broken(error);
    }
  }

  /** Resolves when there may be entries after the end of the window. */
  async #waitForEntries(): Promise<void> {
    if (this.#blocking === undefined) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, POLL_MS);
        this.#endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      return;
    }
    const { key, server } = this.#store;
    const { number } = this.#window.end;
    const command = ["XREAD", "BLOCK", String(BLOCK_MS), "COUNT", "1", "STREAMS", key, `${number}-0`];
    await server.inTime(this.#blocking.send(command), BLOCK_MS + REDIS_TIMEOUT_MS);
  }

  /** Reads new entries into the window, and calls the listeners. */
  async #catchUp(): Promise<void> {
    while (!this.#isStopped) {
      const entries = await this.#store.read(this.#window.end, BATCH);
      if (entries === undefined)
        throw new Error("the event log in Redis was lost, or has dropped events that were not read yet");
      if (entries.length === 0) return;
      this.#window.add(entries);
      for (const { changed } of [...this.#listeners]) changed();
      if (entries.length < BATCH) return;
    }
  }

  #stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#listeners.clear();
    this.#blocking?.close();
    this.#endPause();
    this.#onStop();
  }
}

async function openBlocking({ server }: LogStore): Promise<BlockingConnection | undefined> {
  const { openBlocking: open } = server.connection;
  if (open === undefined) return undefined;
  // A connection that opens after the timeout is closed.
  return server.inTime(open(), REDIS_TIMEOUT_MS, (late) => late.close());
}
