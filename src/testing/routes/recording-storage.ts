/**
 * Interface, "Recording link": where recordings are downloaded. It is not the service: a link is all the authority that
 * is needed, and a request that brings the service's token here is refused, as signed storage does.
 */

import { tone } from "../content/tone-wav.js";
import type { Incoming, ServiceResponse } from "../http/exchange.js";
import { randomHex } from "../state/random.js";
import type { EmulatorContext } from "../state/world.js";

export const RECORDING_ROUTE = "GET /recordings/{key}";

/** How long a link lasts. The interface says only that it is short-lived. */
export const LINK_LIFETIME_MS = 15 * 60_000;

/** Makes a link for the meeting's recording, and gives its key. */
export function openRecordingLink({ state, clock }: EmulatorContext, meetingId: `mtg_${string}`): string {
  const now = clock.now();
  for (const [key, link] of state.recordingLinks) if (link.expiresAt <= now) state.recordingLinks.delete(key);
  const key = randomHex(state, 40);
  state.recordingLinks.set(key, { meetingId, expiresAt: now + LINK_LIFETIME_MS });
  return key;
}

const refused = (status: number, message: string): ServiceResponse => ({
  status,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: message,
});

/** Answers a download, whole or in part. */
export function serveRecording(
  { state, clock }: EmulatorContext,
  key: string,
  { method, headers }: Incoming,
): ServiceResponse {
  if (method !== "GET" && method !== "HEAD") return refused(405, "only GET and HEAD are allowed here");
  if (headers.has("authorization")) {
    return refused(400, "only one way to authorize is allowed: the link itself. Do not send the token to the storage");
  }
  const link = state.recordingLinks.get(key);
  if (link === undefined || link.expiresAt <= clock.now()) return refused(403, "the link has expired or never was");
  const recording = state.meetings.get(link.meetingId)?.recording;
  if (recording == null) return refused(404, "there is no such recording");

  const bytes = recording.bytes ?? tone();
  const etag = `"${link.meetingId}-${bytes.length}"`;
  const common = { "content-type": recording.contentType, "accept-ranges": "bytes", etag };
  const range = rangeOf(headers, etag, bytes.length);
  if (range === "unsatisfiable") {
    return { status: 416, headers: { ...common, "content-range": `bytes */${bytes.length}` }, body: "" };
  }
  const part = range === undefined ? bytes : bytes.slice(range.start, range.end + 1);
  const answer: ServiceResponse = {
    status: range === undefined ? 200 : 206,
    headers: {
      ...common,
      "content-length": String(part.length),
      ...(range === undefined ? {} : { "content-range": `bytes ${range.start}-${range.end}/${bytes.length}` }),
    },
  };
  return method === "HEAD" ? answer : { ...answer, body: part };
}

/** The one range that is asked for; a header of another form, or for another version of the file, does not count. */
function rangeOf(headers: Headers, etag: string, size: number) {
  const match = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range") ?? "");
  const condition = headers.get("if-range");
  if (match === null || (match[1] === "" && match[2] === "") || (condition !== null && condition !== etag)) {
    return undefined;
  }
  const start = match[1] === "" ? Math.max(0, size - Number(match[2])) : Number(match[1]);
  const end = match[1] === "" || match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  return start >= size || end < start ? "unsatisfiable" : { start, end };
}
