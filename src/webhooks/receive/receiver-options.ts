import * as z from "zod/mini";
import { checkOptions } from "../../errors/check-arguments.js";
import { isRecord } from "../../json/is-record.js";
import {
  custom,
  functionOf,
  functionSchema,
  type Infer,
  objectWith,
  positiveNumber,
  type Schema,
  unchecked,
} from "../../schemas/primitives.js";
import type { WebhookEvent } from "../event/event.js";
import type { DedupeStore } from "./dedupe.js";
import type { Refusal } from "./delivery-response.js";
import type { EventHandlers } from "./handler-registry.js";
import { verifyOptions } from "./verify.js";
import { checkedSecrets, type WebhookSecret } from "./webhook-secret.js";

/** The delivery that caused an error of a receiver. */
export interface ReceiverErrorContext {
  /** The status of the response. */
  status: number;
  /** Present if the error happened after the event was read. */
  event?: WebhookEvent;
  /** The key of the delivery; `undefined` if it was not verified. */
  deliveryKey?: string;
}

const receiverOptions = {
  ...verifyOptions,
  /** Remembers which deliveries were handled. Default: in the memory of the process. */
  dedupe: z.optional(objectWith("claim", "complete", "release") as Schema<DedupeStore>),
  /** Milliseconds before the response is 503. Default 8,000: the service waits for 10,000 (documented). */
  deadlineMs: z.optional(positiveNumber),
  /** The largest body that is accepted, in bytes. A larger body gets 413. Default 1 MiB. */
  maxBodyBytes: z.optional(positiveNumber),
  /**
   * Called with each error of the application: a handler that failed or exceeded the deadline, a missing secret, a
   * parsed body, a store that failed. Default: `console.error` with the kind, the meeting and the delivery key.
   */
  onError: z.optional(functionOf<(error: unknown, context: ReceiverErrorContext) => void>()),
  /** Called for a delivery that the sender got wrong (400, 401, 405, 413). Default: `console.warn`, once a reason. */
  onRefused: z.optional(functionOf<(refusal: Refusal) => void>()),
};

export interface ReceiverOptions<Context = unknown> extends Infer<typeof receiverOptions> {
  /**
   * The webhook's secret; or a list of secrets, while a new secret replaces an old one; or a function that returns
   * either, called for each delivery with the request and the second argument of `handle`. It must not read the
   * request's body. If no secret is set (`undefined`, `""` or `[]`), deliveries get 503. White space around a secret is
   * ignored.
   */
  secrets: WebhookSecret | ((request: Request, context: Context) => WebhookSecret | Promise<WebhookSecret>);
  /** The same as calling {@link Receiver.on} for each kind. */
  handlers?: EventHandlers<Context> | undefined;
  /** Gets the promise of each delivery's work: `waitUntil` of Workers or Vercel lets it go on after the deadline. */
  waitUntil?: ((work: Promise<unknown>, context: Context) => void) | undefined;
}

const receiverOptionsSchema = z.strictObject({
  ...receiverOptions,
  // Checked below, and the results of a function at each delivery.
  secrets: unchecked(),
  // The handlers are checked when they are registered.
  handlers: z.optional(custom(isRecord, "an object")),
  waitUntil: z.optional(functionSchema),
});

export function checkReceiverOptions<Context>(options: ReceiverOptions<Context>): void {
  checkOptions("createReceiver", receiverOptionsSchema, options);
  if (typeof options.secrets !== "function") checkedSecrets("createReceiver: secrets", options.secrets);
}
