import type * as z from "zod/mini";
import { checkArgument } from "../errors/check-arguments.js";
import { type RequestOptions, requestOptionsSchema } from "../transport/request-options.js";
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
export function sharingDeadline<Options extends RequestOptions>(
  transport: Transport | undefined,
  options: Options,
): () => Options {
  let startedAt: number | undefined;
  return () => {
    if (startedAt === undefined) {
      startedAt = performance.now();
      return options;
    }
    const { deadlineMs = transport?.config.deadlineMs } = options;
    if (deadlineMs === undefined) return options;
    return { ...options, deadlineMs: Math.max(1, Math.ceil(deadlineMs + startedAt - performance.now())) };
  };
}
