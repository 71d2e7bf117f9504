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

/** Longer ids are not sent to a server: see last-event-id.ts. */
const MAX_ID_LINE = 8_192;

/** A line that sets the id. */
const ID_LINE = /^id(?:: ?|(?=[\r\n]))([^\0\r\n]*)[\r\n]/;

/** A line as far as it has arrived, with the line ends that follow it. */
const LINES = /[^\r\n]+[\r\n]*|[\r\n]+/g;

/**
 * A function that returns the events that each chunk of bytes completes. It throws if an event has more than
 * `maxEventBytes` of data, or is not an event.
 */
export function eventReader(
  maxEventBytes: number,
  { onRetry, onId }: ReaderState,
): (bytes: Uint8Array) => Generator<WebhookEvent, void> {
  // The encoding is always UTF-8, even if the content type names another. The parser skips a byte order mark.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let message: EventSourceMessage | undefined;
  let newestId: string | undefined;
  let isTooLarge = false;
  const parser = createParser({
    // The parser counts characters. A character has at least one byte, so no event within the limit is refused here.
    maxBufferSize: maxEventBytes + SLACK,
    onRetry,
    onId,
    onEvent(complete) {
      message = complete;
    },
    onError({ type }) {
      isTooLarge ||= type === "max-buffer-size-exceeded";
    },
  });
  /** The start of the current line. */
  let start = "";
  // The parser reports an id only when its event is complete, and never for an event that is too large. A reader that
  // reconnects would then receive that event again and again.
  const noteId = (line: string) => {
    start = (start + line).slice(0, MAX_ID_LINE);
    if (!/[\r\n]$/.test(line)) return;
    newestId = ID_LINE.exec(start)?.[1] ?? newestId;
    start = "";
  };
  return function* (bytes) {
    // A line completes at most one event.
    for (const line of decoder.decode(bytes, { stream: true }).match(LINES) ?? []) {
      message = undefined;
      noteId(line);
      parser.feed(line);
      if (isTooLarge && newestId !== undefined) onId(newestId);
      if (isTooLarge) throw tooLarge(maxEventBytes);
      if (message !== undefined) yield readEvent(message, maxEventBytes);
    }
  };
}

function readEvent({ data, event }: EventSourceMessage, maxEventBytes: number): WebhookEvent {
  if (new TextEncoder().encode(data).byteLength > maxEventBytes) throw tooLarge(maxEventBytes);
  const body = parseJson(data);
  if (isRecord(body)) return eventFromMessage(body, event);
  throw unusable("not_an_event", "expected a JSON object as the body");
}

/** The error for data that cannot be used: a new connection would not help. */
export const unusable = (reason: string, message: string) =>
  errorOfRecord({ name: "WebhookVerificationError", message, reason, outcome: "rejected" });

const tooLarge = (maxEventBytes: number) =>
  unusable("too_large", `expected events of at most ${maxEventBytes} bytes, received a larger one`);
