import type { InvalidRow } from "../schemas/page-rows.js";

/** An item that a result lacks, so that a model does not take the result for complete. */
export interface LeftOut {
  readonly id?: string | undefined;
  readonly reason: string;
}

/** The member `left_out` of a result, if something is missing from it. */
export const withLeftOut = (items: readonly LeftOut[]): { left_out?: readonly LeftOut[] } =>
  items.length === 0 ? {} : { left_out: items };

/** The items of a page that could not be read. The reason names fields, never their values. */
export const unreadable = ({ invalid = [] }: { readonly invalid?: readonly InvalidRow[] }): LeftOut[] =>
  invalid.map(({ id, issues }) => ({
    ...(id === undefined ? {} : { id }),
    reason: `the service sent it in an unexpected form (${issues.map(({ path }) => path || "the whole").join(", ")})`,
  }));
