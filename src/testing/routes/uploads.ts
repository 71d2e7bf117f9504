/** The endpoint of uploads (API specification, "PUT /meetings/upload"). */
import { ID_PREFIXES } from "../../schemas/ids.js";
import { MEDIA_TYPES, mediaTypeEssence, UPLOAD_LANGUAGE_MAX, UPLOAD_TITLE_MAX } from "../../schemas/upload.js";
import { json } from "../http/exchange.js";
import type { Route } from "../http/route.js";
import { atMost, oneOf, type Rule } from "../http/rules.js";
import { beginProcessing, newMeeting } from "../lifecycle/meetings.js";
import { newId } from "../state/random.js";
import type { State } from "../state/state.js";

/** The total size of uploads that are kept, in bytes. Older recordings are replaced by a short tone. */
const KEPT_RECORDING_BYTES = 32 * 1024 * 1024;

const listedType = oneOf(MEDIA_TYPES);
/** Parameters such as `; codecs=opus` are allowed. */
const mediaType: Rule = (value) => listedType(typeof value === "string" ? mediaTypeEssence(value) : value);

export const uploadRoutes: Route[] = [
  {
    method: "PUT",
    path: "/meetings/upload",
    invalid: "validation",
    limit: "upload",
    headers: { "content-type": mediaType },
    query: { title: { rule: atMost(UPLOAD_TITLE_MAX) }, language: { rule: atMost(UPLOAD_LANGUAGE_MAX) } },
    binary: true,
    answer: ({ context, query, request: { headers, body } }) => {
      const meeting = newMeeting(context, {
        id: newId(context.state, ID_PREFIXES.meetingId),
        title: query.get("title") || null,
        language: query.get("language") || "en",
        status: "processing",
        source: "upload",
        recording: {
          contentType: mediaTypeEssence(headers.get("content-type") ?? ""),
          ...(body.bytes === undefined ? {} : { bytes: body.bytes }),
        },
      });
      dropOldRecordings(context.state);
      beginProcessing(context, meeting);
      return json({ id: meeting.id, status: meeting.status });
    },
  },
];

function dropOldRecordings({ meetings }: State): void {
  let bytes = 0;
  for (const { recording } of [...meetings.values()].reverse()) {
    if (recording?.bytes === undefined) continue;
    bytes += recording.bytes.length;
    if (bytes > KEPT_RECORDING_BYTES) delete recording.bytes;
  }
}
