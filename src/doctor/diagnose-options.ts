import * as z from "zod/mini";
import { optionsSchema } from "../schemas/primitives.js";
import { aFunction, requestOptions } from "../transport/request-options-schema.js";
import type { DiagnoseOptions } from "./report.js";

/** How the options of `diagnose` are checked. */
export const diagnoseOptionsSchema = optionsSchema<DiagnoseOptions>()({
  signal: requestOptions.signal,
  onCheck: z.optional(aFunction),
});
