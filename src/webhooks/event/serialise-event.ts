/**
 * Serialises an event once, before it is appended to a log. An event that cannot be serialised is rejected here: in the
 * log, it would make every reader fail.
 */
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import type { WebhookEvent } from "./event.js";
import { eventJson } from "./event-stream-format.js";

/**
 * The deepest nesting that is accepted: deeper than any real event, and safe for every JSON parser that a reader may
 * use.
 */
const MAX_LEVELS = 1_000;

export interface SerialisedEvent {
  /** A copy of the event, as a reader will receive it. The publisher cannot change the copy. */
  event: WebhookEvent;
  json: string;
}

const refusal = (path: string, message: string) => new InvalidArgumentError("relay.publish", [{ path, message }]);

/** @throws {@link InvalidArgumentError} if `event` is not an event, or cannot be serialised as JSON. */
export function serialiseEvent(event: unknown): SerialisedEvent {
  const json = isRecord(event) ? toJson(event) : undefined;
  if (json === undefined) throw refusal("event", "expected an object with kind, meetingId and payload");
  if (nestingOf(json) > MAX_LEVELS) throw refusal("event", `expected at most ${MAX_LEVELS} levels of nesting`);
  const copy = parseJson(json);
  if (!isRecord(copy) || typeof copy.kind !== "string" || copy.kind === "") {
    throw refusal("event.kind", "expected a non-empty string");
  }
  if (copy.meetingId !== undefined && typeof copy.meetingId !== "string") {
    throw refusal("event.meetingId", "expected a meeting id or undefined");
  }
  if (!isRecord(copy.payload)) throw refusal("event.payload", "expected an object");
  return { event: copy as unknown as WebhookEvent, json };
}

function toJson(event: Record<string, unknown>): string {
  try {
    return eventJson(event as unknown as WebhookEvent);
  } catch {
    // The runtime's error may quote the event's content, so it stays out of the message.
    throw refusal("event", "expected an event that JSON can hold: no BigInt, no cycle, nothing that throws");
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

/**
 * How deep arrays and objects are nested in `json`. It scans the text, because a recursive function could overflow the
 * stack.
 */
function nestingOf(json: string): number {
  let level = 0;
  let deepest = 0;
  let inText = false;
  for (let index = 0; index < json.length; index += 1) {
    const code = json.charCodeAt(index);
    if (inText && code === BACKSLASH) index += 1;
    else if (code === QUOTE) inText = !inText;
    else if (!inText && OPENING.has(code)) level += 1;
    else if (!inText && CLOSING.has(code)) level -= 1;
    deepest = Math.max(deepest, level);
  }
  return deepest;
}
