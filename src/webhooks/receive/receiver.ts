/** Receives deliveries so that each event is handled once, and is delivered again when it was not. */
import { ConfigurationError } from "../../errors/configuration-error.js";
import { TimeoutError } from "../../errors/timeout-error.js";
import { WebhookVerificationError, type WebhookVerificationReason } from "../../errors/webhook-verification-error.js";
import type { KnownEventKind } from "../../schemas/event.js";
import { checkNumbers, rejectUnknownOptions } from "../check-options.js";
import { eventFromBody, isKnownKind, type MeetingEvent, readObject, type WebhookEvent } from "../event/event.js";
import { jsonResponse } from "../http/json-response.js";
import { readBody } from "../http/read-body.js";
import { reporter } from "../http/report-error.js";
import { type DedupeStore, memoryDedupe } from "./dedupe.js";
import { deliveryKeyOf } from "./delivery-key.js";
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
  /**
   * From the request's arrival to the answer 503, in milliseconds. Default 8,000: the service gives up at 10,000
   * (level A).
   */
  deadlineMs?: number | undefined;
  /** The largest body that is read, in bytes; a larger one is answered 413. Default 1 MiB. */
  maxBodyBytes?: number | undefined;
  /**
   * Told of every error that is the receiver's own: a handler that failed or overran its deadline, a missing secret, a
   * parsed body, a store that fails. Default `console.error`. What a stranger can cause (a bad signature, a body that
   * is no event) is only answered.
   */
  onError?: ((error: unknown, context: ReceiverErrorContext) => void) | undefined;
  /**
   * Given the work of each delivery: Cloudflare's or Vercel's `waitUntil` keeps a worker alive for what outlasts the
   * deadline.
   */
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
   * Answers one delivery. 200 handled, or handled before; 400 not an event; 401 bad or missing signature; 405 not POST;
   * 413 over `maxBodyBytes`; 503 to be delivered again: the handler failed or overran the deadline, the same delivery
   * is being handled right now, or the receiver is not set up.
   */
  handle(request: Request): Promise<Response>;
}

const OTHER = "";

/** What is ours to set right is a 503: the service does not repeat what is answered with a 4xx. */
const statusOf = (reason: WebhookVerificationReason) =>
  reason.endsWith("_signature") ? 401 : reason === "not_an_event" ? 400 : 503;

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
  kind,
  unshown,
  ...others
}: ReceiverOptions): Receiver {
  rejectUnknownOptions("createReceiver", others);
  checkNumbers("createReceiver", { deadlineMs, maxBodyBytes });
  const report = reporter(onError);
  /** By kind; the one for all others by `OTHER`, which no kind is. */
  const handlers = new Map<string, EventHandler<never>>();

  function register(kind: string, handler: EventHandler<never>): void {
    if (typeof handler !== "function" || handlers.has(kind)) {
      throw new ConfigurationError(`${kind || "onOther"}: expected a function as handler, and one only`);
    }
    handlers.set(kind, handler);
  }

  /** Who handles the event; nobody has to. A handler of a known kind was promised a meeting id. */
  function handlerOf({ kind, meetingId }: WebhookEvent): EventHandler<never> | undefined {
    const handler = handlers.get(kind);
    const other = handlers.get(OTHER);
    if (!handler || meetingId || !isKnownKind(kind)) return handler ?? other;
    if (other) return other;
    throw new ConfigurationError(`${kind}: no meeting id in the event (see onOther)`);
  }

  async function receive(request: Request, signal: AbortSignal, context: ReceiverErrorContext): Promise<Response> {
    try {
      const usable = usableSecrets(typeof secrets === "function" ? await secrets() : secrets);
      const digest = readSignature(request.headers, signatureHeader);
      const body = await readBody(request, maxBodyBytes, signal);
      if (body === "too_large") return jsonResponse(413, body);
      if (body === "broken_off") return jsonResponse(400, body);
      await checkSignature(body, digest, usable);
      const event = eventFromBody(readObject(body), { kind, unshown });
      context.event = event;
      const deliveryKey = await deliveryKeyOf(event, body);
      context.deliveryKey = deliveryKey;

      const handler = handlerOf(event);
      if (!handler) return jsonResponse(200, "ignored");
      const owner = crypto.randomUUID();
      const found = await dedupe.claim(deliveryKey, owner);
      if (found === "done") return jsonResponse(200, "handled_before");
      if (found === "in_progress") return jsonResponse(503, found);
      try {
        signal.throwIfAborted();
        await handler(event as never, { deliveryKey, signal });
        context.status = 200;
      } finally {
        try {
          await dedupe[context.status === 200 ? "complete" : "release"](deliveryKey, owner);
        } catch (error) {
          // It does not change the answer: to have finished work delivered again would do it twice.
          report(error, context);
        }
      }
      return jsonResponse(200, "handled");
    } catch (error) {
      const refused = error instanceof WebhookVerificationError && !context.event ? error : undefined;
      const status = refused ? statusOf(refused.reason) : 503;
      // A deadline that passed has been reported when it passed.
      if (status === 503 && !(signal.aborted && error === signal.reason)) report(error, context);
      return jsonResponse(status, refused?.reason ?? "not_handled", refused?.message);
    }
  }

  return {
    on: register,
    onOther: (handler) => register(OTHER, handler),
    async handle(request) {
      if (request.method !== "POST") return jsonResponse(405, "method_not_allowed", undefined, { Allow: "POST" });
      const controller = new AbortController();
      const context: ReceiverErrorContext = { status: 503 };
      const received = receive(request, controller.signal, context);
      waitUntil?.(received);
      return new Promise((resolve) => {
        const deadline = setTimeout(() => {
          // The claim is held until the work settles, so that a redelivery does not begin it a second time.
          const error = new TimeoutError(`not handled within ${deadlineMs} ms`, { timeoutMs: deadlineMs });
          report(error, context);
          controller.abort(error);
          resolve(jsonResponse(503, "deadline_exceeded"));
        }, deadlineMs);
        void received.then((response) => {
          clearTimeout(deadline);
          resolve(response);
        });
      });
    },
  };
}
