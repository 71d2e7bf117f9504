/** The server-sent events that the relay writes and `subscribe` reads, in the format of the HTML standard. */
import type { WebhookEvent } from "./event.js";

interface StreamEntry {
  id: string;
  event: WebhookEvent;
  /** The event as JSON, if it was serialised before. */
  json?: string | undefined;
}

/** What a reader receives of an event. */
export const eventJson = ({ kind, meetingId, payload }: WebhookEvent): string =>
  JSON.stringify({ kind, meetingId, payload });

/** An event, as a message that `EventSource.onmessage` receives. */
export const eventFrame = (entry: StreamEntry): string =>
  `id: ${entry.id}\ndata: ${entry.json ?? eventJson(entry.event)}\n\n`;

/** The log does not reach back to the reader's position: it missed events and has to read its state again. */
export const resyncFrame = (id: string): string => `event: resync\nid: ${id}\ndata: {"kind":"resync","payload":{}}\n\n`;

export const retryFrame = (retryMs: number): string => `retry: ${retryMs}\n\n`;

/**
 * A heartbeat with the reader's position between events. A browser stores the `id` although no event comes with it;
 * the comment is for parsers that report only events and comments.
 */
export const heartbeatFrame = (id: string): string => `id: ${id}\n: at ${id}\n\n`;
