import * as z from "zod/mini";
import { surelyValid } from "./surely-valid.js";

/**
 * Like `z.safeParse`, for values that `JSON.parse` returned. A value that is surely valid is returned without calling
 * zod.
 */
export const parse = <T>(schema: z.core.$ZodType<T>, value: unknown): z.core.util.SafeParseResult<T> =>
  surelyValid(schema, value) ? { success: true, data: value as T } : z.safeParse(schema, value);
