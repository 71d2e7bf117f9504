// #region requests
/** The requests of the page to its own server, and their queries. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
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

const post = <T>(path: string, body: object = {}) =>
  json<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

export const sendBot = (meeting_url: string) =>
  post<SendBotResult>("/api/bots", { meeting_url });
export const shareWithAnyone = (id: string) =>
  post<Permission>(`/api/meetings/${id}/share`);

/** A key that begins with `meetings` is read again after each event. */
export const meetingsQuery = infiniteQueryOptions({
  queryKey: ["meetings"],
  queryFn: ({ pageParam, signal }) =>
    json<PageEnvelope<Meeting>>(`/api/meetings${pageParam}`, { signal }),
  initialPageParam: "",
  getNextPageParam: ({ has_more, next_cursor }) =>
    has_more && next_cursor
      ? `?cursor=${encodeURIComponent(next_cursor)}`
      : undefined,
  retry,
});
// #endregion

const ofMeeting = <T>(id: string, part: string) =>
  queryOptions({
    queryKey: ["meeting", id, part],
    queryFn: ({ signal }) => json<T>(`/api/meetings/${id}${part}`, { signal }),
    retry,
  });

export const meetingQuery = (id: string) => ofMeeting<Meeting>(id, "");
export const transcriptQuery = (id: string) =>
  ofMeeting<Transcript>(id, "/transcript");
export const summaryQuery = (id: string) =>
  ofMeeting<{ content?: string }>(id, "/summary");
/** Under a key of its own: an event must not replace the link that is playing. */
export const recordingQuery = (id: string) =>
  queryOptions({
    queryKey: ["recording", id],
    queryFn: () => json<RecordingLink>(`/api/meetings/${id}/recording`),
    staleTime: 60_000,
    retry,
  });
export const permissionsQuery = (id: string) =>
  ofMeeting<Permissions>(id, "/permissions");
