/**
 * `notetaker-sdk/webhooks`: verify, receive, relay and subscribe to events. Runs in any runtime with Web Crypto.
 * @module notetaker-sdk/webhooks
 */

export { ApiError, ForbiddenError, UnauthorizedError } from "../errors/api-error.js";
export { ConfigurationError, InvalidArgumentError } from "../errors/argument-errors.js";
export { ConnectionError, TimeoutError } from "../errors/call-errors.js";
export { NotetakerError } from "../errors/notetaker-error.js";
export { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.js";
export * from "../schemas/event.js";
export type { MeetingId } from "../schemas/ids.js";
export type { Meeting } from "../schemas/meeting.js";
export {
  type EventPayload,
  isMeetingEvent,
  type MeetingEvent,
  type MeetingEventOfKind,
  type OtherEvent,
  type WebhookEvent,
} from "./event/event.js";
export type { RawBody } from "./http/body.js";
export * from "./http/node-listener.js";
export type { ClaimResult, DedupeStore } from "./receive/dedupe.js";
export type { Refusal, RefusalReason } from "./receive/delivery-response.js";
export type { DeliveryContext, EventHandler, EventHandlers } from "./receive/handler-registry.js";
export type { ReceivedEvents, ReceivedEventsOptions } from "./receive/received-events.js";
export * from "./receive/receiver.js";
export type { ReceiverErrorContext, ReceiverOptions } from "./receive/receiver-options.js";
export { sign } from "./receive/sign.js";
export { type EventFields, type SignatureHeaders, type VerifyOptions, verify } from "./receive/verify.js";
export type { WebhookSecret } from "./receive/webhook-secret.js";
export type { CorsOptions } from "./relay/cors.js";
export * from "./relay/event-log.js";
export type { PublishOptions } from "./relay/publish.js";
export * from "./relay/relay.js";
export * from "./subscribe/subscribe.js";
export type {
  HeadersInput,
  Reconnection,
  StreamRequestInit,
  StreamResponse,
  SubscribeFetch,
  SubscribeOptions,
  SubscriptionState,
} from "./subscribe/subscribe-options.js";
export type { Subscription } from "./subscribe/subscription.js";
