/** `service.webhooks`: a test looks at deliveries, takes them in, and makes them go wrong. */
import type { KnownEventKind } from "../../schemas/event.js";
import type { DeliveryHandler } from "../deliveries/attempt-delivery.js";
import type { DeliveryPlan, DeliveryQueue } from "../deliveries/delivery-queue.js";
import { EmulatorError } from "../emulator-error.js";
import type { Delivery, WebhookRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/world.js";

/** The promises resolve when the attempts that are due have been made. */
export interface WebhookControls {
  /** The account's webhooks, with their secrets. */
  list(): readonly Readonly<WebhookRecord>[];
  /** Every delivery, the oldest first. */
  readonly deliveries: readonly Readonly<Delivery>[];
  /** Hands every delivery to a handler in this process instead of to its address; `undefined` undoes it. */
  deliverTo(handler: DeliveryHandler | undefined): void;
  /** Tells the webhooks of an event, whether or not it happened. */
  send(event: KnownEventKind, meetingId: string): Promise<void>;
  /** Tries a delivery again, whatever became of it. */
  redeliver(deliveryId: string): Promise<void>;
  /** Duplicates or spoils the next deliveries. */
  next(plan: DeliveryPlan): void;
  /** Holds deliveries back until they are released. */
  hold(): void;
  /** Makes the deliveries that were held, in their order or in reverse. */
  release(order?: "in order" | "reversed"): Promise<void>;
  /** Waits until no attempt is due or under way. Retries that are due later wait for the clock. */
  settled(): Promise<void>;
}

export function webhookControls(world: EmulatorContext, deliveries: DeliveryQueue): WebhookControls {
  return {
    list: () => [...world.state.webhooks.values()],
    get deliveries() {
      return world.state.deliveries;
    },
    deliverTo(handler) {
      deliveries.handler = handler;
    },
    send(event, meetingId) {
      const meeting = world.state.meetings.get(meetingId);
      if (meeting === undefined) throw new EmulatorError(`webhooks.send: there is no meeting ${meetingId}`);
      deliveries.emit(event, meeting);
      return deliveries.settled();
    },
    redeliver(deliveryId) {
      const delivery = world.state.deliveries.find(({ id }) => id === deliveryId);
      if (delivery === undefined) throw new EmulatorError(`webhooks.redeliver: there is no delivery ${deliveryId}`);
      deliveries.redeliver(delivery);
      return deliveries.settled();
    },
    next: (plan) => deliveries.plan(plan),
    hold() {
      deliveries.holding = true;
    },
    release(order = "in order") {
      deliveries.release((held) => (order === "reversed" ? held.reverse() : held));
      return deliveries.settled();
    },
    settled: () => deliveries.settled(),
  };
}
