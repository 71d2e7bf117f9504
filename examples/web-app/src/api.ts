/** The requests of the page to its own server, and their queries. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  type QueryState,
  queryOptions,
} from "@tanstack/react-query";
import type {
  MeetingWith,
  PageEnvelope,
  Permission,
  RecordingLink,
  SendBotResult,
  Transcript,
} from "notetaker-sdk";
import { isNotetakerError, readJson } from "notetaker-sdk/browser";
import type { SearchHit } from "notetaker-sdk/sql";

export type Meeting = MeetingWith<"documents">;
type Permissions = PageEnvelope<Permission> & { share_url: string };

/** Rejects with the error that the server's `errorResponse` has described. */
const json = async <T>(path: string, init?: RequestInit) =>
  readJson<T>(await fetch(path, init));

/**
 * The server has repeated what may be repeated, and a 4xx stays a 4xx: only
 * after a lost connection or a 5xx is it worth another attempt.
 */
const retry = (failures: number, error: Error) =>
  failures < 2 && (!isNotetakerError(error) || error.outcome === "unknown");

/** The key of every list of meetings: they are read again after each event. */
export const MEETINGS = ["meetings"];

/** No event says that a bot is listed or has failed: then the page asks. */
const ASK_MS = 15_000;
const BOT_IS_LISTED_MS = 120_000;
let botSentAt = Number.NEGATIVE_INFINITY;
/** A bot is likely listed 2 or 5 seconds after it was sent. */
function askMs() {
  const passedMs = performance.now() - botSentAt;
  if (passedMs < 2_000) return 2_000;
  return passedMs < 5_000 ? 3_000 : ASK_MS;
}

/** A meeting that has ended changes no more; events announce the rest. */
const canChange = (data?: InfiniteData<PageEnvelope<Meeting>>) =>
  performance.now() - botSentAt < BOT_IS_LISTED_MS ||
  data?.pages.some((page) => page.data.some(isUnderWay));

export const meetingsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...MEETINGS, search],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = new URLSearchParams({ search, cursor });
      return json<PageEnvelope<Meeting>>(`/api/meetings?${query}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ has_more, next_cursor }) =>
      has_more ? (next_cursor ?? undefined) : undefined,
    placeholderData: keepPreviousData, // the old list stays while one types
    // Each page of the list is a request.
    refetchInterval: ({ state: { data } }) =>
      canChange(data) ? askMs() * (data?.pages.length ?? 1) : false,
    retry,
  });

/** What was said or written, in all meetings. */
export const searchQuery = (query: string) =>
  queryOptions({
    queryKey: ["search", query],
    queryFn: ({ signal }) =>
      json<SearchHit[]>(`/api/search?${new URLSearchParams({ q: query })}`, {
        signal,
      }),
    enabled: query !== "",
    placeholderData: keepPreviousData,
    retry,
  });

const write = <T>(method: string, path: string, body: object = {}) =>
  json<T>(path, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

export async function sendBot(meeting_url: string | undefined) {
  botSentAt = performance.now();
  return await write<SendBotResult>("POST", "/api/bots", { meeting_url });
}

/** Calls `then` once a list has a bot that none has now, or after two minutes. */
export function whenBotIsListed(client: QueryClient, then: () => void) {
  const before = botsOf(client);
  const isListed = () => botsOf(client).some((id) => !before.includes(id));
  const stop = client
    .getQueryCache()
    .subscribe(() => void (isListed() && end()));
  const timer = setTimeout(end, BOT_IS_LISTED_MS);
  function end() {
    stop();
    clearTimeout(timer);
    then();
  }
}

const botsOf = (client: QueryClient) =>
  client
    .getQueriesData<InfiniteData<PageEnvelope<Meeting>>>({ queryKey: MEETINGS })
    .flatMap(([, list]) => list?.pages.flatMap((page) => page.data) ?? [])
    .filter((meeting) => meeting.source !== "upload" && isUnderWay(meeting))
    .map(({ id }) => id);

/** The id comes from the page's address, where anything may stand. */
export const meetingPath = (id: string, part = "") =>
  `/api/meetings/${encodeURIComponent(id)}${part}`;

/** With one address, or with anyone who has the link. */
export const share = (id: string, email?: string) =>
  write<Permission>("POST", meetingPath(id, "/permissions"), { email });
export const revoke = (id: string, permissionId: string) =>
  write<void>(
    "DELETE",
    meetingPath(id, `/permissions/${encodeURIComponent(permissionId)}`),
  );

const ofMeeting = <T>(id: string, part: string) =>
  queryOptions({
    queryKey: ["meeting", id, part],
    queryFn: ({ signal }) => json<T>(meetingPath(id, part), { signal }),
    retry,
  });

export const meetingQuery = (id: string) => ({
  ...ofMeeting<Meeting>(id, ""),
  refetchInterval: ({ state }: { state: { data?: Meeting | undefined } }) =>
    state.data && isUnderWay(state.data) && ASK_MS,
});
export const isUnderWay = ({ status }: Meeting) =>
  status === "scheduled" || status === "processing";

/** It does not exist, or not yet; anything may stand in the page's address. */
export const isMissing = (error: unknown) =>
  isNotetakerError(error) &&
  ["NotFoundError", "InvalidArgumentError"].includes(error.name);

/**
 * Read anew when the status changes. The transcript of a completed meeting may
 * come a little later, or its event be lost: the page asks for ten minutes.
 */
export const transcriptQuery = (id: string, status: string) => ({
  ...ofMeeting<Transcript>(id, "/transcript"),
  queryKey: ["meeting", id, "/transcript", status],
  refetchInterval: ({ state }: { state: QueryState<Transcript> }) =>
    status === "completed" &&
    isMissing(state.error) &&
    state.errorUpdateCount < 40 &&
    ASK_MS,
});
export const summaryQuery = (id: string) => ({
  ...ofMeeting<{ content?: string }>(id, "/summary"),
  refetchInterval: ({ state }: { state: QueryState<{ content?: string }> }) =>
    state.data?.content === undefined &&
    state.dataUpdateCount < 10 &&
    4 * ASK_MS,
});
export const permissionsQuery = (id: string) =>
  ofMeeting<Permissions>(id, "/permissions");
/** Under a key of its own: an event must not replace the link that is playing. */
export const recordingQuery = (id: string) =>
  queryOptions({
    queryKey: ["recording", id],
    queryFn: () => json<RecordingLink>(meetingPath(id, "/recording")),
    staleTime: 60_000,
    retry,
  });
