/**
 * The service's webhook deliveries, for each webhook one after the other. Retries follow the emulator's clock. An attempt
 * takes real time, for which the clock does not wait.
 */
import * as z from "zod/mini";
import { DELIVERY_RETRY_DELAYS_MS, DELIVERY_TIMEOUT_MS } from "../../assumptions.js";
import type { KnownEventKind } from "../../schemas/event.js";
import { enumOf, optionsSchema, positiveInteger } from "../../schemas/primitives.js";
import { emulatorMilliseconds } from "../emulator-error.js";
import { newId } from "../state/random.js";
import type { Delivery, DeliveryAttempt, MeetingRecord, WebhookRecord } from "../state/records.js";
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

/** A plan of a test for the next deliveries. */
export interface DeliveryPlan {
  /** Sends the delivery twice. */
  duplicate?: boolean | undefined;
  /** Corrupts the first attempt: its body differs from the signed one, or its signature is wrong. */
  corrupt?: "body" | "signature" | undefined;
  /** Never sends the delivery: its state is `lost`. */
  lose?: boolean | undefined;
  /** Sends the delivery so many milliseconds later, by the emulator's clock. */
  delayMs?: number | undefined;
  /** How many deliveries the plan affects. Default: 1. */
  times?: number | undefined;
}

export const deliveryPlanSchema = optionsSchema<DeliveryPlan>()({
  duplicate: z.optional(z.boolean()),
  corrupt: z.optional(enumOf(["body", "signature"])),
  lose: z.optional(z.boolean()),
  delayMs: z.optional(emulatorMilliseconds),
  times: z.optional(positiveInteger),
});

/**
 * The real time that a receiver still has after the clock was advanced past its deadline. It is counted in turns of a
 * timer: if the machine stalls under load, only one turn passes.
 */
const GRACE_TURNS = 40;
const TURN_MS = 10;

/** The attempts for one webhook, which follow each other. */
interface WebhookQueue {
  /** Settles when the last of them has ended. */
  last: Promise<void>;
  /** The emulator's time at which the previous attempt ended. */
  freeAt: number;
  attempt?: AbortController;
}

const isDeliveryDue = ({ state, dueAt }: Delivery, now: number) =>
  state === "pending" && dueAt !== null && dueAt <= now;

export class DeliveryQueue {
  handler: DeliveryHandler | undefined;
  holding = false;
  /** The queue of each webhook with an attempt that is due or in flight. */
  #queues = new Map<string, WebhookQueue>();
  #plans: (DeliveryPlan & { times: number })[] = [];

  constructor(private readonly account: Omit<EmulatorContext, "deliveries">) {}

  /** Adds a delivery for each webhook that is subscribed to the event. */
  emit(kind: KnownEventKind, meeting: MeetingRecord): void {
    for (const webhook of this.account.state.webhooks.values()) {
      if (!webhook.enabled || !webhook.events.includes(kind)) continue;
      const plan = this.#takePlan();
      this.#add(webhook, kind, meeting, plan);
      if (plan.duplicate === true) this.#add(webhook, kind, meeting, plan);
    }
  }

  #add(webhook: WebhookRecord, kind: KnownEventKind, meeting: MeetingRecord, plan: DeliveryPlan): void {
    const { index, state, clock } = this.account;
    const { corrupt = null, lose = false, delayMs = 0 } = plan;
    const id = newId(state, "dlv_");
    const dueAt = clock.now() + delayMs;
    const waiting = this.holding ? "held" : "pending";
    const delivery: Delivery = {
      ...{ id, webhookId: webhook.id, url: webhook.url, kind, meetingId: meeting.id },
      ...{ body: eventPayload(kind, meeting), headers: {}, attempts: [], tries: 0, corrupt },
      state: lose ? "lost" : waiting,
      dueAt: lose ? null : dueAt,
    };
    state.deliveries.set(id, delivery);
    if (delayMs > 0) clock.schedule({ at: dueAt, account: index, step: "delivery.due", subject: id });
    else this.deliver(id);
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

  redeliver(delivery: Delivery): void {
    Object.assign(delivery, { state: "pending", tries: 0, dueAt: this.account.clock.now() });
    this.#enqueue(delivery);
  }

  release(isReversed: boolean): void {
    this.holding = false;
    const { state, clock } = this.account;
    const held = [...state.deliveries.values()].filter((delivery) => delivery.state === "held");
    for (const delivery of isReversed ? held.reverse() : held) {
      Object.assign(delivery, { state: "pending", dueAt: clock.now() });
      this.#enqueue(delivery);
    }
  }

  deliver(id: string): void {
    const { state, clock } = this.account;
    const delivery = state.deliveries.get(id);
    if (delivery !== undefined && isDeliveryDue(delivery, clock.now())) this.#enqueue(delivery);
  }

  /** Schedules again what was due or in flight when the state was saved. */
  resume(): void {
    const { index, state, clock } = this.account;
    const at = clock.now();
    for (const [subject, delivery] of state.deliveries) {
      if (isDeliveryDue(delivery, at)) clock.schedule({ at, account: index, step: "delivery.due", subject });
    }
  }

  get isBusy(): boolean {
    return this.#queues.size > 0;
  }

  /** Resolves when no attempt is due or in flight. */
  async settled(): Promise<void> {
    this.account.clock.catchUp();
    while (this.isBusy) await Promise.all(Array.from(this.#queues.values(), ({ last }) => last));
  }

  /** Abandons the attempts in flight and those that wait, removes the plans, and ends `hold()`. */
  abandon(): void {
    for (const { attempt } of this.#queues.values()) attempt?.abort();
    this.#queues = new Map();
    this.#plans = [];
    this.holding = false;
  }

  #enqueue(delivery: Delivery): void {
    const { webhookId } = delivery;
    const queues = this.#queues;
    const queue: WebhookQueue = queues.get(webhookId) ?? { last: Promise.resolve(), freeAt: 0 };
    queues.set(webhookId, queue);
    const turn = queue.last.then(async () => {
      const { clock } = this.account;
      if (queues !== this.#queues) return;
      if (isDeliveryDue(delivery, clock.now())) await this.#attempt(delivery, queue);
      // If the clock was advanced far, a retry may already be due.
      clock.catchUp();
      if (queue.last === turn) queues.delete(webhookId);
    });
    queue.last = turn;
  }

  async #attempt(delivery: Delivery, queue: WebhookQueue): Promise<void> {
    const { state, clock, settings } = this.account;
    const at = Math.max(delivery.dueAt ?? clock.now(), queue.freeAt);
    const webhook = state.webhooks.get(delivery.webhookId);
    const fail = (error: string) => {
      Object.assign(delivery, { state: "failed", dueAt: null });
      delivery.attempts.push({ at, error });
    };
    if (webhook === undefined) return fail("the webhook was deleted");
    // In a page without a secure context, nothing can be signed.
    const signed = await signDelivery(delivery, webhook.secret).catch(failureText);
    // A reset or a restored snapshot has replaced the state: it must not change by an earlier attempt.
    if (state !== this.account.state) return;
    if (typeof signed === "string") return fail(signed);
    delivery.headers = signed.headers;
    delivery.corrupt = null;
    if (this.handler === undefined && !settings.allowDeliveryTo(new URL(delivery.url))) {
      Object.assign(delivery, { state: "skipped", dueAt: null });
      return;
    }
    delivery.tries += 1;
    const deadline = at + DELIVERY_TIMEOUT_MS;
    const attempt = new AbortController();
    queue.attempt = attempt;
    const stopTimer = this.#startDeadline(deadline, attempt);
    const result = await attemptDelivery(delivery.url, signed, this.handler, attempt.signal);
    stopTimer();
    if (state !== this.account.state) return;
    queue.freeAt = attempt.signal.aborted ? deadline : at;
    this.#recordOutcome(delivery, { at, ...result }, queue.freeAt);
  }

  /** Aborts an attempt at its deadline, in real time, or soon after a test has advanced the clock past it. */
  #startDeadline(deadline: number, attempt: AbortController): () => void {
    const { clock } = this.account;
    const startedAt = performance.now();
    let turns = 0;
    const timer = setInterval(() => {
      // A clock that runs faster than real time would expire every attempt, because receivers respond in real time.
      if (clock.speed === 1 && clock.now() >= deadline) turns += 1;
      const isOver = turns >= GRACE_TURNS || performance.now() - startedAt >= DELIVERY_TIMEOUT_MS;
      if (isOver) attempt.abort(new Error(`no response within ${DELIVERY_TIMEOUT_MS} ms`));
    }, TURN_MS);
    return () => clearInterval(timer);
  }

  #recordOutcome(delivery: Delivery, attempt: DeliveryAttempt, endedAt: number): void {
    delivery.attempts.push(attempt);
    const delayMs = isRetried(attempt) ? DELIVERY_RETRY_DELAYS_MS[delivery.tries - 1] : undefined;
    if (delayMs === undefined) {
      Object.assign(delivery, { state: isSuccess(attempt) ? "delivered" : "failed", dueAt: null });
    } else {
      delivery.dueAt = endedAt + delayMs;
      const { index, clock } = this.account;
      clock.schedule({ at: delivery.dueAt, account: index, step: "delivery.due", subject: delivery.id });
    }
  }
}
