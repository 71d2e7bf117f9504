/** One queue for each webhook, so that the attempts of a webhook run one after the other. */
import type { Delivery } from "../state/records.js";

export interface WebhookQueue {
  /** Settles when the last attempt of the queue has ended. */
  tail: Promise<void>;
  /** The emulator's time at which the previous attempt ended. */
  freeAt: number;
}

export class WebhookQueues {
  readonly #queues = new Map<string, WebhookQueue>();
  readonly #queued = new WeakSet<Delivery>();

  /** Queues an attempt. Then calls `afterwards`, which may queue a retry before the queue ends. */
  add(delivery: Delivery, attempt: (queue: WebhookQueue) => Promise<void>, afterwards: () => void): void {
    if (this.#queued.has(delivery)) return;
    this.#queued.add(delivery);
    const { webhookId } = delivery;
    const queue = this.#queues.get(webhookId) ?? { tail: Promise.resolve(), freeAt: 0 };
    this.#queues.set(webhookId, queue);
    const tail = queue.tail.then(async () => {
      await attempt(queue);
      this.#queued.delete(delivery);
      afterwards();
      if (queue.tail === tail && this.#queues.get(webhookId) === queue) this.#queues.delete(webhookId);
    });
    queue.tail = tail;
  }

  /** Resolves when every queue is empty. */
  async settled(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(Array.from(this.#queues.values(), ({ tail }) => tail));
  }

  clear(): void {
    this.#queues.clear();
  }
}
