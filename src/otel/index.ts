/**
 * `notetaker-sdk/otel`: OpenTelemetry spans and metrics of calls, of their attempts, and of deliveries.
 * @module notetaker-sdk/otel
 */

export { countDeliveries } from "./count-deliveries.js";
export { type InstrumentOptions, instrument } from "./instrument.js";
