/** Deliveries, one after the other for a webhook. Retries follow the emulator's clock, attempts real time. */
import * as z from "zod/mini";
import { DELIVERY_RETRY_DELAYS_MS } from "../../assumptions.js";
import { isLoopbackHost } from "../../links/http-url.js";
import type { KnownEventKind } from "../../schemas/event.js";
import { enumOf, type Infer, positiveInteger } from "../../schemas/primitives.js";
import { emulatorMilliseconds } from "../emulator-error.js";
import { newId } from "../state/random.js";
import type { Delivery, MeetingRecord, WebhookRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/state.js";
import {
  attemptDelivery,
  type DeliveryHandler,
  eventPayload,
  failureText,
  isRetried,
  isSuccess,
  signDelivery,
} from "./attempt-delivery.js";

const deliveryPlan = {
  /** Sends the delivery twice. */
  duplicate: z.optional(z.boolean()),
  /** Corrupts the first attempt: its body differs from the signed one, or its signature is wrong. */
  corrupt: z.optional(enumOf(["body", "signature"])),
  /** Never sends the delivery: its state is `lost`. */
  lose: z.optional(z.boolean()),
  /** Sends the delivery so many milliseconds later, by the emulator's clock. */
  delayMs: z.optional(emulatorMilliseconds),
  /** How many deliveries the plan affects. Default: 1. */
  times: z.optional(positiveInteger),
};

/** A plan of a test for the next deliveries. */
export interface DeliveryPlan extends Infer<typeof deliveryPlan> {}

export const deliveryPlanSchema = z.strictObject(deliveryPlan);

export class DeliveryQueue {
  handler: DeliveryHandler | undefined;
  /** For each webhook with an attempt that is due or in flight: settles when the last of them has ended. */
  #queues = new Map<string, Promise<void>>();
  #abandoned = new AbortController();
  #plans: (DeliveryPlan & { times: number })[] = [];

  constructor(private readonly account: EmulatorContext) {}

  emit(kind: KnownEventKind, meeting: MeetingRecord): void {
    for (const webhook of this.account.state.webhooks.values()) {
      if (!webhook.enabled || !webhook.events.includes(kind)) continue;
      const plan = this.#takePlan();
      this.#add(webhook, kind, meeting, plan);
      if (plan.duplicate === true) this.#add(webhook, kind, meeting, plan);
    }
  }

  #add(webhook: WebhookRecord, kind: KnownEventKind, meeting: MeetingRecord, plan: DeliveryPlan): void {
    const { state, clock } = this.account;
    const { corrupt = null, lose = false, delayMs = 0 } = plan;
    const dueAt = lose ? null : clock.now() + delayMs;
    const delivery: Delivery = {
      ...{ id: newId(state, "dlv_"), webhookId: webhook.id, url: webhook.url, kind, meetingId: meeting.id },
      ...{ body: eventPayload(kind, meeting), headers: {}, attempts: [], corrupt },
      ...{ state: lose ? "lost" : "pending", dueAt },
    };
    state.deliveries.push(delivery);
    if (dueAt === null) return;
    if (delayMs > 0) clock.schedule(dueAt, () => this.#enqueue(delivery));
    else this.#enqueue(delivery);
  }

  plan(plan: DeliveryPlan): void {
    this.#plans.push({ ...plan, times: plan.times ?? 1 });
  }

  #takePlan(): DeliveryPlan {
    const [next] = this.#plans;
    if (next === undefined) return {};
    next.times -= 1;
    if (next.times === 0) this.#plans.shift();
    return next;
  }

  get isBusy(): boolean {
    return this.#queues.size > 0;
  }

  async settled(): Promise<void> {
    this.account.clock.catchUp();
    while (this.isBusy) await Promise.all(this.#queues.values());
  }

  /** Abandons the attempts in flight and those that wait, and forgets the plans and the handler. */
  abandon(): void {
    this.#abandoned.abort();
    this.#abandoned = new AbortController();
    this.#queues = new Map();
    this.#plans = [];
    this.handler = undefined;
  }

  #enqueue(delivery: Delivery): void {
    const { webhookId } = delivery;
    const queues = this.#queues;
    const turn = (queues.get(webhookId) ?? Promise.resolve()).then(async () => {
      if (queues !== this.#queues) return;
      await this.#attempt(delivery);
      // If the clock was advanced far, a retry may already be due.
      this.account.clock.catchUp();
      if (queues.get(webhookId) === turn) queues.delete(webhookId);
    });
    queues.set(webhookId, turn);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    const { state, clock } = this.account;
    const at = delivery.dueAt ?? clock.now();
    const webhook = state.webhooks.get(delivery.webhookId);
    const fail = (error: string) => {
      Object.assign(delivery, { state: "failed", dueAt: null });
      delivery.attempts.push({ at, error });
    };
    if (webhook === undefined) return fail("the webhook was deleted");
    // In a page without a secure context, nothing can be signed.
    const signed = await signDelivery(delivery, webhook.secret).catch(failureText);
    // A reset has replaced the state: it must not change by an earlier attempt.
    if (state !== this.account.state) return;
    if (typeof signed === "string") return fail(signed);
    delivery.headers = signed.headers;
    delivery.corrupt = null;
    if (this.handler === undefined && !isLoopbackHost(new URL(delivery.url).hostname)) {
      Object.assign(delivery, { state: "skipped", dueAt: null });
      return;
    }
    const attempt = await attemptDelivery(delivery.url, signed, this.#abandoned.signal, { handler: this.handler });
    if (state !== this.account.state) return;
    delivery.attempts.push({ at, ...attempt });
    const delayMs = isRetried(attempt) ? DELIVERY_RETRY_DELAYS_MS[delivery.attempts.length - 1] : undefined;
    if (delayMs === undefined) {
      Object.assign(delivery, { state: isSuccess(attempt) ? "delivered" : "failed", dueAt: null });
    } else {
      delivery.dueAt = at + delayMs;
      clock.schedule(delivery.dueAt, () => this.#enqueue(delivery));
    }
  }
}
