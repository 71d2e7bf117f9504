/** Handles a verified delivery, unless another delivery of the same event was handled or is being handled. */
import { ConfigurationError } from "../../errors/argument-errors.js";
import type { WebhookEvent } from "../event/event.js";
import type { DedupeStore } from "./dedupe.js";
import { type DeliveryResult, HANDLED, HANDLED_BEFORE, IGNORED, IN_PROGRESS, NOT_HANDLED } from "./delivery-result.js";
import type { DeliveryContext, EventHandler, HandlerRegistry } from "./handler-registry.js";
import type { ReceiverErrorContext } from "./receiver-options.js";

/** The parts of the receiver that handle a delivery. */
export interface HandlingTools<Context> {
  registry: HandlerRegistry<Context>;
  dedupe: DedupeStore;
  report: (error: unknown, context: ReceiverErrorContext) => void;
}

/**
 * Calls the event's handler, unless the delivery is being handled or was handled before. Never rejects: an error is
 * reported, and the result is `not_handled`.
 */
export async function handleOnce<Context>(
  event: WebhookEvent,
  delivery: DeliveryContext<Context>,
  tools: HandlingTools<Context>,
): Promise<DeliveryResult> {
  const { deliveryKey, signal } = delivery;
  try {
    const handler = tools.registry.handlerOf(event);
    if (handler === undefined) return IGNORED;
    const owner = crypto.randomUUID();
    const claim = await tools.dedupe.claim(deliveryKey, owner);
    if (claim === "done") return HANDLED_BEFORE;
    if (claim === "in_progress") return IN_PROGRESS;
    if (claim !== "claimed") throw new ConfigurationError(`dedupe.claim: unknown result ${String(claim)}`);
    await runHandler(handler, owner, event, delivery, tools);
    return HANDLED;
  } catch (error) {
    // `Receiver.handle` reports an exceeded deadline.
    const isDeadline = signal.aborted && error === signal.reason;
    if (!isDeadline) tools.report(error, { status: 503, event, deliveryKey });
    return NOT_HANDLED;
  }
}

/** Runs the handler of a claimed delivery and settles the claim. Rejects with the handler's error. */
async function runHandler<Context>(
  handler: EventHandler<WebhookEvent, Context>,
  owner: string,
  event: WebhookEvent,
  delivery: DeliveryContext<Context>,
  { dedupe, report }: HandlingTools<Context>,
): Promise<void> {
  const { deliveryKey, signal } = delivery;
  /** A store that fails to settle a claim does not change the response: finished work must not be done twice. */
  const settle = async (how: "complete" | "release", status: number) => {
    try {
      await dedupe[how](deliveryKey, owner);
    } catch (error) {
      report(error, { status, event, deliveryKey });
    }
  };
  try {
    if (signal.aborted) throw signal.reason;
    await handler(event, delivery);
  } catch (error) {
    await settle("release", 503);
    throw error;
  }
  await settle("complete", 200);
}
