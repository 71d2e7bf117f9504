/** Schemas for lists that the service sends. A list may be of any length, and every item may be invalid. */
import * as z from "zod/mini";
import { MAX_ISSUES, type OmittedIssues } from "../checks/format-issues.js";

export interface ListSchema<T> extends z.ZodMiniType<T[], T[]> {
  readonly item: z.core.$ZodType<T>;
}

/** At most this many further items are checked to count their issues. */
const MAX_COUNTED_ITEMS = 100_000;

const WITHOUT_PROMISES = { async: false } as const;

/** Runs `schema` directly: `safeParse` also builds an error object around the issues, and takes fifty times as long. */
const runSchema = (schema: z.core.$ZodType, value: unknown) =>
  schema._zod.run({ value, issues: [] }, WITHOUT_PROMISES) as z.core.ParsePayload;

/** How many issues the items from `start` on have, up to `MAX_COUNTED_ITEMS` items. */
function countIssues(item: z.core.$ZodType, items: readonly unknown[], start: number): number {
  const end = Math.min(items.length, start + MAX_COUNTED_ITEMS);
  let count = 0;
  for (let index = start; index < end; index += 1) count += runSchema(item, items[index]).issues.length;
  return count;
}

/** Checks each item. After `MAX_ISSUES` it only counts, so a huge list of invalid items is refused quickly. */
function checkItems(payload: z.core.ParsePayload, item: z.core.$ZodType): void {
  const { value: items, issues } = payload;
  if (!Array.isArray(items)) {
    issues.push({ code: "invalid_type", expected: "array", input: items });
    return;
  }
  const checked: unknown[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const result = runSchema(item, items[index]);
    checked.push(result.value);
    // Not `z.core.util.prefixIssues`: using a value of `z.core` would bring all of zod into a user's bundle.
    for (const issue of result.issues) issues.push({ ...issue, path: [index, ...(issue.path ?? [])] });
    if (issues.length >= MAX_ISSUES) {
      const params: OmittedIssues = { omitted: countIssues(item, items, index + 1) };
      if (params.omitted > 0) issues.push({ code: "custom", params: { ...params }, path: [], input: undefined });
      return;
    }
  }
  payload.value = checked;
}

/* @__NO_SIDE_EFFECTS__ */
const itemsCheck = (item: z.core.$ZodType) => (payload: z.core.ParsePayload) => checkItems(payload, item);

/** A list that the service sends. */
/* @__NO_SIDE_EFFECTS__ */
export const responseArray = <T>(item: z.core.$ZodType<T>): ListSchema<T> =>
  Object.assign(z.unknown().check(itemsCheck(item)), { item }) as z.ZodMiniType as ListSchema<T>;

/** A list that the service sends. If it is absent or `null`, it is read as empty. */
/* @__NO_SIDE_EFFECTS__ */
export const responseArrayOrEmpty = <T>(item: z.core.$ZodType<T>): z.ZodMiniType<T[], T[]> => {
  const check = itemsCheck(item);
  const list = z.unknown().check((payload) => {
    if (payload.value === null) payload.value = [];
    else check(payload);
  });
  return z._default(list, () => []) as z.ZodMiniType as z.ZodMiniType<T[], T[]>;
};
