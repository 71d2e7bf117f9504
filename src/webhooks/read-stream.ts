/** Reads one stream of events to its end. */
import { createParser } from "eventsource-parser";
import { ResponseValidationError } from "../errors/response-validation-error.js";
import { eventFromMessage, type WebhookEvent } from "./event.js";
import { positionIn, RESYNC } from "./event-stream.js";
import { connectionLost } from "./open-stream.js";

/** What a stream brings. */
export type StreamItem = {
  /** Where the reader is from now on. */
  lastEventId?: string;
  /** How long the server wants to be left alone after a lost connection. */
  retryMs?: number;
  event?: WebhookEvent;
};

export interface ReadStreamOptions {
  body: ReadableStream<Uint8Array>;
  /** Ends the reading when it aborts. */
  signal: AbortSignal;
  maxEventBytes: number;
  /** Called before and after each wait for the server. */
  onWait: (waiting: boolean) => void;
  /** The address, for errors. */
  url: URL;
}

/** Beside its data, an event may have this much in names, ids and comments. */
const SLACK = 4_096;

/**
 * Each item, in order, with what is wrong thrown in its place. An event that the stream breaks off in the middle of is not one: it comes again
 * after the reconnection.
 */
export async function* readStream({
  body,
  signal,
  maxEventBytes,
  onWait,
  url,
}: ReadStreamOptions): AsyncGenerator<StreamItem, void, undefined> {
  const items: (() => StreamItem)[] = [];
  const tooLarge = () => {
    throw new ResponseValidationError(`an event is larger than ${maxEventBytes} bytes`, {
      issues: [{ path: "data", message: `expected at most ${maxEventBytes} bytes` }],
      status: 200,
      body: undefined,
      headers: new Headers(),
      request: { method: "GET", url: url.origin + url.pathname },
    });
  };
  const parser = createParser({
    onEvent({ id, event: name, data }) {
      // First, so that a reader who goes on passes by an event that cannot be read.
      if (id !== undefined) items.push(() => ({ lastEventId: id }));
      items.push(byteLength(data) > maxEventBytes ? tooLarge : () => ({ event: eventOf(name, data) }));
    },
    onRetry: (retryMs) => items.push(() => ({ retryMs })),
    onComment(comment) {
      const lastEventId = positionIn(comment);
      if (lastEventId !== undefined) items.push(() => ({ lastEventId }));
    },
    // The parser counts characters, and the field names too: the exact limit is kept in `onEvent`.
    maxBufferSize: maxEventBytes + SLACK,
    onError: (error) => error.type === "max-buffer-size-exceeded" && items.push(tooLarge),
  });

  const reader = body.getReader();
  const stop = () => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      onWait(true);
      const { done, value } = await reader
        .read()
        .catch((cause: unknown) => {
          throw connectionLost(url, "broke off", cause);
        })
        .finally(() => onWait(false));
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const item of items.splice(0)) yield item();
      // A chunk that brings no event is a sign of life.
      yield {};
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}

/** In UTF-8, as it came. */
const byteLength = (text: string) => new TextEncoder().encode(text).byteLength;

const eventOf = (name: string | undefined, data: string): WebhookEvent =>
  name === RESYNC ? { kind: RESYNC, meetingId: undefined, payload: {} } : eventFromMessage(data, name);
