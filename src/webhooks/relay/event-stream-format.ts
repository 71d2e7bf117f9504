/** The server-sent events that the relay writes and `subscribe` reads, in the format of the HTML standard. */
import { wellFormedJson } from "../../json/well-formed.js";
import type { WebhookEvent } from "../event/event.js";
import type { LogEntry } from "./event-log.js";

/** Ids that fit into a header: servers accept at least 8 KiB, and `Headers` removes blanks at the ends. */
export const ID_IN_HEADER = /^[!-~](?:[ -~]{0,7998}[!-~])?$/;

export const eventJson = ({ kind, meetingId, payload }: WebhookEvent): string =>
  wellFormedJson({ kind, meetingId, payload });

export const eventFrame = ({ id, event }: Pick<LogEntry, "id" | "event">): string =>
  `id: ${id}\ndata: ${eventJson(event)}\n\n`;

/** Tells a reader that the log no longer reaches back to its position: it must load its state again. */
export const resyncFrame = (id: string): string => `event: resync\nid: ${id}\ndata: {"kind":"resync","payload":{}}\n\n`;

export const retryFrame = (retryMs: number): string => `retry: ${retryMs}\n\n`;

/** A browser stores the `id` although the frame has no data. The comment is for parsers that report only comments. */
export const heartbeatFrame = (id: string): string => `id: ${id}\n: at ${id}\n\n`;
