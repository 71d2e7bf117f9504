/** What a test plans for the next deliveries. */
export interface DeliveryPlan {
  /** Sends the delivery twice. */
  duplicate?: boolean | undefined;
  /** Corrupts the first attempt: another body than the signed one, or a wrong signature. */
  corrupt?: "body" | "signature" | undefined;
  /** The number of deliveries. Default: 1. */
  times?: number | undefined;
}

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
