import * as z from "zod/mini";
import type { InvalidRow } from "../schemas/page-rows.js";
import { enumOf, numberOf, optionsSchema } from "../schemas/primitives.js";
import type { RequestOptions } from "../transport/request-options.js";
import { requestOptionsShape } from "../transport/request-options.js";

/**
 * What happens to a row that does not match its schema. `"throw"` throws `ResponseValidationError` (`for await` first
 * returns the rows before it). `"skip"` leaves the row out. A function is called with the row, which is left out as
 * well. `page.invalid` has the rows that were left out.
 */
export type OnInvalid = "throw" | "skip" | ((row: InvalidRow) => void);

/** Options that every list method accepts as its last argument. */
export interface ListOptions extends RequestOptions {
  /** Whether page n+1 is fetched while the items of page n are consumed. Default `false`. */
  prefetch?: boolean | undefined;
  /** What happens to a row that does not match its schema: see {@link OnInvalid}. Default `"throw"`. */
  onInvalid?: OnInvalid | undefined;
}

const ON_INVALID = ["throw", "skip"] as const;

const onInvalidSchema = z.custom<OnInvalid>(
  (value) => typeof value === "function" || ON_INVALID.includes(value as "skip"),
  { error: "expected throw, skip or a function" },
);

export const listOptionsSchema = optionsSchema<ListOptions>()({
  ...requestOptionsShape,
  prefetch: z.optional(z.boolean()),
  onInvalid: z.optional(onInvalidSchema),
});

/** Options of `toArray`. */
export interface ToArrayOptions {
  /**
   * The largest number of items: an integer of 0 or more, or `Infinity`. Required, because a list may not fit into
   * memory.
   */
  max: number;
  /**
   * What happens if the list has more than `max` items: `"truncate"` returns the first `max`, `"throw"` throws
   * `PaginationError`. Default `"truncate"`.
   */
  overflow?: "truncate" | "throw" | undefined;
}

const isCount = (value: number) => value >= 0 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY);

export const toArrayOptionsSchema = optionsSchema<ToArrayOptions>()({
  max: numberOf(isCount, "an integer of 0 or more, or Infinity", [0]),
  overflow: z.optional(enumOf(["truncate", "throw"])),
});
