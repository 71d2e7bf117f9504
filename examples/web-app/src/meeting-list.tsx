// #region list
import { useInfiniteQuery } from "@tanstack/react-query";
import { type Meeting, meetingsQuery } from "./api";
import { sentenceOf } from "./sentence-of";

interface Props {
  selected: string | undefined;
  select(id: string): void;
}

export function MeetingList({ selected, select }: Props) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(meetingsQuery);
  return (
    <section aria-labelledby="meetings">
      <h2 id="meetings">All meetings</h2>
      {error && <p role="alert">{sentenceOf(error)}</p>}
      {data === undefined && !error && <p role="status">Loading …</p>}
      <ul className="meetings">
        {data?.pages
          .flatMap((page) => page.data)
          .map((meeting) => (
            <li key={meeting.id}>
              <button
                type="button"
                aria-pressed={meeting.id === selected}
                onClick={() => select(meeting.id)}
              >
                <b>{meeting.title ?? "Untitled"}</b>
                <span>
                  {new Date(meeting.start_time).toLocaleString([], {
                    dateStyle: "medium",
                    timeStyle: "short",
                  })}
                </span>
                <Badge meeting={meeting} />
              </button>
            </li>
          ))}
      </ul>
      {hasNextPage && (
        <button
          type="button"
          disabled={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          {isFetchingNextPage ? "Loading …" : "Load more"}
        </button>
      )}
    </section>
  );
}
// #endregion

const STATUSES: Record<string, string> = {
  scheduled: "Scheduled",
  processing: "In progress",
  completed: "Completed",
  failed: "Failed",
};

/** The service may know further statuses: they are shown as they are. */
export function Badge({
  meeting: { status, documents },
}: {
  meeting: Meeting;
}) {
  const hasSummary = documents.some(({ title }) =>
    /summary/i.test(title ?? ""),
  );
  const text =
    status === "completed" && hasSummary
      ? "Summary ready"
      : (STATUSES[status] ?? status);
  return (
    <span className="badge" data-status={status}>
      {text}
    </span>
  );
}
