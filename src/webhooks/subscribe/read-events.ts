/** Turns the bytes of a stream into events. eventsource-parser reads the format of the HTML standard. */
import { createParser } from "eventsource-parser";
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { eventFromMessage, type WebhookEvent } from "../event/event.js";

/** A part of a stream. */
export type StreamItem =
  | { kind: "retry"; retryMs: number }
  /** The reader's position from here on. It comes before the event that has the id. */
  | { kind: "position"; lastEventId: string }
  /** `read` returns the event. It throws if the event is too large, or is not an event. */
  | { kind: "event"; read: () => WebhookEvent };

/** How many characters the parser may keep beyond the limit for data: names of fields and ids need some. */
const SLACK = 16_384;

/** A line as far as it has arrived, with the line ends that follow it. */
const LINES = /[^\r\n]+[\r\n]*|[\r\n]+/g;

/**
 * A function that returns the items that each chunk of bytes completes. An event that is too large is the last item:
 * nothing after it is read.
 *
 * @param maxEventBytes - The largest data of an event, in bytes of UTF-8.
 */
export function eventReader(maxEventBytes: number): (bytes: Uint8Array) => StreamItem[] {
  // The encoding is always UTF-8, even if the content type names another. The parser skips a byte order mark.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let items: StreamItem[] = [];
  let newestId: string | undefined;
  let isTooLarge = false;
  const parser = createParser({
    // The parser counts characters. A character has at least one byte, so no event within the limit is refused here.
    maxBufferSize: maxEventBytes + SLACK,
    onRetry: (retryMs) => items.push({ kind: "retry", retryMs }),
    onId: (lastEventId) => items.push({ kind: "position", lastEventId }),
    onEvent: ({ event, data }) => items.push({ kind: "event", read: () => readEvent(data, event, maxEventBytes) }),
    onError({ type }) {
      if (type !== "max-buffer-size-exceeded") return;
      isTooLarge = true;
      if (newestId !== undefined) items.push({ kind: "position", lastEventId: newestId });
      items.push({ kind: "event", read: () => refuseTooLarge(maxEventBytes) });
    },
  });
  // The parser reports an id only when its event is complete, and never for an event that is too large. A reader that
  // reconnects would then receive that event again and again. This parser gets each line as an event of its own, so it
  // reports each id at once.
  const idParser = createParser({
    onId(id) {
      newestId = id;
    },
  });
  return (bytes) => {
    items = [];
    for (const line of decoder.decode(bytes, { stream: true }).match(LINES) ?? []) {
      if (isTooLarge) break;
      idParser.feed(line.replace(/[\r\n]+$/, "\n\n"));
      parser.feed(line);
    }
    return items;
  };
}

function readEvent(data: string, name: string | undefined, maxEventBytes: number): WebhookEvent {
  // A UTF-16 code unit has at most three bytes.
  const mayExceed = data.length * 3 > maxEventBytes;
  if (mayExceed && new TextEncoder().encode(data).byteLength > maxEventBytes) refuseTooLarge(maxEventBytes);
  return eventFromMessage(data, name);
}

function refuseTooLarge(maxEventBytes: number): never {
  throw new WebhookVerificationError(
    "too_large",
    `expected events of at most ${maxEventBytes} bytes, received a larger one`,
  );
}
