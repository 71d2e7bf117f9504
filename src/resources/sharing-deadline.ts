import { NO_OPTIONS, type RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";

/**
 * For a call that sends several requests: returns a function that returns the options of the next one. The deadline of
 * the call does not begin anew with each request.
 */
export function sharingDeadline({ config }: Transport, options: RequestOptions = NO_OPTIONS): () => RequestOptions {
  const startedAt = performance.now();
  let isFirst = true;
  return () => {
    // The first request checks the options: until then, they may be of any type.
    const deadlineMs = isFirst ? undefined : (options.deadlineMs ?? config.deadlineMs);
    isFirst = false;
    if (deadlineMs === undefined) return options;
    return { ...options, deadlineMs: Math.max(1, Math.ceil(deadlineMs - (performance.now() - startedAt))) };
  };
}
