"use client";
import type { RecordingLink } from "notetaker-sdk";
import { isNotetakerError, readJson } from "notetaker-sdk/browser";
import { type Ref, useEffect, useLayoutEffect, useState } from "react";
import { type PlayerHandle, usePlayback } from "../lib/playback";
import { sentenceOf } from "../lib/sentence-of";
import { button, problem as looks } from "./styles";

interface Props {
  id: string;
  ref: Ref<PlayerHandle>;
  captions: string;
  onTime(seconds: number): void;
  onMissing(isMissing: boolean): void;
}

/** The link of a recording is short-lived: when it has expired, the player gets a new one. */
export function Player({ id, ref, captions, onTime, onMissing }: Props) {
  const { video, goOn, mayRenew } = usePlayback(ref);
  const [source, setSource] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const page = new AbortController();
    fetch(`/api/meetings/${encodeURIComponent(id)}/recording`, {
      signal: page.signal,
    })
      .then((response) => readJson<RecordingLink>(response))
      .then(({ recording_url }) => {
        setSource(recording_url ?? undefined);
        setProblem(undefined);
        onMissing(recording_url === null);
      })
      .catch((error) => {
        if (page.signal.aborted) return;
        // Without a recording, the transcript is enough.
        if (isNotetakerError(error) && error.name === "NotFoundError")
          onMissing(true);
        else setProblem(`The recording cannot be played. ${sentenceOf(error)}`);
      });
    return () => page.abort();
  }, [id, attempt, onMissing]);
  // Next.js keeps a page that one leaves, hidden: its recording would go on.
  useLayoutEffect(() => {
    const player = video.current;
    return () => player?.pause();
  }, [source, video]);

  if (!problem && !source) return null;
  // The top of the card, which stays below the header.
  return (
    <div className="sticky top-16 z-1 -mx-5 -mt-5 grid gap-2 rounded-t-xl border-b border-zinc-200 bg-white px-5 py-3 dark:border-zinc-800 dark:bg-zinc-900">
      {problem && (
        <div className="flex items-center justify-between gap-4">
          <p role="alert" className={looks}>
            {problem}
          </p>
          <button
            type="button"
            className={button.quiet}
            onClick={() => setAttempt(attempt + 1)}
          >
            Try again
          </button>
        </div>
      )}
      {source && (
        <video
          ref={video}
          src={source}
          controls
          preload="metadata"
          className="h-14 max-h-[50vh] w-full rounded-lg"
          onLoadedMetadata={({ currentTarget: player }) => {
            if (player.videoWidth > 0) player.style.height = "auto";
            goOn();
          }}
          onTimeUpdate={({ currentTarget }) =>
            onTime(currentTarget.currentTime)
          }
          onError={({ timeStamp }) =>
            mayRenew(timeStamp) && setAttempt(attempt + 1)
          }
        >
          <track
            default
            kind="captions"
            label="Captions"
            src={`data:text/vtt;charset=utf-8,${encodeURIComponent(captions)}`}
          />
        </video>
      )}
    </div>
  );
}
