/** Events, and what carries them through a test. */
import type { MeetingEvent } from "../../src/webhooks/event/event.js";

/** The event about the meeting of this number. */
export const eventOf = (number: number): MeetingEvent => ({
  kind: "meeting.transcript_ready",
  meetingId: `mtg_${number}`,
  payload: { event: "meeting.transcript_ready", id: `mtg_${number}`, title: "Zeile 1\nLine 2 — “…”\r\n\u2028" },
});

/** A `fetch` that asks a handler, and knows its requests. */
export function fetchFrom(handler: (request: Request) => Promise<Response> | Response) {
  const requests: Request[] = [];
  const fetchHandler: typeof fetch = async (input, init) => {
    const request = new Request(input as string, init);
    requests.push(request);
    request.signal.throwIfAborted();
    return handler(request);
  };
  return Object.assign(fetchHandler, { requests });
}
