"use client";
import { useSyncExternalStore } from "react";

const BADGES: Record<string, [word: string, looks: string]> = {
  scheduled: [
    "Bot on its way",
    "bg-sky-100 text-sky-900 dark:bg-sky-950 dark:text-sky-200",
  ],
  processing: [
    "In progress",
    "bg-amber-100 text-amber-900 dark:bg-amber-950 dark:text-amber-200",
  ],
  completed: [
    "Ready",
    "bg-emerald-100 text-emerald-900 dark:bg-emerald-950 dark:text-emerald-200",
  ],
  failed: [
    "Not recorded",
    "bg-red-100 text-red-900 dark:bg-red-950 dark:text-red-200",
  ],
};

/** The service may know further statuses: they are shown as they are. */
export function Badge({ status }: { status: string }) {
  const [word, looks] = BADGES[status] ?? [
    status,
    "bg-zinc-200 dark:bg-zinc-700",
  ];
  return (
    <span
      className={`shrink-0 rounded-full px-2.5 py-1 text-xs font-medium ${looks}`}
    >
      {word}
    </span>
  );
}

const SOURCES: Record<string, string> = {
  google_meet: "Google Meet",
  zoom: "Zoom",
  teams: "Microsoft Teams",
  webex: "Webex",
  upload: "Upload",
};

interface Props {
  source: string;
  start: string;
  seconds?: number | null;
}

/** In the reader's time zone, once the page runs in the browser. */
export function Facts({ source, start, seconds }: Props) {
  const time = useSyncExternalStore(
    () => () => {},
    () => timeOf(start),
    () => timeOf(start, "UTC"),
  );
  const minutes = seconds ? `${Math.ceil(seconds / 60)} min` : "";
  return [time, minutes, SOURCES[source] ?? source].filter(Boolean).join(" · ");
}

/** A time without an offset is UTC; one that nobody can read is shown as it is. */
function timeOf(start: string, timeZone?: string) {
  const date = new Date(/T[\d:.]+$/.test(start) ? `${start}Z` : start);
  if (Number.isNaN(date.getTime())) return start;
  return new Intl.DateTimeFormat("en", {
    ...{ weekday: "short", day: "numeric", month: "short" },
    ...{ hour: "numeric", minute: "2-digit", timeZone },
  }).format(date);
}
