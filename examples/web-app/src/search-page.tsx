import { useQuery } from "@tanstack/react-query";
import type { SearchHit } from "notetaker-sdk/sql";
import { Link } from "wouter";
import { searchQuery } from "./api";
import { clockOf, timeOf } from "./meeting-facts";
import { QueryState } from "./query-state";
import { useSearch } from "./use-search";

/** How many hits an archive returns at most by default. */
const MOST = 20;

/** What was said or written in any meeting; a hit opens its place. */
export function SearchPage() {
  const [search, setSearch] = useSearch();
  const query = useQuery(searchQuery(search));
  const hits = search === "" ? undefined : query.data;
  return (
    <section className="list">
      <title>Search · Meetings</title>
      <Link href="/" className="back">
        ‹ All meetings
      </Link>
      <h2>Search what was said</h2>
      <input
        type="search"
        aria-label="Search what was said"
        placeholder="Words, or a “phrase”"
        defaultValue={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      {search && <QueryState query={query} lines={4} />}
      {hits && (
        <p role="status" className="quiet">
          {hits.length === 0
            ? "Nobody said it, or the meeting is not read yet."
            : `${hits.length === MOST ? "The first " : ""}${hits.length} places`}
        </p>
      )}
      <ul className="meetings" aria-busy={query.isPlaceholderData}>
        {hits?.map((hit, index) => (
          <Hit key={`${hit.meeting.id} ${index}`} hit={hit} />
        ))}
      </ul>
    </section>
  );
}

function Hit({ hit }: { hit: SearchHit }) {
  const { meeting, text, matches, speaker, start_time, document } = hit;
  // A document is Markdown: its marks are no words.
  const plain = (piece: string) =>
    document ? piece.replace(/^\s*(#+|[-*>]) |\*\*|__|`/gm, "") : piece;
  const at = start_time === undefined ? "" : `#t=${start_time}`;
  return (
    <li>
      <Link href={`/meetings/${encodeURIComponent(meeting.id)}${at}`}>
        <b>{meeting.title ?? "Untitled"}</b>
        <span className="facts">
          {[
            timeOf(meeting.start_time),
            start_time !== undefined && clockOf(start_time),
            speaker ?? document?.title,
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
        <span>
          {matches.map(({ start, end }, index) => (
            <span key={start}>
              {plain(text.slice(matches[index - 1]?.end ?? 0, start))}
              <mark>{plain(text.slice(start, end))}</mark>
            </span>
          ))}
          {plain(text.slice(matches.at(-1)?.end ?? 0))}
        </span>
      </Link>
    </li>
  );
}
