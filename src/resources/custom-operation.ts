/** Makes an operation from the caller's description, for endpoints for which this library has no method. */
import * as z from "zod/mini";
import { type IssueInit, kindOf } from "../checks/format-issues.js";
import type { IssueCode } from "../checks/issue-code.js";
import type { HttpMethod } from "../endpoints/endpoint.js";
import { isStandardSchema, type SchemaOutput, type StandardSchema, validate } from "../schemas/standard-schema.js";
import type { Operation } from "../transport/operation.js";
import { requestOptionsShape } from "../transport/request-options.js";

const HTTP_METHODS: readonly HttpMethod[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Segments below the base URL: no empty segment, no query. */
const PATH = /^(\/[^/\\?#\s\p{Cc}]+)+\/?$/u;

/** A segment `.` or `..`. Servers that support path parameters read `..;` as `..`. */
const DOT_SEGMENT_INSIDE = /[/\\]\.\.?(?:[;/\\]|$)/;

/** How many times a path is decoded: each proxy in a chain may decode it once. */
const MAX_DECODINGS = 5;

const decodeOnce = (path: string) =>
  path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Whether the path could lead out of the base URL after proxies have decoded it, or is still encoded then. */
function leavesBaseUrl(path: string): boolean {
  let decoded = path;
  for (let proxies = 0; proxies < MAX_DECODINGS; proxies += 1) decoded = decodeOnce(decoded);
  return DOT_SEGMENT_INSIDE.test(decoded) || decodeOnce(decoded) !== decoded;
}

function pathProblem(path: unknown): string | undefined {
  const expected = "expected a path below baseUrl such as /rooms, without a query";
  if (typeof path !== "string") return `${expected}, received ${kindOf(path)}`;
  if (!PATH.test(path)) return expected;
  return leavesBaseUrl(path) ? `${expected}; this one leads out of baseUrl` : undefined;
}

const customOptionsSchema = /* @__PURE__ */ z.strictObject({
  ...requestOptionsShape,
  body: z.optional(z.unknown()),
  schema: z.optional(z.unknown()),
});

function requestIssues(method: HttpMethod, path: unknown, body: unknown, schema: unknown): IssueInit[] {
  const problems = {
    path: pathProblem(path),
    method: HTTP_METHODS.includes(method) ? undefined : `expected one of ${HTTP_METHODS.join(", ")}`,
    body: method === "GET" && body !== undefined ? "a GET request cannot have a body" : undefined,
    schema:
      schema === undefined || isStandardSchema(schema)
        ? undefined
        : `expected a schema of zod or another Standard Schema, received ${kindOf(schema)}`,
  };
  const codes: Partial<Record<string, IssueCode>> = { method: "not_one_of", schema: "wrong_type" };
  return Object.entries(problems).flatMap(([path, message]) =>
    message === undefined ? [] : [{ path, code: codes[path] ?? "invalid", message }],
  );
}

export const customOperation = <S extends StandardSchema>(
  method: HttpMethod,
  path: string,
  body: unknown,
  schema: S | undefined,
): Operation<SchemaOutput<S>> => ({
  name: "request",
  method,
  path,
  literalPath: typeof path === "string" ? path : "",
  issues: requestIssues(method, path, body, schema),
  params: body,
  ...(body === undefined ? {} : { body: z.unknown() }),
  response: z.unknown() as z.core.$ZodType<SchemaOutput<S>>,
  ...(schema === undefined
    ? {}
    : {
        read: async (body, { isChecked }) =>
          isChecked ? { data: body, ...(await validate(schema, body)) } : { data: body },
      }),
  options: customOptionsSchema,
  retry: method === "GET" ? "repeatable" : "unrepeatable",
});
