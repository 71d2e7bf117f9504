import { useQuery, useQueryClient } from "@tanstack/react-query";
import { isNotetakerError } from "notetaker-sdk/browser";
import { formatTime, turns } from "notetaker-sdk/transcript";
import { useMemo, useRef, useState } from "react";
import { recordingQuery, transcriptQuery } from "./api";
import { sentenceOf } from "./sentence-of";

export function TranscriptView({ id }: { id: string }) {
  const { data: transcript, error } = useQuery(transcriptQuery(id));
  const [search, setSearch] = useState("");
  const [speaker, setSpeaker] = useState("");
  const player = useRef<HTMLVideoElement>(null);
  const all = useMemo(
    () => (transcript === undefined ? [] : turns(transcript)),
    [transcript],
  );
  if (transcript === undefined) {
    if (error === null) return <p role="status">Loading …</p>;
    return isNotetakerError(error) && error.name === "NotFoundError" ? (
      <p role="status">The transcript is not ready yet.</p>
    ) : (
      <p role="alert">{sentenceOf(error)}</p>
    );
  }
  const shown = all.filter(
    ({ text, speaker_name }) =>
      text.toLowerCase().includes(search.toLowerCase()) &&
      (speaker === "" || speaker_name === speaker),
  );

  function play(seconds: number) {
    if (player.current === null) return;
    player.current.currentTime = seconds;
    void player.current.play();
  }

  return (
    <section aria-labelledby="transcript">
      <h3 id="transcript">Transcript</h3>
      <Player id={id} ref={player} />
      <div className="filter">
        <label>
          Search{" "}
          <input
            type="search"
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </label>
        <label>
          Speaker{" "}
          <select
            value={speaker}
            onChange={({ target }) => setSpeaker(target.value)}
          >
            <option value="">Everybody</option>
            {[...new Set(transcript.speakers.map(({ name }) => name))].map(
              (name) => (
                <option key={name}>{name}</option>
              ),
            )}
          </select>
        </label>
      </div>
      <p role="status">
        {shown.length === all.length
          ? `${all.length} turns`
          : `${shown.length} of ${all.length} turns`}
      </p>
      <ol className="turns">
        {shown.map(({ start_time, speaker_name, text }) => (
          <li key={start_time}>
            <button type="button" onClick={() => play(start_time)}>
              {formatTime(start_time)}
            </button>
            <p>
              <b>{speaker_name}</b> {text}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The link of a recording is short-lived: when it has expired, the player gets a new one and plays on. */
function Player({
  id,
  ref,
}: {
  id: string;
  ref: React.RefObject<HTMLVideoElement | null>;
}) {
  const queryClient = useQueryClient();
  const query = recordingQuery(id);
  const { data } = useQuery(query);
  const renewed = useRef(0);
  if (!data?.recording_url) return null;
  return (
    <video
      ref={ref}
      controls
      preload="metadata"
      src={data.recording_url}
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
        src={`/api/meetings/${id}/captions.vtt`}
      />
    </video>
  );
}
