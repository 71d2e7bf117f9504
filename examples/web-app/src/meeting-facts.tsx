/** How the page says what a meeting is. */
import { formatTime } from "notetaker-sdk/transcript";
import type { Meeting } from "./api";

const STATUSES: Record<string, string> = {
  scheduled: "Bot on its way",
  processing: "In progress",
  failed: "Not recorded",
  completed: "Transcript ready",
};

/** A meeting with its summary has none. Statuses that the service adds are shown as they are. */
export function Badge({
  meeting: { status, documents },
}: {
  meeting: Meeting;
}) {
  const hasSummary = documents.some(({ title }) =>
    /summary/i.test(title ?? ""),
  );
  if (status === "completed" && hasSummary) return null;
  return (
    <span className="badge" data-status={status}>
      {STATUSES[status] ?? status}
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
export const nameOfSource = (source: string) => SOURCES[source] ?? source;

/** A call that a bot was sent to may have no title yet. */
export function nameOf({ title, source }: Pick<Meeting, "title" | "source">) {
  if (title) return title;
  return source in SOURCES && source !== "upload"
    ? `${SOURCES[source]} call`
    : "Untitled";
}

const FORMAT = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
  hour: "numeric",
  minute: "2-digit",
});
/** A time without an offset is UTC; one that nobody can read is shown as it is. */
export function timeOf(time: string | null) {
  const isLocal = /T[\d:.]+$/.test(time ?? "");
  const date = new Date(isLocal ? `${time}Z` : (time ?? ""));
  return Number.isNaN(date.getTime()) ? (time ?? "") : FORMAT.format(date);
}

export function lengthOf(seconds: number | null | undefined) {
  if (!seconds) return undefined;
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** A place in a recording, without the zeros at its beginning: `0:05`, `1:02:03`. */
export const clockOf = (seconds: number) =>
  formatTime(seconds).replace(/^(00:)?0?/, "");
