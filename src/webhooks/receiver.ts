/** Receives deliveries so that each event is handled once, and is delivered again when it was not. */
import { ConfigurationError } from "../errors/configuration-error.js";
import { TimeoutError } from "../errors/timeout-error.js";
import { WebhookVerificationError } from "../errors/webhook-verification-error.js";
import type { KnownEventKind } from "../schemas/event.js";
import { answer, refusal } from "./answer.js";
import { checkedNumber } from "./checked-number.js";
import { type DedupeStore, memoryDedupe } from "./dedupe.js";
import { deliveryKeyOf } from "./delivery-key.js";
import {
  eventFromBody,
  isKnownKind,
  isMeetingEvent,
  type MeetingEvent,
  readObject,
  type WebhookEvent,
} from "./event.js";
import { readBody } from "./read-body.js";
import { type ErrorReporter, reporter } from "./report.js";
import { checkSignature, readSignature, usableSecrets, type WebhookSecret } from "./signature.js";
import type { VerifyOptions } from "./verify.js";

/** What a handler is given beside the event. */
export interface DeliveryContext {
  /** The same for each delivery of this event: kind and SHA-256 of the raw body. */
  deliveryKey: string;
  /**
   * Aborts at the deadline. Pass it on to work that should then stop; work that should be finished all the same does
   * without it, and the redelivery finds it in progress, or done.
   */
  signal: AbortSignal;
}

export type EventHandler<E extends WebhookEvent = WebhookEvent> = (event: E, context: DeliveryContext) => unknown;

/** Where an error of a receiver happened. */
export interface ReceiverErrorContext {
  /** What the service was answered. */
  status: number;
  /** When the error came after the event was read. */
  event?: WebhookEvent;
  deliveryKey?: string;
}

export interface ReceiverOptions extends VerifyOptions {
  /**
   * The webhook's secret, several while one replaces another, or a function that is asked for them at each delivery.
   * Without any, deliveries are answered 503: a receiver can be made where the secret is not known yet.
   */
  secrets: WebhookSecret | (() => WebhookSecret | Promise<WebhookSecret>);
  /** Which deliveries were handled. Default {@link memoryDedupe}: one process. */
  dedupe?: DedupeStore | undefined;
  /** From the request's arrival to the answer 503, in milliseconds. Default 8,000: the service gives up at 10,000 (level A). */
  deadlineMs?: number | undefined;
  /** The largest body that is read, in bytes; a larger one is answered 413. Default 1 MiB. */
  maxBodyBytes?: number | undefined;
  /**
   * Told of every error that is the receiver's own: a handler that failed or overran its deadline, a missing secret, a
   * parsed body, an event that no handler takes. Default `console.error`. What a stranger can cause (a bad signature, a body
   * that is no event) is only answered.
   */
  onError?: ErrorReporter<ReceiverErrorContext> | undefined;
  /** Keeps an edge worker alive for work that outlasts the deadline: Cloudflare's or Vercel's `waitUntil`. */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}

export interface Receiver {
  /**
   * Handles the events of one kind. A handler that throws is answered 503, so that the service delivers again.
   *
   * @throws {@link ConfigurationError} when the kind has a handler already.
   */
  on<K extends KnownEventKind>(kind: K, handler: EventHandler<MeetingEvent<K>>): void;
  on(kind: string, handler: EventHandler): void;
  /**
   * Handles every event that no other handler takes. Without it, they are answered 200 and dropped.
   *
   * @throws {@link ConfigurationError} when there is such a handler already.
   */
  onOther(handler: EventHandler): void;
  /**
   * Answers one delivery, and never rejects. 200 handled, or handled before; 400 not an event; 401 bad or missing signature; 405 not
   * POST; 413 over `maxBodyBytes`; 503 to be delivered again: the handler failed or overran the deadline, the same
   * delivery is being handled right now, or the receiver is not set up.
   */
  handle(request: Request): Promise<Response>;
}

const STATUS_OF_REASON = {
  missing_signature: 401,
  malformed_signature: 401,
  wrong_signature: 401,
  not_an_event: 400,
  // Ours to set right: the service does not repeat what is answered with a 4xx.
  missing_secret: 503,
  parsed_body: 503,
} as const;

/**
 * A receiver of the service's deliveries: verifies, deduplicates, calls the handler, and answers after it.
 * Opens nothing and starts no timer until a delivery arrives.
 *
 * @example
 * const receiver = createReceiver({ secrets: process.env.WEBHOOK_SECRET });
 * receiver.on("meeting.transcript_ready", async ({ meetingId }, { signal }) => {
 *   await save(await notetaker.meetings.getTranscript(meetingId, { signal }));
 * });
 * export const POST = receiver.handle;
 */
export function createReceiver({
  secrets,
  dedupe = memoryDedupe(),
  deadlineMs = 8_000,
  maxBodyBytes = 1_048_576,
  onError,
  waitUntil,
  signatureHeader,
  ...reading
}: ReceiverOptions): Receiver {
  checkedNumber("createReceiver deadlineMs", deadlineMs);
  checkedNumber("createReceiver maxBodyBytes", maxBodyBytes);
  const report = reporter("receiver", onError);
  const handlers = new Map<string, EventHandler<never>>();
  let other: EventHandler | undefined;

  function checkHandler(name: string, handler: unknown, registered: unknown): void {
    if (typeof handler !== "function") throw new ConfigurationError(`${name}: expected a function as the handler`);
    if (registered) throw new ConfigurationError(`${name}: has a handler already, and an event has one handler`);
  }

  /** Who handles the event; nobody has to. A handler of a known kind was promised a meeting id. */
  function handlerOf(event: WebhookEvent): EventHandler<never> | undefined {
    const handler = handlers.get(event.kind);
    if (handler === undefined || isMeetingEvent(event) || !isKnownKind(event.kind)) return handler ?? other;
    if (other) return other;
    throw new ConfigurationError(
      `a ${event.kind} event names no meeting: say with unshown.meetingId which field does, or handle it in onOther`,
    );
  }

  async function handleOnce(event: WebhookEvent, deliveryKey: string, signal: AbortSignal): Promise<Response> {
    const handler = handlerOf(event);
    if (handler === undefined) return answer(200, { status: "ignored" });

    const owner = crypto.randomUUID();
    const found = await dedupe.claim(deliveryKey, owner);
    if (found === "done") return answer(200, { status: "handled_before" });
    if (found === "in_progress") return refusal(503, "in_progress", "this delivery is being handled right now");

    try {
      signal.throwIfAborted();
      await handler(event as never, { deliveryKey, signal });
    } catch (error) {
      await settle(503, () => dedupe.release(deliveryKey, owner));
      throw error;
    }
    // A store that fails now does not change the answer: to have finished work delivered again would do it twice.
    await settle(200, () => dedupe.complete(deliveryKey, owner));
    return answer(200, { status: "handled" });

    async function settle(status: number, claim: () => void | Promise<void>): Promise<void> {
      try {
        await claim();
      } catch (error) {
        report(error, { status, event, deliveryKey });
      }
    }
  }

  async function receive(request: Request, signal: AbortSignal, context: ReceiverErrorContext): Promise<Response> {
    try {
      const usable = usableSecrets(typeof secrets === "function" ? await secrets() : secrets);
      const digest = readSignature(request.headers, signatureHeader);
      const body = await readBody(request, maxBodyBytes, signal);
      if (body === "too large") return refusal(413, "body_too_large", `the body is larger than ${maxBodyBytes} bytes`);
      if (body === "broken off") return refusal(400, "body_broken_off", "the body did not arrive whole");
      await checkSignature(body, digest, usable);
      context.event = eventFromBody(readObject(body), reading);
      context.deliveryKey = await deliveryKeyOf(context.event, body);
      return await handleOnce(context.event, context.deliveryKey, signal);
    } catch (error) {
      const expected = error instanceof WebhookVerificationError && context.event === undefined;
      const status = expected ? STATUS_OF_REASON[error.reason] : 503;
      // A deadline that passed has been reported when it passed.
      if (status === 503 && !(signal.aborted && error === signal.reason)) report(error, context);
      return expected
        ? refusal(status, error.reason, error.message)
        : refusal(503, "not_handled", "the delivery could not be handled: deliver it again");
    }
  }

  return {
    on(kind: string, handler: EventHandler<never>) {
      checkHandler(`on("${kind}")`, handler, handlers.has(kind));
      handlers.set(kind, handler);
    },
    onOther(handler) {
      checkHandler("onOther", handler, other);
      other = handler;
    },
    async handle(request) {
      if (request.method !== "POST") {
        return refusal(405, "method_not_allowed", "deliveries are POST requests", { Allow: "POST" });
      }
      const controller = new AbortController();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const deadline = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), deadlineMs);
      });
      const context: ReceiverErrorContext = { status: 503 };
      const received = receive(request, controller.signal, context);
      const response = await Promise.race([received, deadline]);
      clearTimeout(timer);
      if (response) return response;

      const error = new TimeoutError(`a delivery was not handled within ${deadlineMs} ms`, { timeoutMs: deadlineMs });
      report(error, context);
      controller.abort(error);
      // The claim is held until the work settles, so that a redelivery does not begin it a second time.
      try {
        waitUntil?.(received);
      } catch (error) {
        report(error, context);
      }
      return refusal(503, "deadline_exceeded", "the delivery is taking too long: deliver it again");
    },
  };
}
