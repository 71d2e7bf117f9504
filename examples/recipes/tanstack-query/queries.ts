/** The page's queries, as options for `useInfiniteQuery` and `useQuery`. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { PageEnvelope, RoomWith, Transcript } from "notetaker-sdk";
import { isNotetakerError, readJson } from "notetaker-sdk/browser";

/** One query for all pages. The cursor of the last page is `null`. */
export const roomsQuery = infiniteQueryOptions({
  queryKey: ["rooms"],
  queryFn: async ({ pageParam, signal }) => {
    const query = new URLSearchParams(pageParam ? { cursor: pageParam } : {});
    return readJson<PageEnvelope<RoomWith<"meetings">>>(
      await fetch(`/api/rooms?${query}`, { signal }),
    );
  },
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
});

/** There is no transcript yet. */
export const isNotYet = (error: unknown) =>
  isNotetakerError(error) && error.name === "NotFoundError";

/** Asks again until there is a transcript, which does not change any more. */
export const transcriptQuery = (meetingId: string) =>
  queryOptions({
    queryKey: ["transcript", meetingId],
    queryFn: async ({ signal }) =>
      readJson<Transcript>(
        await fetch(`/api/transcripts/${meetingId}`, { signal }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => isNotYet(state.error) && 2_000,
  });
