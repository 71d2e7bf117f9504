"use client";
import type { RecordingLink } from "notetaker-sdk";
import { isNotetakerError, readJson } from "notetaker-sdk/browser";
import {
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { sentenceOf } from "../lib/sentence-of";
import { button, problem as looks } from "./styles";

export interface PlayerHandle {
  playFrom(seconds: number): void;
}

interface Props {
  id: string;
  ref: Ref<PlayerHandle>;
  captions: string;
  onTime(seconds: number): void;
  onMissing(isMissing: boolean): void;
}

/** The link of a recording is short-lived: when it has expired, the player gets a new one. */
export function Player({ id, ref, captions, onTime, onMissing }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [source, setSource] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);
  // Where it is once it can play: before its link, or after a new one.
  const wanted = useRef<{ at: number; plays: boolean }>(undefined);

  function goOn() {
    const { at, plays } = wanted.current ?? {};
    const player = video.current;
    if (at === undefined || !player?.readyState) return;
    wanted.current = undefined;
    player.currentTime = at;
    if (plays) player.play().catch(() => {}); // the browser may want a click
  }

  useImperativeHandle(ref, () => ({
    playFrom(at) {
      wanted.current = { at, plays: true };
      goOn();
    },
  }));
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
  }, [source]);

  return (
    <>
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
          className="sticky top-18 z-1 h-14 max-h-[50vh] w-full rounded-lg bg-white dark:bg-zinc-900"
          onLoadedMetadata={({ currentTarget: player }) => {
            if (player.videoWidth > 0) player.style.height = "auto";
            goOn();
          }}
          onTimeUpdate={({ currentTarget }) =>
            onTime(currentTarget.currentTime)
          }
          onError={({ currentTarget: player, timeStamp }) => {
            // Once a minute: what cannot be played must not ask again and again.
            if (timeStamp - renewedAt.current < 60_000) return;
            renewedAt.current = timeStamp;
            wanted.current ??= {
              at: player.currentTime,
              plays: !player.paused,
            };
            setAttempt(attempt + 1);
          }}
        >
          <track
            default
            kind="captions"
            label="Captions"
            src={`data:text/vtt;charset=utf-8,${encodeURIComponent(captions)}`}
          />
        </video>
      )}
    </>
  );
}
