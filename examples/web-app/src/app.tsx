import { useState } from "react";
import { useNews } from "./live";
import { MeetingList } from "./meeting-list";
import { MeetingView } from "./meeting-view";
import { SendBot } from "./send-bot";
import { UploadRecording } from "./upload-recording";

const NEWS: Record<string, string> = {
  "meeting.transcript_ready": "Transcript ready",
  "meeting.initial_summary_ready": "Summary ready",
};

export function App() {
  const news = useNews();
  const [selected, select] = useState<string>();
  return (
    <>
      <header>
        <h1>Meetings</h1>
        <ol aria-live="polite" aria-label="News">
          {news.map(({ kind, meetingId, title }) => (
            <li key={`${kind} ${meetingId}`}>
              <button type="button" onClick={() => select(meetingId)}>
                <b>{NEWS[kind] ?? kind}</b> {title}
              </button>
            </li>
          ))}
        </ol>
      </header>
      <main>
        <div className="column">
          <SendBot />
          <UploadRecording />
          <MeetingList selected={selected} select={select} />
        </div>
        <div className="column">
          {selected === undefined ? (
            <p className="quiet">Choose a meeting.</p>
          ) : (
            <MeetingView key={selected} id={selected} />
          )}
        </div>
      </main>
    </>
  );
}
