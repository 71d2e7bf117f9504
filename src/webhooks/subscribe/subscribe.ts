import { checkOptions } from "../../errors/check-arguments.js";
import { type SubscribeOptions, subscribeOptionsSchema } from "./subscribe-options.js";
import { openSubscription, type Subscription } from "./subscription.js";

/**
 * The events of a relay, or of any server that sends server-sent events, until the loop is left. It reconnects with
 * backoff, and resumes after the last event. An event of the kind `"resync"` means: load your state again.
 *
 * A 204 ends the loop. A server that never responds throws {@link ConnectionError} after about a minute; once it has
 * responded, `subscribe` never gives up. Any other refusal throws the {@link ApiError} of its status; something that is
 * not an event, or has more than 2 MiB, throws {@link WebhookVerificationError}. Guide: docs/browser-events.md.
 * @throws {ConfigurationError} if the URL is invalid or uses `http:` to another machine, or an option is invalid
 * @example
 * const events = subscribe("https://app.example.com/events", { headers: { authorization: `Bearer ${token}` } });
 * for await (const event of events) {
 *   if (event.kind === "resync") await reload();
 *   else if (isMeetingEvent(event, "meeting.transcript_ready")) show(event.meetingId);
 *   localStorage.setItem("last", events.lastEventId ?? "");
 * }
 */
export function subscribe(url: string | URL, options: SubscribeOptions = {}): Subscription {
  checkOptions("subscribe", subscribeOptionsSchema, options);
  return openSubscription(url, options);
}
