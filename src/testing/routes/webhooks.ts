/** Interface, "GET /webhooks"; creating, changing and deleting are level A. */
import { EVENT_KINDS, type KnownEventKind } from "../../schemas/event.js";
import { WEBHOOK_URL_MAX } from "../../schemas/webhook.js";
import { notFound } from "../http/error-response.js";
import { json, noContent } from "../http/exchange.js";
import type { Call, Route } from "../http/route.js";
import { all, atMost, boolean, deliveryUrl, idOf, listOf, oneOf } from "../http/rules.js";
import { newId, randomHex } from "../state/random.js";
import type { WebhookRecord } from "../state/records.js";
import { createdWebhookToWire, webhookToWire } from "../state/to-wire.js";

const url = all(atMost(WEBHOOK_URL_MAX), deliveryUrl);
const events = listOf(oneOf(EVENT_KINDS));
const params = { webhook_id: idOf("whk_") };

function webhookOf({ world, params: { webhook_id } }: Call): WebhookRecord {
  const webhook = world.state.webhooks.get(webhook_id!);
  if (webhook === undefined) throw notFound();
  return webhook;
}

export const webhookRoutes: Route[] = [
  {
    method: "GET",
    path: "/webhooks",
    invalid: "error",
    answer: ({ world }) => json(Array.from(world.state.webhooks.values(), webhookToWire)),
  },
  {
    method: "POST",
    path: "/webhooks",
    invalid: "error",
    limit: "createWebhook",
    fields: {
      url: { rule: url, required: true },
      events: { rule: events, required: true },
      enabled: { rule: boolean },
    },
    answer: ({ world: { state, clock }, body }) => {
      const webhook: WebhookRecord = {
        id: newId(state, "whk_"),
        url: body.url as string,
        events: [...new Set(body.events as KnownEventKind[])],
        enabled: (body.enabled as boolean | undefined) ?? true,
        created_at: clock.timestamp(),
        updated_at: clock.timestamp(),
        secret: `whsec_${randomHex(state, 48)}`,
      };
      state.webhooks.set(webhook.id, webhook);
      return json(createdWebhookToWire(webhook), 201);
    },
  },
  {
    method: "PATCH",
    path: "/webhooks/{webhook_id}",
    invalid: "error",
    params,
    fields: { url: { rule: url }, events: { rule: events }, enabled: { rule: boolean } },
    together: (body) =>
      Object.keys(body).length === 0
        ? { loc: ["body"], msg: "Expected at least one of url, events, enabled", type: "missing", input: body }
        : undefined,
    answer: (call) => {
      const webhook = webhookOf(call);
      const { url, events, enabled } = call.body as Partial<WebhookRecord>;
      if (url !== undefined) webhook.url = url;
      if (events !== undefined) webhook.events = [...new Set(events)];
      if (enabled !== undefined) webhook.enabled = enabled;
      webhook.updated_at = call.world.clock.timestamp();
      return json(webhookToWire(webhook));
    },
  },
  {
    method: "DELETE",
    path: "/webhooks/{webhook_id}",
    invalid: "error",
    params,
    answer: (call) => {
      call.world.state.webhooks.delete(webhookOf(call).id);
      return noContent;
    },
  },
];
