/** Pages of a list, and their size: see "Page envelope" in the API specification. */
import * as z from "zod/mini";
import {
  type Infer,
  nonEmptyString,
  nullish,
  numberOf,
  responseObject,
  type Schema,
  type ShapeOf,
} from "./primitives.js";
import { responseArray } from "./response-array.js";

export const PAGE_SIZE_MIN = 1;
export const PAGE_SIZE_MAX = 100;

/** A page of a list, as plain data. */
export interface PageEnvelope<T> {
  /** The items of this page, in the service's order. */
  data: T[];
  /** Where the next page begins: pass it to the list as `cursor`. `null` if there is no further page. */
  next_cursor: string | null;
  /** Whether there is a further page. */
  has_more: boolean;
}

// In a function, like `pageParams`, because a bundler keeps an object whose fields are calls.
const envelopeFields = /* @__PURE__ */ (() => ({
  /** Where the next page begins; absent or `null` if there is no further page. */
  next_cursor: nullish(z.string()),
  /** Whether there is a further page. */
  has_more: z.boolean(),
}))();

/** A page as the service sends it: the last page may lack `next_cursor`. */
export interface ReceivedPage<T> extends Infer<typeof envelopeFields> {
  /** The items of this page. */
  data: T[];
}

export const pageFields = <T>(item: z.core.$ZodType<T>): ShapeOf<ReceivedPage<T>> => ({
  data: responseArray(item),
  ...envelopeFields,
});

export const pageSchema = <T>(item: z.core.$ZodType<T>): Schema<ReceivedPage<T>> =>
  responseObject<ReceivedPage<T>>(pageFields(item));

export const pageParams = /* @__PURE__ */ (() => ({
  /** Where to begin: the `next_cursor` of an earlier page. Default: at the beginning. */
  cursor: z.optional(nonEmptyString()),
  /** The number of items on a page: an integer from 1 to 100. Default: the service's own, 25 (documented). */
  limit: z.optional(
    numberOf(
      (value) => Number.isInteger(value) && value >= PAGE_SIZE_MIN && value <= PAGE_SIZE_MAX,
      `an integer from ${PAGE_SIZE_MIN} to ${PAGE_SIZE_MAX}`,
      [PAGE_SIZE_MIN, PAGE_SIZE_MAX],
    ),
  ),
}))();

export interface PageParams extends Infer<typeof pageParams> {}

/**
 * The ownership scope of a list: see "GET /rooms" in the API specification. The meeting list has the same scope
 * (documented). `owned`: what the user owns. `shared`: what others share with the user. `all`: both.
 */
export const SCOPES = ["owned", "shared", "all"] as const;

/* @__NO_SIDE_EFFECTS__ */
export function oncePerSchema<Schema extends z.core.$ZodType, Made>(
  make: (schema: Schema) => Made,
): (schema: Schema) => Made {
  const made = new WeakMap<Schema, Made>();
  return (schema) => {
    const result = made.get(schema) ?? make(schema);
    made.set(schema, result);
    return result;
  };
}

export type PageSchema = (item: z.core.$ZodType<unknown>) => z.ZodMiniType<ReceivedPage<unknown>>;

/** A page with no other fields than those of the envelope. */
export const plainPage: PageSchema = /* @__PURE__ */ oncePerSchema(pageSchema);
