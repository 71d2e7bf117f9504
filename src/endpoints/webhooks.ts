import {
  createdWebhookSchema,
  webhookCreateParamsSchema,
  webhookListSchema,
  webhookSchema,
  webhookUpdateParamsSchema,
} from "../schemas/webhook.js";
import { endpoint } from "./endpoint.js";

export const listWebhooks = endpoint({
  name: "webhooks.list",
  route: "GET /webhooks",
  response: webhookListSchema,
  retry: "repeatable",
  invalid: "error",
  source: "specified",
});

export const createWebhook = endpoint({
  name: "webhooks.create",
  route: "POST /webhooks",
  body: webhookCreateParamsSchema,
  response: createdWebhookSchema,
  retry: "unrepeatable",
  invalid: "error",
  source: "documented",
});

export const updateWebhook = endpoint({
  name: "webhooks.update",
  route: "PATCH /webhooks/{webhookId}",
  body: webhookUpdateParamsSchema,
  response: webhookSchema,
  retry: "repeatable",
  invalid: "error",
  source: "documented",
});

export const deleteWebhook = endpoint({
  name: "webhooks.delete",
  route: "DELETE /webhooks/{webhookId}",
  response: undefined,
  retry: "repeatable",
  invalid: "error",
  source: "documented",
});

export const webhookEndpoints = [listWebhooks, createWebhook, updateWebhook, deleteWebhook] as const;
