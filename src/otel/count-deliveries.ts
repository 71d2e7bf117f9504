import type { MeterProvider } from "@opentelemetry/api";
import { DURATION_BOUNDARIES, meterOf } from "./client-metrics.js";

const RESULTS: Readonly<Record<number, string>> = { 200: "handled", 503: "failed" };

/**
 * Returns a receiver like `receiver` whose `handle` records `notetaker.webhook.delivery.duration` (seconds), with
 * `notetaker.delivery.result` (`handled`; `failed`: the service delivers again; `refused`: the sender got it wrong) and
 * `http.response.status_code`. Its count is the number of deliveries.
 * @example
 * const receiver = countDeliveries(createReceiver({ secrets }));
 */
export function countDeliveries<
  R extends {
    /** Answers a delivery. */
    // biome-ignore lint/suspicious/noExplicitAny: the type of the context belongs to the receiver
    handle: (request: Request, ...context: any[]) => Promise<Response>;
  },
>(
  receiver: R,
  options: {
    /** Takes the metric. Default: the global provider of meters. */
    readonly meterProvider?: MeterProvider | undefined;
  } = {},
): R {
  const duration = meterOf(options.meterProvider).createHistogram("notetaker.webhook.delivery.duration", {
    description: "Duration of handling a webhook delivery.",
    unit: "s",
    advice: { explicitBucketBoundaries: DURATION_BOUNDARIES },
  });
  const handle = async (request: Request, ...context: unknown[]): Promise<Response> => {
    const startedAt = performance.now();
    const response = await receiver.handle(request, ...context);
    duration.record((performance.now() - startedAt) / 1_000, {
      "notetaker.delivery.result": RESULTS[response.status] ?? "refused",
      "http.response.status_code": response.status,
    });
    return response;
  };
  return { ...receiver, handle };
}
