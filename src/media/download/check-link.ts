import { NotFoundError } from "../../errors/api-error.js";
import { ConnectionError } from "../../errors/call-errors.js";
import { isRecord } from "../../json/is-record.js";
import { knownHeaders } from "../../redact/redactor.js";
import { httpUrl } from "../../schemas/http-url.js";
import type { RecordingLink } from "../../schemas/recording.js";
import type { ApiResponse } from "../../transport/api-promise.js";
import { hostReach } from "./host-reach.js";

/**
 * Returns the URL to download from. Throws if the meeting has no recording, or if the link is insecure. Also throws for
 * a link to this machine or a private network, unless the service has the same host, or both hosts are loopback hosts.
 */
export function checkLink(meetingId: string, answer: ApiResponse<RecordingLink>, baseUrl: string): string {
  const { data, response, rateLimit } = answer;
  // With `validation: "off"`, the data may have any shape.
  const link: unknown = isRecord(data) ? data.recording_url : undefined;
  const request = { method: "GET", url: response.url };
  if (link === null) {
    throw new NotFoundError(`The meeting ${meetingId} has no recording`, {
      status: response.status,
      code: undefined,
      // Further fields are left out, because errors are often logged.
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
  // The service has an `http:` URL only on a loopback host, or if the user has set `allowInsecureHttp`.
  if (url.protocol === "http:" && !(isOwnHost && service.protocol === "http:")) return "is not an https: URL";
  if (reach === "public" || isOwnHost) return undefined;
  return `points to ${url.hostname}, a ${reach} host other than that of baseUrl,`;
}
