/** Whether a recording link may be followed. */
import { NotFoundError } from "../errors/not-found-error.js";
import { ResponseValidationError } from "../errors/response-validation-error.js";
import type { RecordingLink } from "../schemas/recording.js";
import { isSecureUrl } from "../schemas/secure-url.js";
import type { ApiResponse } from "../transport/api-promise.js";

/** The address to download from. */
export function checkedLink({ data, response, rateLimit }: ApiResponse<RecordingLink>): string {
  const { meeting_id, recording_url } = data;
  const { status, headers, url } = response;
  const request = { method: "GET", url };
  if (recording_url === null) {
    const message = `The meeting ${meeting_id} has no recording`;
    const none = { code: undefined, details: undefined };
    throw new NotFoundError(message, { ...none, status, body: data, headers, rateLimit, request });
  }
  if (isSecureUrl(recording_url)) return recording_url;
  const message = "expected an absolute https: address (http: for a loopback host)";
  throw new ResponseValidationError(`The recording link of ${meeting_id} is not followed: ${message}`, {
    issues: [{ path: "recording_url", message }],
    status,
    body: undefined,
    headers,
    request,
  });
}
