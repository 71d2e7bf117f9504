/** From what the caller gave to what is sent; everything that is wrong with it is said at once, before any request. */
import * as z from "zod/mini";
import { InvalidArgumentError } from "../errors/invalid-argument-error.js";
import type { RequestOptions } from "../options.js";
import { formatIssues, type Issue } from "../schemas/format-issues.js";
import type { TransportConfig } from "./config.js";
import { addHeaders } from "./headers.js";
import type { Checked, Operation, RawBody } from "./operation.js";
import { type QueryRecord, queryString } from "./query.js";
import { requestOptionsSchema } from "./request-options-schema.js";

/** A call whose arguments are known to be right. */
export interface PreparedCall {
  readonly operation: Operation<unknown>;
  readonly url: string;
  /** Below the base address, without the query. */
  readonly path: string;
  /** All but the token. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RawBody | undefined;
}

/** `undefined` where `value` is none that JSON can hold: a function, a cycle, a bigint. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const jsonBody = (text: string): RawBody => ({ contentType: "application/json", repeatable: true, open: () => text });

/** Throws one `InvalidArgumentError` for all that is wrong with the arguments. */
export function prepare(operation: Operation<unknown>, options: RequestOptions, config: TransportConfig): PreparedCall {
  const issues: Issue[] = [];
  const check = ({ schema, value }: Checked): unknown => {
    const result = z.safeParse(schema, value);
    if (result.success) return result.data;
    issues.push(...formatIssues(result.error.issues, value, schema));
    return undefined;
  };

  const path = operation.path(issues);
  const query = operation.query && check(operation.query);
  const json = operation.body && jsonText(check(operation.body));
  const given = check({ schema: operation.options ?? requestOptionsSchema, value: options }) as
    | RequestOptions
    | undefined;
  const headers: Record<string, string> = { accept: "application/json" };
  addHeaders(headers, config.headers, issues);
  addHeaders(headers, given?.headers ?? {}, issues);
  if (issues.length === 0 && operation.body && json === undefined) {
    issues.push({ path: "body", message: "expected a JSON value" });
  }
  if (issues.length > 0) throw new InvalidArgumentError(operation.operation, issues);

  const body = operation.raw?.() ?? (json === undefined ? undefined : jsonBody(json));
  if (body !== undefined) headers["content-type"] = body.contentType;
  const names = operation.names === undefined ? {} : config.names[operation.names];
  const search = queryString((query ?? {}) as QueryRecord, names, given?.query);
  return { operation, url: `${config.baseUrl}${path}${search}`, path, headers, body };
}
