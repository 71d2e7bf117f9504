/** Whether a recording link may be opened. */
import { ConnectionError } from "../../errors/connection-error.js";
import { NotFoundError } from "../../errors/not-found-error.js";
import type { RecordingLink } from "../../schemas/recording.js";
import { isSecureUrl } from "../../schemas/secure-url.js";
import type { ApiResponse } from "../../transport/api-promise.js";

/** The URL to download from. */
export function checkLink({ data, response, rateLimit }: ApiResponse<RecordingLink>): string {
  const { meeting_id, recording_url } = data;
  const { status, headers, url } = response;
  const request = { method: "GET", url };
  if (recording_url === null) {
    const facts = { status, code: undefined, details: undefined, body: data, headers, rateLimit, request };
    throw new NotFoundError(`The meeting ${meeting_id} has no recording`, facts);
  }
  if (isSecureUrl(recording_url)) return recording_url;
  throw new ConnectionError(`The recording link of ${meeting_id} is not an https: URL and was not opened`, {
    request,
    outcome: "rejected",
  });
}
