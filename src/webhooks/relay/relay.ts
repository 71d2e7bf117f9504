/** Passes webhook events on to browsers, as server-sent events. */
import { ConfigurationError } from "../../errors/configuration-error.js";
import { checkNumbers, rejectUnknownOptions } from "../check-options.js";
import type { WebhookEvent } from "../event/event.js";
import { jsonResponse } from "../http/json-response.js";
import { reporter } from "../http/report-error.js";
import { type EventLog, memoryEventLog } from "./event-log.js";
import { followLog } from "./follow-log.js";

/**
 * What a connection may hear:
 * - `true`: every event
 * - a name, or several: the events published to one of these audiences, and those published to nobody in particular
 */
export type Audience = true | string | readonly string[];

export interface RelayOptions {
  /**
   * Asked on every connection, reconnections included: what may it hear? A falsy answer refuses it with 403; a
   * `Response` refuses it with that (a 401, say). To let everybody in is a decision too: `() => true`.
   */
  authorize: (
    request: Request,
  ) => Audience | Response | false | null | undefined | Promise<Audience | Response | false | null | undefined>;
  /** What was published, for readers that come back. Default {@link memoryEventLog}: one process, 1,000 events. */
  log?: EventLog | undefined;
  /**
   * How often a quiet connection is written to, in milliseconds: below the idle timeout of what is in between.
   * Default 15,000.
   */
  heartbeatMs?: number | undefined;
  /** How long a browser waits before it connects again, in milliseconds. Default 2,000. */
  retryMs?: number | undefined;
  /**
   * Told of what fails in `authorize` or in the log. Default `console.error`. A reader that is dropped for being too
   * slow is no error: it comes back, and goes on where it was.
   */
  onError?: ((error: unknown) => void) | undefined;
}

export interface PublishOptions {
  /** Who hears the event: one audience or several. Default: everybody who was let in. */
  audience?: string | readonly string[] | undefined;
}

export interface Relay {
  /** Appends the event to the log, from where every connection gets it. Resolves to its id once it is there. */
  publish(event: WebhookEvent, options?: PublishOptions): Promise<string>;
  /**
   * Answers a connection with the stream of events. `Last-Event-ID` goes on where the reader was; a `resync` event says
   * that the log does not reach back that far, and that the state has to be read anew. 403 refused, 405 not GET, 503
   * closed or not able to.
   */
  handle(request: Request): Promise<Response>;
  /** Ends every connection once it has what is in the log, and lets no more in. Publishing still appends to the log. */
  close(): void;
}

/**
 * A relay of webhook events to browsers and other readers. It opens nothing and starts no timer until somebody
 * connects.
 *
 * @example
 * const relay = createRelay({ authorize: async (request) => (await session(request))?.userId });
 * receiver.onOther((event) => relay.publish(event, { audience: ownerOf(event) }));
 * export const GET = relay.handle; // in the browser: new EventSource("/events")
 */
export function createRelay({
  authorize,
  log = memoryEventLog(),
  heartbeatMs = 15_000,
  retryMs = 2_000,
  onError,
  ...others
}: RelayOptions): Relay {
  rejectUnknownOptions("createRelay", others);
  if (typeof authorize !== "function") {
    throw new ConfigurationError("createRelay authorize: expected a function");
  }
  checkNumbers("createRelay", { heartbeatMs, retryMs });
  const report = reporter<void>(onError);
  const closers = new Set<() => void>();
  let closed = false;

  async function connect(request: Request, audience: Audience): Promise<Response> {
    const names: unknown[] = [audience].flat();
    const stream = await followLog({
      log,
      lastEventId: request.headers.get("last-event-id"),
      retryMs,
      heartbeatMs,
      hears: ({ audience: to }) => audience === true || !to || to.some((name) => names.includes(name)),
      onLogError: report,
      closers,
    });
    if (closed) close();
    return new Response(stream, {
      headers: {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-cache, no-transform",
        // nginx would gather the events and send them late.
        "X-Accel-Buffering": "no",
      },
    });
  }

  function close(): void {
    closed = true;
    for (const closeOne of closers) closeOne();
  }

  return {
    async publish(event, { audience } = {}) {
      return log.append(event, audience === undefined ? undefined : [audience].flat());
    },
    async handle(request) {
      if (request.method !== "GET") return jsonResponse(405, "method_not_allowed", undefined, { Allow: "GET" });
      if (closed) return unavailable();
      try {
        const allowed = await authorize(request);
        if (!allowed) return jsonResponse(403, "forbidden");
        if (typeof allowed === "object" && "status" in allowed) return allowed;
        return await connect(request, allowed);
      } catch (error) {
        report(error);
        return unavailable();
      }
    },
    close,
  };
}

const unavailable = () => jsonResponse(503, "unavailable");
