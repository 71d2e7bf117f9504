import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sentenceOf } from "./sentence-of";

const ICONS = {
  alert: "M12 9v4m0 3h.01M12 4 3 19.5h18L12 4Z",
  calendar: "M8 3v4m8-4v4M4 10h16M4 5.5h16v14H4v-14Z",
  clock: "M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  search: "m20 20-4-4m2-5a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z",
};

interface NoticeProps {
  title: string;
  icon?: keyof typeof ICONS;
  isAlert?: boolean;
  isSlim?: boolean;
  children?: ReactNode;
}

/** In place of what is not there. */
export const Notice = ({
  title,
  isAlert,
  icon = isAlert ? "alert" : "clock",
  isSlim,
  children,
}: NoticeProps) => (
  <div className="notice" data-slim={isSlim} data-alert={isAlert}>
    {!isSlim && (
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={ICONS[icon]} />
      </svg>
    )}
    <p role={isAlert ? "alert" : "status"}>{title}</p>
    {children}
  </div>
);

type Query = Pick<
  UseQueryResult,
  "data" | "error" | "fetchStatus" | "isFetching" | "refetch"
>;

/** What is said of a query that has no data yet, or could not read it anew. */
export function QueryState({ query, lines }: { query: Query; lines: number }) {
  const { data, error, fetchStatus, isFetching, refetch } = query;
  if (data === undefined && fetchStatus === "paused")
    return (
      <Notice title="You are offline.">
        <p className="quiet">This is read as soon as you are back.</p>
      </Notice>
    );
  if (error)
    return (
      <Notice title={sentenceOf(error)} isAlert isSlim={data !== undefined}>
        <button type="button" disabled={isFetching} onClick={() => refetch()}>
          Try again
        </button>
      </Notice>
    );
  if (data !== undefined) return null;
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}
