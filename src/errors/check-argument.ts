import * as z from "zod/mini";
import { describeIssues } from "../schemas/describe-issues.js";
import { InvalidArgumentError } from "./invalid-argument-error.js";

/** Throws `InvalidArgumentError` for a `value` that is not what `schema` wants. */
export function checkArgument(operation: string, schema: z.core.$ZodType, value: unknown): void {
  const { error } = z.safeParse(schema, value);
  if (error) throw new InvalidArgumentError(operation, describeIssues(error.issues, value));
}
