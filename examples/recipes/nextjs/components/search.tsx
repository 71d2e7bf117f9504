"use client";
import { useRouter } from "next/navigation";
import { useEffect, useLayoutEffect, useState, useTransition } from "react";
import { useLive } from "./live";
import { Icon } from "./notice";
import { problem, searchField } from "./styles";

/** Searches as one types. The search stands in the address, so that a reload keeps it. */
export function Search({ search }: { search: string }) {
  const router = useRouter();
  const { isAway } = useLive();
  // What is on its way to the address. Otherwise the box shows what the address has.
  const [typed, setTyped] = useState<string>();
  const [isPending, startTransition] = useTransition();
  if (typed === search) setTyped(undefined);
  // Next.js keeps a page that one leaves, hidden.
  useLayoutEffect(() => () => setTyped(undefined), []);
  useEffect(() => {
    if (isAway || typed === undefined) return;
    const query = typed ? `?${new URLSearchParams({ search: typed })}` : "";
    const timer = setTimeout(
      () => startTransition(() => router.replace(`/${query}`)),
      300,
    );
    return () => clearTimeout(timer);
  }, [isAway, typed, router]);
  return (
    <div className="relative w-full sm:w-80">
      <span className="absolute top-2.5 left-3 z-1 text-zinc-500 dark:text-zinc-400">
        <Icon name="search" />
      </span>
      <input
        type="search"
        className={searchField}
        aria-label="Search meetings"
        placeholder="Search meetings"
        value={typed ?? search}
        aria-busy={isPending}
        onChange={({ target }) => setTyped(target.value)}
      />
      {isAway && typed !== undefined && (
        <p role="status" className={`mt-1 ${problem}`}>
          You are offline. This searches as soon as you are back.
        </p>
      )}
    </div>
  );
}
