/** An operation that the caller describes, for endpoints that have no method here. */
import * as z from "zod/mini";
import type { Issue } from "../schemas/format-issues.js";
import { type HttpMethod, type Operation, withSchema } from "./operation.js";
import { isObject } from "./request-options-schema.js";

const METHODS: readonly HttpMethod[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Segments below the base address: none that is empty, or that leads out of it. */
const PATH = /^(\/(?!(\.|%2e){1,2}(\/|$))[^/\\?#\s\p{Cc}]+)+\/?$/iu;

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
      if (typeof path !== "string" || !PATH.test(path)) {
        issues.push({ path: "path", message: "expected a path such as /rooms, without a query" });
      }
      if (!METHODS.includes(method)) issues.push({ path: "method", message: `expected one of ${METHODS.join(", ")}` });
      if (method === "GET" && body !== undefined) issues.push({ path: "body", message: "is not sent by GET" });
      if (schema !== undefined && !isObject((schema as Partial<z.core.$ZodType> | null)?._zod)) {
        issues.push({ path: "schema", message: "expected a zod schema" });
      }
      return path;
    },
    ...(body === undefined ? {} : { body: withSchema(z.unknown(), body) }),
    response: (schema ?? z.unknown()) as z.core.$ZodType<z.core.output<S>>,
    retry: method === "GET" ? "repeatable" : "unrepeatable",
  };
}
