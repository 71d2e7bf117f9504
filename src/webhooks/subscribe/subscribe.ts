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
 * The events of a relay, or of any server that sends events as server-sent events, until the loop is left. The first
 * connection is opened when the first event is requested.
 *
 * It reconnects after a lost or silent connection, and after 408, 429 and 5xx. It waits between connections (backoff
 * with jitter), never gives up, and resumes after the last event. It opens at most ten connections in two seconds,
 * whatever the server requests. A server that cannot resume after that event sends an event of the kind `"resync"`:
 * load your state again. Redirects are not followed, because the headers may carry a token.
 *
 * The loop ends when the server responds 204. It throws {@link UnauthorizedError} on 401, {@link ForbiddenError} on
 * 403, {@link ApiError} on any other refusal, {@link WebhookVerificationError} if it receives something that is not an
 * event (`not_an_event`) or is too large (`too_large`), and the signal's reason if it aborts.
 *
 * `await using` ends it, if the runtime has `Symbol.asyncDispose`.
 *
 * @throws {@link ConfigurationError} if the URL is invalid or uses `http:` to another machine, and for an unknown or
 * invalid option.
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
