/** Interface, "Webhook"; creating and changing one is level A, as the interface refers to it without a definition. */
import * as z from "zod/mini";
import { EVENT_KINDS } from "./event.js";
import { webhookId } from "./ids.js";
import {
  custom,
  enumOf,
  maxLength,
  nonEmptyArray,
  openEnum,
  requestObject,
  responseObject,
  timestamp,
} from "./primitives.js";
import { isSecureUrl } from "./secure-url.js";

export const WEBHOOK_URL_MAX = 2048;

const webhookFields = {
  /** `whk_…` */
  id: webhookId,
  /** The registered delivery URL. */
  url: z.string(),
  /** The kinds of event that are delivered. */
  events: z.array(openEnum<typeof EVENT_KINDS>()),
  /** Whether the webhook is active. */
  enabled: z.boolean(),
  /** ISO 8601 with offset. */
  created_at: timestamp(),
  /** ISO 8601 with offset. */
  updated_at: timestamp(),
};

/** A webhook as it is listed: the secret is never included. */
export const webhookSchema = responseObject(webhookFields);
export type Webhook = z.infer<typeof webhookSchema>;

export const webhookListSchema = z.array(webhookSchema);

/** A webhook as its creation returns it: the one time that the secret is shown. */
export const createdWebhookSchema = responseObject({ ...webhookFields, secret: z.string() });
export type CreatedWebhook = z.infer<typeof createdWebhookSchema>;

const url = maxLength(WEBHOOK_URL_MAX).check(
  z.refine((value) => isSecureUrl(value), {
    error: "expected an absolute https: address (http: for loopback)",
  }),
);
const events = nonEmptyArray(enumOf(EVENT_KINDS), "at least one kind of event");

export const webhookCreateParamsSchema = requestObject({
  /** An absolute `https:` address (`http:` for loopback) of at most 2048 characters. */
  url,
  /** At least one kind. */
  events,
  /** The service's default is `true`. */
  enabled: z.optional(z.boolean()),
});
export type WebhookCreateParams = z.infer<typeof webhookCreateParamsSchema>;

export const webhookUpdateParamsSchema = requestObject({
  url: z.optional(url),
  events: z.optional(events),
  enabled: z.optional(z.boolean()),
}).check(
  z.refine((value) => Object.values(value).some((field) => field !== undefined), {
    error: "expected at least one of url, events and enabled",
  }),
);
export type WebhookUpdateParams = z.infer<typeof webhookUpdateParamsSchema>;

/**
 * Where the secrets of webhooks are kept: the service shows each once. A store may use the webhook's `id` as its key, or
 * its `url` where it has one webhook for each.
 */
export interface SecretStore {
  /** The secret of this webhook, if it is kept. */
  get(webhook: Webhook): string | null | undefined | Promise<string | null | undefined>;
  /** Keeps the secret of this webhook. The webhook is deleted again when it cannot. */
  set(webhook: Webhook, secret: string): unknown;
}

const isStore = (value: unknown) =>
  typeof (value as SecretStore | undefined)?.get === "function" && typeof (value as SecretStore).set === "function";

export const ensureWebhookParamsSchema = requestObject({
  /** An absolute `https:` address (`http:` for loopback) of at most 2048 characters. */
  url,
  /** At least one kind: these and no others. */
  events,
  secretStore: custom<SecretStore>(isStore, "an object with get and set"),
});
export type EnsureWebhookParams = z.infer<typeof ensureWebhookParamsSchema>;
