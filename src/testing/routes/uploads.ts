/** Interface, "PUT /meetings/upload". */
import { MEDIA_TYPES } from "../../schemas/media-type.js";
import { UPLOAD_LANGUAGE_MAX, UPLOAD_TITLE_MAX } from "../../schemas/upload.js";
import { json } from "../http/exchange.js";
import type { Route } from "../http/route.js";
import { atMost, oneOf, type Rule } from "../http/rules.js";
import { beginProcessing, newMeeting } from "../lifecycle/meetings.js";
import { newId } from "../state/random.js";

/** The media type without parameters such as `; codecs=opus`. */
const essence = (value: string) => value.split(";", 1)[0]!.trim().toLowerCase();
const listed = oneOf(MEDIA_TYPES);
const listedMediaType: Rule = (value) => listed(typeof value === "string" ? essence(value) : value);

export const uploadRoutes: Route[] = [
  {
    method: "PUT",
    path: "/meetings/upload",
    invalid: "validation",
    limit: "upload",
    headers: { "content-type": listedMediaType },
    query: { title: { rule: atMost(UPLOAD_TITLE_MAX) }, language: { rule: atMost(UPLOAD_LANGUAGE_MAX) } },
    binary: true,
    answer: ({ world, query, request: { headers, body } }) => {
      const meeting = newMeeting(world, {
        id: newId(world.state, "mtg_"),
        title: query.get("title") || null,
        language: query.get("language") || "en",
        status: "processing",
        source: "upload",
        recording: {
          contentType: essence(headers.get("content-type") ?? ""),
          ...(body.bytes === undefined ? {} : { bytes: body.bytes }),
        },
      });
      beginProcessing(world, meeting);
      return json({ id: meeting.id, status: meeting.status });
    },
  },
];
