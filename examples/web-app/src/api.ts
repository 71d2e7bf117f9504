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

export type Meeting = MeetingWith<"documents">;
type Permissions = PageEnvelope<Permission> & { share_url: string };

/** An error that the server's `errorResponse` has described. */
export class ServerError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

async function json<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await fetch(path, init);
  const body = await response.json().catch(() => undefined);
  if (response.ok) return body;
  const { message = `the server answered ${response.status}`, retryAfterMs } =
    body?.error ?? {};
  throw new ServerError(response.status, message, retryAfterMs);
}

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
export const recordingLink = (id: string) =>
  json<RecordingLink>(`/api/meetings/${id}/recording`);

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
});

const ofMeeting = <T>(id: string, part: string) =>
  queryOptions({
    queryKey: ["meeting", id, part],
    queryFn: ({ signal }) => json<T>(`/api/meetings/${id}${part}`, { signal }),
  });

export const meetingQuery = (id: string) => ofMeeting<Meeting>(id, "");
export const transcriptQuery = (id: string) =>
  ofMeeting<Transcript>(id, "/transcript");
export const summaryQuery = (id: string) =>
  ofMeeting<{ content?: string }>(id, "/summary");
export const permissionsQuery = (id: string) =>
  ofMeeting<Permissions>(id, "/permissions");
