/** The events of the server: what they change is read again. */
import { useQueryClient } from "@tanstack/react-query";
import { subscribe } from "notetaker-sdk/browser";
import { useEffect, useState } from "react";
import { meetingsQuery } from "./api";

export interface News {
  kind: string;
  meetingId: string;
  title: string;
}

/** The newest events first. */
export function useNews(): News[] {
  const queryClient = useQueryClient();
  const [news, setNews] = useState<News[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    listen(stop.signal).catch((error) => {
      if (!stop.signal.aborted) console.error("no more live events:", error);
    });
    return () => stop.abort();

    async function listen(signal: AbortSignal) {
      // It reconnects after a 502 or silence, and continues after the last event.
      for await (const { kind, meetingId, payload } of subscribe("/events", {
        signal,
      })) {
        void queryClient.invalidateQueries({
          queryKey: meetingsQuery.queryKey,
        });
        // A resync has no meeting: the server has restarted, and cannot say what
        // was missed. Read everything.
        void queryClient.invalidateQueries({
          queryKey:
            meetingId === undefined ? ["meeting"] : ["meeting", meetingId],
        });
        if (meetingId === undefined) continue;
        const { title } = payload as { title?: string };
        setNews((earlier) =>
          [{ kind, meetingId, title: title ?? "Untitled" }, ...earlier].slice(
            0,
            5,
          ),
        );
      }
    }
  }, [queryClient]);
  return news;
}
