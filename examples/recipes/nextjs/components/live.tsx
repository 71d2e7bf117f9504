"use client";
import { useRouter } from "next/navigation";
import { type SubscriptionState, subscribe } from "notetaker-sdk/browser";
import { useEffect, useState } from "react";

/**
 * The server renders the page again after each event, and every 15 seconds, since no
 * event says that a bot is listed or has failed. Not while the server is away: then
 * `refresh` would leave the page.
 */
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
  useEffect(() => {
    if (state !== "open") return;
    const poll = () => document.hidden || router.refresh();
    const timer = setInterval(poll, 15_000);
    return () => clearInterval(timer);
  }, [router, state]);
  return <p role="status">{state === "open" ? "Live" : "Connecting …"}</p>;
}
