import type * as z from "zod/mini";
import { checkArgument } from "../errors/check-arguments.js";
import { NO_OPTIONS, type RequestOptions, requestOptionsSchema } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";

/** Checks the parameters and the options before the first request. `position` is that of the options. */
export function checkCall(
  operation: string,
  schema: z.core.$ZodType,
  params: unknown,
  position: number,
  options: unknown,
): void {
  checkArgument(operation, schema, params, { schema: requestOptionsSchema, position });
  checkArgument(operation, requestOptionsSchema, options);
}

/** Returns a function that returns the options of the next request. The deadline of the call does not begin anew. */
export function sharingDeadline({ config }: Transport, options: RequestOptions = NO_OPTIONS): () => RequestOptions {
  let startedAt: number | undefined;
  return () => {
    if (startedAt === undefined) {
      startedAt = performance.now();
      return options;
    }
    const { deadlineMs = config.deadlineMs } = options;
    if (deadlineMs === undefined) return options;
    return { ...options, deadlineMs: Math.max(1, Math.ceil(deadlineMs + startedAt - performance.now())) };
  };
}
