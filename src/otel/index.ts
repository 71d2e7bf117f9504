/**
 * `notetaker-sdk/otel`: an OpenTelemetry span for each call and, in it, for each attempt.
 *
 * @module notetaker-sdk/otel
 */

export { type InstrumentOptions, instrument } from "./instrument.js";
