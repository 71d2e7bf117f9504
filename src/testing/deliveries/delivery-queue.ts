/**
 * The service's webhook deliveries: one after another for each webhook, tried again as the service does, on the emulator's
 * clock. A delivery is an exchange with somebody else's program, so it takes real time; the clock does not wait for it.
 */
import type { KnownEventKind } from "../../schemas/event.js";
import { isLoopbackHost } from "../../schemas/http-url.js";
import { newId } from "../state/random.js";
import type { Delivery, MeetingRecord } from "../state/records.js";
import type { EmulatorContext } from "../state/world.js";
import { attempt, type DeliveryHandler, signDelivery } from "./attempt-delivery.js";
import { payloadOf } from "./event-payload.js";
import { DELIVERY_TIMEOUT_MS, isRetried, isSuccess, RETRY_DELAYS_MS } from "./retry-policy.js";

/**
 * The clock may be moved past a receiver's ten seconds while it works. It has some real time all the same, so that one that
 * answers promptly is not taken for one that hangs. The time is counted in turns: a machine that stands still for a moment
 * under load uses up one.
 */
const GRACE_TURNS = 40;
const TURN_MS = 10;

/** What is to be done to the next deliveries that come up. */
export interface DeliveryPlan {
  /** Sends the delivery twice. */
  duplicate?: boolean | undefined;
  /** Spoils the first attempt: the body is not the one that was signed, or the signature is not the body's. */
  corrupt?: "body" | "signature" | undefined;
  /** How many deliveries it is done to. Default: 1. */
  times?: number | undefined;
}

interface InFlightAttempt {
  /** The emulator's time at which the receiver has had its ten seconds. */
  deadline: number;
  giveUp: () => void;
  late: boolean;
}

interface WebhookQueue {
  tail: Promise<void>;
  /** The emulator's time at which the attempt before had ended. */
  freeAt: number;
}

export class DeliveryQueue {
  handler: DeliveryHandler | undefined;
  holding = false;
  readonly #world: EmulatorContext;
  readonly #allows: (url: URL) => boolean;
  readonly #plans: DeliveryPlan[] = [];
  readonly #underWay = new Set<InFlightAttempt>();
  readonly #enqueued = new WeakSet<Delivery>();
  /** The work of each webhook, in a chain, for as long as there is any. */
  readonly #lanes = new Map<string, WebhookQueue>();
  /** What was begun before a reset or a restore changes nothing after it. */
  #generation = 0;

  constructor(world: EmulatorContext, allows: ((url: URL) => boolean) | undefined) {
    this.#world = world;
    this.#allows = allows ?? ((url) => isLoopbackHost(url.hostname));
  }

  plan(plan: DeliveryPlan): void {
    for (let times = plan.times ?? 1; times > 0; times--) this.#plans.push(plan);
  }

  /** Notes an event for each webhook that is subscribed to it, and begins to deliver. */
  emit(event: KnownEventKind, meeting: MeetingRecord): void {
    const { state } = this.#world;
    for (const webhook of state.webhooks.values()) {
      if (!webhook.enabled || !webhook.events.includes(event)) continue;
      const { duplicate = false, corrupt } = this.#plans.shift() ?? {};
      for (let copies = duplicate ? 2 : 1; copies > 0; copies--) {
        state.deliveries.push({
          id: newId(state, "dlv_"),
          webhookId: webhook.id,
          url: webhook.url,
          event,
          meetingId: meeting.id,
          body: payloadOf(event, meeting),
          headers: {},
          state: this.holding ? "held" : "pending",
          attempts: [],
          dueAt: this.#world.clock.now(),
          tries: 0,
          corrupt: corrupt ?? null,
        });
      }
    }
    this.start();
  }

  /** Tries a delivery again, whatever became of it. */
  redeliver(delivery: Delivery): void {
    Object.assign(delivery, { state: "pending", tries: 0, dueAt: this.#world.clock.now() });
    this.start();
  }

  /** Lets go of what was held, in the order given. */
  release(order: (held: Delivery[]) => Delivery[]): void {
    this.holding = false;
    const { state, clock } = this.#world;
    const held = state.deliveries.filter((delivery) => delivery.state === "held");
    for (const delivery of order(held)) {
      delivery.state = "pending";
      delivery.dueAt = clock.now();
      this.#enqueue(delivery);
    }
  }

  /** Begins the attempts that are due; called whenever something may have come due. */
  start(): void {
    const { state, clock } = this.#world;
    const now = clock.now();
    const due = state.deliveries.filter(({ state, dueAt }) => state === "pending" && dueAt !== null && dueAt <= now);
    for (const delivery of due.sort((a, b) => a.dueAt! - b.dueAt!)) this.#enqueue(delivery);
    for (const underWay of this.#underWay) this.#checkDeadline(underWay);
  }

  /** Resolves when nothing is due and nothing is under way. */
  async settled(): Promise<void> {
    this.start();
    while (this.#lanes.size > 0) await Promise.all(Array.from(this.#lanes.values(), ({ tail }) => tail));
  }

  /** Forgets what is under way. */
  abandon(): void {
    this.#generation += 1;
    for (const { giveUp } of this.#underWay) giveUp();
    this.#lanes.clear();
    this.#plans.length = 0;
    this.holding = false;
  }

  #enqueue(delivery: Delivery): void {
    if (this.#enqueued.has(delivery)) return;
    this.#enqueued.add(delivery);
    const { webhookId } = delivery;
    const lane = this.#lanes.get(webhookId) ?? { tail: Promise.resolve(), freeAt: 0 };
    this.#lanes.set(webhookId, lane);
    const tail = lane.tail.then(async () => {
      await this.#attempt(delivery, lane);
      this.#enqueued.delete(delivery);
      // A retry may be due already, where the clock was moved far; it takes its place before the lane ends.
      this.start();
      if (lane.tail === tail && this.#lanes.get(webhookId) === lane) this.#lanes.delete(webhookId);
    });
    lane.tail = tail;
  }

  async #attempt(delivery: Delivery, lane: WebhookQueue): Promise<void> {
    const generation = this.#generation;
    const at = Math.max(delivery.dueAt ?? this.#world.clock.now(), lane.freeAt);
    const webhook = this.#world.state.webhooks.get(delivery.webhookId);
    if (webhook === undefined) {
      Object.assign(delivery, { state: "failed", dueAt: null });
      delivery.attempts.push({ at, error: "the webhook was deleted" });
      return;
    }
    const message = await signDelivery(delivery, webhook.secret);
    delivery.headers = message.headers;
    delivery.corrupt = null;
    if (this.handler === undefined && !this.#allows(new URL(delivery.url))) {
      Object.assign(delivery, { state: "skipped", dueAt: null });
      return;
    }
    const controller = new AbortController();
    const giveUp = () => controller.abort(new Error(`no answer within ${DELIVERY_TIMEOUT_MS} ms`));
    const deadline = at + DELIVERY_TIMEOUT_MS;
    const underWay: InFlightAttempt = { deadline, giveUp, late: false };
    delivery.tries += 1;
    this.#underWay.add(underWay);
    const timer = setTimeout(giveUp, DELIVERY_TIMEOUT_MS);
    this.#checkDeadline(underWay);
    const outcome = { at, ...(await attempt(delivery.url, message, this.handler, controller.signal)) };
    clearTimeout(timer);
    this.#underWay.delete(underWay);
    if (generation !== this.#generation) return;
    delivery.attempts.push(outcome);
    lane.freeAt = controller.signal.aborted ? deadline : at;

    const delay = RETRY_DELAYS_MS[delivery.tries - 1];
    delivery.dueAt = null;
    if (isSuccess(outcome)) delivery.state = "delivered";
    else if (delay === undefined || !isRetried(outcome)) delivery.state = "failed";
    else {
      delivery.dueAt = lane.freeAt + delay;
      this.#world.clock.scheduleAt(delivery.dueAt, "delivery.retry", delivery.id);
    }
  }

  #checkDeadline(underWay: InFlightAttempt): void {
    if (underWay.late || this.#world.clock.now() < underWay.deadline) return;
    underWay.late = true;
    let turns = GRACE_TURNS;
    const turn = () => {
      if (!this.#underWay.has(underWay)) return;
      turns -= 1;
      if (turns === 0) underWay.giveUp();
      else setTimeout(turn, TURN_MS);
    };
    setTimeout(turn, TURN_MS);
  }
}
