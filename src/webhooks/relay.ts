/** Passes webhook events on to browsers, as server-sent events. */
import { ConfigurationError } from "../errors/configuration-error.js";
import { refusal } from "./answer.js";
import { checkedNumber } from "./checked-number.js";
import type { WebhookEvent } from "./event.js";
import { type EventLog, type LogEntry, memoryEventLog } from "./event-log.js";
import { RelayReader } from "./relay-reader.js";
import { type ErrorReporter, reporter } from "./report.js";

/**
 * What a connection may hear:
 * - `true`: every event
 * - a name, or several: the events published to one of these audiences, and those published to nobody in particular
 */
export type Audience = true | string | readonly string[];

export interface RelayOptions {
  /**
   * Asked on every connection, reconnections included: what may it hear? A falsy answer refuses it with 403; a `Response` refuses it
   * with that (a 401, say). To let everybody in is a decision too: `() => true`.
   */
  authorize: (
    request: Request,
  ) => Audience | Response | false | null | undefined | Promise<Audience | Response | false | null | undefined>;
  /** What was published, for readers that come back. Default {@link memoryEventLog}: one process, 1,000 events. */
  log?: EventLog | undefined;
  /** How often a quiet connection is written to, in milliseconds: below the idle timeout of what is in between. Default 15,000. */
  heartbeatMs?: number | undefined;
  /** How long a browser waits before it connects again, in milliseconds. Default 2,000. */
  retryMs?: number | undefined;
  /**
   * Told of what fails in `authorize` or in the log. Default `console.error`. A reader that is dropped for being too
   * slow is no error: it comes back, and goes on where it was.
   */
  onError?: ErrorReporter<{ operation: "authorize" | "log" }> | undefined;
}

export interface PublishOptions {
  /** Who hears the event: one audience or several. Default: everybody who was let in. */
  audience?: string | readonly string[] | undefined;
}

export interface Relay {
  /** Appends the event to the log, from where every connection gets it. Resolves to its id once it is there. */
  publish(event: WebhookEvent, options?: PublishOptions): Promise<string>;
  /**
   * Answers a connection with the stream of events; never rejects. `Last-Event-ID` goes on where the reader was; a `resync` event says that the
   * log does not reach back that far, and that the state has to be read anew. 403 refused, 405 not GET, 503 closed or not able to.
   */
  handle(request: Request): Promise<Response>;
  /** Ends every connection, once it has what is in the log, and lets no more in. Publishing still appends to the log. */
  close(): void;
}

/**
 * A relay of webhook events to browsers and other readers. It opens nothing and starts no timer until somebody connects.
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
}: RelayOptions): Relay {
  if (typeof authorize !== "function") {
    throw new ConfigurationError("createRelay authorize: expected a function that says who may hear what");
  }
  checkedNumber("createRelay heartbeatMs", heartbeatMs);
  checkedNumber("createRelay retryMs", retryMs);
  const report = reporter("relay", onError);
  const readers = new Set<RelayReader>();
  let closed = false;
  /** Connections, those included that are being made. The log is listened to, and the heart beats, while there are any. */
  let connections = 0;
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let listening: Promise<() => void> | undefined;

  function enter(): void {
    connections += 1;
    heartbeat ??= setInterval(() => {
      for (const reader of readers) reader.beat();
    }, heartbeatMs);
  }

  function leave(): void {
    connections -= 1;
    if (connections > 0) return;
    clearInterval(heartbeat);
    heartbeat = undefined;
    stopListening();
  }

  function stopListening(): void {
    listening?.then((stop) => stop()).catch((error: unknown) => report(error, { operation: "log" }));
    listening = undefined;
  }

  const listen = async (): Promise<() => void> =>
    log.listen(
      () => {
        for (const reader of readers) reader.changed();
      },
      (error) => {
        report(error, { operation: "log" });
        listening = undefined;
        for (const reader of readers) reader.drop(error);
      },
    );

  /** A reader from where the request says it was. From here on it cannot miss a change: the log is listened to before it is read. */
  async function connect(request: Request, audience: Audience): Promise<RelayReader> {
    listening ??= listen().catch((error: unknown) => {
      listening = undefined;
      throw error;
    });
    const listener = listening;
    await listener;
    const asked = request.headers.get("last-event-id") ?? "";
    const resync = asked !== "" && (await log.after(asked, 1)) === undefined;
    const position = asked === "" || resync ? await log.latestId() : asked;
    if (listener !== listening) throw new Error("the log broke while a connection was made");

    const names = audience === true ? undefined : [audience].flat();
    const reader: RelayReader = new RelayReader({
      log,
      position,
      resync,
      retryMs,
      hears: (entry) => isHeard(entry, names),
      onLogError: (error) => report(error, { operation: "log" }),
      onEnd() {
        readers.delete(reader);
        leave();
      },
    });
    readers.add(reader);
    if (closed) reader.close();
    return reader;
  }

  return {
    async publish(event, { audience } = {}) {
      return log.append(event, audience === undefined ? undefined : [audience].flat());
    },
    async handle(request) {
      if (request.method !== "GET") {
        return refusal(405, "method_not_allowed", "events are read with GET", { Allow: "GET" });
      }
      if (closed) return unavailable("the relay is closed");
      let allowed: Awaited<ReturnType<typeof authorize>>;
      try {
        allowed = await authorize(request);
      } catch (error) {
        report(error, { operation: "authorize" });
        return unavailable("cannot tell at the moment who may hear these events");
      }
      if (!allowed) return refusal(403, "forbidden", "not allowed to hear these events");
      if (typeof allowed === "object" && "status" in allowed) return allowed;

      enter();
      try {
        return new Response((await connect(request, allowed)).stream, { headers: HEADERS });
      } catch (error) {
        leave();
        report(error, { operation: "log" });
        return unavailable("the events cannot be read at the moment");
      }
    },
    close() {
      closed = true;
      for (const reader of readers) reader.close();
    },
  };
}

const unavailable = (message: string) => refusal(503, "unavailable", message);

const HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  // nginx would gather the events and send them late.
  "X-Accel-Buffering": "no",
};

/** Whether one of the reader's audiences is one of the entry's; `undefined` stands for all of them. */
const isHeard = ({ audience }: LogEntry, names: readonly string[] | undefined) =>
  names === undefined || audience === undefined || audience.some((name) => names.includes(name));
