import { meetingSchema } from "../schemas/meeting.js";
import { meetingListParamsSchema } from "../schemas/meeting-list.js";
import { endpoint } from "../transport/endpoint.js";

/** Resources other than the meetings read this list, too: the service has no endpoint for one meeting. */
export const listMeetings = endpoint({
  name: "meetings.list",
  route: "GET /meetings",
  query: meetingListParamsSchema,
  names: "meetings",
  response: meetingSchema,
  retry: "repeatable",
  invalid: "error",
  source: "documented",
});
