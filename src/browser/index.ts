/**
 * `notetaker-sdk/browser`: for web pages that talk to your own server: `uploadFile`, `readJson` and `subscribe`, and
 * `xhrFetch` for a client. Without zod and ky.
 * @module notetaker-sdk/browser
 */
export type { AnyNotetakerError } from "../errors/error-classes.js";
export { isNotetakerError } from "../errors/error-of-record.js";
export type { WebhookEvent } from "../webhooks/event/event.js";
export type { Reconnection, SubscribeOptions, SubscriptionState } from "../webhooks/subscribe/subscribe-options.js";
export type { Subscription } from "../webhooks/subscribe/subscription.js";
export { readJson } from "./read-answer.js";
export * from "./subscribe.js";
export * from "./upload-file.js";
export { type XhrFetch, xhrFetch } from "./xhr-fetch.js";
