import * as z from "zod/mini";
import { EVENT_KINDS, type KnownEventKind } from "../../schemas/event.js";
import { custom, enumOf } from "../../schemas/primitives.js";
import type { Account } from "../account.js";
import type { DeliveryHandler } from "../deliveries/attempt-delivery.js";
import { type DeliveryPlan, deliveryPlanSchema } from "../deliveries/delivery-queue.js";
import { checkValue, EmulatorError } from "../emulator-error.js";
import type { Delivery, WebhookRecord } from "../state/records.js";

/** Reads and controls webhook deliveries. The promises resolve when all due attempts have ended. */
export interface WebhookControls {
  /** The account's webhooks, with their secrets. */
  list(): readonly Readonly<WebhookRecord>[];
  /** Every delivery, the oldest first. */
  readonly deliveries: readonly Readonly<Delivery>[];
  /** Sends every delivery to a handler in this process instead of its URL. `undefined` restores the URLs. */
  deliverTo(handler: DeliveryHandler | undefined): void;
  /** Sends an event to the webhooks, even if it did not happen. */
  send(kind: KnownEventKind, meetingId: string): Promise<void>;
  /** Duplicates, corrupts, delays or loses the next deliveries. */
  next(plan: DeliveryPlan): void;
  /** Waits until no attempt is due or in flight. Retries that are due later wait for the clock. */
  settled(): Promise<void>;
}

const handlerSchema = z.optional(
  custom((handler) => typeof handler === "function", "a function such as receiver.handle"),
);
const kindSchema = enumOf(EVENT_KINDS);

export function webhookControls(account: Account): WebhookControls {
  const { deliveries } = account;
  return {
    list: () => [...account.state.webhooks.values()],
    get deliveries() {
      return [...account.state.deliveries];
    },
    deliverTo(handler) {
      checkValue("webhooks.deliverTo", handlerSchema, handler);
      deliveries.handler = handler;
    },
    send(kind, meetingId) {
      checkValue("webhooks.send", kindSchema, kind);
      const meeting = account.state.meetings.get(meetingId);
      if (meeting === undefined) throw new EmulatorError(`webhooks.send: there is no meeting ${meetingId}`);
      deliveries.emit(kind, meeting);
      return deliveries.settled();
    },
    next(plan) {
      checkValue("webhooks.next", deliveryPlanSchema, plan);
      deliveries.plan(plan);
    },
    settled: () => deliveries.settled(),
  };
}
