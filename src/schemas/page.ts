/** Interface, "Page envelope", and the page size limit. */
import * as z from "zod/mini";
import { nonEmptyString, numberOf, responseObject } from "./primitives.js";

export const PAGE_SIZE_MIN = 1;
export const PAGE_SIZE_MAX = 100;

/** A page as it is received. */
export interface PageEnvelope<T> {
  data: T[];
  /** `null` when there is no further page. */
  next_cursor: string | null;
  has_more: boolean;
}

/** The page envelope around `item`. */
export const pageSchema = <T extends z.ZodMiniType>(item: T) => responseObject({ ...pageFields(item) });

export const pageFields = <T extends z.ZodMiniType>(item: T) => ({
  data: z.array(item),
  /** `null` when there is no further page. */
  next_cursor: z.nullable(z.string()),
  has_more: z.boolean(),
});

/** What every paginated list takes. */
export const pageParams = {
  /** The `next_cursor` of an earlier page. */
  cursor: z.optional(nonEmptyString()),
  /** Items a page, 1 to 100. */
  limit: z.optional(
    numberOf(
      (value) => Number.isInteger(value) && value >= PAGE_SIZE_MIN && value <= PAGE_SIZE_MAX,
      `an integer from ${PAGE_SIZE_MIN} to ${PAGE_SIZE_MAX}`,
    ),
  ),
};
