/** Checks the arguments of a call, reports all issues at once, and builds the request. */
import * as z from "zod/mini";
import type { RequestSummary } from "../errors/api-error.js";
import { InvalidArgumentError } from "../errors/argument-errors.js";
import { redactQuery } from "../redact/redact-query.js";
import { formatIssues, type Issue } from "../schemas/format-issues.js";
import { parse } from "../schemas/parse.js";
import { mergeHeaders } from "./headers.js";
import type { Operation, StreamBody, ValueWithSchema } from "./operation.js";
import { type QueryRecord, queryString } from "./query.js";
import type { RequestOptions } from "./request-options.js";
import { requestOptionsSchema } from "./request-options.js";
import type { TransportConfig } from "./transport-config.js";

/** A call whose arguments are valid. */
export interface PreparedCall {
  readonly operation: Operation<unknown>;
  readonly url: string;
  /** The request as errors show it. */
  readonly request: RequestSummary;
  /** The path relative to the base URL, without the query. */
  readonly path: string;
  /** Every header except `authorization`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON text. */
  readonly json: string | undefined;
  readonly streamBody: StreamBody | undefined;
  /** Further members of `init` for `fetch`. */
  readonly fetchOptions: Readonly<Record<string, unknown>>;
}

/** `undefined` if `value` cannot be serialised as JSON: a function, a cycle, a bigint. */
function serialise(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * Returns the value as parsed by its schema, with its fields in the order of the schema. If the value is invalid, adds
 * its issues and returns `undefined`.
 */
function validated({ schema, value }: ValueWithSchema, issues: Issue[], check: typeof parse = z.safeParse): unknown {
  const result = check(schema, value);
  if (result.success) return result.data;
  for (const issue of formatIssues(result.error.issues, value, schema)) issues.push(issue);
  return undefined;
}

/** @throws {InvalidArgumentError} one error with all issues of the arguments */
export function prepare(operation: Operation<unknown>, options: RequestOptions, config: TransportConfig): PreparedCall {
  const issues: Issue[] = [];
  const path = operation.path(issues);
  const query = operation.query && validated(operation.query, issues);
  const json = operation.body && serialise(validated(operation.body, issues));
  const optionsWithSchema = { schema: operation.options ?? requestOptionsSchema, value: options };
  const checkedOptions = (validated(optionsWithSchema, issues, parse) ?? {}) as RequestOptions;
  const headers = mergeHeaders({ accept: "application/json", ...config.headers }, checkedOptions.headers, issues);
  if (issues.length === 0 && operation.body && json === undefined) {
    issues.push({ path: "body", message: "expected a value that JSON can express" });
  }
  if (issues.length > 0) throw new InvalidArgumentError(operation.operation, issues);

  const streamBody = operation.streamBody?.();
  if (streamBody !== undefined) headers["content-type"] = streamBody.contentType;
  else if (json !== undefined) headers["content-type"] = "application/json";

  const names = operation.names === undefined ? {} : config.names[operation.names];
  const search = queryString((query ?? {}) as QueryRecord, names, checkedOptions.query);
  const url = `${config.baseUrl}${path}${search}`;
  return {
    operation,
    url,
    // A getter, because only errors need it.
    get request() {
      return { method: operation.method, url: redactQuery(url) };
    },
    path,
    headers,
    json,
    streamBody,
    fetchOptions: { ...config.fetchOptions, ...checkedOptions.fetchOptions },
  };
}
