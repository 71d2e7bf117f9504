/** Interface, "Events". */

export const EVENT_KINDS = ["meeting.transcript_ready", "meeting.initial_summary_ready"] as const;
/** A kind that the interface lists. */
export type KnownEventKind = (typeof EVENT_KINDS)[number];
/** A kind as it is received: one added later passes. */
export type EventKind = KnownEventKind | (string & {});
