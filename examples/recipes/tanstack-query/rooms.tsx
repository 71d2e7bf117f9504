/** The rooms, their meetings, and the transcript of the selected meeting. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { Meeting, RoomWith } from "notetaker-sdk";
import { toText } from "notetaker-sdk/transcript";
import { memo, useState } from "react";
import { isNotYet, roomsQuery, transcriptQuery } from "./queries";
import { sentenceOf } from "./sentence-of";

export function Rooms() {
  const rooms = useInfiniteQuery(roomsQuery);
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = rooms;
  const [meeting, choose] = useState<Meeting>();
  if (data === undefined) {
    const isOffline = rooms.fetchStatus === "paused";
    if (error) return <p role="alert">{sentenceOf(error)}</p>;
    return <p role="status">{isOffline ? "You are offline." : "Loading …"}</p>;
  }
  return (
    <main>
      {error && <p role="alert">{sentenceOf(error)}</p>}
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
      {meeting !== undefined && <TranscriptText meeting={meeting} />}
    </main>
  );
}

interface RoomRowProps {
  room: RoomWith<"meetings">;
  choose(meeting: Meeting): void;
}

const RoomRow = memo(function RoomRow({ room, choose }: RoomRowProps) {
  return (
    <li>
      {room.title}
      {room.meetings.map((meeting) => (
        <button type="button" key={meeting.id} onClick={() => choose(meeting)}>
          {meeting.title}
        </button>
      ))}
    </li>
  );
});

function TranscriptText({ meeting }: { meeting: Meeting }) {
  const { data, error, fetchStatus } = useQuery(transcriptQuery(meeting));
  if (data !== undefined) return <pre>{toText(data)}</pre>;
  if (meeting.status === "failed")
    return <p role="status">This meeting was not recorded.</p>;
  if (fetchStatus === "paused") return <p role="status">You are offline.</p>;
  return error !== null && !isNotYet(error) ? (
    <p role="alert">{sentenceOf(error)}</p>
  ) : (
    <p role="status">There is no transcript yet. It appears here.</p>
  );
}
