import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Ref, useState } from "react";
import { meetingPath, recordingQuery } from "./api";
import { type PlayerHandle, usePlayback } from "./playback";

interface Props {
  id: string;
  ref: Ref<PlayerHandle>;
  onTime(seconds: number): void;
}

/** The link of a recording is short-lived: when it has expired, the player gets a new one and plays on. */
export function Player({ id, ref, onTime }: Props) {
  const queryClient = useQueryClient();
  const query = recordingQuery(id);
  const { data } = useQuery(query);
  const { video, goOn, mayRenew } = usePlayback(ref);
  const [hasPicture, setHasPicture] = useState(false);
  if (!data?.recording_url) return null;
  return (
    <div className="player">
      <video
        ref={video}
        data-picture={hasPicture}
        controls
        preload="metadata"
        src={data.recording_url}
        onLoadedMetadata={({ currentTarget }) => {
          setHasPicture(currentTarget.videoWidth > 0);
          goOn();
        }}
        onTimeUpdate={({ currentTarget }) => onTime(currentTarget.currentTime)}
        onError={({ timeStamp }) => {
          if (mayRenew(timeStamp))
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
    </div>
  );
}
