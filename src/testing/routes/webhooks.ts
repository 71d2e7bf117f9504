import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from "../../endpoints/webhooks.js";
import { jsonResponse, noContent } from "../http/exchange.js";
import { answer } from "../http/route.js";
import { newWebhook } from "../seed/apply-seed.js";
import { toWire } from "../state/to-wire.js";
import { findWebhook } from "./find-record.js";

export const webhookRoutes = [
  answer(listWebhooks, ({ context }) =>
    jsonResponse(Array.from(context.state.webhooks.values(), (webhook) => toWire("webhook", webhook))),
  ),
  answer(createWebhook, ({ context, body }) => {
    const { url, enabled = true } = body;
    const webhook = newWebhook(context, { url, events: [...new Set(body.events)], enabled });
    // No other response shows the secret.
    return jsonResponse({ ...toWire("webhook", webhook), secret: webhook.secret }, 201);
  }),
  answer(updateWebhook, (call) => {
    const webhook = findWebhook(call);
    const { url = webhook.url, events = webhook.events, enabled = webhook.enabled } = call.body;
    const updated_at = call.context.clock.timestamp();
    Object.assign(webhook, { url, events: [...new Set(events)], enabled, updated_at });
    return jsonResponse(toWire("webhook", webhook));
  }),
  answer(deleteWebhook, (call) => {
    call.context.state.webhooks.delete(findWebhook(call).id);
    return noContent;
  }),
];
