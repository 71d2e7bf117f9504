import * as z from "zod/mini";
import { type AsyncDisposeMember, withAsyncDispose } from "../../async/symbols.js";
import { HOUR_MS } from "../../async/timers.js";
import { ConfigurationError } from "../../errors/argument-errors.js";
import { checkOptions } from "../../errors/check-arguments.js";
import {
  functionOf,
  functionSchema,
  type Infer,
  objectWith,
  positiveNumber,
  requestObject,
  type Schema,
} from "../../schemas/primitives.js";
import type { WebhookEvent } from "../event/event.js";
import { callSafely, isControlFlow, logToConsole, statusResponse } from "../http/respond.js";
import { type CorsOptions, corsOptions, respondToPage } from "./cors.js";
import { type EventLog, type LogEntry, memoryEventLog } from "./event-log.js";
import { LogFollower } from "./log-follower.js";
import { type PublishOptions, publish } from "./publish.js";

/**
 * The events that a connection may receive:
 * - `true`: every event
 * - a name, or several: the events published to one of these audiences, and those published without an audience
 */
export type Audience = true | string | readonly string[];

/** Who a connection belongs to: its audience, or an object with it and whatever else `end` needs to know. */
export type Identity =
  | Audience
  | {
      /** The events that the connection may receive. */
      readonly audience: Audience;
    };

/**
 * The result of `authorize`: a falsy value refuses the connection with 403, a `Response` refuses it with that response.
 */
export type Authorization<Who extends Identity = Identity> = Who | Response | false | null | undefined;

/** An open connection, for {@link Relay.end}. */
export interface RelayConnection<Who extends Identity = Identity> {
  /** The events that it may receive. */
  readonly audience: Audience;
  /** What `authorize` returned. */
  readonly identity: Who;
}

const relayOptions = {
  /** The published events, for readers that reconnect. Default {@link memoryEventLog}: 1,000 events in memory. */
  log: z.optional(objectWith("append", "latestId", "after", "listen") as Schema<EventLog>),
  /**
   * After this time, `authorize` is called again, with the request that opened the connection. A refusal or an error
   * ends the connection; a reader that reconnects gets the response. Default 3,600,000 (an hour), in milliseconds.
   */
  reauthorizeMs: z.optional(positiveNumber),
  /** Milliseconds between heartbeats, shorter than proxies' timeouts. Default 8,000: `Bun.serve` closes after 10 s. */
  heartbeatMs: z.optional(positiveNumber),
  /** How long a browser waits before it reconnects, in milliseconds. Default 2,000. */
  retryMs: z.optional(positiveNumber),
  /** Which pages of other origins may read the stream. Default: none. Route OPTIONS to `handle`, too. */
  cors: z.optional(requestObject<CorsOptions>(corsOptions)),
  /** Called with each error of `authorize` or of the log. Default `console.error`. */
  onError: z.optional(functionOf<(error: unknown) => void>()),
};

export interface RelayOptions<Who extends Identity = Identity> extends Infer<typeof relayOptions> {
  /**
   * Called for every connection, reconnections included. Returns which events it may receive (or an object whose
   * `audience` says so); a falsy result refuses it with 403, a `Response` with that response (for example a 401).
   * `() => true` lets everybody in.
   */
  authorize: (request: Request) => Authorization<Who> | Promise<Authorization<Who>>;
}

const relayOptionsSchema = z.strictObject({ ...relayOptions, authorize: functionSchema });

/** Passes webhook events on to browsers, as server-sent events. */
export interface Relay<Who extends Identity = Identity> extends AsyncDisposeMember {
  /**
   * Appends the event to the log, from which every connection receives it. Resolves to the event's id.
   *
   * Rejects with `InvalidArgumentError`, and appends nothing, if JSON cannot hold the event, or if `audience` is
   * present and is neither a name nor a list of names.
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
   * @example
   * // a route of Next.js
   * export const GET = (request: Request) => relay.handle(request);
   */
  handle: (request: Request) => Promise<Response>;
  /**
   * Ends the streams for which `test` returns `true`, at once: for a user who has logged out or lost access. A reader
   * that reconnects is up to `authorize`.
   * @example
   * relay.end(({ audience }) => audience === userId);
   */
  end: (test: (connection: RelayConnection<Who>) => boolean) => void;
  /**
   * Ends every stream after it has sent all entries of the log, or after a second, and its connection. Refuses new ones
   * with 503. `publish` still appends to the log. A server can then stop at once: an open stream would keep it running.
   * @example
   * process.once("SIGTERM", () => relay.close());
   */
  close: () => void;
}

/** A connection that is being opened has a list of those that `end` gets meanwhile. */
type EndTest<Who extends Identity> = Parameters<Relay<Who>["end"]>[0];

/** Adds a list to `lists` while `work` has it. */
function listed<Item, T>(lists: Set<Item[]>, work: (list: Item[]) => Promise<T>): Promise<T> {
  const list: Item[] = [];
  lists.add(list);
  return work(list).finally(() => lists.delete(list));
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

const unavailable = () => statusResponse(503, "unavailable", undefined, CLOSE_AT_END);

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

const isOwnResponse = (value: unknown): value is Response => "status" in Object(value);

const audienceOf = (identity: Identity): Audience =>
  "audience" in Object(identity) ? (identity as { audience: Audience }).audience : (identity as Audience);

/** A connection: `authorize` may change it while it is open. */
interface Reader<Who extends Identity> extends RelayConnection<Who> {
  readonly mayReceive: (entry: LogEntry) => boolean;
}

/** The reader that `authorize` lets in, or the response that refuses it. */
async function readerOf<Who extends Identity>(
  authorize: RelayOptions<Who>["authorize"],
  request: Request,
): Promise<Reader<Who> | Response> {
  const identity = await authorize(request);
  if (!identity) return statusResponse(403, "forbidden");
  if (isOwnResponse(identity)) return identity;
  const audience = audienceOf(identity);
  return { identity, audience, mayReceive: receives(audience) };
}

/** Asks `authorize` again. The reader may have another audience from now on. */
async function mayStay<Who extends Identity>(
  reader: Reader<Who>,
  authorize: RelayOptions<Who>["authorize"],
  request: Request,
): Promise<boolean> {
  const current = await readerOf(authorize, request);
  if (isOwnResponse(current)) return false;
  Object.assign(reader, current);
  return true;
}

/** Responds with 503 if the application or the log fails. */
async function guard(report: (error: unknown) => void, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (isControlFlow(error)) throw error;
    report(error);
    return unavailable();
  }
}

/**
 * A relay of webhook events to browsers and other readers. Opens nothing and starts no timer until a reader connects.
 *
 * `await using` closes it, if the runtime has `Symbol.asyncDispose`.
 * @throws {ConfigurationError} if an option is unknown or invalid.
 * @example
 * const relay = createRelay({ authorize: async (request) => (await session(request))?.userId });
 * receiver.onUnhandled((event) => relay.publish(event, { audience: ownerOf(event) }));
 * export const GET = relay.handle; // in the browser: new EventSource("/events")
 */
export function createRelay<const Who extends Identity = Identity>(options: RelayOptions<Who>): Relay<Who> {
  checkOptions("createRelay", relayOptionsSchema, options);
  const {
    authorize,
    log = memoryEventLog(),
    reauthorizeMs = HOUR_MS,
    heartbeatMs = 8_000,
    retryMs = 2_000,
    cors,
    onError = logToConsole,
  } = options;
  const report = (error: unknown) => callSafely(() => onError(error));
  const connections = new Map<Reader<Who>, LogFollower>();
  const testsWhileOpening = new Set<EndTest<Who>[]>();
  /** When the log fails, all connections end with the same error. It is reported once. */
  let lastError: unknown;
  const reportOnce = (error: unknown) => {
    if (error !== lastError) report(error);
    lastError = error;
  };
  let isClosed = false;

  async function connect(request: Request, reader: Reader<Who>): Promise<Response> {
    const follower = new LogFollower({
      log,
      retryMs,
      heartbeatMs,
      reauthorizeMs,
      lastEventId: request.headers.get("last-event-id"),
      mayContinue: () => mayStay(reader, authorize, request),
      mayReceive: (entry) => reader.mayReceive(entry),
      onError: reportOnce,
      onOpen: (connection) => connections.set(reader, connection),
      onEnd: () => connections.delete(reader),
    });
    const stream = await follower.open();
    if (isClosed) close();
    return new Response(stream, { headers: STREAM_HEADERS });
  }

  function close(): void {
    isClosed = true;
    for (const connection of connections.values()) connection.close();
  }

  async function respond(request: Request): Promise<Response> {
    if (request.method !== "GET") return statusResponse(405, "method_not_allowed", undefined, { Allow: "GET" });
    if (isClosed) return unavailable();
    return listed(testsWhileOpening, async (tests) => {
      const reader = await readerOf(authorize, request);
      if (isOwnResponse(reader)) return reader;
      const response = await connect(request, reader);
      if (tests.some((test) => test(reader))) connections.get(reader)?.end();
      return response;
    });
  }

  const relay = {
    publish: (event: WebhookEvent, publishOptions?: PublishOptions) => publish(log, event, publishOptions),
    handle: (request: Request): Promise<Response> => {
      const response = () => guard(report, () => respond(request));
      return cors === undefined ? response() : guard(report, () => respondToPage(cors, request, response));
    },
    end(test: (connection: RelayConnection<Who>) => boolean): void {
      for (const tests of testsWhileOpening) tests.push(test);
      // A copy, because a connection that ends is removed.
      for (const [reader, connection] of [...connections]) if (test(reader)) connection.end();
    },
    close,
  };
  return withAsyncDispose(relay, async () => close());
}
