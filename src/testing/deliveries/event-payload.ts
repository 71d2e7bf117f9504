import type { EventKind } from "../../schemas/event.js";
import { UNSHOWN_EVENT_FIELDS } from "../../unshown.js";
import type { MeetingRecord } from "../state/records.js";
import { meetingToWire } from "../state/to-wire.js";

/** The body of a delivery (level A: a meeting as the list returns it; level B: the kind as `event`). */
export const eventPayload = (event: EventKind, meeting: MeetingRecord): string =>
  JSON.stringify({ [UNSHOWN_EVENT_FIELDS.kind]: event, ...meetingToWire(meeting) });
