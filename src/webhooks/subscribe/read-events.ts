/** Turns the bytes of a stream into events. */
import { WebhookVerificationError } from "../../errors/webhook-verification-error.js";
import { eventFromMessage, type WebhookEvent } from "../event/event.js";
import { EventStreamParser, type StreamMessage } from "./event-stream-parser.js";

/** A part of a stream. */
export type StreamItem =
  | { kind: "retry"; retryMs: number }
  | { kind: "position"; lastEventId: string }
  /** `read` returns the event. It throws if the event is too large, or is not an event. */
  | { kind: "event"; lastEventId: string; read: () => WebhookEvent };

/**
 * A function that returns the items that each chunk of bytes completes.
 *
 * @param maxEventBytes - The largest data of an event, in bytes of UTF-8.
 * @param lastEventId - The reader's position when the stream began.
 */
export function eventReader(maxEventBytes: number, lastEventId: string): (bytes: Uint8Array) => StreamItem[] {
  // The encoding is always UTF-8, even if the content type names another. A byte order mark at the beginning is
  // skipped.
  const decoder = new TextDecoder();
  // The parser counts characters. A character has at least one byte, so the parser never rejects an event within the
  // limit.
  const parser = new EventStreamParser(maxEventBytes, lastEventId);
  const toItem = (message: StreamMessage): StreamItem => {
    if (message.kind === "retry" || message.kind === "position") return message;
    if (message.kind === "too_large") return { ...message, kind: "event", read: () => refuseTooLarge(maxEventBytes) };
    const { name, data } = message;
    const read = () => {
      if (exceeds(data, maxEventBytes)) refuseTooLarge(maxEventBytes);
      return eventFromMessage(data, name);
    };
    return { kind: "event", lastEventId: message.lastEventId, read };
  };
  return (bytes) => parser.push(decoder.decode(bytes, { stream: true })).map(toItem);
}

/** Whether `text` has more than `maxBytes` bytes of UTF-8. A UTF-16 code unit has at most three. */
const exceeds = (text: string, maxBytes: number): boolean =>
  text.length * 3 > maxBytes && new TextEncoder().encode(text).byteLength > maxBytes;

function refuseTooLarge(maxEventBytes: number): never {
  throw new WebhookVerificationError(
    "too_large",
    `expected events of at most ${maxEventBytes} bytes, received a larger one`,
  );
}
