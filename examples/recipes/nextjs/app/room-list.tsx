"use client";
/**
 * Shows the first page, which the server has read, and gets the pages after it
 * from a server action.
 */
import type { PageEnvelope, RoomWith } from "notetaker-sdk";
import { useState, useTransition } from "react";
import { moreRooms } from "./actions";

export function RoomList({
  first,
}: {
  first: PageEnvelope<RoomWith<"meetings">>;
}) {
  const [{ data, next_cursor }, setPage] = useState(first);
  const [isPending, startTransition] = useTransition();

  const more = (cursor: string) =>
    startTransition(async () => {
      const next = await moreRooms(cursor);
      setPage({ ...next, data: [...data, ...next.data] });
    });

  return (
    <>
      <ul>
        {data.map((room) => (
          <li key={room.id}>
            {room.title}
            <ul>
              {room.meetings.map((meeting) => (
                <li key={meeting.id}>
                  <a href={`/meetings/${meeting.id}`}>{meeting.title}</a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {next_cursor !== null && (
        <button
          type="button"
          disabled={isPending}
          onClick={() => more(next_cursor)}
        >
          More
        </button>
      )}
    </>
  );
}
