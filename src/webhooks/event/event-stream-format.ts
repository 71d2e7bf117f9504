/** What the relay writes and {@link subscribe} reads: server-sent events, as the HTML standard has them. */
import type { WebhookEvent } from "./event.js";

interface StreamEntry {
  id: string;
  event: WebhookEvent;
}

/** An event, as a message that `EventSource.onmessage` receives. */
export const eventFrame = ({ id, event: { kind, meetingId, payload } }: StreamEntry) =>
  `id: ${id}\ndata: ${JSON.stringify({ kind, meetingId, payload })}\n\n`;

/** The log does not reach back to where the reader was: events were missed, and the state has to be read anew. */
export const resyncFrame = (id: string) => `event: resync\nid: ${id}\ndata: {"kind":"resync","payload":{}}\n\n`;

export const retryFrame = (retryMs: number) => `retry: ${retryMs}\n\n`;

/**
 * Where the reader is, between events: a heartbeat. A browser takes the `id` although no event comes with it;
 * parsers that only tell of events pass on the comment.
 */
export const heartbeatFrame = (id: string) => `id: ${id}\n: at ${id}\n\n`;

/** The id in the comment of a {@link heartbeatFrame}. */
export const positionIn = (comment: string) => /^at (\S+)$/.exec(comment)?.[1];
