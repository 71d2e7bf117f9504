/** Checks arguments and options. In a file of its own, because a page that only needs the errors should not load zod. */
import * as z from "zod/mini";
import { expectedType, formatIssues, type OtherArgument } from "../checks/format-issues.js";
import { isRecord } from "../json/is-record.js";
import { ConfigurationError, InvalidArgumentError } from "./argument-errors.js";
import { issuesText } from "./one-line.js";

/** The options with the defaults of `schema`. `caller` is the function that takes them, for the error's message. */
export function checkOptions<T>(caller: string, schema: z.core.$ZodType<T>, options: unknown): T {
  const { data, error } = z.safeParse(schema, options);
  if (error)
    throw new ConfigurationError({ message: `${caller}: ${issuesText(formatIssues(error.issues, options, schema))}` });
  return data as T;
}

export function checkArgument(operation: string, schema: z.core.$ZodType, value: unknown, other?: OtherArgument): void {
  const { error } = z.safeParse(schema, value);
  if (error)
    throw new InvalidArgumentError({ operation, issues: formatIssues(error.issues, value, schema, "option", other) });
}

/** Throws `InvalidArgumentError` if `value` is not a client, such as the options of a function that were passed alone. */
export function checkClient(operation: string, value: unknown, resource: "meetings" | "documents" = "meetings"): void {
  if (isRecord(value) && isRecord(value[resource])) return;
  const issue = { path: "notetaker", code: "wrong_type", message: expectedType("client", value) } as const;
  throw new InvalidArgumentError({ operation, issues: [issue] });
}
