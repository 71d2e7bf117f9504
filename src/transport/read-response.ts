/** Reads one response: a redirect, an error, nothing, or data that the interface promises. */
import * as z from "zod/mini";
import type { RequestSummary } from "../errors/api-error.js";
import { apiErrorFromResponse, BODY_EXCERPT } from "../errors/api-error-from-response.js";
import { issuesText, oneLine } from "../errors/message.js";
import { ResponseValidationError } from "../errors/response-validation-error.js";
import { parseJson } from "../json/parse-json.js";
import { formatIssues, type Issue } from "../schemas/format-issues.js";
import type { CallSecrets } from "./call-secrets.js";
import { redirectError } from "./connection-error-from.js";
import { log } from "./log.js";
import type { PreparedCall } from "./prepare.js";
import { BodyTooLarge, discardBody, readExcerpt, readText } from "./read-body.js";
import { parseRedacted, redactHeaders, redactText } from "./redact.js";
import type { TransportConfig } from "./transport-config.js";

/** Enough of an error response for any envelope; the rest of a longer one is not read. */
const ERROR_BODY_MAX = 256 * 1024;

export interface ResponseContext {
  readonly call: PreparedCall;
  readonly request: RequestSummary;
  readonly config: TransportConfig;
  /** Aborts when the attempt is over. */
  readonly signal: AbortSignal;
  readonly secrets: CallSecrets;
  /** The error for a body that breaks off. */
  toConnectionError(cause: unknown): unknown;
}

/** The data of a successful response. Throws the error that another response means. */
export async function readResponse(response: Response, context: ResponseContext): Promise<unknown> {
  if (isRedirect(response)) {
    discardBody(response);
    throw redirectError(context.request, context.call.path);
  }
  if (!response.ok) throw await readError(response, context);
  if (context.call.operation.response === undefined) {
    discardBody(response);
    return undefined;
  }
  const text = await readSuccessText(response, context);
  return readData(text, response, context);
}

const isRedirect = ({ redirected, type, status }: Response) =>
  redirected || type === "opaqueredirect" || (status >= 300 && status < 400);

/**
 * The status alone says what an error response is: its body is read as far as it comes within the attempt's time, and
 * no further.
 */
async function readError(response: Response, { call, request, signal, secrets }: ResponseContext): Promise<Error> {
  const text = await readExcerpt(response, ERROR_BODY_MAX, signal);
  const token = secrets.values.at(-1);
  return apiErrorFromResponse({
    status: response.status,
    headers: redactHeaders(response.headers, token),
    text: redactText(text, token),
    json: redactedJson(text, token),
    request,
    path: call.path,
  });
}

/** `undefined` if the text is not JSON, or nested deeper than it can be searched. */
function redactedJson(text: string, token: string | undefined): unknown {
  try {
    return parseRedacted(text, token);
  } catch {
    return undefined;
  }
}

async function readSuccessText(response: Response, context: ResponseContext): Promise<string> {
  try {
    return await readText(response, context.config.maxResponseBytes);
  } catch (error) {
    if (!(error instanceof BodyTooLarge)) throw context.toConnectionError(error);
    const message = `the body has more than ${error.limitBytes} bytes (maxResponseBytes)`;
    throw unreadable([{ path: "", message }], undefined, response, context);
  }
}

/** A success that cannot be used. */
function unreadable(
  issues: Issue[],
  body: unknown,
  response: Response,
  { call, request, secrets }: ResponseContext,
): ResponseValidationError {
  const message = `${request.method} ${call.path} answered ${response.status}, but ${issuesText(issues)}`;
  const headers = redactHeaders(response.headers, secrets.values.at(-1));
  return new ResponseValidationError(message, { issues, status: response.status, body, headers, request });
}

function readData(text: string, response: Response, context: ResponseContext): unknown {
  const { call, config, secrets } = context;
  const { response: schema, selectData, operation } = call.operation;
  const token = secrets.values.at(-1);
  const body = parseJson(text);
  if (body === undefined) {
    if (text === "" && schema !== undefined && allowsEmptyBody(schema)) return undefined;
    const issue = {
      path: "",
      message: `the body is not complete JSON (received ${kindOfBody(text, response, token)})`,
    };
    throw unreadable([issue], redactText(text, token).slice(0, BODY_EXCERPT), response, context);
  }
  const data = selectData === undefined ? body : selectData(body);
  if (config.validation === "off" || schema === undefined) return data;

  const result = z.safeParse(schema, data);
  if (result.success) return result.data;
  const issues = formatIssues(result.error.issues, data, schema, "field");
  if (config.validation === "strict") throw unreadable(issues, parseRedacted(text, token), response, context);
  log(config.logger, "warn", "notetaker: a response does not match its schema", { operation, path: call.path, issues });
  return data;
}

const allowsEmptyBody = (schema: z.core.$ZodType) => z.safeParse(schema, undefined).success;

/** What came instead of JSON: `nothing`, or `120 characters of text/html`. */
function kindOfBody(text: string, { headers }: Response, token: string | undefined): string {
  if (text === "") return "nothing";
  const mediaType = oneLine(redactText(headers.get("content-type") ?? "", token), 60);
  return mediaType === "" ? `${text.length} characters` : `${text.length} characters of ${mediaType}`;
}
