/**
 * Stores in an error the valid rows before the first invalid row of a page. A walk returns these rows before it
 * rejects.
 */
import { hiddenField } from "./hidden-field.js";

const rows = /* @__PURE__ */ hiddenField<readonly unknown[] | undefined>("rowsBefore");

export const keepRowsBefore = (error: object, valid: readonly unknown[]): void => rows.set(error, valid);

export const rowsBefore = <T>(error: unknown): readonly T[] =>
  error instanceof Error ? ((rows.get(error) ?? []) as readonly T[]) : [];
