/** The metrics of a client: those of the semantic conventions for HTTP clients, and what only this library knows. */
import { type Attributes, type MeterProvider, metrics } from "@opentelemetry/api";
import { VERSION } from "../configuration/version.js";
import type { ThrottleReport } from "../throttle/throttle.js";

/** The boundaries that the semantic conventions recommend, in seconds. */
export const DURATION_BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** A wait for a rate limit lasts up to a minute, or up to an hour for bots. */
const WAIT_BOUNDARIES = [1, 5, 15, 30, 60, 300, 900, 3600];

interface AttemptEnd {
  readonly status?: number;
  /** `error.type`: a status of 400 and above, or the name of an error. */
  readonly type?: string | undefined;
}

export interface ClientMetrics {
  /** Returns a function to be called when the response has come, or the attempt has failed. */
  began(attempt: { operation: string; attempt: number; attributes: Attributes }): (end: AttemptEnd) => void;
  waited(report: ThrottleReport): void;
}

export const meterOf = (provider: MeterProvider | undefined) =>
  (provider ?? metrics.getMeterProvider()).getMeter("notetaker-sdk", VERSION);

export function clientMetrics(provider: MeterProvider | undefined): ClientMetrics {
  const meter = meterOf(provider);
  const duration = meter.createHistogram("http.client.request.duration", {
    description: "Duration of HTTP client requests.",
    unit: "s",
    advice: { explicitBucketBoundaries: DURATION_BOUNDARIES },
  });
  const retries = meter.createCounter("notetaker.client.retries", {
    description: "Requests that were sent again within a call.",
    unit: "{request}",
  });
  const waits = meter.createHistogram("notetaker.client.throttle.wait", {
    description: "Waits of calls for the rate limit of the account.",
    unit: "s",
    advice: { explicitBucketBoundaries: WAIT_BOUNDARIES },
  });
  return {
    began({ operation, attempt, attributes }) {
      if (attempt > 1) retries.add(1, { "notetaker.operation": operation });
      const startedAt = performance.now();
      return ({ status, type }) =>
        duration.record((performance.now() - startedAt) / 1_000, {
          ...attributes,
          ...(status === undefined ? {} : { "http.response.status_code": status }),
          ...(type === undefined ? {} : { "error.type": type }),
        });
    },
    waited: ({ operation, waitMs }) => waits.record(waitMs / 1_000, { "notetaker.operation": operation }),
  };
}
