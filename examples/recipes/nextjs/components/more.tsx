"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useTransition } from "react";
import { useLive } from "./live";
import { button } from "./styles";

interface Props {
  search: string;
  /** How many are shown, and how many will be; nothing if these are all. */
  shown: number;
  next?: number;
}

export function More({ search, shown, next }: Props) {
  const router = useRouter();
  const { isAway } = useLive();
  const [isPending, startTransition] = useTransition();
  const before = useRef<number>(undefined);
  // The first new row gets the focus: after the last page, there is no button.
  useEffect(() => {
    if (isPending || before.current === undefined) return;
    const rows = document.querySelectorAll<HTMLElement>("#meetings a");
    rows[before.current]?.focus();
    before.current = undefined; // also if they could not be read
  }, [isPending, shown]);
  if (next === undefined) return null;
  function load() {
    if (isAway || isPending) return;
    before.current = shown;
    const query = new URLSearchParams({ count: String(next) });
    if (search) query.set("search", search);
    startTransition(() => router.replace(`/?${query}`, { scroll: false }));
  }
  // Not `disabled`: the focus would leave it.
  return (
    <p className="mt-4 text-center">
      <button
        type="button"
        className={button.quiet}
        aria-disabled={isAway || isPending}
        onClick={load}
      >
        {isPending ? "Loading …" : "Load more"}
      </button>
    </p>
  );
}
