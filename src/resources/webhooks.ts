import type { RequestOptions } from "../options.js";
import {
  type CreatedWebhook,
  createdWebhookSchema,
  type Webhook,
  type WebhookCreateParams,
  type WebhookUpdateParams,
  webhookCreateParamsSchema,
  webhookListSchema,
  webhookSchema,
  webhookUpdateParamsSchema,
} from "../schemas/webhook.js";
import type { ApiPromise } from "../transport/api-promise.js";
import { checked } from "../transport/operation.js";
import { path } from "../transport/path.js";
import type { Transport } from "../transport/transport.js";

/** The user's webhook subscriptions. What a delivery is, and how to receive it: `notetaker-sdk/webhooks`. */
export class Webhooks {
  readonly #transport: Transport;

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
        body: checked(webhookCreateParamsSchema, params),
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
        body: checked(webhookUpdateParamsSchema, params),
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
}
