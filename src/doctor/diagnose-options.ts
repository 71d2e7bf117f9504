import * as z from "zod/mini";
import { functionSchema, optionsSchema } from "../schemas/primitives.js";
import { requestOptionsShape } from "../transport/request-options.js";
import type { DiagnoseOptions } from "./report.js";

/** The schema of the options of `diagnose`. */
export const diagnoseOptionsSchema = optionsSchema<DiagnoseOptions>()({
  signal: requestOptionsShape.signal,
  onCheck: z.optional(functionSchema),
});
