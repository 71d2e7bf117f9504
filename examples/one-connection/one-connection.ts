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
  const tell = (message: object) => signal.aborted || tabs.postMessage(message);
  let isReader = false;
  let lastEventId: string | undefined;
  let state: SubscriptionState = "connecting";
  tabs.onmessage = ({ data }) => {
    // Only the reader answers, and only questions: answers to answers never end.
    if (isReader && data.asks) tell({ id: lastEventId, state });
    if (isReader || data.asks) return;
    lastEventId = data.id ?? lastEventId;
    if (data.event) onEvent(data.event);
    if (data.state) onState(data.state);
  };
  tell({ asks: "state" });
  await navigator.locks.request(url, { signal }, async () => {
    isReader = true;
    const changed = (now: SubscriptionState) => {
      state = now;
      tell({ state });
      onState(now);
    };
    const events = subscribe(url, { signal, lastEventId, onState: changed });
    try {
      for await (const event of events) {
        lastEventId = events.lastEventId;
        tell({ id: lastEventId, event });
        onEvent(event);
      }
    } finally {
      isReader = false;
    }
  });
}
