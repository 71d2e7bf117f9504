import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import { meetingPath, recordingQuery } from "./api";

interface Props {
  id: string;
  ref: RefObject<HTMLVideoElement | null>;
  /** Where it starts, in seconds. */
  at: number;
  onTime(seconds: number): void;
}

/** The link of a recording is short-lived: when it has expired, the player gets a new one and plays on. */
export function Player({ id, ref, at, onTime }: Props) {
  const queryClient = useQueryClient();
  const query = recordingQuery(id);
  const { data } = useQuery(query);
  const renewed = useRef(0);
  const [hasPicture, setHasPicture] = useState(false);
  if (!data?.recording_url) return null;
  return (
    <video
      ref={ref}
      className="player"
      data-picture={hasPicture}
      controls
      preload="metadata"
      src={data.recording_url}
      onLoadedMetadata={({ currentTarget }) => {
        setHasPicture(currentTarget.videoWidth > 0);
        if (at > 0 && renewed.current === 0) currentTarget.currentTime = at;
      }}
      onTimeUpdate={({ currentTarget }) => onTime(currentTarget.currentTime)}
      onError={({ currentTarget }) => {
        // Once a minute: a recording that cannot be played must not ask again and again.
        if (Date.now() - renewed.current < 60_000) return;
        renewed.current = Date.now();
        const at = currentTarget.currentTime;
        currentTarget.addEventListener(
          "loadedmetadata",
          () => (currentTarget.currentTime = at),
          { once: true },
        );
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
