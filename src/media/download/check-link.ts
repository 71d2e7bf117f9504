import { ConnectionError } from "../../errors/connection-error.js";
import { NotFoundError } from "../../errors/not-found-error.js";
import { isRecord } from "../../json/is-record.js";
import { knownHeaders } from "../../redact/known-headers.js";
import { httpUrl } from "../../schemas/http-url.js";
import type { RecordingLink } from "../../schemas/recording.js";
import type { ApiResponse } from "../../transport/api-promise.js";
import { hostReach } from "./host-reach.js";

/**
 * The URL to download from. Throws for a meeting without a recording, and for a link to this machine or its network,
 * unless the service itself is there.
 */
export function checkLink(meetingId: string, answer: ApiResponse<RecordingLink>, baseUrl: string): string {
  const { data, response, rateLimit } = answer;
  // With `validation: "off"` it may be anything.
  const link: unknown = isRecord(data) ? data.recording_url : undefined;
  const request = { method: "GET", url: response.url };
  if (link === null) {
    throw new NotFoundError(`The meeting ${meetingId} has no recording`, {
      status: response.status,
      code: undefined,
      // Whatever else the service sent is not for an error, which ends up in a log.
      body: { meeting_id: data.meeting_id, recording_url: null },
      headers: knownHeaders(response.headers),
      rateLimit,
      request,
    });
  }
  const problem = linkProblem(link, new URL(baseUrl));
  if (problem === undefined) return link as string;
  throw new ConnectionError(`The recording link of ${meetingId} ${problem} and was not opened`, {
    request,
    outcome: "rejected",
  });
}

function linkProblem(link: unknown, service: URL): string | undefined {
  const url = typeof link === "string" ? httpUrl(link) : undefined;
  if (url === undefined) return "is not an https: URL";
  const reach = hostReach(url.hostname);
  if (reach === "loopback" && hostReach(service.hostname) === "loopback") return undefined;
  const isOwnHost = url.hostname === service.hostname;
  // A client reaches the service over `http:` only if the user has allowed it (`allowInsecureHttp`).
  if (url.protocol === "http:" && !(isOwnHost && service.protocol === "http:")) return "is not an https: URL";
  if (reach === "public" || isOwnHost) return undefined;
  return `points to ${url.hostname}, a ${reach} host other than that of baseUrl,`;
}
