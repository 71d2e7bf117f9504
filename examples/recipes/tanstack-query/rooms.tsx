/**
 * The rooms with their meetings, and the transcript of the selected meeting.
 */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { RoomWith } from "notetaker-sdk";
import { toText } from "notetaker-sdk/transcript";
import { memo, useState } from "react";
import { HttpError, roomsQuery, transcriptQuery } from "./queries";

export function Rooms() {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(roomsQuery);
  const [meetingId, choose] = useState<string>();
  if (data === undefined)
    return <p role="status">{error?.message ?? "Loading …"}</p>;
  return (
    <main>
      <ul>
        {data.pages.flatMap((page) =>
          page.data.map((room) => (
            <RoomRow key={room.id} room={room} choose={choose} />
          )),
        )}
      </ul>
      {hasNextPage && (
        <button
          type="button"
          disabled={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          More
        </button>
      )}
      {meetingId !== undefined && <TranscriptText meetingId={meetingId} />}
    </main>
  );
}

interface RoomRowProps {
  room: RoomWith<"meetings">;
  choose(meetingId: string): void;
}

const RoomRow = memo(function RoomRow({ room, choose }: RoomRowProps) {
  return (
    <li>
      {room.title}
      {room.meetings.map((meeting) => (
        <button
          type="button"
          key={meeting.id}
          onClick={() => choose(meeting.id)}
        >
          {meeting.title}
        </button>
      ))}
    </li>
  );
});

function TranscriptText({ meetingId }: { meetingId: string }) {
  const { data, error } = useQuery(transcriptQuery(meetingId));
  if (data !== undefined) return <pre>{toText(data)}</pre>;
  const isNotYet =
    error === null || (error instanceof HttpError && error.status === 404);
  return (
    <p role="status">
      {isNotYet ? "The transcript is being written …" : error.message}
    </p>
  );
}
