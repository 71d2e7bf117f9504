/** The endpoints of webhooks (API specification, "GET /webhooks"). Creating, changing and deleting are documented. */
import { ID_PREFIXES } from "../../schemas/ids.js";
import { webhookCreateParamsSchema, webhookUpdateParamsSchema } from "../../schemas/webhook.js";
import { json, noContent } from "../http/exchange.js";
import { answer } from "../http/route.js";
import { newId, newWebhookSecret } from "../state/random.js";
import type { WebhookRecord } from "../state/records.js";
import { createdWebhookToWire, webhookToWire } from "../state/to-wire.js";
import { findWebhook } from "./find-record.js";

export const webhookRoutes = [
  answer("GET /webhooks", { invalid: "error" }, ({ context }) =>
    json(Array.from(context.state.webhooks.values(), webhookToWire)),
  ),
  answer(
    "POST /webhooks",
    { invalid: "error", limit: "createWebhook", body: webhookCreateParamsSchema },
    ({ context: { state, clock }, body }) => {
      const webhook: WebhookRecord = {
        id: newId(state, ID_PREFIXES.webhookId),
        url: body.url,
        events: [...new Set(body.events)],
        enabled: body.enabled ?? true,
        created_at: clock.timestamp(),
        updated_at: clock.timestamp(),
        secret: newWebhookSecret(state),
      };
      state.webhooks.set(webhook.id, webhook);
      return json(createdWebhookToWire(webhook), 201);
    },
  ),
  answer("PATCH /webhooks/{webhook_id}", { invalid: "error", body: webhookUpdateParamsSchema }, (call) => {
    const webhook = findWebhook(call);
    const { url = webhook.url, events = webhook.events, enabled = webhook.enabled } = call.body;
    const updated_at = call.context.clock.timestamp();
    Object.assign(webhook, { url, events: [...new Set(events)], enabled, updated_at });
    return json(webhookToWire(webhook));
  }),
  answer("DELETE /webhooks/{webhook_id}", { invalid: "error" }, (call) => {
    call.context.state.webhooks.delete(findWebhook(call).id);
    return noContent;
  }),
];
