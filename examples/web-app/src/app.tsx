import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useRoute } from "wouter";
import { whenBotIsListed } from "./api";
import { Dialog } from "./dialog";
import { useLive } from "./live";
import { MeetingList } from "./meeting-list";
import { MeetingView } from "./meeting-view";
import { NewsList } from "./news-list";
import { Notice } from "./query-state";
import { SearchPage } from "./search-page";
import { SendBot } from "./send-bot";
import { UploadProgress, UploadRecording, useUpload } from "./upload-recording";

const STATES = {
  connecting: "Connecting …",
  open: "Live",
  waiting: "Reconnecting …",
  offline: "Offline",
  unanswered: "The service does not answer",
  ended: "Not live: reload the page",
};

const BOT_IS_SENT = "The bot is on its way. It asks to be let in.";

export function App() {
  const queryClient = useQueryClient();
  const { state, news, dismiss } = useLive();
  const upload = useUpload();
  const [isOpen, setOpen] = useState(false);
  const [, params] = useRoute("/meetings/:id");
  const [isSearch] = useRoute("/search");
  const [isHome] = useRoute("/");
  const record = () => setOpen(true);
  return (
    <>
      <header className="bar">
        <h1>
          <Link href="/" className="brand">
            <svg viewBox="0 0 32 32" aria-hidden="true">
              <rect width="32" height="32" rx="9" />
              <path d="M9 18v-4M13 21V11M17 18v-4M21 23V9M25 18v-4" />
            </svg>
            <span>Meetings</span>
          </Link>
        </h1>
        <span className="live" role="status" data-state={state}>
          {STATES[state]}
        </span>
        <button type="button" className="primary" onClick={record}>
          Record a meeting
        </button>
      </header>
      {isSearch && (
        <main>
          <SearchPage />
        </main>
      )}
      {!isSearch && !isHome && !params && (
        <main>
          <Notice icon="search" title="There is no such page." isAlert>
            <Link href="/" className="button">
              All meetings
            </Link>
          </Notice>
        </main>
      )}
      {(isHome || params) && (
        <main data-open={params ? "meeting" : "list"}>
          <MeetingList selected={params?.id} />
          {params && (
            <MeetingView key={params.id} id={params.id} record={record} />
          )}
        </main>
      )}
      <div className="notices">
        <UploadProgress state={upload.state} dismiss={upload.dismiss} />
        <NewsList news={news} dismiss={dismiss} />
      </div>
      <Dialog
        title="Record a meeting"
        isOpen={isOpen}
        close={() => setOpen(false)}
      >
        <SendBot
          isOnline={state !== "offline"}
          onSent={() => {
            setOpen(false);
            upload.say(BOT_IS_SENT);
            // Its row says more.
            whenBotIsListed(queryClient, () => upload.withdraw(BOT_IS_SENT));
          }}
        />
        <p className="or">or</p>
        <UploadRecording
          upload={(file) => {
            setOpen(false);
            void upload.upload(file);
          }}
        />
      </Dialog>
    </>
  );
}
