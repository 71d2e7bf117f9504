/** The rows before the one that made a page unusable: a walk returns them before it rejects. */
import { hiddenField } from "./hidden-field.js";

const rows = /* @__PURE__ */ hiddenField<readonly unknown[] | undefined>("rowsBefore");

export const keepRowsBefore = (error: object, valid: readonly unknown[]): void => rows.set(error, valid);

export const rowsBefore = <T>(error: unknown): readonly T[] =>
  error instanceof Error ? ((rows.get(error) ?? []) as readonly T[]) : [];
