"use client";
import { useRouter } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import { useLive } from "./live";
import { field, problem } from "./styles";

/** Searches as one types. The search stands in the address, so that a reload keeps it. */
export function Search({ search }: { search: string }) {
  const router = useRouter();
  const { isAway } = useLive();
  const [typed, setTyped] = useState(search);
  const [isPending, startTransition] = useTransition();
  useEffect(() => {
    if (isAway || typed === search) return;
    const query = typed ? `?${new URLSearchParams({ search: typed })}` : "";
    const timer = setTimeout(
      () => startTransition(() => router.replace(`/${query}`)),
      300,
    );
    return () => clearTimeout(timer);
  }, [isAway, typed, search, router]);
  return (
    <div className="w-full sm:w-80">
      <input
        type="search"
        className={field}
        aria-label="Search meetings"
        placeholder="Search meetings"
        value={typed}
        aria-busy={isPending}
        onChange={({ target }) => setTyped(target.value)}
      />
      {isAway && typed !== search && (
        <p role="status" className={`mt-1 ${problem}`}>
          You are offline. This searches as soon as you are back.
        </p>
      )}
    </div>
  );
}
