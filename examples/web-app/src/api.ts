/** The requests of the page to its own server, and their queries. */
import {
  infiniteQueryOptions,
  keepPreviousData,
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
    retry,
  });

const write = <T>(method: string, path: string, body: object = {}) =>
  json<T>(path, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

export const sendBot = (meeting_url: string | undefined) =>
  write<SendBotResult>("POST", "/api/bots", { meeting_url });
export const shareWithAnyone = (id: string) =>
  write<Permission>("POST", `/api/meetings/${id}/permissions`);
export const revoke = (id: string, permissionId: string) =>
  write<void>("DELETE", `/api/meetings/${id}/permissions/${permissionId}`);

const ofMeeting = <T>(id: string, part: string) =>
  queryOptions({
    queryKey: ["meeting", id, part],
    queryFn: ({ signal }) => json<T>(`/api/meetings/${id}${part}`, { signal }),
    retry,
  });

/** A failure is not announced by an event: a meeting in progress is asked for. */
export const meetingQuery = (id: string) => ({
  ...ofMeeting<Meeting>(id, ""),
  refetchInterval: ({ state }: { state: { data?: Meeting | undefined } }) =>
    isUnderWay(state.data?.status) && 15_000,
});
export const isUnderWay = (status: string | undefined) =>
  status === "scheduled" || status === "processing";

export const transcriptQuery = (id: string) =>
  ofMeeting<Transcript>(id, "/transcript");
export const summaryQuery = (id: string) =>
  ofMeeting<{ content?: string }>(id, "/summary");
export const permissionsQuery = (id: string) =>
  ofMeeting<Permissions>(id, "/permissions");
/** Under a key of its own: an event must not replace the link that is playing. */
export const recordingQuery = (id: string) =>
  queryOptions({
    queryKey: ["recording", id],
    queryFn: () => json<RecordingLink>(`/api/meetings/${id}/recording`),
    staleTime: 60_000,
    retry,
  });
