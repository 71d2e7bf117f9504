/** The rooms, their meetings, and the transcript of the selected meeting. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { RoomWith } from "notetaker-sdk";
import { isNotetakerError } from "notetaker-sdk/browser";
import { toText } from "notetaker-sdk/transcript";
import { memo, useState } from "react";
import { isNotYet, roomsQuery, transcriptQuery } from "./queries";

export function Rooms() {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery(roomsQuery);
  const [meetingId, choose] = useState<string>();
  if (data === undefined)
    return <p role="status">{error ? sentenceOf(error) : "Loading …"}</p>;
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
      {room.meetings.map(({ id, title }) => (
        <button type="button" key={id} onClick={() => choose(id)}>
          {title}
        </button>
      ))}
    </li>
  );
});

function TranscriptText({ meetingId }: { meetingId: string }) {
  const { data, error } = useQuery(transcriptQuery(meetingId));
  if (data !== undefined) return <pre>{toText(data)}</pre>;
  const isRefused = error !== null && !isNotYet(error);
  return (
    <p role="status">
      {isRefused ? sentenceOf(error) : "The transcript is being written …"}
    </p>
  );
}

function sentenceOf(error: unknown) {
  if (isNotetakerError(error) && error.name === "RateLimitedError")
    return `Try again in ${Math.ceil((error.retryAfterMs ?? 60_000) / 1_000)} seconds.`;
  return "The service does not respond.";
}
