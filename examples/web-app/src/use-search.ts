import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";

/** The search stands in the URL, so that a reload and the back button keep it. */
export function useSearch() {
  const [params, setParams] = useSearchParams();
  const [typed, setTyped] = useState<string>();
  useEffect(() => {
    if (typed === undefined) return;
    const later = setTimeout(
      () => setParams(typed.trim() ? { search: typed } : {}, { replace: true }),
      250,
    );
    return () => clearTimeout(later);
  }, [typed, setParams]);
  return [params.get("search") ?? "", setTyped] as const;
}
