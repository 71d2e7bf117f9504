import { throwIfAborted } from "../async/abort.js";
import { discardBody } from "../async/byte-reader.js";
import type { IssueInit } from "../checks/format-issues.js";
import { apiErrorFromResponse, BODY_EXCERPT } from "../errors/api-error-from-response.js";
import { ResponseValidationError } from "../errors/call-errors.js";
import { redirectError } from "../errors/connection-error-from.js";
import type { Outcome } from "../errors/notetaker-error.js";
import { issuesText, oneLine } from "../errors/one-line.js";
import { parseJson } from "../json/parse-json.js";
import { createRedactor } from "../redact/redactor.js";
import { type Attempt, connectionError } from "./checked-call.js";
import { log } from "./logger.js";
import { checkData, type ReadData, schemaOf } from "./operation.js";
import { BodyTooLarge, readExcerpt, readText } from "./read-text.js";

/** Enough for any error envelope. */
const ERROR_BODY_MAX = 256 * 1024;

export async function readResponse(response: Response, attempt: Attempt): Promise<unknown> {
  const { call } = attempt;
  if (isRedirect(response)) {
    discardBody(response);
    throw redirectError(call);
  }
  if (!response.ok) throw await readError(response, attempt);
  if (call.operation.response === undefined) return await readNothing(response, attempt);
  const text = await readSuccessText(response, attempt);
  return await readData(text, response, attempt);
}

const isRedirect = ({ redirected, type, status }: Response) =>
  redirected || type === "opaqueredirect" || (status >= 300 && status < 400);

/** A page of a firewall is no answer: the beginning tells. If the rest breaks off, the status is enough. */
async function readNothing(response: Response, attempt: Attempt): Promise<undefined> {
  if (response.status === 204 || response.bodyUsed) {
    discardBody(response);
    return undefined;
  }
  const text = await readExcerpt(response, BODY_EXCERPT, attempt.limit);
  throwIfAborted(attempt.call.options.signal);
  if (!/^\s*(?:[[{]|$)/.test(text) && parseJson(text) === undefined) throw foreignBody(text, response, attempt);
  return undefined;
}

/** The status is enough to make the error, so the body is read only until the attempt's time limit. */
async function readError(response: Response, { call, limit, secrets }: Attempt): Promise<Error> {
  const text = await readExcerpt(response, ERROR_BODY_MAX, limit);
  const { request, path } = call;
  const redactor = createRedactor(secrets);
  return apiErrorFromResponse({
    status: response.status,
    headers: redactor.headers(response.headers),
    text: redactor.excerpt(text, BODY_EXCERPT),
    json: redactor.parse(text),
    request,
    path,
    tokenSource: call.config.tokenSource,
  });
}

async function readSuccessText(response: Response, attempt: Attempt): Promise<string> {
  const { signal } = attempt.limit;
  if (response.bodyUsed) {
    const issue = { path: "", message: "the body was already read: a middleware must read response.clone() instead" };
    throw unreadable([issue], undefined, response, attempt);
  }
  try {
    return await readText(response, attempt.call.config.maxResponseBytes, attempt.limit);
  } catch (error) {
    throwIfAborted(signal);
    if (!(error instanceof BodyTooLarge)) throw connectionError(attempt, error);
    const message = `the body has more than ${error.limitBytes} bytes (maxResponseBytes)`;
    throw unreadable([{ path: "", message }], undefined, response, attempt);
  }
}

function unreadable(
  issues: readonly IssueInit[],
  body: unknown,
  response: Response,
  { call: { request, path }, secrets }: Attempt,
  outcome: Outcome = "accepted",
): ResponseValidationError {
  const message = `${request.method} ${path} answered ${response.status}, but ${issuesText(issues)}`;
  const headers = createRedactor(secrets).headers(response.headers);
  return new ResponseValidationError({ message, issues, status: response.status, body, headers, request, outcome });
}

/** The body is not JSON: the service may never have seen the request. */
function foreignBody(text: string, response: Response, attempt: Attempt): ResponseValidationError {
  const redactor = createRedactor(attempt.secrets);
  const received = kindOfBody(text, redactor.text(response.headers.get("content-type") ?? ""));
  const issue = { path: "", message: `the body is not complete JSON (received ${received})` };
  return unreadable([issue], redactor.excerpt(text, BODY_EXCERPT), response, attempt, "unknown");
}

async function readData(text: string, response: Response, attempt: Attempt): Promise<unknown> {
  const { call, secrets } = attempt;
  const { config, path, operation } = call;
  const body = parseJson(text);
  if (body === undefined) {
    // An operation whose data may be missing accepts an empty body.
    if (text === "" && (await readJsonBody(undefined, attempt, true)).issues === undefined) return undefined;
    throw foreignBody(text, response, attempt);
  }
  const { issues, data } = await readJsonBody(body, attempt, config.validation !== "off");
  if (issues === undefined) return data;
  if (config.validation === "strict") {
    throw unreadable(issues, createRedactor(secrets).json(body), response, attempt);
  }
  const message = "notetaker: a response does not match its schema";
  log(config.logger, "warn", message, { operation: operation.name, path, issues });
  return data;
}

function readJsonBody(
  body: unknown,
  { call, number, limit }: Attempt,
  isChecked: boolean,
): ReadData | Promise<ReadData> {
  const { read, response } = call.operation;
  const context = { params: call.params, isChecked, attempts: number };
  const reading = read?.(body, context) ?? checkData(schemaOf(response, call.params), body, context);
  return "then" in reading ? limit.abortable(reading) : reading;
}

/** `nothing`, or `120 characters of text/html`. */
function kindOfBody(text: string, contentType: string): string {
  if (text === "") return "nothing";
  const mediaType = oneLine(contentType, 60);
  return mediaType === "" ? `${text.length} characters` : `${text.length} characters of ${mediaType}`;
}
