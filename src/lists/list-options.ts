import * as z from "zod/mini";
import type { InvalidRow } from "../schemas/page-rows.js";
import { enumOf, type Infer, numberOf } from "../schemas/primitives.js";
import { type RequestOptions, requestOptionsShape } from "../transport/request-options.js";

type OnInvalid = "throw" | "skip" | ((row: InvalidRow) => void);

const ON_INVALID = ["throw", "skip"] as const;

const onInvalidSchema = z.custom<OnInvalid>(
  (value) => typeof value === "function" || ON_INVALID.includes(value as "skip"),
  { error: "expected throw, skip or a function" },
);

const listOptions = {
  /**
   * What happens to a row that does not match its schema. `"throw"` (the default) throws `ResponseValidationError` (`for
   * await` first returns the rows before it). `"skip"` leaves the row out. A function is called with the row, which is
   * left out as well. `page.invalid` has the rows that were left out.
   */
  onInvalid: z.optional(onInvalidSchema),
};

export interface ListOptions extends RequestOptions, Infer<typeof listOptions> {}

export const listOptionsSchema = z.strictObject({ ...requestOptionsShape, ...listOptions });

const isCount = (value: number) => value >= 0 && (Number.isInteger(value) || value === Number.POSITIVE_INFINITY);

const toArrayOptions = {
  /** The largest number of items: an integer of 0 or more, or `Infinity`. Required: a list may not fit into memory. */
  max: numberOf(isCount, "an integer of 0 or more, or Infinity", [0]),
  /** If there are more than `max` items: `"truncate"` them, or `"throw"` `PaginationError`. Default `"truncate"`. */
  overflow: z.optional(enumOf(["truncate", "throw"])),
};

export interface ToArrayOptions extends Infer<typeof toArrayOptions> {}

export const toArrayOptionsSchema = z.strictObject(toArrayOptions);
