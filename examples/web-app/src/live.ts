/** The events of the server: what they change is read again. */
import {
  notifyManager,
  type Query,
  useQueryClient,
} from "@tanstack/react-query";
import {
  isNotetakerError,
  type SubscriptionState,
  subscribe,
} from "notetaker-sdk/browser";
import { useEffect, useState, useSyncExternalStore } from "react";
import { MEETINGS } from "./api";

export interface News {
  kind: string;
  meetingId: string;
  title: string;
}

function followNetwork(changed: () => void) {
  const page = new AbortController();
  for (const name of ["online", "offline"])
    addEventListener(name, changed, page);
  return () => page.abort();
}

/** The server is there, but the service behind it is not. A refused token is an answer. */
const isUnanswered = ({ state: { fetchFailureReason: error } }: Query) =>
  isNotetakerError(error) &&
  !("code" in error && error.code === "upstream_unauthorized") &&
  ["ServerError", "ConnectionError", "TimeoutError"].includes(error.name);

/** The newest events first, and whether the page is connected. */
export function useLive() {
  const queryClient = useQueryClient();
  const [news, setNews] = useState<News[]>([]);
  const [state, setState] = useState<SubscriptionState>("connecting");
  const isOnline = useSyncExternalStore(followNetwork, () => navigator.onLine);
  // #region follow
  useEffect(() => {
    const page = new AbortController();
    listen(page.signal).catch((error) => {
      // It was refused: the user's session has ended, say.
      if (!page.signal.aborted) console.error("no more live events:", error);
    });
    return () => page.abort();

    async function listen(signal: AbortSignal) {
      // It reconnects after a 502 or silence, and continues after the last event.
      const onState = (now: SubscriptionState) =>
        signal.aborted || setState(now);
      const events = subscribe("/events", { signal, onState });
      for await (const { kind, meetingId, payload } of events) {
        void queryClient.invalidateQueries({ queryKey: MEETINGS });
        // A resync has no meeting: the server has restarted, and cannot say what
        // was missed. Read everything.
        void queryClient.invalidateQueries({
          queryKey:
            meetingId === undefined ? ["meeting"] : ["meeting", meetingId],
        });
        if (meetingId === undefined) continue;
        const title = (payload as { title?: string }).title ?? "Untitled";
        setNews((earlier) =>
          [
            { kind, meetingId, title },
            ...earlier.filter((other) => other.meetingId !== meetingId),
          ].slice(0, 3),
        );
      }
    }
  }, [queryClient]);
  // #endregion
  const cache = queryClient.getQueryCache();
  const isAnswered = useSyncExternalStore(
    // Batched, because a query may begin while a component renders.
    (changed) => cache.subscribe(notifyManager.batchCalls(changed)),
    () => !cache.findAll({ type: "active" }).some(isUnanswered),
  );
  const dismiss = (item: News) =>
    setNews((all) => all.filter((other) => other !== item));
  const shown = isAnswered ? state : "unanswered";
  return { state: isOnline ? shown : "offline", news, dismiss } as const;
}
