/** The options of `createRelay`, with their checks and defaults. */
import {
  checkOptions,
  functionValue,
  invalidOption,
  type OptionChecks,
  objectWith,
  positiveNumber,
  type WithDefaults,
  withDefaults,
} from "../check-options.js";
import type { EventLog } from "./event-log.js";

/**
 * The events that a connection may receive:
 * - `true`: every event
 * - a name, or several: the events published to one of these audiences, and those published without an audience
 */
export type Audience = true | string | readonly string[];

/**
 * The result of `authorize`: a falsy value refuses the connection with 403, a `Response` refuses it with that response.
 */
export type Authorization = Audience | Response | false | null | undefined;

/** Options of `createRelay`. */
export interface RelayOptions {
  /**
   * Called for every connection, reconnections included. Returns which events the connection may receive. A falsy
   * result refuses the connection with 403, a `Response` refuses it with that response (for example a 401). To let
   * everybody in, use `() => true`.
   */
  authorize: (request: Request) => Authorization | Promise<Authorization>;
  /**
   * The published events, for readers that reconnect. Default {@link memoryEventLog}: 1,000 events in the memory of one
   * process.
   */
  log?: EventLog | undefined;
  /**
   * The time between two heartbeats on a quiet connection, in milliseconds. It should be less than the idle timeout of
   * every proxy in between. Default 15,000.
   */
  heartbeatMs?: number | undefined;
  /** How long a browser waits before it reconnects, in milliseconds. Default 2,000. */
  retryMs?: number | undefined;
  /**
   * Called with each error of `authorize` or of the log. Default `console.error`. Disconnecting a reader that is too
   * slow is not an error: it reconnects and resumes.
   */
  onError?: ((error: unknown) => void) | undefined;
}

const RELAY_DEFAULTS = { heartbeatMs: 15_000, retryMs: 2_000 };

const RELAY_CHECKS: OptionChecks<RelayOptions> = {
  authorize: functionValue,
  log: objectWith("append", "latestId", "after", "listen"),
  heartbeatMs: positiveNumber,
  retryMs: positiveNumber,
  onError: functionValue,
};

/** The options with defaults. @throws {@link ConfigurationError} if one is unknown or invalid. */
export function relaySettings(options: RelayOptions): WithDefaults<RelayOptions, keyof typeof RELAY_DEFAULTS> {
  checkOptions("createRelay", options, RELAY_CHECKS);
  if (options.authorize === undefined) throw invalidOption("createRelay", "authorize", "a function", undefined);
  return withDefaults(options, RELAY_DEFAULTS);
}
