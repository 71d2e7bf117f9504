/** Reads one response: returns its data, or throws the error for a redirect, an error status or an unusable body. */
import * as z from "zod/mini";
import { abortable } from "../async/abort.js";
import { discardBody } from "../async/byte-reader.js";
import { apiErrorFromResponse, BODY_EXCERPT } from "../errors/api-error-from-response.js";
import { ResponseValidationError } from "../errors/call-errors.js";
import { issuesText, oneLine } from "../errors/one-line.js";
import { parseJson } from "../json/parse-json.js";
import { createRedactor } from "../redact/redactor.js";
import { formatIssues, type Issue } from "../schemas/format-issues.js";
import { type Checked, validate } from "../schemas/standard-schema.js";
import { redirectError } from "./connection-error-from.js";
import { log } from "./logger.js";
import { schemaOf } from "./operation.js";
import { BodyTooLarge, readExcerpt, readText } from "./read-body.js";
import { connectionError, type RunningCall } from "./running-call.js";

/** How many bytes of an error response are read: enough for any error envelope. */
const ERROR_BODY_MAX = 256 * 1024;

/** The data of a successful response. Throws the matching error for any other response. */
export async function readResponse(response: Response, call: RunningCall, signal: AbortSignal): Promise<unknown> {
  if (isRedirect(response)) {
    discardBody(response);
    throw redirectError(call);
  }
  if (!response.ok) throw await readError(response, call, signal);
  if (call.operation.response === undefined) {
    discardBody(response);
    return undefined;
  }
  const text = await readSuccessText(response, call, signal);
  return await readData(text, response, call, signal);
}

const isRedirect = ({ redirected, type, status }: Response) =>
  redirected || type === "opaqueredirect" || (status >= 300 && status < 400);

/**
 * The status is enough to make the error. So the body is read only until the attempt's time limit, even if it is
 * incomplete.
 */
async function readError(
  response: Response,
  { request, path, secrets }: RunningCall,
  signal: AbortSignal,
): Promise<Error> {
  const text = await readExcerpt(response, ERROR_BODY_MAX, signal);
  const redactor = createRedactor(secrets);
  return apiErrorFromResponse({
    status: response.status,
    headers: redactor.headers(response.headers),
    text: redactor.text(text.slice(0, BODY_EXCERPT)),
    json: redactor.parse(text),
    request,
    path,
  });
}

async function readSuccessText(response: Response, call: RunningCall, signal: AbortSignal): Promise<string> {
  if (response.bodyUsed) {
    const issue = { path: "", message: "the body was already read: a middleware must read response.clone() instead" };
    throw unreadable([issue], undefined, response, call);
  }
  try {
    return await readText(response, call.config.maxResponseBytes, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof BodyTooLarge)) throw connectionError(call, error);
    const message = `the body has more than ${error.limitBytes} bytes (maxResponseBytes)`;
    throw unreadable([{ path: "", message }], undefined, response, call);
  }
}

/** Makes the error for a successful response that cannot be used. */
function unreadable(
  issues: Issue[],
  body: unknown,
  response: Response,
  { request, path, secrets }: RunningCall,
): ResponseValidationError {
  const message = `${request.method} ${path} answered ${response.status}, but ${issuesText(issues)}`;
  const headers = createRedactor(secrets).headers(response.headers);
  return new ResponseValidationError(message, { issues, status: response.status, body, headers, request });
}

async function readData(text: string, response: Response, call: RunningCall, signal: AbortSignal): Promise<unknown> {
  const { config, secrets } = call;
  const { selectData, name: operation } = call.operation;
  const body = parseJson(text);
  if (body === undefined) {
    if (text === "" && (await check(undefined, call, signal)).issues === undefined) return undefined;
    const redactor = createRedactor(secrets);
    const received = kindOfBody(text, redactor.text(response.headers.get("content-type") ?? ""));
    const issue = { path: "", message: `the body is not complete JSON (received ${received})` };
    throw unreadable([issue], redactor.text(text.slice(0, BODY_EXCERPT)), response, call);
  }
  const data = selectData === undefined ? body : selectData(body);
  if (config.validation === "off") return data;

  const { issues, data: validData } = await check(data, call, signal);
  if (issues === undefined) return validData;
  if (config.validation === "strict") {
    const error = unreadable(issues, createRedactor(secrets).json(body), response, call);
    call.operation.onMismatch?.(error, data, call.params);
    throw error;
  }
  log(config.logger, "warn", "notetaker: a response does not match its schema", { operation, path: call.path, issues });
  return data;
}

/** Checks the data of a response with the schema of the operation, or with the caller's own. */
function check(data: unknown, call: RunningCall, signal: AbortSignal): Checked | Promise<Checked> {
  const { response, responseSchema } = call.operation;
  if (responseSchema !== undefined) return abortable(validate(responseSchema, data), signal);
  const schema = schemaOf(response, call.params);
  const result = z.safeParse(schema, data);
  return result.success ? { data: result.data } : { issues: formatIssues(result.error.issues, data, schema, "field") };
}

/** Describes a body that is not JSON: `nothing`, or `120 characters of text/html`. */
function kindOfBody(text: string, contentType: string): string {
  if (text === "") return "nothing";
  const mediaType = oneLine(contentType, 60);
  return mediaType === "" ? `${text.length} characters` : `${text.length} characters of ${mediaType}`;
}
