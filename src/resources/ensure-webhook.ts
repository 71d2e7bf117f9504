/** Implements `webhooks.ensure`: one subscription for one URL, with its secret in the caller's store. */
import { ConfigurationError, checkArgument } from "../errors/argument-errors.js";
import { isRecord } from "../json/is-record.js";
import { parseUrl } from "../schemas/http-url.js";
import { idProblem } from "../schemas/ids.js";
import {
  type CreatedWebhook,
  type EnsureWebhookParams,
  ensureWebhookParamsSchema,
  type Webhook,
  type WebhookCreateParams,
  type WebhookUpdateParams,
} from "../schemas/webhook.js";

/** The requests that `ensureWebhook` sends. */
export interface WebhookCalls {
  /** The rows as received. */
  list(): PromiseLike<readonly unknown[]>;
  create(params: WebhookCreateParams): PromiseLike<CreatedWebhook>;
  update(id: string, params: WebhookUpdateParams): PromiseLike<Webhook>;
  /** The caller's signal does not abort this request, because it undoes `create`. */
  delete(id: string): Promise<void>;
}

/** The subscription as it is now, and its secret. */
export interface EnsuredWebhook {
  /** The subscription. */
  webhook: Webhook;
  /** The key that its deliveries are signed with. */
  secret: string;
}

export async function ensureWebhook(calls: WebhookCalls, params: EnsureWebhookParams): Promise<EnsuredWebhook> {
  checkArgument("webhooks.ensure", ensureWebhookParamsSchema, params);
  const { url, events, secretStore } = params;

  const existing = (await calls.list()).filter(isRecognizable).filter((webhook) => isSameUrl(webhook.url, url));
  for (const webhook of existing) {
    const secret = await secretStore.get(webhook);
    if (!secret) continue;
    return { secret, webhook: hasEvents(webhook, events) ? webhook : await calls.update(webhook.id, { events }) };
  }
  const [withoutSecret] = existing;
  if (withoutSecret !== undefined) {
    throw new ConfigurationError(
      `webhooks.ensure: secretStore has no secret for ${withoutSecret.id}: put it there, or delete the webhook`,
    );
  }

  const { secret, ...webhook } = await calls.create({ url, events });
  try {
    await secretStore.set(webhook, secret);
  } catch (error) {
    // The secret is lost, so the webhook is of no use.
    await calls.delete(webhook.id).catch(() => {});
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

function isSameUrl(left: string, right: string): boolean {
  const url = parseUrl(left);
  return url !== undefined && url.href === parseUrl(right)?.href;
}
