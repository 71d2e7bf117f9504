/** Reads one answer: its body, and whether it is what the interface promises. */
import * as z from "zod/mini";
import type { RequestSummary } from "../errors/api-error.js";
import { apiErrorFromResponse, BODY_EXCERPT, parsedJson } from "../errors/api-error-from-response.js";
import { issuesText, oneLine } from "../errors/message.js";
import { ResponseValidationError } from "../errors/response-validation-error.js";
import type { Logger, ValidationMode } from "../options.js";
import { formatIssues, type Issue } from "../schemas/format-issues.js";
import { redirectError } from "./failure.js";
import { log } from "./log.js";
import { parseRedacted, redactHeaders, redactText } from "./redact.js";

/** Enough of an unsuccessful answer for any envelope; the rest of a longer one is not read. */
const ERROR_BODY_MAX = 256 * 1024;

export interface AnswerContext {
  readonly operation: string;
  readonly request: RequestSummary;
  /** As it is shown in messages. */
  readonly path: string;
  /** The promised shape; `undefined` where the answer has no content. */
  readonly schema: z.core.$ZodType | undefined;
  /** Where in the answer it is. */
  readonly read: ((answer: unknown) => unknown) | undefined;
  readonly validation: ValidationMode;
  readonly logger: Logger | undefined;
  /** What the attempt carried, to be kept out of errors. */
  readonly token: string | undefined;
  /** The error for a body that breaks off. */
  readonly lost: (cause: unknown) => unknown;
}

/** The text of a body, up to about `max` bytes. */
async function textUpTo(response: Response, max: number): Promise<string> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = "";
  for (let read = 0; read < max; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    read += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  // The rest is not waited for: it may never come.
  reader.cancel().catch(() => {});
  return text;
}

/** The data of a successful answer, or the error that the answer is. */
export async function readAnswer(response: Response, context: AnswerContext): Promise<unknown> {
  const { request, path, schema, token } = context;
  const { status } = response;
  const cancel = () => void response.body?.cancel().catch(() => {});
  if (response.redirected || response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
    cancel();
    throw redirectError(request, path);
  }
  if (!response.ok) {
    // An unsuccessful answer says what it says by its status, even where its body breaks off.
    const text = await textUpTo(response, ERROR_BODY_MAX).catch(() => "");
    throw apiErrorFromResponse({
      status,
      headers: redactHeaders(response.headers, token),
      text: redactText(text, token),
      json: parsedJson(text, (complete) => parseRedacted(complete, token)),
      request,
      path,
    });
  }
  if (schema === undefined) {
    cancel();
    return undefined;
  }

  const text = await response.text().catch((error) => {
    throw context.lost(error);
  });
  const unreadable = (issues: Issue[], body: unknown) => {
    const headers = redactHeaders(response.headers, token);
    const message = `${request.method} ${path} answered ${status}, but ${issuesText(issues)}`;
    return new ResponseValidationError(message, { issues, status, body, headers, request });
  };

  const complete = parsedJson(text);
  if (complete === undefined) {
    if (text === "" && z.safeParse(schema, undefined).success) return undefined;
    const type = redactText(response.headers.get("content-type") ?? "", token);
    const what = text === "" ? "nothing" : `${text.length} characters${type && ` of ${oneLine(type, 60)}`}`;
    const message = `the body is not complete JSON (received ${what})`;
    throw unreadable([{ path: "", message }], redactText(text, token).slice(0, BODY_EXCERPT));
  }
  const json = context.read === undefined ? complete : context.read(complete);
  if (context.validation === "off") return json;

  const result = z.safeParse(schema, json);
  if (result.success) return result.data;
  const issues = formatIssues(result.error.issues, json, schema, "field");
  if (context.validation === "strict") throw unreadable(issues, parseRedacted(text, token));
  log(context.logger, "warn", "notetaker: an answer is not as promised", {
    operation: context.operation,
    path,
    issues,
  });
  return json;
}
