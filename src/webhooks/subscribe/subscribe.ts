/** Receives the events that a relay passes on, in any runtime. */
import { type AsyncDisposeMember, withAsyncDispose } from "../../async/symbols.js";
import type { WebhookEvent } from "../event/event.js";
import { EventSubscription } from "./event-subscription.js";
import { checkedStreamUrl, type SubscribeOptions, subscribeSettings } from "./subscribe-options.js";

/** The events, in order, for one consumer: a second loop continues where the first stopped. */
export interface Subscription extends AsyncIterator<WebhookEvent, void, undefined>, AsyncDisposeMember {
  /** The id of the last event returned, or the position that the server reported. Store it to resume later. */
  readonly lastEventId: string | undefined;
  /** Ends the subscription and closes the connection; `break` does the same. */
  return(): Promise<IteratorResult<WebhookEvent, void>>;
  /** The subscription itself: `for await (const event of subscription)`. */
  [Symbol.asyncIterator](): Subscription;
}

/**
 * The events of a relay, or of any server that sends server-sent events, until the loop is left. It reconnects with
 * backoff, never gives up, and resumes after the last event. An event of the kind `"resync"` means: load your state
 * again.
 *
 * A 204 ends the loop. Any other refusal throws {@link UnauthorizedError}, {@link ForbiddenError} or {@link ApiError};
 * something that is not an event throws {@link WebhookVerificationError}. Guide: docs/browser-events.md.
 *
 * @throws {ConfigurationError} {@link ConfigurationError} if the URL is invalid or uses `http:` to another machine, or
 * an option is invalid
 * @example
 * const events = subscribe("https://app.example.com/events", { headers: { authorization: `Bearer ${token}` } });
 * for await (const event of events) {
 *   if (event.kind === "resync") await reload();
 *   else if (isMeetingEvent(event, "meeting.transcript_ready")) show(event.meetingId);
 *   localStorage.setItem("last", events.lastEventId ?? "");
 * }
 */
export function subscribe(url: string | URL, options: SubscribeOptions = {}): Subscription {
  const settings = subscribeSettings(options);
  const source = new EventSubscription(checkedStreamUrl(url, settings.allowInsecureHttp), settings);
  const iterator = source.events();
  const close = (): Promise<IteratorResult<WebhookEvent, void>> => {
    source.close();
    return iterator.return();
  };
  const subscription = {
    get lastEventId() {
      return source.lastEventId;
    },
    next: () => iterator.next(),
    return: close,
    [Symbol.asyncIterator](): Subscription {
      return disposable;
    },
  };
  const disposable = withAsyncDispose(subscription, async () => void (await close()));
  return disposable;
}
