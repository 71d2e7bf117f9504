/** The endpoint of uploads (API specification, "PUT /meetings/upload"). */

import { upload } from "../../resources/meetings.js";
import { ID_PREFIXES } from "../../schemas/ids.js";
import { MEDIA_TYPES, mediaTypeEssence } from "../../schemas/upload.js";
import { type Incoming, invalid, json, type Problem } from "../http/exchange.js";
import { answer } from "../http/route.js";
import { beginProcessing, newMeeting } from "../lifecycle/meetings.js";
import { newId } from "../state/random.js";
import type { State } from "../state/state.js";

/** The total size of uploads that are kept, in bytes. Older recordings are replaced by a short tone. */
const KEPT_RECORDING_BYTES = 32 * 1024 * 1024;

export const uploadRoutes = [
  answer(upload, ({ context, query: { title, language }, request }) => {
    const contentType = mediaTypeOf(request);
    const { bytes } = request.body;
    const meeting = newMeeting(context, {
      id: newId(context.state, ID_PREFIXES.meetingId),
      title: title || null,
      language: language || "en",
      status: "processing",
      source: "upload",
      recording: { contentType, ...(bytes === undefined ? {} : { bytes }) },
    });
    dropOldRecordings(context.state);
    beginProcessing(context, meeting);
    return json({ id: meeting.id, status: meeting.status });
  }),
];

/** The media type of the file, without parameters such as `; codecs=opus`. */
function mediaTypeOf({ headers, body }: Incoming): string {
  const sent = headers.get("content-type");
  const type = mediaTypeEssence(sent ?? "");
  const problems: Problem[] = [];
  if (!(MEDIA_TYPES as readonly string[]).includes(type)) {
    const msg = `expected one of ${MEDIA_TYPES.join(", ")}`;
    problems.push({
      loc: ["header", "content-type"],
      msg,
      type: sent === null ? "missing" : "value_error",
      input: sent,
    });
  }
  if (body.length === 0) problems.push({ loc: ["body"], msg: "expected a file", type: "missing", input: null });
  if (problems.length > 0) throw invalid("validation", problems);
  return type;
}

function dropOldRecordings({ meetings }: State): void {
  let bytes = 0;
  for (const { recording } of [...meetings.values()].reverse()) {
    if (recording?.bytes === undefined) continue;
    bytes += recording.bytes.length;
    if (bytes > KEPT_RECORDING_BYTES) delete recording.bytes;
  }
}
