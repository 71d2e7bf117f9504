import * as z from "zod/mini";
import { abortable } from "../async/abortable.js";
import { responseArray } from "../schemas/response-array.js";
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
import { hiddenField } from "../transport/hidden-field.js";
import { withSchema } from "../transport/operation.js";
import { path } from "../transport/path.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";
import { type EnsuredWebhook, ensureWebhook, type WebhookCalls } from "./ensure-webhook.js";
import { setTransport, transportOf } from "./transport-of.js";

const listWebhooks = {
  operation: "webhooks.list",
  method: "GET",
  path: path`/webhooks`,
  retry: "repeatable",
} as const;

/** Rows as received: one odd webhook must not keep another from being found. */
const anyRows = /* @__PURE__ */ responseArray(z.unknown());

/** The last `ensure` of a client, settled or not: they are made one after the other. */
const ensureQueues = /* @__PURE__ */ hiddenField<{ last: Promise<unknown> }>("ensureQueue");

/** The user's webhook subscriptions. What a delivery is, and how to receive it: `notetaker-sdk/webhooks`. */
export class Webhooks {
  /** @internal The client makes its resources. */
  constructor(transport: Transport) {
    setTransport(this, transport);
    ensureQueues.set(this, { last: Promise.resolve() });
  }

  /**
   * All webhooks that the user owns, without their secrets.
   *
   * Interface, "GET /webhooks".
   */
  list(options?: RequestOptions): ApiPromise<Webhook[]> {
    return transportOf(this).send({ ...listWebhooks, response: webhookListSchema }, options);
  }

  /**
   * Subscribes `url` to events. The response has the `secret`, which is shown only this once: keep it. At most 20 a
   * minute (level A). Not sent again after a 5xx, a lost connection or a timeout: a second request would create a
   * second webhook.
   *
   * @beta The interface refers to it and does not define it; level A.
   */
  create(params: WebhookCreateParams, options?: RequestOptions): ApiPromise<CreatedWebhook> {
    return transportOf(this).send(
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
    return transportOf(this).send(
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
    return transportOf(this).send(
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
   * Makes sure that there is one subscription of `url` to these events: lists the webhooks, creates one if there is
   * none, and changes its events if they differ. The secret goes into `secretStore` when the webhook is created, and is
   * read from there later. Calls on one client run one after the other; if you have several programs, let one of them
   * do it.
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
    const queue = ensureQueues.get(this);
    const calls: WebhookCalls = {
      list: () => transportOf(this).send({ ...listWebhooks, response: anyRows }, options),
      create: (create) => this.create(create, options),
      update: (id, update) => this.update(id, update, options),
      delete: (id) => this.delete(id),
    };
    const ensured = queue.last.then(() => ensureWebhook(calls, params));
    queue.last = ensured.catch(() => {});
    return abortable(ensured, options?.signal);
  }
}
