import { errorOfRecord, errorOfStatus } from "../errors/error-of-record.js";
import { MAX_WAIT_MS } from "../errors/retry-after.js";
import { parseJson } from "../json/parse-json.js";

/**
 * The JSON of a response of your server, `undefined` if it is empty. It rejects like `uploadFile`: with the error that
 * `errorResponse` described on the server, with its `outcome`, `retryAfterMs` and `issues`; any other refusal has the
 * class of its status, and a success that is no JSON is a `ResponseValidationError`. Guide:
 * docs/web-app.md#requests-and-their-errors.
 * @example
 * const meetings = await readJson<PageEnvelope<Meeting>>(await fetch("/api/meetings"));
 */
export async function readJson<Result = unknown>(response: Response): Promise<Result> {
  const what = response.url ? new URL(response.url).pathname : "the server";
  return readAnswer(what, response, await response.text()) as Result;
}

export function readAnswer(what: string, { ok, status, headers }: Response, text: string): unknown {
  const json = parseJson(text);
  if (ok) {
    if (text === "" || json !== undefined) return json;
    throw errorOfRecord({ name: "ResponseValidationError", message: `${what} answered no JSON`, status, issues: [] });
  }
  throw refusalError(what, status, headers, Object(Object(json).error));
}

/** The error that a record of `errorResponse` describes, else one of the class of the status. */
function refusalError(what: string, status: number, headers: Headers, record: Record<string, unknown>): Error {
  // Another server may have written anything.
  const { name, message, code, outcome, retryable, attempts, issues, retryAfterMs } = record;
  const text = typeof message === "string" ? message : "";
  if (outcome && typeof name === "string" && name.endsWith("Error")) {
    return errorOfRecord({
      name,
      message: text,
      status: record.status,
      code,
      outcome,
      retryable,
      attempts,
      issues,
      retryAfterMs,
    });
  }
  const seconds = Number.parseFloat(headers.get("retry-after") ?? "");
  return errorOfStatus(status, {
    message: `${what} answered ${status}${text && `: ${text}`}`,
    code,
    retryable: status === 429,
    retryAfterMs: seconds > 0 ? Math.min(seconds * 1_000, MAX_WAIT_MS) : undefined,
  });
}
