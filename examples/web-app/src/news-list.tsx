import { Link } from "wouter";
import type { News } from "./live";

const NEWS: Record<string, string> = {
  "meeting.transcript_ready": "Transcript ready",
  "meeting.initial_summary_ready": "Summary ready",
};

interface Props {
  news: readonly News[];
  dismiss(item: News): void;
}

export function NewsList({ news, dismiss }: Props) {
  return (
    <ol className="news" aria-live="polite" aria-label="News">
      {news.map((item) => (
        <li key={`${item.kind} ${item.meetingId}`}>
          <Link
            href={`/meetings/${encodeURIComponent(item.meetingId)}`}
            onClick={() => dismiss(item)}
          >
            <b>{NEWS[item.kind] ?? item.kind}</b> {item.title}
          </Link>
          <button
            type="button"
            className="close"
            aria-label={`Dismiss: ${item.title}`}
            onClick={() => dismiss(item)}
          >
            ×
          </button>
        </li>
      ))}
    </ol>
  );
}
