import * as z from "zod/mini";
import { type AsyncDisposeMember, withAsyncDispose } from "../../async/symbols.js";
import { ConfigurationError, InvalidArgumentError } from "../../errors/argument-errors.js";
import { checkArgument, checkOptions } from "../../errors/check-arguments.js";
import { functionSchema, objectWith, optionsSchema, positiveNumber } from "../../schemas/primitives.js";
import type { WebhookEvent } from "../event/event.js";
import { readLastEventId } from "../http/last-event-id.js";
import { callSafely, isControlFlow, jsonResponse, logToConsole } from "../http/respond.js";
import { type CorsOptions, corsOptionsSchema, respondToPage } from "./cors.js";
import { type EventLog, type LogEntry, memoryEventLog } from "./event-log.js";
import { serialiseEvent } from "./event-stream-format.js";
import { followLog } from "./log-follower.js";

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
   * Called for every connection, reconnections included. Returns which events it may receive; a falsy result refuses it
   * with 403, a `Response` with that response (for example a 401). `() => true` lets everybody in.
   */
  authorize: (request: Request) => Authorization | Promise<Authorization>;
  /** The published events, for readers that reconnect. Default {@link memoryEventLog}: 1,000 events in memory. */
  log?: EventLog | undefined;
  /**
   * The time between two heartbeats on a quiet connection, in milliseconds: less than the idle timeout of every proxy in
   * between. Default 15,000.
   */
  heartbeatMs?: number | undefined;
  /** How long a browser waits before it reconnects, in milliseconds. Default 2,000. */
  retryMs?: number | undefined;
  /** Which pages of other origins may read the stream. Default: none. Route OPTIONS to `handle`, too. */
  cors?: CorsOptions | undefined;
  /** Called with each error of `authorize` or of the log. Default `console.error`. */
  onError?: ((error: unknown) => void) | undefined;
}

const relayOptionsSchema = optionsSchema<RelayOptions>()({
  authorize: functionSchema,
  log: z.optional(objectWith("append", "latestId", "after", "listen")),
  heartbeatMs: z.optional(positiveNumber),
  retryMs: z.optional(positiveNumber),
  cors: z.optional(corsOptionsSchema),
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

/** The audience as a list; `undefined` for every authorized connection. */
function checkedAudience(options: PublishOptions): readonly string[] | undefined {
  checkArgument("relay.publish", publishOptionsSchema, options);
  // Not a check of the schema: for a schema, an option that is `undefined` is the same as one that is missing.
  if (!("audience" in options)) return undefined;
  const audience: unknown = options.audience;
  const names: readonly unknown[] = Array.isArray(audience) ? [...audience] : [audience];
  if (names.length > 0 && names.every((name) => typeof name === "string" && name !== "")) return names as string[];
  const message = "expected a name or a list of names; to reach everybody, leave the option out";
  throw new InvalidArgumentError({
    operation: "relay.publish",
    issues: [{ path: "audience", code: "wrong_type", message }],
  });
}

/** Passes webhook events on to browsers, as server-sent events. */
export interface Relay extends AsyncDisposeMember {
  /**
   * Appends the event to the log, from which every connection receives it. Resolves to the event's id.
   *
   * Rejects with `InvalidArgumentError`, and appends nothing, if JSON cannot hold the event, or if `audience` is present
   * and is neither a name nor a list of names.
   *
   * @example
   * const id = await relay.publish(event, { audience: ["user-1", "user-2"] });
   */
  publish: (event: WebhookEvent, options?: PublishOptions) => Promise<string>;
  /**
   * Responds to a connection with the stream of events. With a `Last-Event-ID` header, the stream resumes after that
   * event. If the log does not reach back that far, a `resync` event tells the reader to load its state again. Other
   * responses:
   * - 204: with `cors`, the request that a browser sends before a page's own (OPTIONS)
   * - 403, or a response of your own: `authorize` refused the connection
   * - 405: the method is not GET
   * - 503: the relay is closed, or the log or `authorize` failed
   *
   * @example
   * // a route of Next.js
   * export const GET = (request: Request) => relay.handle(request);
   */
  handle: (request: Request) => Promise<Response>;
  /**
   * Ends every stream after it has sent all entries of the log, or after a second, and its connection. Refuses new ones
   * with 503. `publish` still appends to the log. A server can then stop at once: an open stream would keep it running.
   *
   * @example
   * process.once("SIGTERM", () => relay.close());
   */
  close: () => void;
}

/** A reader that connects again over the same connection would keep a server from stopping. */
const CLOSE_AT_END = { Connection: "close" };

const STREAM_HEADERS = {
  ...CLOSE_AT_END,
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  // nginx would collect the events and send them late.
  "X-Accel-Buffering": "no",
};

const unavailable = () => jsonResponse(503, "unavailable", undefined, CLOSE_AT_END);

function receives(audience: Audience): (entry: LogEntry) => boolean {
  if (audience === true) return () => true;
  const names: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  if (!names.every((name) => typeof name === "string")) {
    throw new ConfigurationError({
      message: "authorize: expected true, a name, a list of names, a Response or a falsy value",
    });
  }
  return (entry) => entry.audience === undefined || entry.audience.some((name) => names.includes(name));
}

const isOwnResponse = (value: object): value is Response => "status" in value;

/**
 * A relay of webhook events to browsers and other readers. Opens nothing and starts no timer until a reader connects.
 *
 * `await using` closes it, if the runtime has `Symbol.asyncDispose`.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if an option is unknown or invalid.
 * @example
 * const relay = createRelay({ authorize: async (request) => (await session(request))?.userId });
 * receiver.onUnhandled((event) => relay.publish(event, { audience: ownerOf(event) }));
 * export const GET = relay.handle; // in the browser: new EventSource("/events")
 */
export function createRelay(options: RelayOptions): Relay {
  checkOptions("createRelay", relayOptionsSchema, options);
  const {
    authorize,
    log = memoryEventLog(),
    heartbeatMs = 15_000,
    retryMs = 2_000,
    cors,
    onError = logToConsole,
  } = options;
  const report = (error: unknown) => callSafely(() => onError(error));
  const connections = new Set<() => void>();
  /** When the log fails, all connections end with the same error. It is reported once. */
  let lastLogError: unknown;
  const onLogError = (error: unknown) => {
    if (error !== lastLogError) report(error);
    lastLogError = error;
  };
  let isClosed = false;

  async function connect(request: Request, audience: Audience): Promise<Response> {
    const lastEventId = readLastEventId(request.headers);
    const mayReceive = receives(audience);
    const stream = await followLog({ log, lastEventId, retryMs, heartbeatMs, mayReceive, onLogError, connections });
    if (isClosed) close();
    return new Response(stream, { headers: STREAM_HEADERS });
  }

  function close(): void {
    isClosed = true;
    for (const closeConnection of connections) closeConnection();
  }

  /** Responds with 503 if the application or the log fails. */
  async function guard(work: () => Promise<Response>): Promise<Response> {
    try {
      return await work();
    } catch (error) {
      if (isControlFlow(error)) throw error;
      report(error);
      return unavailable();
    }
  }

  async function respond(request: Request): Promise<Response> {
    if (request.method !== "GET") return jsonResponse(405, "method_not_allowed", undefined, { Allow: "GET" });
    if (isClosed) return unavailable();
    const allowed = await authorize(request);
    if (!allowed) return jsonResponse(403, "forbidden");
    if (typeof allowed === "object" && isOwnResponse(allowed)) return allowed;
    return connect(request, allowed);
  }

  const relay = {
    async publish(event: WebhookEvent, publishOptions: PublishOptions = {}): Promise<string> {
      const audience = checkedAudience(publishOptions);
      const serialised = serialiseEvent(event);
      return log.append(serialised.event, audience, serialised.json);
    },
    handle: (request: Request): Promise<Response> => {
      const response = () => guard(() => respond(request));
      return cors === undefined ? response() : guard(() => respondToPage(cors, request, response));
    },
    close,
  };
  return withAsyncDispose(relay, async () => close());
}
