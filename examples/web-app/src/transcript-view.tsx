import { useQuery } from "@tanstack/react-query";
import { type Turn, turns } from "notetaker-sdk/transcript";
import { useEffect, useMemo, useRef, useState } from "react";
import { isMissing, transcriptQuery } from "./api";
import { Avatar } from "./avatar";
import { clockOf } from "./meeting-facts";
import { openedAt, type PlayerHandle, useFollow } from "./playback";
import { Player } from "./player";
import { Notice, QueryState } from "./query-state";

export function TranscriptView({ id, status }: { id: string; status: string }) {
  const query = useQuery(transcriptQuery(id, status));
  const { data: transcript } = query;
  const [search, setSearch] = useState("");
  const [speaker, setSpeaker] = useState("");
  // The turn that is said now, or was said last.
  const [current, setCurrent] = useState<Turn>();
  const at = openedAt();
  const line = useFollow(current?.start_time);
  const player = useRef<PlayerHandle>(null);
  const all = useMemo(
    () => (transcript === undefined ? [] : turns(transcript)),
    [transcript],
  );
  // A hit of the search opens its place, also without a recording.
  useEffect(() => {
    if (at > 0) setCurrent(turnAt(all, at));
  }, [all, at]);
  if (transcript === undefined)
    return isMissing(query.error) ? (
      <Notice title="There is no transcript yet.">
        <p className="quiet">As soon as it is ready, it appears here.</p>
      </Notice>
    ) : (
      <QueryState query={query} lines={6} />
    );
  const names = [...new Set(transcript.speakers.map(({ name }) => name))];
  const wanted = search.toLowerCase();
  const shown = all.filter(
    ({ text, speaker_name }) =>
      text.toLowerCase().includes(wanted) &&
      (speaker === "" || speaker_name === speaker),
  );

  return (
    <section aria-labelledby="transcript" className="transcript">
      <Player
        id={id}
        ref={player}
        onTime={(now) => setCurrent(turnAt(all, now))}
      />
      <div className="filter">
        <h3 id="transcript">Transcript</h3>
        <p role="status" className="quiet">
          {shown.length === all.length
            ? `${all.length} turns`
            : `${shown.length} of ${all.length} turns`}
        </p>
        <select
          aria-label="Speaker"
          onChange={({ target }) => setSpeaker(target.value)}
        >
          <option value="">Everybody</option>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <input
          type="search"
          aria-label="Search the transcript"
          placeholder="Search the transcript"
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      {shown.length === 0 && <p className="quiet">Nobody said it.</p>}
      <ol className="turns">
        {shown.map((turn, index) => (
          <li
            key={`${turn.start_time} ${index}`}
            ref={turn === current ? line : undefined}
            aria-current={turn === current ? "true" : undefined}
          >
            <Avatar
              name={turn.speaker_name}
              place={names.indexOf(turn.speaker_name)}
            />
            <div>
              <b>{turn.speaker_name}</b>
              <button
                type="button"
                aria-label={`Play from ${clockOf(turn.start_time)}`}
                onClick={() => player.current?.playFrom(turn.start_time)}
              >
                {clockOf(turn.start_time)}
              </button>
              <p>
                <Marked text={turn.text} words={search} />
              </p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Marked({ text, words }: { text: string; words: string }) {
  if (words === "") return text;
  const pattern = words.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return text
    .split(new RegExp(`(${pattern})`, "gi"))
    .map((piece, index) =>
      index % 2 ? <mark key={index}>{piece}</mark> : piece,
    );
}

const turnAt = (all: readonly Turn[], now: number) =>
  all.findLast(({ start_time }) => start_time <= now);
