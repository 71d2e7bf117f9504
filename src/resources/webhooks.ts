import { abortable } from "../async/abortable.js";
import type { RequestOptions } from "../options.js";
import {
  type CreatedWebhook,
  createdWebhookSchema,
  type EnsureWebhookParams,
  type Webhook,
  type WebhookCreateParams,
  type WebhookUpdateParams,
  webhookCreateParamsSchema,
  webhookListSchema,
  webhookSchema,
  webhookUpdateParamsSchema,
} from "../schemas/webhook.js";
import type { ApiPromise } from "../transport/api-promise.js";
import { withSchema } from "../transport/operation.js";
import { path } from "../transport/path.js";
import type { Transport } from "../transport/transport.js";
import { type EnsuredWebhook, ensureWebhook } from "./ensure-webhook.js";

/** The user's webhook subscriptions. What a delivery is, and how to receive it: `notetaker-sdk/webhooks`. */
export class Webhooks {
  readonly #transport: Transport;
  /** The last `ensure`, settled or not: they are made one after the other. */
  #ensured: Promise<unknown> = Promise.resolve();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * All webhooks that the user owns, without their secrets.
   *
   * Interface, "GET /webhooks".
   */
  list(options?: RequestOptions): ApiPromise<Webhook[]> {
    return this.#transport.send(
      {
        operation: "webhooks.list",
        method: "GET",
        path: path`/webhooks`,
        response: webhookListSchema,
        retry: "repeatable",
      },
      options,
    );
  }

  /**
   * Subscribes `url` to events. The answer holds the `secret`, which is shown this once: keep it. At most 20 a minute
   * (level A). Not sent again after a 5xx, a lost connection or a timeout: a second one registers twice.
   *
   * @beta The interface refers to it and does not define it; level A.
   */
  create(params: WebhookCreateParams, options?: RequestOptions): ApiPromise<CreatedWebhook> {
    return this.#transport.send(
      {
        operation: "webhooks.create",
        method: "POST",
        path: path`/webhooks`,
        body: withSchema(webhookCreateParamsSchema, params),
        response: createdWebhookSchema,
        retry: "unrepeatable",
      },
      options,
    );
  }

  /**
   * Changes a webhook (`whk_…`): any of `url`, `events`, `enabled`.
   *
   * @beta The interface refers to it and does not define it; level A.
   */
  update(webhookId: string, params: WebhookUpdateParams, options?: RequestOptions): ApiPromise<Webhook> {
    return this.#transport.send(
      {
        operation: "webhooks.update",
        method: "PATCH",
        path: path`/webhooks/${{ webhookId }}`,
        body: withSchema(webhookUpdateParamsSchema, params),
        response: webhookSchema,
        retry: "repeatable",
      },
      options,
    );
  }

  /**
   * Deletes a webhook (`whk_…`).
   *
   * @beta The interface refers to it and does not define it; level A.
   */
  delete(webhookId: string, options?: RequestOptions): ApiPromise<void> {
    return this.#transport.send(
      {
        operation: "webhooks.delete",
        method: "DELETE",
        path: path`/webhooks/${{ webhookId }}`,
        response: undefined,
        retry: "repeatable",
      },
      options,
    );
  }

  /**
   * Makes sure that there is one subscription for `url`, to these events: lists the webhooks, creates one where there is
   * none, changes its events where they differ. The secret goes into `secretStore` when the webhook is created, and
   * comes from there ever after. Calls on one client are made one after the other; of several programs, let one do it.
   *
   * @throws {ConfigurationError} there is a subscription, and the store has no secret for it
   * @example
   * const { secret } = await notetaker.webhooks.ensure({
   *   url: "https://example.com/hooks/notetaker",
   *   events: ["meeting.transcript_ready"],
   *   secretStore: { get: ({ id }) => vault.read(id), set: ({ id }, secret) => vault.write(id, secret) },
   * });
   * @beta The interface refers to creating and changing webhooks and does not define it; level A.
   */
  ensure(params: EnsureWebhookParams, options?: RequestOptions): Promise<EnsuredWebhook> {
    const ensured = this.#ensured.then(() => ensureWebhook(this, params, options));
    this.#ensured = ensured.catch(() => {});
    return abortable(ensured, options?.signal);
  }
}
