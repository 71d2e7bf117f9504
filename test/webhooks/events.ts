/** Events for tests, and ways to transport them. */
import type { MeetingEvent } from "../../src/webhooks/event/event.js";

export const eventOf = (number: number): MeetingEvent => ({
  kind: "meeting.transcript_ready",
  meetingId: `mtg_${number}`,
  payload: { event: "meeting.transcript_ready", id: `mtg_${number}`, title: "Zeile 1\nLine 2 — “…”\r\n\u2028" },
});

/** A `fetch` that calls a handler and records its requests. */
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
