/** Handles a verified delivery, unless another delivery of the same event was handled or is being handled. */
import { ConfigurationError } from "../../errors/argument-errors.js";
import type { WebhookEvent } from "../event/event.js";
import type { DedupeStore } from "./dedupe.js";
import type { DeliveryResult } from "./delivery-response.js";
import type { DeliveryContext, HandlerRegistry } from "./handler-registry.js";

/** The parts of the receiver that handle a delivery. */
export interface HandlingTools<Context> {
  registry: HandlerRegistry<Context>;
  dedupe: DedupeStore;
  /** Reports an error that does not change the response, which has this status. */
  report: (error: unknown, status: number) => void;
}

/**
 * Calls the event's handler, unless the delivery is being handled or was handled before. Rejects with the error of the
 * handler or the store.
 */
export async function handleOnce<Context>(
  event: WebhookEvent,
  delivery: DeliveryContext<Context>,
  { registry, dedupe, report }: HandlingTools<Context>,
): Promise<DeliveryResult> {
  const { deliveryKey, signal } = delivery;
  const handler = registry.handlerOf(event);
  if (handler === undefined) return "ignored";
  const owner = crypto.randomUUID();
  const claim = await dedupe.claim(deliveryKey, owner);
  if (claim === "done") return "handled_before";
  if (claim === "in_progress") return claim;
  if (claim !== "claimed") throw new ConfigurationError(`dedupe.claim: unknown result ${String(claim)}`);
  /** A store that fails to settle a claim does not change the response: finished work must not be done twice. */
  const settle = async (how: "complete" | "release", status: number) => {
    try {
      await dedupe[how](deliveryKey, owner);
    } catch (error) {
      report(error, status);
    }
  };
  try {
    // The store may have taken until after the deadline.
    if (signal.aborted) throw signal.reason;
    await handler(event, delivery);
  } catch (error) {
    await settle("release", 503);
    throw error;
  }
  await settle("complete", 200);
  return "handled";
}
