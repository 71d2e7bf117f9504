/** What a waiter looks at: the meeting list, which alone shows a meeting's status, and the transcript. */
import { ApiError } from "../errors/api-error.js";
import { MeetingFailedError } from "../errors/meeting-failed-error.js";
import { NotFoundError } from "../errors/not-found-error.js";
import type { RequestOptions } from "../options.js";
import type { Meeting } from "../schemas/meeting.js";
import type { Transcript } from "../schemas/transcript.js";
import { waitFor } from "./wait-for.js";
import type { WaitOptions } from "./wait-options.js";

/** What of the meetings resource is needed here. */
interface Meetings {
  list(params: { ids: string[] }, options: RequestOptions): PromiseLike<{ data: readonly Meeting[] }>;
  getTranscript(meetingId: string, options: RequestOptions): Promise<Transcript>;
}

/** The meeting as the list has it, if it does. */
async function find(meetings: Meetings, meetingId: string, options: RequestOptions): Promise<Meeting | undefined> {
  const { data } = await meetings.list({ ids: [meetingId] }, options);
  const meeting = data.find(({ id }) => id === meetingId);
  if (meeting?.status === "failed") throw new MeetingFailedError(`The meeting ${meetingId} has failed`, { meetingId });
  return meeting;
}

export const waitForCompletion = (meetings: Meetings, meetingId: string, options?: WaitOptions): Promise<Meeting> =>
  waitFor(
    "meetings.waitForCompletion",
    meetingId,
    async (request) => {
      const meeting = await find(meetings, meetingId, request);
      return { status: meeting?.status, result: meeting?.status === "completed" ? meeting : undefined };
    },
    options,
  );

export const waitForTranscript = (meetings: Meetings, meetingId: string, options?: WaitOptions): Promise<Transcript> =>
  waitFor(
    "meetings.waitForTranscript",
    meetingId,
    async (request) => {
      try {
        return { result: await meetings.getTranscript(meetingId, request) };
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
      }
      try {
        return { status: (await find(meetings, meetingId, request))?.status };
      } catch (error) {
        // The meeting list is no part of the interface: where it cannot be read, the transcript is waited for all the same.
        if (error instanceof ApiError && !error.retryable) return {};
        throw error;
      }
    },
    options,
  );
