import { ASSUMED_EVENT_FIELDS } from "../../assumptions.js";
import type { EventKind } from "../../schemas/event.js";
import type { MeetingRecord } from "../state/records.js";
import { meetingToWire } from "../state/to-wire.js";

/** The body of a delivery (documented: a meeting as the list returns it; observed: the kind as `event`). */
export const eventPayload = (kind: EventKind, meeting: MeetingRecord): string =>
  JSON.stringify({ [ASSUMED_EVENT_FIELDS.kind]: kind, ...meetingToWire(meeting) });
