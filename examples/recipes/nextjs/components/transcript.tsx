"use client";
import type { Transcript as Received } from "notetaker-sdk";
import { formatTime, toVtt, turns } from "notetaker-sdk/transcript";
import { useEffect, useMemo, useRef, useState } from "react";
import { Player, type PlayerHandle } from "./player";
import { field, quiet } from "./styles";

const COLOURS = [
  "text-indigo-700 dark:text-indigo-300",
  "text-emerald-700 dark:text-emerald-300",
  "text-rose-700 dark:text-rose-300",
  "text-amber-800 dark:text-amber-300",
];

/** The player, and the lines: a click on a time plays from there. */
export function Transcript({
  id,
  transcript,
}: {
  id: string;
  transcript: Received;
}) {
  const player = useRef<PlayerHandle>(null);
  const line = useRef<HTMLLIElement>(null);
  const last = useRef<HTMLLIElement>(null);
  const [search, setSearch] = useState("");
  const [now, setNow] = useState(-1);
  const [isMissing, setMissing] = useState(false);
  const all = useMemo(() => turns(transcript), [transcript]);
  const captions = useMemo(() => toVtt(transcript), [transcript]);
  const names = [...new Set(all.map(({ speaker_name }) => speaker_name))];
  const current = all.findLast(({ start_time }) => start_time <= now);
  const wanted = search.toLowerCase();
  const shown = all.filter(({ text }) => text.toLowerCase().includes(wanted));

  const start = current?.start_time;
  useEffect(() => {
    // Whoever has scrolled away from the last line reads elsewhere.
    const { top = 0, bottom = 0 } = last.current?.getBoundingClientRect() ?? {};
    if (start !== undefined && bottom > 64 && top < innerHeight)
      line.current?.scrollIntoView({ block: "nearest" });
    last.current = line.current;
  }, [start]);

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
        <h2 className="mr-auto font-semibold">Transcript</h2>
        <p role="status" className={quiet}>
          {shown.length === all.length
            ? `${all.length} turns`
            : `${shown.length} of ${all.length} turns`}
        </p>
        <input
          type="search"
          className={`${field} sm:w-64!`}
          aria-label="Search the transcript"
          placeholder="Search the transcript"
          onChange={({ target }) => setSearch(target.value)}
        />
      </div>
      {shown.length === 0 && (
        <p className={`py-6 text-center ${quiet}`}>Nobody said “{search}”.</p>
      )}
      <ol className="grid gap-1">
        {shown.map((turn, index) => (
          <li
            key={`${turn.start_time} ${index}`}
            ref={turn === current ? line : undefined}
            aria-current={turn === current ? "true" : undefined}
            className="-mx-2 flex scroll-mt-36 scroll-mb-4 gap-3 rounded-lg px-2 py-2 aria-[current]:bg-indigo-50 dark:aria-[current]:bg-indigo-950"
          >
            <button
              type="button"
              disabled={isMissing}
              className="h-6 rounded px-1 text-sm text-zinc-600 tabular-nums outline-offset-2 focus-visible:outline-2 focus-visible:outline-indigo-500 enabled:cursor-pointer enabled:hover:text-indigo-700 dark:text-zinc-400 dark:enabled:hover:text-indigo-300"
              aria-label={`Play from ${formatTime(turn.start_time)}`}
              onClick={() => player.current?.playFrom(turn.start_time)}
            >
              {formatTime(turn.start_time).replace(/^00:/, "")}
            </button>
            <p className="min-w-0 leading-6 wrap-anywhere">
              <b
                className={`mr-2 font-semibold ${COLOURS[names.indexOf(turn.speaker_name) % COLOURS.length]}`}
              >
                {turn.speaker_name}
              </b>
              {turn.text}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
