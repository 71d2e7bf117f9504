import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Ref, useImperativeHandle, useRef, useState } from "react";
import { meetingPath, recordingQuery } from "./api";

export interface PlayerHandle {
  playFrom(seconds: number): void;
}

interface Props {
  id: string;
  ref: Ref<PlayerHandle>;
  /** Where it starts, in seconds. */
  at: number;
  onTime(seconds: number): void;
}

/** The link of a recording is short-lived: when it has expired, the player gets a new one and plays on. */
export function Player({ id, ref, at, onTime }: Props) {
  const queryClient = useQueryClient();
  const query = recordingQuery(id);
  const { data } = useQuery(query);
  const video = useRef<HTMLVideoElement>(null);
  const renewedAt = useRef(Number.NEGATIVE_INFINITY);
  const [hasPicture, setHasPicture] = useState(false);
  // Where it is once it can play: before its link, or after a new one.
  const wanted = useRef(at > 0 ? { at, plays: false } : undefined);

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
  if (!data?.recording_url) return null;
  return (
    <video
      ref={video}
      className="player"
      data-picture={hasPicture}
      controls
      preload="metadata"
      src={data.recording_url}
      onLoadedMetadata={({ currentTarget }) => {
        setHasPicture(currentTarget.videoWidth > 0);
        goOn();
      }}
      onTimeUpdate={({ currentTarget }) => onTime(currentTarget.currentTime)}
      onError={({ currentTarget: player, timeStamp }) => {
        // Once a minute: a recording that cannot be played must not ask again and again.
        if (timeStamp - renewedAt.current < 60_000) return;
        renewedAt.current = timeStamp;
        wanted.current ??= { at: player.currentTime, plays: !player.paused };
        void queryClient.invalidateQueries({ queryKey: query.queryKey });
      }}
    >
      <track
        default
        kind="captions"
        label="Captions"
        src={meetingPath(id, "/captions.vtt")}
      />
    </video>
  );
}
