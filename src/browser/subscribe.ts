import type { SubscribeOptions } from "../webhooks/subscribe/subscribe-options.js";
import { openSubscription, type Subscription } from "../webhooks/subscribe/subscription.js";

/**
 * The `subscribe` of `notetaker-sdk/webhooks` for web pages, smaller: the types alone check its options. `url` may be
 * relative to the page, and use `http:` if it has the page's own origin.
 *
 * It reconnects after a broken connection, a 5xx (a deploy) or silence, and resumes after the last event; `onState` is
 * told what it is doing. An event of the kind `"resync"` means: load your state again. Guide: docs/browser-events.md.
 * @throws {ConfigurationError} if the URL is invalid or uses `http:` to another machine
 * @example
 * for await (const event of subscribe("/events", { signal })) {
 *   if (event.kind === "resync") await reload();
 *   else show(event.meetingId);
 * }
 */
export function subscribe(url: string | URL, options: SubscribeOptions = {}): Subscription {
  return openSubscription(url, options);
}
