/** The kinds of event that a webhook can subscribe to. */
export const EVENT_KINDS = ["meeting.transcript_ready", "meeting.initial_summary_ready"] as const;
/** A kind that the API specification lists. */
export type KnownEventKind = (typeof EVENT_KINDS)[number];
/** A kind as it is received: a kind that the service adds later is accepted. */
export type EventKind = KnownEventKind | (string & {});
