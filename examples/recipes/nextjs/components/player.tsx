"use client";
import type { RecordingLink } from "notetaker-sdk";
import { readJson } from "notetaker-sdk/browser";
import {
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

interface Props {
  id: string;
  ref: RefObject<HTMLVideoElement | null>;
  captions: string;
  onTime(seconds: number): void;
}

/** The link of a recording is short-lived: when it has expired, the player gets a new one. */
export function Player({ id, ref, captions, onTime }: Props) {
  const [source, setSource] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const page = new AbortController();
    fetch(`/api/meetings/${encodeURIComponent(id)}/recording`, {
      signal: page.signal,
    })
      .then((response) => readJson<RecordingLink>(response))
      .then(({ recording_url }) => setSource(recording_url))
      .catch(() => {}); // without a recording, the transcript is enough
    return () => page.abort();
  }, [id, attempt]);
  // Next.js keeps a page that one leaves, hidden: its recording would go on.
  useLayoutEffect(() => {
    const player = ref.current;
    return () => player?.pause();
  }, [ref, source]);
  if (source === null) return null;
  return (
    <video
      ref={ref}
      src={source}
      controls
      preload="metadata"
      className="sticky top-18 z-1 h-14 max-h-[50vh] w-full rounded-lg"
      onLoadedMetadata={({ currentTarget: player }) => {
        if (player.videoWidth > 0) player.style.height = "auto";
      }}
      onTimeUpdate={({ currentTarget }) => onTime(currentTarget.currentTime)}
      onError={({ currentTarget: player, timeStamp }) => {
        // Once a minute: what cannot be played must not ask again and again.
        if (timeStamp - renewedAt.current < 60_000) return;
        renewedAt.current = timeStamp;
        const at = player.currentTime;
        const goOn = () => (player.currentTime = at);
        player.addEventListener("loadedmetadata", goOn, { once: true });
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
  );
}
