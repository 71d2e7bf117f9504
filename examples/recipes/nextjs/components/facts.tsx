"use client";
import type { Meeting } from "notetaker-sdk";
import { useSyncExternalStore } from "react";
import { SOURCES } from "../lib/name-of";

const BADGES: Record<string, [word: string, looks: string]> = {
  scheduled: [
    "Bot on its way",
    "bg-sky-100 text-sky-900 dark:bg-sky-950 dark:text-sky-200",
  ],
  processing: [
    "In progress",
    "bg-amber-100 text-amber-900 dark:bg-amber-950 dark:text-amber-200",
  ],
  failed: [
    "Not recorded",
    "bg-red-100 text-red-900 dark:bg-red-950 dark:text-red-200",
  ],
};

/** A meeting that is ready has none. Statuses that the service adds are shown as they are. */
export function Badge({ status }: { status: string }) {
  if (status === "completed") return null;
  const [word, looks] = BADGES[status] ?? [
    status,
    "bg-zinc-200 dark:bg-zinc-700",
  ];
  return (
    <span
      className={`shrink-0 justify-self-start rounded-full max-sm:col-start-2 px-2.5 py-1 text-xs font-medium ${looks}`}
    >
      {word}
    </span>
  );
}

/** In the reader's time zone, once the page runs in the browser. */
export function Facts({ meeting }: { meeting: Meeting }) {
  const { source, start_time: start, duration } = meeting;
  const time = useSyncExternalStore(
    () => () => {},
    () => timeOf(start),
    () => timeOf(start, "UTC"),
  );
  return [time, lengthOf(duration), SOURCES[source] ?? source]
    .filter(Boolean)
    .join(" · ");
}

function lengthOf(seconds?: number | null) {
  if (!seconds) return "";
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** A time without an offset is UTC; one that nobody can read is shown as it is. */
function timeOf(start: string, timeZone?: string) {
  const date = new Date(/T[\d:.]+$/.test(start) ? `${start}Z` : start);
  if (Number.isNaN(date.getTime())) return start;
  return new Intl.DateTimeFormat("en", {
    ...{ day: "numeric", month: "short", timeZone },
    ...{ hour: "numeric", minute: "2-digit" },
  }).format(date);
}
