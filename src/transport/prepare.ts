/** Checks the arguments of a call, reports all issues at once, and builds the request. */
import * as z from "zod/mini";
import type { RequestSummary } from "../errors/api-error.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { orUndefined } from "../json/or-undefined.js";
import { redactQuery } from "../redact/redact-query.js";
import { formatIssues, type Issue, type OtherArgument } from "../schemas/format-issues.js";
import { pathWith } from "./endpoint.js";
import { mergeHeaders } from "./headers.js";
import type { Operation, StreamBody } from "./operation.js";
import { type QueryRecord, queryString } from "./query.js";
import type { RequestOptions } from "./request-options.js";
import { NO_OPTIONS, requestOptionsSchema } from "./request-options.js";
import type { TransportConfig } from "./transport-config.js";

/** A call whose arguments are valid. */
export class PreparedCall {
  readonly operation: Operation<unknown>;
  /** The path relative to the base URL, without the query. */
  readonly path: string;
  readonly url: string;
  /** Every header except `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parameters as parsed by their schema, with their fields in the order of the schema. */
  readonly params: unknown;
  /** The body as JSON text. */
  readonly json: string | undefined;
  readonly streamBody: StreamBody | undefined;
  /** Further members of `init` for `fetch`. */
  readonly fetchOptions: Readonly<Record<string, unknown>>;

  /** @throws {InvalidArgumentError} {@link InvalidArgumentError} one error with all issues of the arguments */
  constructor(operation: Operation<unknown>, options: RequestOptions, config: TransportConfig) {
    const issues: Issue[] = [...(operation.issues ?? [])];
    const { query, body, names, ids = {} } = operation;
    const schema = query ?? body;
    const optionsSchema = operation.options ?? requestOptionsSchema;
    const position = Object.keys(ids).length + (operation.streamBody ? 1 : 0);
    this.operation = operation;
    this.path = operation.literalPath ?? pathWith(operation.path, ids, issues);
    this.params =
      schema && validated(schema, operation.params, issues, { schema: optionsSchema, position: position + 1 });
    this.json = body && query === undefined ? serialise(this.params) : undefined;
    const checked = checkedOptions(optionsSchema, options, issues, schema && { schema, position });
    const { headers: callHeaders, query: extraQuery, fetchOptions } = checked;
    const headers = mergeHeaders(config.headers, callHeaders, issues);
    if (issues.length === 0 && body && this.json === undefined) {
      issues.push({ path: "body", message: "expected a value that JSON can express" });
    }
    if (issues.length > 0) throw new InvalidArgumentError(operation.name, issues);

    this.streamBody = operation.streamBody?.();
    this.headers = this.#withContentType(headers);
    const record = (query ? this.params : {}) as QueryRecord;
    const search = queryString(record, names === undefined ? {} : config.names[names], extraQuery);
    this.url = `${config.baseUrl}${this.path}${search}`;
    this.fetchOptions = { ...config.fetchOptions, ...fetchOptions };
  }

  #withContentType(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const contentType = this.json === undefined ? this.streamBody?.contentType : "application/json";
    return contentType === undefined ? headers : { ...headers, "content-type": contentType };
  }

  /** The request as errors show it. */
  get request(): RequestSummary {
    return { method: this.operation.method, url: redactQuery(this.url) };
  }
}

function checkedOptions(
  schema: z.core.$ZodType,
  options: RequestOptions,
  issues: Issue[],
  other: OtherArgument | undefined,
): RequestOptions {
  if (options === NO_OPTIONS) return options;
  return (validated(schema, options, issues, other) ?? {}) as RequestOptions;
}

/** `undefined` if `value` cannot be serialised as JSON: a function, a cycle, a bigint. */
const serialise = (value: unknown) => orUndefined<string | undefined>(() => JSON.stringify(value));

/** Returns the value as parsed by its schema. If the value is invalid, adds its issues and returns `undefined`. */
function validated(schema: z.core.$ZodType, value: unknown, issues: Issue[], other: OtherArgument | undefined) {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  for (const issue of formatIssues(result.error.issues, value, schema, "option", other)) issues.push(issue);
  return undefined;
}
