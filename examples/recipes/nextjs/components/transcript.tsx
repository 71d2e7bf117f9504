"use client";
import { formatTime, type Turn } from "notetaker-sdk/transcript";
import { useRef } from "react";

/** The player, and the lines: a click on a time plays from there. */
export function Transcript({ id, lines }: { id: string; lines: Turn[] }) {
  const player = useRef<HTMLVideoElement>(null);

  function play(seconds: number) {
    if (player.current === null) return;
    player.current.currentTime = seconds;
    void player.current.play();
  }

  return (
    <>
      {/* The route redirects to a link that is new at each load. */}
      <video
        ref={player}
        controls
        preload="metadata"
        src={`/api/meetings/${id}/recording`}
      >
        <track
          default
          kind="captions"
          label="Captions"
          src={`/api/meetings/${id}/captions`}
        />
      </video>
      <ol>
        {lines.map(({ start_time, speaker_name, text }) => (
          <li key={start_time}>
            <button type="button" onClick={() => play(start_time)}>
              {formatTime(start_time)}
            </button>{" "}
            <b>{speaker_name}</b> {text}
          </li>
        ))}
      </ol>
    </>
  );
}
