import type { KnownEventKind } from "../../schemas/event.js";
import type { MeetingRecord } from "../state/records.js";
import { meetingToWire } from "../state/to-wire.js";

/** The payload (level A: a meeting as the list returns it; level B: the kind as `event`). */
export const payloadOf = (event: KnownEventKind, meeting: MeetingRecord): string =>
  JSON.stringify({ event, ...meetingToWire(meeting) });
