/** An operation that the caller describes, for endpoints that have no method here. */
import * as z from "zod/mini";
import type { Issue } from "../schemas/describe-issues.js";
import { checked, type HttpMethod, type Operation } from "./operation.js";

const METHODS: readonly HttpMethod[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** A path that the caller wrote: within the service, and nothing in it that leads out. */
function pathIssue(path: unknown): string | undefined {
  const fine =
    typeof path === "string" &&
    /^(\/[^/\\?#\s\p{Cc}]+)+\/?$/u.test(path) &&
    !path.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  return fine ? undefined : "expected a path such as /rooms: below the base address, without a query";
}

const jsonValue = z.custom(
  (value) => {
    try {
      return JSON.stringify(value) !== undefined;
    } catch {
      return false;
    }
  },
  { error: "expected a value that can be sent as JSON" },
);

export function customOperation<S extends z.core.$ZodType>(
  method: HttpMethod,
  path: string,
  body: unknown,
  schema: S | undefined,
): Operation<z.core.output<S>> {
  return {
    operation: "request",
    method,
    path(issues: Issue[]) {
      const problem = pathIssue(path);
      if (problem !== undefined) issues.push({ path: "path", message: problem });
      if (!METHODS.includes(method)) issues.push({ path: "method", message: `expected one of ${METHODS.join(", ")}` });
      if (method === "GET" && body !== undefined) issues.push({ path: "body", message: "is not sent with GET" });
      return path;
    },
    ...(body === undefined ? {} : { body: checked(jsonValue, body) }),
    response: (schema ?? z.unknown()) as z.core.$ZodType<z.core.output<S>>,
    retry: method === "GET" ? "repeatable" : "unrepeatable",
  };
}
