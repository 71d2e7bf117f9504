/** The page's queries, as options for `useInfiniteQuery` and `useQuery`. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { PageEnvelope, RoomWith, Transcript } from "notetaker-sdk";

export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function getJson<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal });
  const body = await response.json();
  if (!response.ok) throw new HttpError(response.status, body.message);
  return body;
}

/**
 * One query for all pages. A room that a refetch finds unchanged stays the same
 * object, so its row is not rendered again.
 */
export const roomsQuery = infiniteQueryOptions({
  queryKey: ["rooms"],
  queryFn: ({ pageParam, signal }) => {
    const query = new URLSearchParams(
      pageParam === null ? {} : { cursor: pageParam },
    );
    return getJson<PageEnvelope<RoomWith<"meetings">>>(
      `/api/rooms?${query}`,
      signal,
    );
  },
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

/**
 * Once a transcript is ready, it does not change. Before that, the server
 * responds 404, and the page asks again.
 */
export const transcriptQuery = (meetingId: string) =>
  queryOptions({
    queryKey: ["transcript", meetingId],
    queryFn: ({ signal }) =>
      getJson<Transcript>(`/api/transcripts/${meetingId}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      state.error instanceof HttpError && state.error.status === 404
        ? 2_000
        : false,
  });
