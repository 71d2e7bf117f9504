/** The endpoints of webhooks (API specification, "GET /webhooks"). Creating, changing and deleting are documented. */
import { EVENT_KINDS, type KnownEventKind } from "../../schemas/event.js";
import { ID_PREFIXES } from "../../schemas/ids.js";
import { WEBHOOK_URL_MAX } from "../../schemas/webhook.js";
import { json, noContent } from "../http/exchange.js";
import type { Route } from "../http/route.js";
import { all, atMost, boolean, deliveryUrl, idRule, listOf, oneOf } from "../http/rules.js";
import { newId, newWebhookSecret } from "../state/random.js";
import type { WebhookRecord } from "../state/records.js";
import { createdWebhookToWire, webhookToWire } from "../state/to-wire.js";
import { findWebhook } from "./find-record.js";

const url = all(atMost(WEBHOOK_URL_MAX), deliveryUrl);
const events = listOf(oneOf(EVENT_KINDS));
const params = { webhook_id: idRule("webhookId") };

const listWebhooks: Route = {
  method: "GET",
  path: "/webhooks",
  invalid: "error",
  answer: ({ context }) => json(Array.from(context.state.webhooks.values(), webhookToWire)),
};

const createWebhook: Route = {
  method: "POST",
  path: "/webhooks",
  invalid: "error",
  limit: "createWebhook",
  fields: {
    url: { rule: url, required: true },
    events: { rule: events, required: true },
    enabled: { rule: boolean },
  },
  answer: ({ context: { state, clock }, body }) => {
    const webhook: WebhookRecord = {
      id: newId(state, ID_PREFIXES.webhookId),
      url: body.url as string,
      events: [...new Set(body.events as KnownEventKind[])],
      enabled: (body.enabled as boolean | undefined) ?? true,
      created_at: clock.timestamp(),
      updated_at: clock.timestamp(),
      secret: newWebhookSecret(state),
    };
    state.webhooks.set(webhook.id, webhook);
    return json(createdWebhookToWire(webhook), 201);
  },
};

const updateWebhook: Route = {
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
    const webhook = findWebhook(call);
    const { url, events, enabled } = call.body as Partial<WebhookRecord>;
    if (url !== undefined) webhook.url = url;
    if (events !== undefined) webhook.events = [...new Set(events)];
    if (enabled !== undefined) webhook.enabled = enabled;
    webhook.updated_at = call.context.clock.timestamp();
    return json(webhookToWire(webhook));
  },
};

const deleteWebhook: Route = {
  method: "DELETE",
  path: "/webhooks/{webhook_id}",
  invalid: "error",
  params,
  answer: (call) => {
    call.context.state.webhooks.delete(findWebhook(call).id);
    return noContent;
  },
};

export const webhookRoutes: Route[] = [listWebhooks, createWebhook, updateWebhook, deleteWebhook];
