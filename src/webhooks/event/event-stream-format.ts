/** The server-sent events that the relay writes and `subscribe` reads, in the format of the HTML standard. */
import type { WebhookEvent } from "./event.js";

interface StreamEntry {
  id: string;
  event: WebhookEvent;
  /** The event as JSON, if it was serialised before. */
  json?: string | undefined;
}

/** An event as JSON, with the fields that a reader receives. */
export const eventJson = ({ kind, meetingId, payload }: WebhookEvent): string =>
  JSON.stringify({ kind, meetingId, payload });

/** An event, as a message that `EventSource.onmessage` receives. */
export const eventFrame = (entry: StreamEntry): string =>
  `id: ${entry.id}\ndata: ${entry.json ?? eventJson(entry.event)}\n\n`;

/**
 * Tells a reader that the log no longer reaches back to its position. The reader missed events and must load its state
 * again.
 */
export const resyncFrame = (id: string): string => `event: resync\nid: ${id}\ndata: {"kind":"resync","payload":{}}\n\n`;

export const retryFrame = (retryMs: number): string => `retry: ${retryMs}\n\n`;

/**
 * A heartbeat, sent between events, with the reader's position. A browser stores the `id` although the frame has no
 * data. The comment is for parsers that report only events and comments.
 */
export const heartbeatFrame = (id: string): string => `id: ${id}\n: at ${id}\n\n`;
