/** An operation that the caller describes, for endpoints that have no method here. */
import * as z from "zod/mini";
import type { Issue } from "../schemas/describe-issues.js";
import { checked, type HttpMethod, type Operation } from "./operation.js";
import { isObject } from "./request-options-schema.js";

const METHODS: readonly HttpMethod[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** A path that the caller wrote: within the service, and nothing in it that leads out. */
function pathIssue(path: unknown): string | undefined {
  const fine =
    typeof path === "string" &&
    /^(\/[^/\\?#\s\p{Cc}]+)+\/?$/u.test(path) &&
    !path.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  return fine ? undefined : "expected a path such as /rooms: below the base address, without a query";
}

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
      if (schema !== undefined && !isObject((schema as Partial<z.core.$ZodType> | null)?._zod)) {
        issues.push({ path: "schema", message: "expected a zod schema" });
      }
      return path;
    },
    ...(body === undefined ? {} : { body: checked(z.unknown(), body) }),
    response: (schema ?? z.unknown()) as z.core.$ZodType<z.core.output<S>>,
    retry: method === "GET" ? "repeatable" : "unrepeatable",
  };
}
