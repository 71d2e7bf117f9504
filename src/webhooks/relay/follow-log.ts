/** One connection of the relay: follows the log at its own speed, from a place of its own. */

import { eventFrame, heartbeatFrame, resyncFrame, retryFrame } from "../event/event-stream-format.js";
import type { EventLog, LogEntry } from "./event-log.js";

/** How many entries are taken from the log at a time: what a connection holds in memory. */
const BATCH = 16;

/** A connection that takes nothing for this long is dropped: its client comes back and goes on from the log. */
const STALLED_MS = 60_000;

export interface FollowOptions {
  log: EventLog;
  /** The id after which to go on, or nothing: from now on. */
  lastEventId: string | null;
  retryMs: number;
  heartbeatMs: number;
  hears: (entry: LogEntry) => boolean;
  /** Called when the log fails, which ends the connection. */
  onLogError: (error: unknown) => void;
  /** While the connection lasts, holds what ends it as soon as it has what is in the log. */
  closers: Set<() => void>;
}

/**
 * The stream of one connection. There is no queue: the log is one, and all connections share it. A slow one falls
 * behind in the log; when the log has moved on past it, it is dropped, and events are not skipped in silence.
 */
export async function followLog(options: FollowOptions): Promise<ReadableStream<Uint8Array>> {
  const { log, lastEventId, heartbeatMs, closers } = options;
  let position = "";
  /** What the connection begins with. */
  let opening = "";
  let changed = false;
  let beat = false;
  let closing = false;
  let ended = false;
  /** For how long nothing was asked for. */
  let stalledMs = 0;
  /** Ends the wait for something to do. */
  let wake = () => {};
  let stopListening = () => {};
  let heart: ReturnType<typeof setInterval> | undefined;
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const encoder = new TextEncoder();

  function close(): void {
    closing = true;
    wake();
  }

  function end(): void {
    ended = true;
    clearInterval(heart);
    stopListening();
    closers.delete(close);
    wake();
  }

  function drop(error: unknown = new Error("the reader is too slow")): void {
    if (!ended) controller.error(error);
    end();
  }

  function fail(error: unknown): void {
    options.onLogError(error);
    drop(error);
  }

  /** What is to be written next; nothing at the end. */
  async function next(): Promise<string | undefined> {
    if (opening) return opening;
    while (!ended) {
      changed = false;
      const entries = await log.after(position, BATCH);
      if (entries === undefined) {
        drop();
        return;
      }
      position = entries.at(-1)?.id ?? position;
      const heard = entries.filter(options.hears).map(eventFrame).join("");
      if (heard) return heard;
      if (entries.length > 0 || changed) continue;
      if (closing) return;
      if (beat) return heartbeatFrame(position);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return;
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      async pull() {
        stalledMs = 0;
        try {
          const text = await next();
          opening = "";
          beat = false;
          if (ended) return;
          if (text) return controller.enqueue(encoder.encode(text));
          end();
          controller.close();
        } catch (error) {
          fail(error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );

  try {
    // First, so that no change is missed between reading the log and waiting for it.
    stopListening = await log.listen(() => {
      changed = true;
      wake();
    }, fail);
    const resync = lastEventId && (await log.after(lastEventId, 1)) === undefined;
    position = lastEventId && !resync ? lastEventId : await log.latestId();
    if (ended) throw new Error("aborted");
    opening = retryFrame(options.retryMs) + (resync ? resyncFrame : heartbeatFrame)(position);
  } catch (error) {
    end();
    throw error;
  }
  closers.add(close);
  heart = setInterval(() => {
    beat = true;
    wake();
    if (stalledMs >= STALLED_MS) drop();
    stalledMs += heartbeatMs;
  }, heartbeatMs);
  return stream;
}
