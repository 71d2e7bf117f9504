import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sentenceOf } from "./sentence-of";

interface NoticeProps {
  title: string;
  isAlert?: boolean;
  isSlim?: boolean;
  children?: ReactNode;
}

/** In place of what is not there. */
export const Notice = ({ title, isAlert, isSlim, children }: NoticeProps) => (
  <div className="notice" data-slim={isSlim}>
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
