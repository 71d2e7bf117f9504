/** A call whose arguments are checked, and one attempt of it. Nothing of either changes. */
import * as z from "zod/mini";
import type { TimeLimit } from "../async/time-limit.js";
import { formatIssues, type IssueInit, type OtherArgument } from "../checks/format-issues.js";
import { pathWith } from "../endpoints/endpoint.js";
import type { RequestSummary } from "../errors/api-error.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import type { ConnectionError } from "../errors/call-errors.js";
import { connectionErrorFrom } from "../errors/connection-error-from.js";
import { orUndefined } from "../json/or-undefined.js";
import { createRedactor, redactQuery } from "../redact/redactor.js";
import { mergeHeaders } from "./allowed-headers.js";
import type { BodyAttempt, Operation, StreamBody } from "./operation.js";
import { type QueryRecord, queryString } from "./query.js";
import { NO_OPTIONS, type RequestOptions, requestOptionsSchema } from "./request-options.js";
import type { TransportConfig } from "./transport-config.js";

export type Limits = Pick<TransportConfig, "timeoutMs" | "deadlineMs" | "maxRetries" | "maxRetryDelayMs">;

export const callLimits = (config: TransportConfig, { timeoutMs, deadlineMs, maxRetries }: RequestOptions): Limits => ({
  timeoutMs: timeoutMs ?? config.timeoutMs,
  deadlineMs: deadlineMs ?? config.deadlineMs,
  maxRetries: maxRetries ?? config.maxRetries,
  maxRetryDelayMs: config.maxRetryDelayMs,
});

export interface Attempt {
  readonly call: CheckedCall;
  readonly number: number;
  readonly token: string;
  readonly authorization: string;
  /** Ends the attempt. For an upload, its timer limits the time without progress. */
  readonly limit: TimeLimit;
  /** All secrets that were sent with the call, whoever set them. None of them may appear in its errors. */
  readonly secrets: Set<string>;
  readonly streamBody: BodyAttempt | undefined;
}

export class CheckedCall {
  readonly operation: Operation<unknown>;
  readonly config: TransportConfig;
  readonly limits: Limits;
  readonly path: string;
  readonly url: string;
  /** Every header except `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parameters as parsed by their schema, with their fields in the order of the schema. */
  readonly params: unknown;
  readonly json: string | undefined;
  readonly streamBody: StreamBody | undefined;
  readonly fetchOptions: Readonly<Record<string, unknown>>;
  /** The options of the call, where they take effect: `call.options.query`. */
  readonly options: RequestOptions;

  constructor(operation: Operation<unknown>, options: RequestOptions, config: TransportConfig) {
    const issues: IssueInit[] = [...(operation.issues ?? [])];
    const { query, body, ids = {} } = operation;
    const schema = query ?? body;
    const optionsSchema = operation.options ?? requestOptionsSchema;
    const position = Object.keys(ids).length + (operation.streamBody ? 1 : 0);
    this.operation = operation;
    this.config = config;
    this.path = operation.literalPath ?? pathWith(operation.path, ids, issues);
    this.params =
      schema && validated(schema, operation.params, issues, { schema: optionsSchema, position: position + 1 });
    this.json = jsonBody(operation, this.params, issues);
    this.options = checkedOptions(optionsSchema, options, issues, schema && { schema, position });
    const headers = mergeHeaders(config.headers, this.options.headers, issues);
    if (issues.length > 0) throw new InvalidArgumentError({ operation: operation.name, issues });

    this.streamBody = operation.streamBody?.();
    const contentType = this.json === undefined ? this.streamBody?.contentType : "application/json";
    this.headers = contentType === undefined ? headers : { ...headers, "content-type": contentType };
    this.url = `${config.baseUrl}${this.path}${searchOf(this)}`;
    this.fetchOptions = { ...config.fetchOptions, ...this.options.fetchOptions };
    this.limits = callLimits(config, this.options);
  }

  get request(): RequestSummary {
    return { method: this.operation.method, url: redactQuery(this.url) };
  }
}

function checkedOptions(
  schema: z.core.$ZodType,
  options: RequestOptions,
  issues: IssueInit[],
  other: OtherArgument | undefined,
): RequestOptions {
  if (options === NO_OPTIONS) return options;
  return (validated(schema, options, issues, other) ?? {}) as RequestOptions;
}

function searchOf({ operation: { query, names, addedParams }, params, config, options }: CheckedCall): string {
  const record = { ...((query === undefined ? {} : params) as QueryRecord), ...addedParams };
  return queryString(record, names === undefined ? {} : config.names[names], options.query);
}

/** The parameters as JSON text, if they are the body. Not everything is JSON: a function, a cycle, a bigint. */
function jsonBody({ query, body }: Operation<unknown>, params: unknown, issues: IssueInit[]): string | undefined {
  if (body === undefined || query !== undefined) return undefined;
  const json = orUndefined<string | undefined>(() => JSON.stringify(params));
  if (json === undefined && issues.length === 0) {
    issues.push({ path: "body", code: "invalid", message: "expected a value that JSON can express" });
  }
  return json;
}

function validated(schema: z.core.$ZodType, value: unknown, issues: IssueInit[], other: OtherArgument | undefined) {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  for (const issue of formatIssues(result.error.issues, value, schema, "option", other)) issues.push(issue);
  return undefined;
}

/** Makes the error for three cases: `fetch` threw `cause`, `fetch` returned no response, or the body broke off. */
export const connectionError = (
  { call, secrets }: Pick<Attempt, "call" | "secrets">,
  cause: unknown,
  isRefusedInit = false,
): ConnectionError => connectionErrorFrom(createRedactor(secrets).cause(cause), call, isRefusedInit);
