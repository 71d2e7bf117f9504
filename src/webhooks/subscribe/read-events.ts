/** Turns the bytes of a stream into events. eventsource-parser reads the format of the HTML standard. */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { errorOfRecord } from "../../errors/error-of-record.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { eventFromMessage, type WebhookEvent } from "../event/event.js";

/** What a stream sets for its reader. Called as soon as the events before it have been taken. */
interface ReaderState {
  onRetry(retryMs: number): void;
  /** Called with the reader's position, before the event that has the id. */
  onId(lastEventId: string): void;
}

/** How many characters the parser may keep beyond the limit for data: names of fields and ids need some. */
const SLACK = 16_384;

/** Returns the events that each chunk completes. Throws for more than `maxEventBytes`, and for no event. */
export function eventReader(
  maxEventBytes: number,
  { onRetry, onId }: ReaderState,
): (bytes: Uint8Array) => Generator<WebhookEvent, void> {
  // The encoding is always UTF-8, even if the content type names another. The parser skips a byte order mark.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** What the parser has read, in order: an event, or a change of the reader's state. */
  let read: (EventSourceMessage | (() => void))[] = [];
  let isTooLarge = false;
  const parser = createParser({
    // The parser counts characters. A character has at least one byte, so no event within the limit is refused here.
    maxBufferSize: maxEventBytes + SLACK,
    onRetry: (retryMs) => read.push(() => onRetry(retryMs)),
    onId: (id) => read.push(() => onId(id)),
    onEvent: (message) => read.push(message),
    onError({ type }) {
      isTooLarge ||= type === "max-buffer-size-exceeded";
    },
  });
  return function* (bytes) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    const items = read;
    read = [];
    for (const item of items) {
      if (typeof item === "function") item();
      else yield readEvent(item, maxEventBytes);
    }
    if (isTooLarge) throw tooLarge(maxEventBytes);
  };
}

function readEvent({ data, event }: EventSourceMessage, maxEventBytes: number): WebhookEvent {
  if (new TextEncoder().encode(data).byteLength > maxEventBytes) throw tooLarge(maxEventBytes);
  const body = parseJson(data);
  if (isRecord(body)) return eventFromMessage(body, event);
  throw unusable("not_an_event", "expected a JSON object");
}

/** The error for data that cannot be used: a new connection would not help. */
export const unusable = (reason: string, message: string) =>
  errorOfRecord({ name: "WebhookVerificationError", message, reason, outcome: "rejected" });

const tooLarge = (maxEventBytes: number) => unusable("too_large", `expected events of at most ${maxEventBytes} bytes`);
