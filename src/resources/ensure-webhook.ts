/** One subscription for one address, with a secret that is not lost: what `webhooks.ensure` does. */
import { checkArgument } from "../errors/check-argument.js";
import { ConfigurationError } from "../errors/configuration-error.js";
import type { RequestOptions } from "../options.js";
import {
  type CreatedWebhook,
  type EnsureWebhookParams,
  ensureWebhookParamsSchema,
  type Webhook,
  type WebhookCreateParams,
  type WebhookUpdateParams,
} from "../schemas/webhook.js";

/** What of the webhooks resource is needed here. */
interface Webhooks {
  list(options?: RequestOptions): PromiseLike<Webhook[]>;
  create(params: WebhookCreateParams, options?: RequestOptions): PromiseLike<CreatedWebhook>;
  update(id: string, params: WebhookUpdateParams, options?: RequestOptions): PromiseLike<Webhook>;
  delete(id: string, options?: RequestOptions): Promise<void>;
}

/** The subscription as it is now, and the secret that its deliveries are signed with. */
export interface EnsuredWebhook {
  webhook: Webhook;
  secret: string;
}

export async function ensureWebhook(
  webhooks: Webhooks,
  params: EnsureWebhookParams,
  options?: RequestOptions,
): Promise<EnsuredWebhook> {
  checkArgument("webhooks.ensure", ensureWebhookParamsSchema, params);
  const { url, events, secretStore } = params;

  const existing = (await webhooks.list(options)).filter((webhook) => isSame(webhook.url, url));
  for (const webhook of existing) {
    const secret = await secretStore.get(webhook);
    if (!secret) continue;
    const wanted = new Set<string>(events);
    const fits = webhook.events.length === wanted.size && webhook.events.every((event) => wanted.has(event));
    return { secret, webhook: fits ? webhook : await webhooks.update(webhook.id, { events }, options) };
  }
  const [lost] = existing;
  if (lost) {
    throw new ConfigurationError(
      `webhooks.ensure: secretStore has no secret for ${lost.id}: put it there, or delete the webhook`,
    );
  }

  const { secret, ...webhook } = await webhooks.create({ url, events }, options);
  try {
    await secretStore.set(webhook, secret);
  } catch (failure) {
    // Nobody will ever know its secret. The caller's signal may have aborted: it does not keep this from being undone.
    await webhooks.delete(webhook.id).catch(() => {});
    throw failure;
  }
  return { webhook, secret };
}

const isSame = (a: string, b: string) => URL.canParse(a) && new URL(a).href === new URL(b).href;
