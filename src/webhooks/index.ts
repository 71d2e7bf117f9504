/** `notetaker-sdk/webhooks`: verify, receive, relay and subscribe to events. Runs in any runtime with Web Crypto. */

export { ApiError } from "../errors/api-error.js";
export { ConfigurationError } from "../errors/configuration-error.js";
export { ConnectionError } from "../errors/connection-error.js";
export { ForbiddenError } from "../errors/forbidden-error.js";
export { NotetakerError } from "../errors/notetaker-error.js";
export { TimeoutError } from "../errors/timeout-error.js";
export { UnauthorizedError } from "../errors/unauthorized-error.js";
export { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.js";
export { EVENT_KINDS, type EventKind, type KnownEventKind } from "../schemas/event.js";
export type { MeetingId } from "../schemas/ids.js";
export type { Meeting } from "../schemas/meeting.js";
export {
  type EventFields,
  type EventPayload,
  isMeetingEvent,
  type MeetingEvent,
  type OtherEvent,
  type WebhookEvent,
} from "./event/event.js";
export { type NodeRequest, type NodeResponse, toNodeListener } from "./http/node-listener.js";
export type { RawBody } from "./http/raw-body.js";
export { type ClaimResult, type DedupeStore, type MemoryDedupeOptions, memoryDedupe } from "./receive/dedupe.js";
export {
  createReceiver,
  type DeliveryContext,
  type EventHandler,
  type Receiver,
  type ReceiverErrorContext,
  type ReceiverOptions,
} from "./receive/receiver.js";
export { sign } from "./receive/sign.js";
export type { SignatureHeaders, WebhookSecret } from "./receive/signature.js";
export { type VerifyOptions, verify } from "./receive/verify.js";
export { type EventLog, type LogEntry, type MemoryEventLogOptions, memoryEventLog } from "./relay/event-log.js";
export { type Audience, createRelay, type PublishOptions, type Relay, type RelayOptions } from "./relay/relay.js";
export { type Reconnection, type SubscribeOptions, type Subscription, subscribe } from "./subscribe/subscribe.js";
