"use client";
import { useRouter } from "next/navigation";
import { type SubscriptionState, subscribe } from "notetaker-sdk/browser";
import { useEffect, useState } from "react";

/** After each event, the server renders the page again. */
export function Live() {
  const router = useRouter();
  const [state, setState] = useState<SubscriptionState>("connecting");
  useEffect(() => {
    const page = new AbortController();
    follow(page.signal).catch((error) => {
      if (!page.signal.aborted) console.error(error);
    });
    return () => page.abort();

    async function follow(signal: AbortSignal) {
      const events = subscribe("/api/events", { signal, onState: setState });
      for await (const _ of events) router.refresh();
    }
  }, [router]);
  return <p role="status">{state === "open" ? "Live" : "Connecting …"}</p>;
}
