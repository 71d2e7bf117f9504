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
  isOnline: boolean;
  /** Whether the server can be reached: otherwise, a navigation would leave the page. */
  isAway: boolean;
  /** The bots that the list shows, of the last hour or still on their way. */
  bots: readonly string[];
  setBots(ids: readonly string[]): void;
}

export const OFFLINE = "You are offline. Nothing was sent.";

const NONE: readonly string[] = [];

const Context = createContext<LiveContext | undefined>(undefined);

export function Live({ children }: { children: ReactNode }) {
  const [state, setState] = useState<SubscriptionState>("connecting");
  const [bots, setBots] = useState(NONE);
  const isOnline = useSyncExternalStore(
    followNetwork,
    () => navigator.onLine,
    () => true,
  );
  const isAway = !isOnline || state === "waiting";
  const value = useMemo(
    () => ({ state, setState, isOnline, isAway, bots, setBots }),
    [state, isOnline, isAway, bots],
  );
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
  ended: "Session ended",
};

/** Follows the events of the tenant: the page of a meeting is about this meeting alone. */
export function LiveState() {
  const { state, setState, isOnline } = useLive();
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
      const onState = (now: SubscriptionState) =>
        signal.aborted || setState(now);
      const events = subscribe("/api/events", { signal, onState });
      for await (const { meetingId } of events) onEvent(meetingId);
    }
    follow().catch((error) => {
      if (!signal.aborted) console.error("no more live events:", error);
    });
    return () => page.abort();
  }, [setState]);
  const isOpen = state === "open" && isOnline;
  const hasEnded = state === "ended" && isOnline;
  return (
    <span role="status" className={`flex items-center gap-2 truncate ${quiet}`}>
      <span
        className={`size-2 shrink-0 rounded-full ${isOpen ? "bg-emerald-500" : "bg-amber-500"}`}
      />
      <span className={`truncate ${hasEnded ? "max-sm:sr-only" : ""}`}>
        {isOnline ? WORDS[state] : "Offline"}
      </span>
      {/* Not a navigation of Next.js: the layout has to read the session anew. */}
      {hasEnded && (
        <a
          href={`/login?to=${encodeURIComponent(path)}`}
          className="font-medium text-indigo-700 underline dark:text-indigo-300"
        >
          Log in again
        </a>
      )}
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
  const { state } = useLive();
  const hasEnded = state === "ended"; // the page would go to the login
  useEffect(() => {
    if (hasEnded) return;
    const timer = setInterval(refresh, ASK_MS);
    return () => clearInterval(timer);
  }, [hasEnded, refresh]);
  return null;
}

export function Bots({ ids }: { ids: readonly string[] }) {
  const { setBots } = useLive();
  useEffect(() => setBots(ids), [ids, setBots]);
  return null;
}
