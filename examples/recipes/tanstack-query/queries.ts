/** The page's queries, as options for `useInfiniteQuery` and `useQuery`. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type {
  Meeting,
  PageEnvelope,
  RoomWith,
  Transcript,
} from "notetaker-sdk";
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

/** There is no transcript yet, or there will be none. */
export const isNotYet = (error: unknown) =>
  isNotetakerError(error) && error.name === "NotFoundError";

// #region transcript
/** At the pace of the library's own waits, for ten minutes. */
const ASK_MS = 5_000;
const ATTEMPTS = 120;

/**
 * A meeting that has failed gets no transcript, and a transcript does not
 * change: neither is asked for again.
 */
export const transcriptQuery = ({ id, status }: Meeting) =>
  queryOptions({
    queryKey: ["transcript", id, status],
    queryFn: async ({ signal }) =>
      readJson<Transcript>(
        await fetch(`/api/transcripts/${encodeURIComponent(id)}`, { signal }),
      ),
    enabled: status !== "failed",
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) =>
      isNotYet(state.error) && state.errorUpdateCount < ATTEMPTS && ASK_MS,
  });
// #endregion
