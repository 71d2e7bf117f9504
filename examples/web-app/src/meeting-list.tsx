import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { type Meeting, meetingsQuery } from "./api";
import { Avatar } from "./avatar";
import { Badge, lengthOf, nameOf, nameOfSource, timeOf } from "./meeting-facts";
import { Notice, QueryState } from "./query-state";
import { useSearch } from "./use-search";

export function MeetingList({ selected }: { selected: string | undefined }) {
  const [search, setSearch] = useSearch();
  const field = useRef<HTMLInputElement>(null);
  const query = useInfiniteQuery(meetingsQuery(search));
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const meetings = data?.pages.flatMap((page) => page.data);
  const list = useRef<HTMLUListElement>(null);
  const before = useRef<number>(undefined);
  // The first new row gets the focus: after the last page, there is no button.
  const count = meetings?.length ?? 0;
  useEffect(() => {
    const first = before.current;
    if (isFetchingNextPage || first === undefined || count <= first) return;
    list.current?.querySelectorAll("a")[first]?.focus();
    before.current = undefined;
  }, [isFetchingNextPage, count]);

  function showAll() {
    if (field.current === null) return;
    field.current.value = "";
    field.current.focus();
    setSearch("");
  }
  return (
    <section className="list" aria-labelledby="meetings">
      <h2 id="meetings">All meetings</h2>
      <input
        ref={field}
        type="search"
        aria-label="Search meetings"
        placeholder="Search meetings"
        defaultValue={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <Link
        href={search ? `/search?${new URLSearchParams({ search })}` : "/search"}
        className="button"
      >
        Search what was said
      </Link>
      <QueryState query={query} lines={8} />
      {meetings?.length === 0 && (
        <Notice
          icon={search ? "search" : "calendar"}
          title={
            search ? `No meeting matches “${search}”.` : "No meetings yet."
          }
        >
          {search ? (
            <button type="button" onClick={showAll}>
              Show all meetings
            </button>
          ) : (
            <p className="quiet">
              Send a bot to your next call, or upload a recording.
            </p>
          )}
        </Notice>
      )}
      <ul ref={list} className="meetings" aria-busy={query.isPlaceholderData}>
        {meetings?.map((meeting) => (
          <Item
            key={meeting.id}
            meeting={meeting}
            isSelected={meeting.id === selected}
          />
        ))}
      </ul>
      {hasNextPage && (
        <button
          type="button"
          aria-disabled={isFetchingNextPage} // keeps the focus
          onClick={() => {
            if (isFetchingNextPage) return;
            before.current = count;
            void fetchNextPage().then(({ isError }) => {
              if (isError) before.current = undefined; // no row is to come
            });
          }}
        >
          {isFetchingNextPage ? "Loading …" : "Load more"}
        </button>
      )}
    </section>
  );
}

function Item({
  meeting,
  isSelected,
}: {
  meeting: Meeting;
  isSelected: boolean;
}) {
  const { id, source, start_time, duration, participants } = meeting;
  return (
    <li>
      <Link
        href={`/meetings/${encodeURIComponent(id)}${location.search}`}
        aria-current={isSelected ? "page" : undefined}
      >
        <b>{nameOf(meeting)}</b>
        <span className="facts">
          {[timeOf(start_time), lengthOf(duration)].filter(Boolean).join(" · ")}
          <span className="source"> · {nameOfSource(source)}</span>
        </span>
        <Badge meeting={meeting} />
        <span className="people">
          {participants?.slice(0, 4).map(({ name }, index) => (
            <Avatar key={index} name={name ?? "?"} place={index} />
          ))}
        </span>
      </Link>
    </li>
  );
}
