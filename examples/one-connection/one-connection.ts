import { type SubscriptionState, subscribe, type WebhookEvent } from "notetaker-sdk/browser";

interface Options {
  signal: AbortSignal;
  onEvent(event: WebhookEvent): void;
  onState(state: SubscriptionState): void;
}

/**
 * Follows the events of `url` with one connection for all tabs. The tab that
 * holds the lock reads them and tells the others. When it is closed, the browser
 * gives the lock to another tab, which continues after the last event.
 */
export async function followTogether(url: string, options: Options) {
  const { signal, onEvent, onState } = options;
  const tabs = new BroadcastChannel(url);
  signal.addEventListener("abort", () => tabs.close());
  let lastEventId: string | undefined;
  tabs.onmessage = ({ data: { id, event, state } }) => {
    lastEventId = id ?? lastEventId;
    if (event) onEvent(event);
    if (state) onState(state);
  };
  tabs.postMessage({}); // the tab that reads answers with its state
  await navigator.locks.request(url, { signal }, async () => {
    let state: SubscriptionState = "connecting";
    const tell = (message: object) => signal.aborted || tabs.postMessage(message);
    tabs.onmessage = () => tell({ id: lastEventId, state });
    const changed = (now: SubscriptionState) => {
      state = now;
      tell({ state });
      onState(now);
    };
    const events = subscribe(url, { signal, lastEventId, onState: changed });
    for await (const event of events) {
      lastEventId = events.lastEventId;
      tell({ id: lastEventId, event });
      onEvent(event);
    }
  });
}
