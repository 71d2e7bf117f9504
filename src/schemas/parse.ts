import * as z from "zod/mini";
import { surelyValid } from "./surely-valid.js";

/** As `z.safeParse`, for what `JSON.parse` returned: a value that is right is returned as it is, without zod. */
export const parse = <T>(schema: z.core.$ZodType<T>, value: unknown): z.core.util.SafeParseResult<T> =>
  surelyValid(schema, value) ? { success: true, data: value as T } : z.safeParse(schema, value);
