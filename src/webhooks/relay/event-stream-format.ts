/** The server-sent events that the relay writes and `subscribe` reads, in the format of the HTML standard. */
import * as z from "zod/mini";
import { InvalidArgumentError } from "../../errors/argument-errors.js";
import { checkArgument } from "../../errors/check-arguments.js";
import { isRecord } from "../../json/is-record.js";
import { parseJson } from "../../json/parse-json.js";
import { wellFormedJson } from "../../json/well-formed.js";
import { custom, nonEmptyString } from "../../schemas/primitives.js";
import type { WebhookEvent } from "../event/event.js";
import type { LogEntry } from "./event-log.js";

export const eventJson = ({ kind, meetingId, payload }: WebhookEvent): string =>
  wellFormedJson({ kind, meetingId, payload });

const publishedSchema = z.object({
  event: z.object({
    kind: nonEmptyString(),
    meetingId: z.optional(z.string()),
    payload: custom(isRecord, "an object"),
  }),
});

/**
 * Serialises an event once, before it is appended to a log: in the log, an invalid event would make every reader fail.
 * The returned event is a copy, which the publisher cannot change.
 */
export function serialiseEvent(event: WebhookEvent): { event: WebhookEvent; json: string } {
  const json = toJson(event);
  const copy = parseJson(json);
  checkArgument("relay.publish", publishedSchema, { event: copy });
  return { event: copy as WebhookEvent, json };
}

function toJson(event: WebhookEvent): string {
  try {
    return eventJson(event);
  } catch {
    // The runtime's error may quote the event's content, so it stays out of the message.
    const message = "expected an event that JSON can hold: no BigInt, no cycle, nothing that throws";
    throw new InvalidArgumentError({ operation: "relay.publish", issues: [{ path: "event", message }] });
  }
}

export const eventFrame = (entry: Omit<LogEntry, "audience">): string =>
  `id: ${entry.id}\ndata: ${entry.json ?? eventJson(entry.event)}\n\n`;

/** Tells a reader that the log no longer reaches back to its position: it must load its state again. */
export const resyncFrame = (id: string): string => `event: resync\nid: ${id}\ndata: {"kind":"resync","payload":{}}\n\n`;

export const retryFrame = (retryMs: number): string => `retry: ${retryMs}\n\n`;

/** A browser stores the `id` although the frame has no data. The comment is for parsers that report only comments. */
export const heartbeatFrame = (id: string): string => `id: ${id}\n: at ${id}\n\n`;
