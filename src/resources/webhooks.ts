import * as z from "zod/mini";
import { abortable } from "../async/abort.js";
import { pause } from "../async/timers.js";
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from "../endpoints/webhooks.js";
import { NotFoundError } from "../errors/api-error.js";
import { ConfigurationError } from "../errors/argument-errors.js";
import { isRecord } from "../json/is-record.js";
import { parseUrl } from "../links/http-url.js";
import { idProblem } from "../schemas/ids.js";
import { responseArray } from "../schemas/response-array.js";
import {
  type CreatedWebhook,
  type EnsureWebhookParams,
  ensureWebhookParamsSchema,
  type SecretStore,
  type Webhook,
  type WebhookCreateParams,
  type WebhookUpdateParams,
  webhookSecretSchema,
} from "../schemas/webhook.js";
import type { ApiPromise } from "../transport/api-promise.js";
import { NO_OPTIONS, type RequestOptions } from "../transport/request-options.js";
import { Resource, transportOf } from "../transport/resource.js";
import type { Transport } from "../transport/transport.js";
import { checkCall, sharingDeadline } from "./several-requests.js";

/** A list whose rows are not checked: `ensure` must find a webhook even if another row is invalid. */
const anyRows = /* @__PURE__ */ responseArray(z.unknown());

/** The latest `ensure` of each client. The next one waits until it has settled, but no longer than `ENSURE_TURN_MS`. */
const latestEnsure = /* @__PURE__ */ new WeakMap<Transport, Promise<void>>();

/** In milliseconds. Another `ensure` may never settle: the end of a Worker's request stops what it has begun. */
const ENSURE_TURN_MS = 10_000;

/** The subscription as it is now, and its secret. */
export interface EnsuredWebhook {
  /** The subscription. */
  webhook: Webhook;
  /** The key that its deliveries are signed with. */
  secret: string;
}

/** The user's webhook subscriptions. To receive deliveries, see `notetaker-sdk/webhooks`. */
export class Webhooks extends Resource {
  /** All webhooks that the user owns, without their secrets. Guide: docs/webhooks.md. */
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
   * @beta The API specification refers to this endpoint but does not define it; documented.
   */
  create(params: WebhookCreateParams, options?: RequestOptions): ApiPromise<CreatedWebhook> {
    return transportOf(this).send({ ...createWebhook, params, response: webhookSecretSchema }, options);
  }

  /**
   * Changes a webhook (`whk_…`): any of `url`, `events`, `enabled`.
   * @beta The API specification refers to this endpoint but does not define it; documented.
   */
  update(webhookId: string, params: WebhookUpdateParams, options?: RequestOptions): ApiPromise<Webhook> {
    return transportOf(this).send({ ...updateWebhook, ids: { webhookId }, params }, options);
  }

  /**
   * Deletes a webhook (`whk_…`).
   * @beta The API specification refers to this endpoint but does not define it; documented.
   */
  delete(webhookId: string, options?: RequestOptions): ApiPromise<void> {
    return transportOf(this).send({ ...deleteWebhook, ids: { webhookId } }, options);
  }

  /**
   * Makes sure that `url` is subscribed to these events: creates the webhook, or changes its events. The secret
   * of a new one is written to `secretStore`, where later calls read it. A disabled webhook stays disabled.
   * Let only one of several programs call it. Guide: docs/webhooks.md#secrets.
   *
   * With `recreate: true`, other webhooks of `url` are deleted: those of a program that was killed before it had stored
   * the secret, for example.
   * @throws {ConfigurationError} if `url` has a webhook whose secret `secretStore` does not
   * have, and `recreate` is not `true`. Its id is the error's `webhookId`.
   * @example
   * const { secret } = await notetaker.webhooks.ensure({
   *   url: "https://example.com/hooks/notetaker",
   *   events: ["meeting.transcript_ready"],
   *   secretStore: { get: ({ id }) => vault.read(id), set: ({ id }, secret) => vault.write(id, secret) },
   *   recreate: true,
   * });
   * @beta The API specification refers to creating and changing webhooks but does not define either; documented.
   */
  async ensure(params: EnsureWebhookParams, options: RequestOptions = NO_OPTIONS): Promise<EnsuredWebhook> {
    checkCall("webhooks.ensure", ensureWebhookParamsSchema, params, 1, options);
    const transport = transportOf(this);
    const earlier = latestEnsure.get(transport);
    const turn = earlier === undefined ? Promise.resolve() : pause(ENSURE_TURN_MS, undefined, earlier);
    const ensured = turn.then(() => ensureWebhook(this, params, options));
    const done = () => {};
    latestEnsure.set(transport, ensured.then(done, done));
    return await abortable(ensured, options.signal);
  }
}

async function ensureWebhook(
  webhooks: Webhooks,
  params: EnsureWebhookParams,
  options: RequestOptions,
): Promise<EnsuredWebhook> {
  const { url, events, secretStore, recreate = false } = params;

  const transport = transportOf(webhooks);
  const nextOptions = sharingDeadline(transport, options);
  const rows = await transport.send({ ...listWebhooks, response: anyRows, isFresh: true }, nextOptions());
  const { href } = new URL(url);
  const existing = rows.filter(isRecognizable).filter((webhook) => parseUrl(webhook.url)?.href === href);
  const kept = await withStoredSecret(existing, secretStore);
  const [other, ...more] = existing.filter((webhook) => webhook !== kept?.webhook);
  if (other !== undefined && recreate) {
    for (const { id } of [other, ...more]) await deleteIfThere(webhooks, id, nextOptions());
  } else if (other !== undefined && kept === undefined) {
    throw new ConfigurationError({
      message:
        `webhooks.ensure: secretStore does not have the secret of ${other.id}: put it there, or set recreate: true, ` +
        "which deletes the webhook and creates a new one",
      webhookId: other.id,
    });
  }
  if (kept !== undefined) {
    if (hasEvents(kept.webhook, events)) return kept;
    return { ...kept, webhook: await webhooks.update(kept.webhook.id, { events }, nextOptions()) };
  }

  const { secret, ...created } = await webhooks.create({ url, events }, nextOptions());
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

/** Secrets are unique: a store that returns one for two webhooks does not tell whose it is. */
async function withStoredSecret(
  webhooks: readonly Webhook[],
  secretStore: SecretStore,
): Promise<EnsuredWebhook | undefined> {
  const found: EnsuredWebhook[] = [];
  for (const webhook of webhooks) {
    const secret = await secretStore.get(webhook);
    if (secret) found.push({ webhook, secret });
  }
  return new Set(found.map(({ secret }) => secret)).size === found.length ? found[0] : undefined;
}

async function deleteIfThere(webhooks: Webhooks, webhookId: string, options: RequestOptions): Promise<void> {
  await webhooks.delete(webhookId, options).catch((error: unknown) => {
    if (!(error instanceof NotFoundError && error.fromService)) throw error;
  });
}

/** Whether a row has the id and the URL of a webhook. Other missing or invalid fields do not matter here. */
const isRecognizable = (row: unknown): row is Webhook =>
  isRecord(row) && typeof row.url === "string" && idProblem("webhookId", row.id) === undefined;

function hasEvents(webhook: Webhook, events: EnsureWebhookParams["events"]): boolean {
  const wantedEvents = new Set<string>(events);
  if (!Array.isArray(webhook.events)) return false;
  return webhook.events.length === wantedEvents.size && webhook.events.every((event) => wantedEvents.has(event));
}
