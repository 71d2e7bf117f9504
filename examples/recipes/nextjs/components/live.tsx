"use client";
import { usePathname, useRouter } from "next/navigation";
import { type SubscriptionState, subscribe } from "notetaker-sdk/browser";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { quiet } from "./styles";

interface LiveContext {
  state: SubscriptionState;
  setState(state: SubscriptionState): void;
  /** Whether the server can be reached: otherwise, a navigation would leave the page. */
  isAway: boolean;
}

const Context = createContext<LiveContext | undefined>(undefined);

export function Live({ children }: { children: ReactNode }) {
  const [state, setState] = useState<SubscriptionState>("connecting");
  const isOnline = useSyncExternalStore(
    followNetwork,
    () => navigator.onLine,
    () => true,
  );
  const isAway = !isOnline || state === "waiting";
  const value = useMemo(() => ({ state, setState, isAway }), [state, isAway]);
  return <Context value={value}>{children}</Context>;
}

export function useLive(): LiveContext {
  const value = useContext(Context);
  if (value === undefined) throw new Error("there is no <Live> around this");
  return value;
}

/** Renders the page again on the server; not while it is away or nobody looks. */
export function useRefresh() {
  const router = useRouter();
  const { isAway } = useLive();
  return useCallback(() => {
    if (!isAway && !document.hidden) router.refresh();
  }, [isAway, router]);
}

const WORDS: Record<SubscriptionState, string> = {
  connecting: "Connecting …",
  open: "Live",
  waiting: "Reconnecting …",
  ended: "Not live: log in again",
};

/** Follows the events of the tenant: the page of a meeting is about this meeting alone. */
export function LiveState() {
  const { state, setState, isAway } = useLive();
  const refresh = useRefresh();
  const path = usePathname();
  const onEvent = useEffectEvent((meetingId?: string) => {
    const [, shown] = /^\/meetings\/(.+)$/.exec(path) ?? [];
    if (!shown || !meetingId || decodeURIComponent(shown) === meetingId)
      refresh();
  });
  useEffect(() => {
    const page = new AbortController();
    const { signal } = page;
    async function follow() {
      // It connects again by itself, unless the session has ended.
      const events = subscribe("/api/events", { signal, onState: setState });
      for await (const { meetingId } of events) onEvent(meetingId);
    }
    follow().catch((error) => {
      if (!signal.aborted) console.error("no more live events:", error);
    });
    return () => page.abort();
  }, [setState]);
  const isOpen = state === "open" && !isAway;
  return (
    <span role="status" className={`flex items-center gap-2 truncate ${quiet}`}>
      <span
        className={`size-2 shrink-0 rounded-full ${isOpen ? "bg-emerald-500" : "bg-amber-500"}`}
      />
      <span className="truncate max-sm:sr-only">
        {isAway && state === "open" ? "Offline" : WORDS[state]}
      </span>
    </span>
  );
}

function followNetwork(changed: () => void) {
  for (const name of ["online", "offline"]) addEventListener(name, changed);
  return () => {
    for (const name of ["online", "offline"])
      removeEventListener(name, changed);
  };
}

const ASK_MS = 15_000;

/** Asks for what can still change and is announced by no event: 4 times a minute. */
export function Again() {
  const refresh = useRefresh();
  useEffect(() => {
    const timer = setInterval(refresh, ASK_MS);
    return () => clearInterval(timer);
  }, [refresh]);
  return null;
}
