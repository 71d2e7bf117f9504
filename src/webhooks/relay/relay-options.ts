/** The options of `createRelay` and of `relay.publish`, with their checks. */
import * as z from "zod/mini";
import { checkArgument, InvalidArgumentError } from "../../errors/argument-errors.js";
import { functionSchema, objectWith, optionsSchema, positiveNumber } from "../../schemas/primitives.js";
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

export const relayOptionsSchema = optionsSchema<RelayOptions>()({
  authorize: functionSchema,
  log: z.optional(objectWith("append", "latestId", "after", "listen")),
  heartbeatMs: z.optional(positiveNumber),
  retryMs: z.optional(positiveNumber),
  onError: z.optional(functionSchema),
});

/** Options of `relay.publish`. */
export interface PublishOptions {
  /**
   * Who receives the event: one audience or several. Leave the option out to publish to every authorized connection. An
   * `audience` that is `undefined`, `null`, `""` or `[]` is refused: a missing id must not become a broadcast.
   */
  audience?: string | readonly string[];
}

const publishOptionsSchema = optionsSchema<PublishOptions>()({ audience: z.optional(z.unknown()) });

/**
 * The audience as a list; `undefined` for every authorized connection.
 *
 * @throws {@link InvalidArgumentError} if `audience` is neither a name nor a list of names, or an option is unknown.
 */
export function audienceOf(options: PublishOptions): readonly string[] | undefined {
  checkArgument("relay.publish", publishOptionsSchema, options);
  // Not a check of the schema: for a schema, an option that is `undefined` is the same as one that is missing.
  if (!("audience" in options)) return undefined;
  const audience: unknown = options.audience;
  const names: readonly unknown[] = Array.isArray(audience) ? [...audience] : [audience];
  if (names.length > 0 && names.every((name) => typeof name === "string" && name !== "")) return names as string[];
  const message = "expected a name or a list of names; to reach everybody, leave the option out";
  throw new InvalidArgumentError("relay.publish", [{ path: "audience", message }]);
}
