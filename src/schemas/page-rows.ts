/** Checks the rows of a page one by one, so that invalid rows can be separated from valid ones. */
import * as z from "zod/mini";
import { formatIssues, type Issue } from "../checks/format-issues.js";
import type { PageSchema, ReceivedPage } from "./page.js";
import type { Schema } from "./primitives.js";

/** A row of a list that does not match its schema. */
export interface InvalidRow {
  /** The position of the row on its page as received: 0 for the first. */
  readonly index: number;
  /** The row's `id`, if it has one that is a string. */
  readonly id?: string | undefined;
  /** The issues of the row. Their paths begin at the row. */
  readonly issues: readonly Issue[];
  /** The row as received. */
  readonly value: unknown;
}

/** A page that is split into valid rows (`data`) and invalid rows (`invalid`). */
export interface SplitPage<T> extends ReceivedPage<T> {
  /** The invalid rows, in the order of the page. */
  invalid: InvalidRow[];
}

/** A page should have at most 100 rows. A page with more invalid rows than this is refused. */
const MAX_INVALID_ROWS = 1_000;

function invalidRow(row: z.core.$ZodType, value: unknown, index: number, issues: readonly z.core.$ZodIssue[]) {
  const id = (value as { id?: unknown } | null | undefined)?.id;
  const invalid: InvalidRow = { index, issues: formatIssues(issues, value, row, "field"), value };
  return typeof id === "string" ? { ...invalid, id } : invalid;
}

export function validRowsBefore<T>(row: z.core.$ZodType<T>, page: unknown): T[] {
  const rows = (page as { data?: unknown } | null | undefined)?.data;
  const valid: T[] = [];
  if (!Array.isArray(rows)) return valid;
  for (const value of rows) {
    const result = z.safeParse(row, value);
    if (!result.success) break;
    valid.push(result.data);
  }
  return valid;
}

/** The schema of a page that accepts rows that do not match `row`, and moves them to `invalid`. */
export function splitPageSchema<T>(row: z.core.$ZodType<T>, pageOf: PageSchema): Schema<SplitPage<T>> {
  const split = pageOf(z.unknown()).check((payload) => {
    const page = payload.value;
    if (payload.issues.length > 0 || !Array.isArray(page?.data)) return;
    const data: T[] = [];
    const invalid: InvalidRow[] = [];
    for (const [index, value] of page.data.entries()) {
      const result = z.safeParse(row, value);
      if (result.success) data.push(result.data);
      else invalid.push(invalidRow(row, value, index, result.error.issues));
      if (invalid.length > MAX_INVALID_ROWS) {
        const message = `more than ${MAX_INVALID_ROWS.toLocaleString("en-US")} rows do not match their schema`;
        payload.issues.push({ code: "custom", message, path: ["data"], input: undefined });
        return;
      }
    }
    payload.value = { ...page, data, invalid } as ReceivedPage<unknown>;
  });
  return split as z.ZodMiniType as Schema<SplitPage<T>>;
}
