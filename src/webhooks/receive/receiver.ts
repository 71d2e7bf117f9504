/**
 * Receives deliveries: verifies each one, handles each event once, and requests another delivery if handling failed.
 */
import { abortable } from "../../async/abort.js";
import { ConfigurationError } from "../../errors/argument-errors.js";
import { TimeoutError } from "../../errors/call-errors.js";
import type { KnownEventKind } from "../../schemas/event.js";
import type { MeetingEvent, WebhookEvent } from "../event/event.js";
import { readBody } from "../http/body.js";
import { jsonResponse } from "../http/json-response.js";
import { errorReporter } from "../http/report-error.js";
import { memoryDedupe } from "./dedupe.js";
import { deliveryKeyOf } from "./delivery-key.js";
import { DEADLINE_EXCEEDED, type DeliveryResult, NOT_HANDLED, refusalOf, toResponse } from "./delivery-result.js";
import { type HandlingTools, handleOnce } from "./handle-once.js";
import { type DeliveryContext, type EventHandler, type EventHandlers, HandlerRegistry } from "./handler-registry.js";
import {
  type ReceiverErrorContext,
  type ReceiverOptions,
  type ReceiverSettings,
  receiverSettings,
} from "./receiver-options.js";
import { verifyDelivery } from "./verify-delivery.js";
import { requireSecrets } from "./webhook-secret.js";

/**
 * The second argument of `handle`. It is optional, unless the receiver has a type argument `Context` without
 * `undefined`.
 */
type ContextArguments<Context> = undefined extends Context ? [context?: Context] : [context: Context];

/** Receives deliveries: verifies each, and calls its handler once. */
export interface Receiver<Context = unknown> {
  /**
   * Registers the handler of one kind of event. If it throws, the response is 503 and the service delivers again.
   *
   * @throws {@link ConfigurationError} if the kind already has a handler.
   * @example
   * for (const kind of EVENT_KINDS) receiver.on(kind, (event) => queue.add(event.kind, event.meetingId));
   */
  on<K extends KnownEventKind>(kind: K, handler: EventHandler<MeetingEvent<K>, Context>): void;
  /** Registers the handler of one kind of event, in the form that the `handlers` option accepts. */
  on<K extends KnownEventKind>(kind: K, handler: NonNullable<EventHandlers<Context>[K]>): void;
  /** Registers the handler of a kind of event that this version does not know. */
  on(kind: string, handler: EventHandler<WebhookEvent, Context>): void;
  /**
   * Registers the handler of all events that have no other handler. Without it, they get 200 and are dropped.
   *
   * @throws {@link ConfigurationError} if there already is such a handler.
   */
  onUnhandled(handler: EventHandler<WebhookEvent, Context>): void;
  /**
   * Responds to one delivery. The statuses:
   * - 200: the event was handled, now or before, or has no handler
   * - 400: the body is not an event
   * - 401: the signature is missing or wrong
   * - 405: the method is not POST
   * - 413: the body exceeds `maxBodyBytes`
   * - 503, after which the service delivers again: the handler failed or exceeded the deadline, the same delivery is
   *   being handled right now, or the receiver is not set up
   *
   * @param context - Passed to `secrets` and to the handlers: the `env` of a worker, a tenant.
   */
  handle(request: Request, ...context: ContextArguments<Context>): Promise<Response>;
}

/** A verified delivery with its event, or the result of a refused delivery. */
type VerificationResult<Context> =
  | { kind: "verified"; event: WebhookEvent; delivery: DeliveryContext<Context> }
  | { kind: "refused"; result: DeliveryResult };

/** The steps of a delivery: {@link #verify} → {@link handleOnce} → response, all within one deadline. */
class DeliveryReceiver<Context> {
  readonly #settings: ReceiverSettings<Context>;
  readonly #handling: HandlingTools<Context>;

  constructor(options: ReceiverOptions<Context>) {
    this.#settings = receiverSettings(options);
    const { dedupe = memoryDedupe(), onError, handlers = {} } = this.#settings;
    this.#handling = { registry: new HandlerRegistry<Context>(), dedupe, report: errorReporter(onError) };
    for (const [kind, handler] of Object.entries(handlers)) {
      if (handler !== undefined) this.#handling.registry.add(kind, handler);
    }
  }

  readonly on = (kind: string, handler: EventHandler<never, Context>): void => {
    this.#handling.registry.add(kind, handler);
  };

  readonly onUnhandled = (handler: EventHandler<WebhookEvent, Context>): void => {
    this.#handling.registry.addOther(handler);
  };

  readonly handle = async (request: Request, ...[context]: ContextArguments<Context>): Promise<Response> => {
    // For example Node's `IncomingMessage`. After a 503 the service delivers again; by then the code may be corrected.
    if (typeof request?.headers?.get !== "function") {
      const message = "receiver.handle: expected a Request; Node: toNodeListener(receiver.handle)";
      this.#handling.report(new ConfigurationError(message), { status: 503 });
      return toResponse(NOT_HANDLED);
    }
    if (request.method !== "POST") return jsonResponse(405, "method_not_allowed", undefined, { Allow: "POST" });
    const { deadlineMs, waitUntil } = this.#settings;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(deadlineError(deadlineMs)), deadlineMs);
    const verifying = this.#verify(request, context as Context, deadline.signal);
    const handling = verifying.then((verified) =>
      verified.kind === "verified" ? handleOnce(verified.event, verified.delivery, this.#handling) : verified.result,
    );
    waitUntil?.(handling, context as Context);
    try {
      return await this.#respond(verifying, handling, deadline.signal);
    } finally {
      clearTimeout(timer);
    }
  };

  /** Never rejects: an error becomes a refusal. It is reported if the application caused it. */
  async #verify(request: Request, context: Context, signal: AbortSignal): Promise<VerificationResult<Context>> {
    const { secrets, maxBodyBytes } = this.#settings;
    try {
      const current = typeof secrets === "function" ? await secrets(request, context) : secrets;
      const usable = requireSecrets("createReceiver: secrets", current);
      const body = () => readBody(request, maxBodyBytes, signal);
      const verified = await verifyDelivery(request.headers, body, usable, this.#settings);
      const deliveryKey = await deliveryKeyOf(verified);
      const { event, secret } = verified;
      return {
        kind: "verified",
        event,
        delivery: { deliveryKey, signal, request, context, secretIndex: secret.index },
      };
    } catch (error) {
      const result = refusalOf(error);
      // `#respond` reports an exceeded deadline.
      const isDeadline = signal.aborted && error === signal.reason;
      if (result.status === 503 && !isDeadline) this.#handling.report(error, { status: result.status });
      return { kind: "refused", result };
    }
  }

  /**
   * At the deadline the response is sent, but the handler may still be running. Its claim is held until it settles, so
   * that a redelivery does not start it a second time.
   */
  async #respond(
    verifying: Promise<VerificationResult<Context>>,
    handling: Promise<DeliveryResult>,
    signal: AbortSignal,
  ): Promise<Response> {
    const errorContext: ReceiverErrorContext = { status: 503 };
    try {
      const verified = await abortable(verifying, signal);
      if (verified.kind === "verified") {
        errorContext.event = verified.event;
        errorContext.deliveryKey = verified.delivery.deliveryKey;
      }
      return toResponse(await abortable(handling, signal));
    } catch (timeout) {
      this.#handling.report(timeout, errorContext);
      return toResponse(DEADLINE_EXCEEDED);
    }
  }
}

const deadlineError = (deadlineMs: number) =>
  new TimeoutError(`not handled within ${deadlineMs} ms (deadlineMs)`, { timeoutMs: deadlineMs });

/**
 * A receiver of the service's deliveries: verifies, deduplicates, calls the handler, and then responds. Opens no
 * connection and starts no timer until a delivery arrives.
 *
 * @throws {@link ConfigurationError} if an option is unknown or invalid, or a secret is not a string. A secret that is
 * `undefined` or `""` does not throw: each delivery gets 503 instead.
 * @example
 * const receiver = createReceiver({ secrets: process.env.WEBHOOK_SECRET });
 * receiver.on("meeting.transcript_ready", async ({ meetingId }, { signal }) => {
 *   await save(await notetaker.meetings.getTranscript(meetingId, { signal }));
 * });
 * export const POST = receiver.handle;
 */
export function createReceiver<Context = unknown>(options: ReceiverOptions<Context>): Receiver<Context> {
  return new DeliveryReceiver(options);
}
