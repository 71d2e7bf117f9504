"use client";
import Link from "next/link";
import type { MeetingWith, PageEnvelope } from "notetaker-sdk";
import { useState, useTransition } from "react";
import { moreMeetings } from "../app/actions";

interface Props {
  search: string;
  first: PageEnvelope<MeetingWith<"documents">>;
}

/** The first page, which the server has rendered, and the pages after it. */
export function MeetingList({ search, first }: Props) {
  const [{ data, next_cursor, has_more }, setPage] = useState(first);
  const [isPending, startTransition] = useTransition();

  const more = (cursor: string) =>
    startTransition(async () => {
      const next = await moreMeetings(search, cursor);
      setPage({ ...next, data: [...data, ...next.data] });
    });

  return (
    <>
      <ul aria-label="All meetings">
        {data.map(({ id, title, status }) => (
          <li key={id}>
            <Link href={`/meetings/${id}`}>{title ?? "Untitled"}</Link> {status}
          </li>
        ))}
      </ul>
      {has_more && next_cursor && (
        <button
          type="button"
          disabled={isPending}
          onClick={() => more(next_cursor)}
        >
          Load more
        </button>
      )}
    </>
  );
}
