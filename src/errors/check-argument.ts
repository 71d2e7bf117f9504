import * as z from "zod/mini";
import { formatIssues } from "../schemas/format-issues.js";
import { InvalidArgumentError } from "./invalid-argument-error.js";

/** Throws `InvalidArgumentError` if `value` does not match `schema`. */
export function checkArgument(operation: string, schema: z.core.$ZodType, value: unknown): void {
  const { error } = z.safeParse(schema, value);
  if (error) throw new InvalidArgumentError(operation, formatIssues(error.issues, value, schema));
}
