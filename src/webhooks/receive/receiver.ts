import { abortable, throwIfAborted } from "../../async/abort.js";
import { quoted } from "../../checks/format-issues.js";
import { ConfigurationError } from "../../errors/argument-errors.js";
import { TimeoutError } from "../../errors/call-errors.js";
import { textOf } from "../../json/text-of.js";
import type { KnownEventKind } from "../../schemas/event.js";
import type { MeetingEvent, WebhookEvent } from "../event/event.js";
import { readBody } from "../http/body.js";
import { callSafely } from "../http/respond.js";
import { type DedupeStore, memoryDedupe } from "./dedupe.js";
import {
  type DeliveryResult,
  type Refusal,
  type RefusalReason,
  responseTo,
  resultOf,
  warnOfRefusal,
} from "./delivery-response.js";
import { type DeliveryContext, type EventHandler, HandlerRegistry } from "./handler-registry.js";
import { EventReaders, type ReceivedEvents, type ReceivedEventsOptions } from "./received-events.js";
import { checkReceiverOptions, type ReceiverErrorContext, type ReceiverOptions } from "./receiver-options.js";
import { deliveryKeyOf, verifyDelivery } from "./verify.js";
import { checkedSecrets } from "./webhook-secret.js";

/** The second argument of `handle`: needed if `Context` does not include `undefined`. */
type ContextArguments<Context> = undefined extends Context ? [context?: Context] : [context: Context];

/** Receives deliveries: verifies each, and calls its handler once. */
export interface Receiver<Context = unknown> {
  /**
   * Registers the handler of one kind of event. If it throws, the response is 503 and the service delivers again.
   * @throws {ConfigurationError} if the kind already has a handler.
   * @throws {InvalidArgumentError} if the kind is not one of {@link EVENT_KINDS}: events
   * of other kinds go to {@link Receiver.onUnhandled}.
   * @example
   * for (const kind of EVENT_KINDS) receiver.on(kind, (event) => queue.add(event.kind, event.meetingId));
   */
  on: <K extends KnownEventKind>(kind: K, handler: EventHandler<MeetingEvent<K>, Context>) => void;
  /**
   * Registers the handler of all events that have no other handler. Without it, they get 200, and `console.warn` names
   * each kind once.
   * @throws {ConfigurationError} if there already is such a handler.
   * @example
   * receiver.onUnhandled((event) => relay.publish(event));
   */
  onUnhandled: (handler: EventHandler<WebhookEvent, Context>) => void;
  /**
   * Every event that is verified from this call on, of any kind, once for each delivery key: for the option `wake` of
   * the waits and `syncMeetings`. It is not a queue: it keeps the newest 1,000 events, in memory. An event without a
   * handler gets 200 all the same. The iteration goes on until `return`, `break` or `signal`, which makes the next step
   * reject with its reason.
   * @throws {ConfigurationError} if an option is unknown or invalid.
   * @example
   * await notetaker.meetings.waitForTranscript(meetingId, { wake: receiver.events(), pollMs: 60_000 });
   */
  events: (options?: ReceivedEventsOptions) => ReceivedEvents;
  /**
   * Responds to one delivery. The statuses:
   * - 200: the event was handled, now or before, or has no handler
   * - 400: the body is not an event
   * - 401: the signature is missing or wrong
   * - 405: the method is not POST
   * - 413: the body exceeds `maxBodyBytes`
   * - 503, after which the service delivers again: the handler failed or exceeded the deadline, the same delivery is
   *   being handled right now, or the receiver is not set up
   * @param context - Passed to `secrets` and to the handlers: the `env` of a worker, a tenant.
   * @example
   * // a route of Next.js
   * export const POST = (request: Request) => receiver.handle(request);
   */
  handle: (request: Request, ...context: ContextArguments<Context>) => Promise<Response>;
}

/** A delivery: verify → claim → handler → response. `handle` races the deadline; the steps get its signal. */
class DeliveryReceiver<Context> implements Receiver<Context> {
  readonly #options: ReceiverOptions<Context>;
  readonly #registry = new HandlerRegistry<Context>();
  readonly #readers = new EventReaders();
  readonly #dedupe: DedupeStore;

  constructor(options: ReceiverOptions<Context>) {
    checkReceiverOptions(options);
    this.#options = { ...options };
    this.#dedupe = options.dedupe ?? memoryDedupe();
    for (const [kind, handler] of Object.entries(options.handlers ?? {})) {
      if (handler !== undefined) this.#registry.add(kind, handler, "createReceiver: handlers");
    }
  }

  readonly on = (kind: string, handler: EventHandler<never, Context>): void =>
    this.#registry.add(kind, handler, "receiver.on");

  readonly onUnhandled = (handler: EventHandler<WebhookEvent, Context>): void => this.#registry.addOther(handler);

  readonly events = (options?: ReceivedEventsOptions): ReceivedEvents => this.#readers.open(options);

  readonly handle = async (request: Request, context?: Context): Promise<Response> => {
    // Not `instanceof Request`: the class of another realm, for example a test environment, is accepted.
    if (typeof request?.headers?.get !== "function") {
      this.#report(new ConfigurationError({ message: NOT_A_REQUEST }), { status: 503 });
      return responseTo("not_handled");
    }
    if (request.method !== "POST") {
      this.#refuse({ status: 405, reason: "method_not_allowed", request });
      return responseTo("method_not_allowed");
    }
    const { deadlineMs = 8_000, waitUntil } = this.#options;
    const deadline = new AbortController();
    const { signal } = deadline;
    const timer = setTimeout(() => deadline.abort(deadlineError(deadlineMs)), deadlineMs);
    const known: ReceiverErrorContext = { status: 503 };
    const work = this.#deliver(request, context as Context, signal, known).catch((error: unknown) => {
      // Only before the event is known can the sender be the cause.
      const { reason, message } = resultOf(known.event === undefined ? error : undefined);
      const response = responseTo(reason, message);
      const { status } = response;
      const isDeadline = signal.aborted && error === signal.reason;
      if (status !== 503) this.#refuse({ status, reason: reason as RefusalReason, request });
      else if (!isDeadline) this.#report(error, known);
      return response;
    });
    if (waitUntil !== undefined) callSafely(() => waitUntil(work, context as Context));
    try {
      return await abortable(work, signal);
    } catch (timeout) {
      // Only the store is late: after a 503, finished work might be done twice.
      if (known.status === 200) return responseTo("handled");
      // The handler may still be running. Its claim is held until it settles, so that a redelivery does not start it a
      // second time.
      this.#report(timeout, known);
      return responseTo("deadline_exceeded");
    } finally {
      clearTimeout(timer);
    }
  };

  /** Adds the event to `known` as soon as it is verified, and the status as soon as the event is handled. */
  async #deliver(
    request: Request,
    context: Context,
    signal: AbortSignal,
    known: ReceiverErrorContext,
  ): Promise<Response> {
    const { secrets, maxBodyBytes = 1_048_576 } = this.#options;
    const isFunction = typeof secrets === "function";
    const current = checkedSecrets("createReceiver: secrets", isFunction ? await secrets(request, context) : secrets);
    const body = () => readBody(request, maxBodyBytes, signal);
    const whyMissing = isFunction ? "the secrets function returned none for this delivery" : undefined;
    const verified = await verifyDelivery(request.headers, body, current, this.#options, whyMissing);
    const deliveryKey = await deliveryKeyOf(verified);
    const { event, secretIndex } = verified;
    Object.assign(known, { event, deliveryKey });
    const delivery = { deliveryKey, signal, request, context, secretIndex };
    return responseTo(await this.#handleOnce(event, delivery, known));
  }

  async #handleOnce(
    event: WebhookEvent,
    delivery: DeliveryContext<Context>,
    known: ReceiverErrorContext,
  ): Promise<DeliveryResult> {
    const { deliveryKey, signal } = delivery;
    const isRead = this.#readers.pass(event, deliveryKey);
    const handler = this.#registry.handlerOf(event);
    if (handler === undefined) {
      if (!isRead) this.#registry.logUnhandled(event.kind);
      return isRead ? "handled" : "ignored";
    }
    const holder = crypto.randomUUID();
    const claim = await this.#dedupe.claim(deliveryKey, holder);
    if (claim === "done") return "handled_before";
    if (claim === "in_progress") return claim;
    if (claim !== "claimed") throw new ConfigurationError({ message: `dedupe.claim: unknown result ${textOf(claim)}` });
    /** A store that fails to settle a claim does not change the response: finished work must not be done twice. */
    const settle = async (how: "complete" | "release") => {
      try {
        await this.#dedupe[how](deliveryKey, holder);
      } catch (error) {
        this.#report(error, known);
      }
    };
    try {
      // The store may have taken until after the deadline.
      throwIfAborted(signal);
      await handler(event, delivery);
    } catch (error) {
      await settle("release");
      throw error;
    }
    known.status = 200;
    await settle("complete");
    return "handled";
  }

  #refuse(refusal: Refusal): void {
    const { onRefused, signatureHeader } = this.#options;
    callSafely(() => (onRefused === undefined ? warnOfRefusal(refusal, signatureHeader) : onRefused(refusal)));
  }

  #report(error: unknown, context: ReceiverErrorContext): void {
    const { onError = logDeliveryError } = this.#options;
    callSafely(() => onError(error, { ...context }));
  }
}

const NOT_A_REQUEST = "receiver.handle: expected a Request; Node: toNodeListener(receiver.handle)";

/** The default `onError`. The kind and the id come from the sender, so they are quoted and cut. */
function logDeliveryError(error: unknown, { status, event, deliveryKey }: ReceiverErrorContext): void {
  const delivery =
    event === undefined
      ? "a delivery"
      : `${quoted(event.kind)} of ${event.meetingId ? quoted(event.meetingId) : "no meeting"}, delivery ${deliveryKey}`;
  console.error(`notetaker-sdk: responded ${status} to ${delivery}:`, error);
}

const deadlineError = (deadlineMs: number) =>
  new TimeoutError({ message: `not handled within ${deadlineMs} ms (deadlineMs)`, timeoutMs: deadlineMs });

/**
 * A receiver of the service's deliveries: verifies, deduplicates, calls the handler, and then responds. Opens no
 * connection and starts no timer until a delivery arrives.
 * @throws {ConfigurationError} if an option is unknown or invalid, or a secret is not a string or has white space
 * inside. A secret that is `undefined` or `""` does not throw: each delivery gets 503 instead.
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
