import * as z from "zod/mini";
import { enumOf, optionsSchema, positiveInteger } from "../../schemas/primitives.js";

/** A plan of a test for the next deliveries. */
export interface DeliveryPlan {
  /** Sends the delivery twice. */
  duplicate?: boolean | undefined;
  /** Corrupts the first attempt: its body differs from the signed one, or its signature is wrong. */
  corrupt?: "body" | "signature" | undefined;
  /** How many deliveries the plan affects. Default: 1. */
  times?: number | undefined;
}

export const deliveryPlanSchema = optionsSchema<DeliveryPlan>()({
  duplicate: z.optional(z.boolean()),
  corrupt: z.optional(enumOf(["body", "signature"])),
  times: z.optional(positiveInteger),
});

export class DeliveryPlans {
  readonly #plans: DeliveryPlan[] = [];

  add(plan: DeliveryPlan): void {
    for (let times = plan.times ?? 1; times > 0; times--) this.#plans.push(plan);
  }

  /** The plan for the next delivery. */
  take(): DeliveryPlan {
    return this.#plans.shift() ?? {};
  }

  clear(): void {
    this.#plans.length = 0;
  }
}
