/** What each waiter polls: the meeting list, which alone shows a meeting's status, and the transcript. */
import { ApiError } from "../errors/api-error.js";
import { MeetingFailedError } from "../errors/meeting-failed-error.js";
import { NotFoundError } from "../errors/not-found-error.js";
import type { RequestOptions } from "../options.js";
import type { Meeting } from "../schemas/meeting.js";
import type { Transcript } from "../schemas/transcript.js";
import { waitFor } from "./wait-for.js";
import type { WaitOptions } from "./wait-options.js";

/** Reads the page of the meeting list that holds only these meetings. */
export type ListMeetings = (
  params: { ids: string[] },
  options: RequestOptions,
) => PromiseLike<{ data: readonly Meeting[] }>;

/** Reads a meeting's transcript; `NotFoundError` can mean that it is not ready yet. */
export type GetTranscript = (meetingId: string, options: RequestOptions) => PromiseLike<Transcript>;

/** The meeting as the list has it, or `undefined` if the list does not show it. */
async function findMeeting(
  listMeetings: ListMeetings,
  meetingId: string,
  options: RequestOptions,
): Promise<Meeting | undefined> {
  const { data } = await listMeetings({ ids: [meetingId] }, options);
  const meeting = data.find(({ id }) => id === meetingId);
  if (meeting?.status === "failed") throw new MeetingFailedError(`The meeting ${meetingId} has failed`, { meetingId });
  return meeting;
}

/** See `Meetings.waitForCompletion`. */
export function waitForCompletion(
  listMeetings: ListMeetings,
  meetingId: string,
  options?: WaitOptions,
): Promise<Meeting> {
  const poll = async (request: RequestOptions) => {
    const meeting = await findMeeting(listMeetings, meetingId, request);
    return { status: meeting?.status, result: meeting?.status === "completed" ? meeting : undefined };
  };
  return waitFor("meetings.waitForCompletion", meetingId, poll, options);
}

/** See `Meetings.waitForTranscript`. */
export function waitForTranscript(
  listMeetings: ListMeetings,
  getTranscript: GetTranscript,
  meetingId: string,
  options?: WaitOptions,
): Promise<Transcript> {
  const poll = async (request: RequestOptions) => {
    try {
      return { result: await getTranscript(meetingId, request) };
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
    try {
      return { status: (await findMeeting(listMeetings, meetingId, request))?.status };
    } catch (error) {
      // The interface does not define the meeting list: without it, the transcript is still waited for.
      if (error instanceof ApiError && !error.retryable) return {};
      throw error;
    }
  };
  return waitFor("meetings.waitForTranscript", meetingId, poll, options);
}
