/** Reads events out of the bytes of a stream, however they are cut. */
import { createParser } from "eventsource-parser";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { eventFromMessage, type WebhookEvent } from "../event/event.js";
import { positionIn } from "../event/event-stream-format.js";

/** What a stream brings, in order. */
export interface StreamItem {
  /** Where the reader is from now on. */
  id?: string | undefined;
  /** Reads the event, or throws what is wrong with it. */
  event?: () => WebhookEvent;
}

/** Beside its data, an event may have this much in names, ids and comments. */
const SLACK = 4_096;

const encoder = new TextEncoder();

export function eventReader(maxEventBytes: number, onRetry: (retryMs: number) => void) {
  const items: StreamItem[] = [];
  const tooLarge = () => {
    throw new WebhookVerificationError("too_large", `expected events of at most ${maxEventBytes} bytes`);
  };
  const parser = createParser({
    onRetry,
    onEvent({ id, event: name, data }) {
      items.push({
        id,
        event: encoder.encode(data).byteLength > maxEventBytes ? tooLarge : () => eventFromMessage(data, name),
      });
    },
    onComment: (comment) => items.push({ id: positionIn(comment) }),
    // The parser counts characters, and the field names too: the exact limit is kept in `onEvent`.
    maxBufferSize: maxEventBytes + SLACK,
    onError: ({ type }) => type === "max-buffer-size-exceeded" && items.push({ event: tooLarge }),
  });
  const decoder = new TextDecoder();
  return (bytes: Uint8Array): StreamItem[] => {
    parser.feed(decoder.decode(bytes, { stream: true }));
    return items.splice(0);
  };
}
