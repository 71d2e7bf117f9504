/** Webhooks. Creating and changing them is not in the API specification, but in the public reference (documented). */
import * as z from "zod/mini";
import { issueCode } from "../checks/issue-code.js";
import { httpUrl, isSecureUrl } from "../links/http-url.js";
import { EVENT_KINDS, type EventKind } from "./event.js";
import { webhookId } from "./id-schemas.js";
import {
  custom,
  enumOf,
  type Infer,
  maxLength,
  nonEmptyArray,
  openEnum,
  requestObject,
  responseObject,
  type Schema,
  timestamp,
} from "./primitives.js";
import { responseArray } from "./response-array.js";

export const WEBHOOK_URL_MAX = 2048;

export const webhookFields = {
  /** `whk_…` */
  id: webhookId,
  /** The URL that events are delivered to. */
  url: z.string(),
  /** The kinds of event that are delivered. */
  events: responseArray(openEnum<EventKind>()),
  /** Whether events are delivered. */
  enabled: z.boolean(),
  /** When the webhook was created: an ISO 8601 timestamp with offset. */
  created_at: timestamp(),
  /** When the webhook was last changed: an ISO 8601 timestamp with offset. */
  updated_at: timestamp(),
};

/** A webhook subscription as it is listed, without its secret. */
export interface Webhook extends Infer<typeof webhookFields> {}

export const webhookSchema = responseObject<Webhook>(webhookFields);

export const webhookListSchema = responseArray(webhookSchema);

const createdWebhookFields = {
  ...webhookFields,
  /** The key that deliveries are signed with. The service shows it only once: store it. */
  secret: z.string(),
};

/** The response to `webhooks.create`: the webhook with its secret. */
export interface CreatedWebhook extends Webhook, Infer<typeof createdWebhookFields> {}

export const createdWebhookSchema = responseObject<CreatedWebhook>(createdWebhookFields);

/** What the response to `webhooks.create` must have. If the client refused the response, the secret would be lost. */
export const webhookSecretSchema = responseObject<Pick<CreatedWebhook, "id" | "secret">>({
  id: webhookId,
  secret: z.string(),
}) as Schema<CreatedWebhook>;

export const webhookUrl = maxLength(WEBHOOK_URL_MAX).check(
  z.refine((value) => isSecureUrl(value), {
    error: "expected an absolute https: URL (http: only for loopback)",
    ...issueCode((value) => (httpUrl(value as string) === undefined ? "not_a_link" : "unsupported_link")),
  }),
);
export const webhookEvents = nonEmptyArray(enumOf(EVENT_KINDS), "kind of event");

const webhookCreateParams = {
  /** Where to deliver: an absolute `https:` URL (`http:` for loopback) of at most 2048 characters. Required. */
  url: webhookUrl,
  /** The kinds of event to deliver: at least one of {@link EVENT_KINDS}. Required. */
  events: webhookEvents,
  /** Whether events are delivered. Default: the service's own, `true`. */
  enabled: z.optional(z.boolean()),
};

/** Parameters of `webhooks.create`. */
export interface WebhookCreateParams extends Infer<typeof webhookCreateParams> {}

export const webhookCreateParamsSchema = requestObject<WebhookCreateParams>(webhookCreateParams);

const webhookUpdateParams = {
  /** Where to deliver: an absolute `https:` URL (`http:` for loopback), at most 2048 characters. Default: unchanged. */
  url: z.optional(webhookUrl),
  /** The kinds of event to deliver: at least one of {@link EVENT_KINDS}. Default: unchanged. */
  events: z.optional(webhookEvents),
  /** Whether events are delivered. Default: unchanged. */
  enabled: z.optional(z.boolean()),
};

/** Parameters of `webhooks.update`. At least one is required. */
export interface WebhookUpdateParams extends Infer<typeof webhookUpdateParams> {}

export const webhookUpdateParamsSchema: Schema<WebhookUpdateParams> = requestObject<WebhookUpdateParams>(
  webhookUpdateParams,
).check(
  z.refine((value) => Object.values(value).some((field) => field !== undefined), {
    error: "expected at least one of url, events and enabled, received none",
    ...issueCode("missing"),
  }),
);

/**
 * Stores the secrets of webhooks, because the service shows each secret only once. Use the webhook's `id` as the key. If
 * a store uses its `url`, `webhooks.ensure` cannot tell that a secret belongs to a webhook that no longer exists.
 */
export interface SecretStore {
  /** Returns the secret of this webhook; `null` or `undefined` if the store does not have it. */
  get(webhook: Webhook): string | null | undefined | Promise<string | null | undefined>;
  /** Stores the secret of this webhook. If this method throws, the new webhook is deleted. */
  set(webhook: Webhook, secret: string): unknown;
}

const isStore = (value: unknown) =>
  typeof (value as SecretStore | undefined)?.get === "function" && typeof (value as SecretStore).set === "function";

const ensureWebhookParams = {
  /** Where to deliver: an absolute `https:` URL (`http:` for loopback) of at most 2048 characters. Required. */
  url: webhookUrl,
  /** Exactly the kinds of event to deliver: one or more of {@link EVENT_KINDS}. Required. */
  events: webhookEvents,
  /** Where the secret is stored. Required. */
  secretStore: custom<SecretStore>(isStore, "an object with get and set"),
  /**
   * Whether to delete the webhooks of this URL other than the one whose secret the store has. If the store has none,
   * all are deleted, and one is created anew. Default `false`: a webhook without its secret is an error.
   */
  recreate: z.optional(z.boolean()),
};

/** Parameters of `webhooks.ensure`. */
export interface EnsureWebhookParams extends Infer<typeof ensureWebhookParams> {}

export const ensureWebhookParamsSchema = requestObject<EnsureWebhookParams>(ensureWebhookParams);
