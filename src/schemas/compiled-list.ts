/**
 * Checks the items of a list. The build for Node replaces this file with `compiled-list.node.ts`, which compiles their
 * schema: that needs `eval`, and code of zod that a browser should not have to load.
 */
import type * as z from "zod/mini";

/** Checks the list in `payload`: replaces it with the parsed items, or adds issues. */
export type ListCheck = (payload: z.core.ParsePayload) => void;

/** `check`, for a list of items with the schema `item`. */
/* @__NO_SIDE_EFFECTS__ */
export const compiledList = (_item: z.core.$ZodType, check: ListCheck): ListCheck => check;
