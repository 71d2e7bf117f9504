"use client";
import type { Transcript as Received } from "notetaker-sdk";
import { toVtt, turns } from "notetaker-sdk/transcript";
import { useMemo, useRef, useState } from "react";
import { clockOf } from "../lib/clock-of";
import { type PlayerHandle, useFollow } from "../lib/playback";
import { Avatar } from "./avatar";
import { Icon } from "./notice";
import { Player } from "./player";
import { quiet, searchField } from "./styles";

function Marked({ text, words }: { text: string; words: string }) {
  if (words === "") return text;
  const pattern = words.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return text.split(new RegExp(`(${pattern})`, "gi")).map((piece, index) =>
    index % 2 ? (
      <mark
        key={index}
        className="rounded-xs bg-amber-200 text-inherit dark:bg-amber-800"
      >
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}

/** The player, and the lines: a click on a time plays from there. */
export function Transcript({
  id,
  transcript,
}: {
  id: string;
  transcript: Received;
}) {
  const player = useRef<PlayerHandle>(null);
  const [search, setSearch] = useState("");
  const [now, setNow] = useState(-1);
  const [isMissing, setMissing] = useState(false);
  const all = useMemo(() => turns(transcript), [transcript]);
  const captions = useMemo(() => toVtt(transcript), [transcript]);
  const names = [...new Set(all.map(({ speaker_name }) => speaker_name))];
  const current = all.findLast(({ start_time }) => start_time <= now);
  const wanted = search.toLowerCase();
  const shown = all.filter(({ text }) => text.toLowerCase().includes(wanted));

  const line = useFollow(current?.start_time);

  return (
    <>
      <Player
        id={id}
        ref={player}
        captions={captions}
        onTime={setNow}
        onMissing={setMissing}
      />
      <div className="my-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="mr-auto text-lg font-semibold">Transcript</h2>
        <p role="status" className={quiet}>
          {shown.length === all.length
            ? `${all.length} turns`
            : `${shown.length} of ${all.length} turns`}
        </p>
        <div className="relative w-full sm:w-64">
          <span className="absolute top-2.5 left-3 text-zinc-500 dark:text-zinc-400">
            <Icon name="search" />
          </span>
          <input
            type="search"
            className={searchField}
            aria-label="Search the transcript"
            placeholder="Search the transcript"
            onChange={({ target }) => setSearch(target.value)}
          />
        </div>
      </div>
      {shown.length === 0 && (
        <p className={`py-6 text-center ${quiet}`}>Nobody said “{search}”.</p>
      )}
      <ol className="grid grid-cols-1 gap-1">
        {shown.map((turn, index) => (
          <li
            key={`${turn.start_time} ${index}`}
            ref={turn === current ? line : undefined}
            aria-current={turn === current ? "true" : undefined}
            className="-mx-2 flex scroll-mt-40 scroll-mb-4 gap-3 rounded-lg p-2 transition-colors aria-[current]:bg-zinc-100 dark:aria-[current]:bg-zinc-800"
          >
            <Avatar
              name={turn.speaker_name}
              place={names.indexOf(turn.speaker_name)}
            />
            <div className="min-w-0">
              <p className="flex items-center gap-1 text-sm">
                <b className="truncate font-semibold">{turn.speaker_name}</b>
                <button
                  type="button"
                  disabled={isMissing}
                  className={`h-6 rounded px-1.5 tabular-nums enabled:cursor-pointer enabled:hover:bg-indigo-100 enabled:hover:text-indigo-800 dark:enabled:hover:bg-indigo-900 dark:enabled:hover:text-indigo-100 ${quiet}`}
                  aria-label={`Play from ${clockOf(turn.start_time)}`}
                  onClick={() => player.current?.playFrom(turn.start_time)}
                >
                  {clockOf(turn.start_time)}
                </button>
              </p>
              <p className="leading-6 wrap-anywhere">
                <Marked text={turn.text} words={search} />
              </p>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
