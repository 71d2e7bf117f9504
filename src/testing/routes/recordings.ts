/** Uploads, and the storage: the link alone authorizes, and a request with the service's token is refused. */
import { MINUTE_MS } from "../../async/timers.js";
import { upload } from "../../endpoints/meetings.js";
import { ID_PREFIXES, type MeetingId } from "../../schemas/ids.js";
import { MEDIA_TYPES, mediaTypeEssence } from "../../schemas/media-type.js";
import { tone } from "../content/tone-wav.js";
import { type Incoming, jsonResponse, type ServiceResponse } from "../http/exchange.js";
import { invalid, mediaTypeProblem, type Problem, problem } from "../http/refusals.js";
import { answer } from "../http/route.js";
import { beginProcessing, newMeeting, spokenSeconds } from "../lifecycle/meeting-processing.js";
import { newId, randomHex } from "../state/random.js";
import type { MeetingRecord, RecordingRecord } from "../state/records.js";
import type { EmulatorContext, State } from "../state/state.js";

/** The total size of uploads that are kept, in bytes. Older recordings are replaced by a tone. */
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
    return jsonResponse({ id: meeting.id, status: meeting.status });
  }),
];

function mediaTypeOf({ headers, body }: Incoming): string {
  const sent = headers.get("content-type");
  const type = mediaTypeEssence(sent ?? "");
  const problems: Problem[] = [];
  if (!(MEDIA_TYPES as readonly string[]).includes(type)) {
    problems.push(mediaTypeProblem(sent, `one of ${MEDIA_TYPES.join(", ")}`));
  }
  if (body.length === 0) problems.push(problem(["body"], "expected a file", null, "missing"));
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

export const RECORDING_ROUTE = "GET /recordings/{key}";

/** How long a link is valid. The API specification says only that it is short-lived. */
const LINK_LIFETIME_MS = 15 * MINUTE_MS;

/** The key of a new link: the index of the account, and a random part. */
export function openRecordingLink({ index, state, clock }: EmulatorContext, meetingId: MeetingId): string {
  const now = clock.now();
  for (const [key, { expiresAt }] of state.recordingLinks) {
    // The oldest link is the first, and all of them last equally long.
    if (expiresAt > now) break;
    state.recordingLinks.delete(key);
  }
  const key = `${index}-${randomHex(state, 40)}`;
  state.recordingLinks.set(key, { meetingId, expiresAt: now + LINK_LIFETIME_MS });
  return key;
}

const plainRefusal = (status: number, message: string): ServiceResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: message,
});

export function serveRecording(
  accounts: readonly EmulatorContext[],
  key: string,
  { method, headers }: Incoming,
): ServiceResponse {
  if (method !== "GET" && method !== "HEAD") return plainRefusal(405, "only GET and HEAD are allowed here");
  if (headers.has("authorization")) {
    return plainRefusal(
      400,
      "only one way to authorize is allowed: the link itself. Do not send the token to the storage",
    );
  }
  const account = accounts[Number.parseInt(key, 10)];
  const link = account?.state.recordingLinks.get(key);
  const meeting = account?.state.meetings.get(link?.meetingId ?? "");
  if (link === undefined || meeting?.recording == null || link.expiresAt <= (account?.clock.now() ?? 0)) {
    return plainRefusal(403, "unknown or expired link");
  }
  const response = fileResponse(meeting, meeting.recording, headers);
  return method === "HEAD" ? { status: response.status, headers: response.headers ?? {} } : response;
}

function fileResponse(meeting: MeetingRecord, recording: RecordingRecord, requestHeaders: Headers): ServiceResponse {
  const bytes = recording.bytes ?? tone(spokenSeconds(meeting.transcript));
  const etag = `"${meeting.id}-${bytes.length}"`;
  const headers = { "content-type": recording.contentType, "accept-ranges": "bytes", etag };
  const range = requestedRange(requestHeaders, etag, bytes.length);
  if (range === "unsatisfiable") {
    return { status: 416, headers: { ...headers, "content-range": `bytes */${bytes.length}` }, body: "" };
  }
  const { start, end } = range ?? { start: 0, end: bytes.length - 1 };
  const body = bytes.subarray(start, end + 1);
  const part = range && { "content-range": `bytes ${start}-${end}/${bytes.length}` };
  return { status: range ? 206 : 200, headers: { ...headers, "content-length": String(body.length), ...part }, body };
}

/** The requested range. A `Range` header in another form, or for another version of the file, is ignored. */
function requestedRange(headers: Headers, etag: string, size: number) {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/i.exec(headers.get("range") ?? "") ?? [];
  const condition = headers.get("if-range");
  if (first === undefined || (condition !== null && condition !== etag)) return undefined;
  const start = Number(first);
  const end = Math.min(last ? Number(last) : size, size - 1);
  return start >= size || end < start ? "unsatisfiable" : { start, end };
}
