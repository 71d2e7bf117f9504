import type { EventKind } from "../schemas/event.js";
import { eventPayload } from "./deliveries/attempt-delivery.js";
import {
  deliverEvent,
  ownEndpoint,
  type SendEventOptions,
  type SentEvent,
  sendEventSchema,
} from "./deliveries/deliver-event.js";
import { createEmulator } from "./emulator.js";
import { checkValue } from "./emulator-error.js";
import { aMeeting } from "./seed/seed-builders.js";
import type { MeetingRecord } from "./state/records.js";

/**
 * Sends one event to your own endpoint, signed, with the fields of a meeting, and retries it as the service does: after
 * 5xx, 429 and no response.
 * @throws {EmulatorError} for an invalid option, or a host that is not this machine without `allow`.
 * @example
 * const { accepted } = await sendEvent("http://localhost:3000/hooks", {
 *   kind: "meeting.transcript_ready",
 *   meetingId: "mtg_1",
 *   secret: "whsec_…",
 * });
 */
export async function sendEvent(url: string | URL, options: SendEventOptions): Promise<SentEvent> {
  checkValue("sendEvent", sendEventSchema, options, "option");
  const target = ownEndpoint("sendEvent", String(url), options.allow);
  const { kind, meetingId = "mtg_1" } = options;
  return deliverEvent(target, payload(kind, meetingId), options);
}

function payload(kind: EventKind, meetingId: string): string {
  const service = createEmulator({ now: Date.now(), seed: { meetings: [aMeeting({ id: meetingId })] } });
  return eventPayload(kind, service.meetings.get(meetingId) as MeetingRecord);
}
