import * as z from "zod/mini";
import { abortable } from "../async/abort.js";
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from "../endpoints/webhooks.js";
import { ConfigurationError, checkArgument } from "../errors/argument-errors.js";
import { isRecord } from "../json/is-record.js";
import { parseUrl } from "../links/http-url.js";
import { idProblem } from "../schemas/ids.js";
import { responseArray } from "../schemas/response-array.js";
import {
  type CreatedWebhook,
  type EnsureWebhookParams,
  ensureWebhookParamsSchema,
  type Webhook,
  type WebhookCreateParams,
  type WebhookUpdateParams,
  webhookSecretSchema,
} from "../schemas/webhook.js";
import type { ApiPromise } from "../transport/api-promise.js";
import type { RequestOptions } from "../transport/request-options.js";
import { Resource, transportOf } from "../transport/resource.js";
import type { Transport } from "../transport/transport.js";

/** A list whose rows are not checked: `ensure` must find a webhook even if another row is invalid. */
const anyRows = /* @__PURE__ */ responseArray(z.unknown());

/** The latest `ensure` of each client. The next one waits until it has settled. */
const latestEnsure = /* @__PURE__ */ new WeakMap<Transport, Promise<unknown>>();

/** The subscription as it is now, and its secret. */
export interface EnsuredWebhook {
  /** The subscription. */
  webhook: Webhook;
  /** The key that its deliveries are signed with. */
  secret: string;
}

/** The user's webhook subscriptions. To receive deliveries, see `notetaker-sdk/webhooks`. */
export class Webhooks extends Resource {
  /**
   * All webhooks that the user owns, without their secrets. Guide: docs/webhooks.md.
   */
  list(options?: RequestOptions): ApiPromise<Webhook[]> {
    return transportOf(this).send(listWebhooks, options);
  }

  /**
   * Subscribes `url` to events. The response has the `secret`, which the service shows only once: store it.
   *
   * At most 20 requests a minute (documented). The request is not sent again after a 5xx, a lost connection or a
   * timeout, because a second request would create a second webhook.
   *
   * Of the response, only `id` and `secret` are checked: if it is refused for another field, the secret is lost.
   *
   * @beta The API specification refers to this endpoint but does not define it; documented.
   */
  create(params: WebhookCreateParams, options?: RequestOptions): ApiPromise<CreatedWebhook> {
    return transportOf(this).send({ ...createWebhook, params, response: webhookSecretSchema }, options);
  }

  /**
   * Changes a webhook (`whk_…`): any of `url`, `events`, `enabled`.
   *
   * @beta The API specification refers to this endpoint but does not define it; documented.
   */
  update(webhookId: string, params: WebhookUpdateParams, options?: RequestOptions): ApiPromise<Webhook> {
    return transportOf(this).send({ ...updateWebhook, ids: { webhookId }, params }, options);
  }

  /**
   * Deletes a webhook (`whk_…`).
   *
   * @beta The API specification refers to this endpoint but does not define it; documented.
   */
  delete(webhookId: string, options?: RequestOptions): ApiPromise<void> {
    return transportOf(this).send({ ...deleteWebhook, ids: { webhookId } }, options);
  }

  /**
   * Makes sure that `url` is subscribed to these events: creates the webhook, or changes its events. When it is
   * created, its secret is written to `secretStore`; later calls read it from there. A disabled webhook stays disabled.
   * If you have several programs, let only one of them call `ensure`. Guide: docs/webhooks.md#secrets.
   *
   * @throws {ConfigurationError} {@link ConfigurationError} if `url` has a webhook, but `secretStore` has no secret for
   * it
   * @example
   * const { secret } = await notetaker.webhooks.ensure({
   *   url: "https://example.com/hooks/notetaker",
   *   events: ["meeting.transcript_ready"],
   *   secretStore: { get: ({ id }) => vault.read(id), set: ({ id }, secret) => vault.write(id, secret) },
   * });
   * @beta The API specification refers to creating and changing webhooks but does not define either; documented.
   */
  ensure(params: EnsureWebhookParams, options?: RequestOptions): Promise<EnsuredWebhook> {
    const transport = transportOf(this);
    const earlier = latestEnsure.get(transport) ?? Promise.resolve();
    const ensured = earlier.then(() => ensureWebhook(this, params, options));
    latestEnsure.set(
      transport,
      ensured.catch(() => {}),
    );
    return abortable(ensured, options?.signal);
  }
}

async function ensureWebhook(
  webhooks: Webhooks,
  params: EnsureWebhookParams,
  options: RequestOptions | undefined,
): Promise<EnsuredWebhook> {
  checkArgument("webhooks.ensure", ensureWebhookParamsSchema, params);
  const { url, events, secretStore } = params;

  const rows = await transportOf(webhooks).send({ ...listWebhooks, response: anyRows, isFresh: true }, options);
  const { href } = new URL(url);
  const existing = rows.filter(isRecognizable).filter((webhook) => parseUrl(webhook.url)?.href === href);
  for (const webhook of existing) {
    const secret = await secretStore.get(webhook);
    if (!secret) continue;
    if (hasEvents(webhook, events)) return { webhook, secret };
    return { webhook: await webhooks.update(webhook.id, { events }, options), secret };
  }
  const [withoutSecret] = existing;
  if (withoutSecret !== undefined) {
    throw new ConfigurationError(
      `webhooks.ensure: secretStore has no secret for ${withoutSecret.id}: put it there, or delete the webhook`,
    );
  }

  const { secret, ...created } = await webhooks.create({ url, events }, options);
  // A store may use the URL as its key, and the response may lack it.
  const webhook: Webhook = { ...created, url: created.url ?? url, events: created.events ?? [...events] };
  try {
    await secretStore.set(webhook, secret);
  } catch (error) {
    // The secret is lost, so the webhook is of no use. The caller's signal does not abort this request.
    await webhooks.delete(webhook.id).catch(() => {});
    throw error;
  }
  return { webhook, secret };
}

/** Whether a row has the id and the URL of a webhook. Other missing or invalid fields do not matter here. */
const isRecognizable = (row: unknown): row is Webhook =>
  isRecord(row) && typeof row.url === "string" && idProblem("webhookId", row.id) === undefined;

function hasEvents(webhook: Webhook, events: EnsureWebhookParams["events"]): boolean {
  const wantedEvents = new Set<string>(events);
  if (!Array.isArray(webhook.events)) return false;
  return webhook.events.length === wantedEvents.size && webhook.events.every((event) => wantedEvents.has(event));
}
