/** `notetaker-sdk/otel`: an OpenTelemetry span for each call and, in it, for each attempt. */

export { type InstrumentOptions, instrument } from "./instrument.js";
