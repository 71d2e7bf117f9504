/**
 * The three waiters: for the transcript, the completion and the documents of a meeting. Each reads polls of the meeting
 * list.
 */

import { NotFoundError, UnauthorizedError } from "../../errors/api-error.js";
import { MeetingFailedError } from "../../errors/call-errors.js";
import { isRateLimited, isTemporary } from "../../errors/is-temporary.js";
import { isRecord } from "../../json/is-record.js";
import type { DocumentReference } from "../../schemas/document.js";
import type { Meeting } from "../../schemas/meeting.js";
import type { Transcript } from "../../schemas/transcript.js";
import type { MeetingPolls } from "../poll/meeting-polls.js";
import { type PollResult, type WaitStep, waitFor } from "./wait-for.js";
import type { WaitOptions } from "./wait-options.js";

/** The statuses of a meeting whose transcript cannot be ready (documented). With any other status, it may be ready. */
const UNFINISHED: readonly unknown[] = ["scheduled", "processing"];

const meetingFailedError = (meetingId: string) =>
  new MeetingFailedError(`The meeting ${meetingId} has failed`, { meetingId });

/** The meeting's row. Throws if the list could not be read, or if the meeting has failed. */
function readRow({ listed }: WaitStep, meetingId: string): Meeting | undefined {
  if (listed.error !== undefined) throw listed.error;
  if (listed.meeting?.status === "failed") throw meetingFailedError(meetingId);
  return listed.meeting;
}

/** See `Meetings.waitForCompletion`. */
export async function waitForCompletion(
  polls: MeetingPolls,
  meetingId: string,
  options?: WaitOptions,
): Promise<Meeting> {
  const read = async (step: WaitStep): Promise<PollResult<Meeting>> => {
    const meeting = readRow(step, meetingId);
    const result = meeting?.status === "completed" ? meeting : undefined;
    return { result, status: meeting?.status, isListed: step.listed.isListed };
  };
  return waitFor(polls, { operation: "meetings.waitForCompletion", meetingId, read }, options);
}

const isDocumentReference = (value: unknown): value is DocumentReference =>
  isRecord(value) && typeof value.id === "string";

/** See `Meetings.waitForDocuments`. */
export async function waitForDocuments(
  polls: MeetingPolls,
  meetingId: string,
  options?: WaitOptions,
): Promise<DocumentReference[]> {
  const read = async (step: WaitStep): Promise<PollResult<DocumentReference[]>> => {
    const received: unknown = step.listed.meeting?.documents;
    const documents = Array.isArray(received) ? received.filter(isDocumentReference) : [];
    if (documents.length > 0) return { result: documents };
    const meeting = readRow(step, meetingId);
    return { status: meeting?.status, isListed: step.listed.isListed };
  };
  return waitFor(polls, { operation: "meetings.waitForDocuments", meetingId, documents: true, read }, options);
}

/** Whether an event announces the transcript. Such an event counts even if the list shows another status. */
const saysTranscriptReady = (event: unknown) => isRecord(event) && event.kind === "meeting.transcript_ready";

/**
 * Whether an error of the list ends this poll: a 401 or a rate limit, after which any further request would fail, too.
 * After any other error, the waiter still requests the transcript, because the API specification does not define the
 * list.
 */
const endsPoll = (error: unknown) => error instanceof UnauthorizedError || isRateLimited(error);

/** See `Meetings.waitForTranscript`. */
export async function waitForTranscript(
  polls: MeetingPolls,
  meetingId: string,
  options?: WaitOptions,
): Promise<Transcript> {
  let wasCompleted = false;

  /** Whether to request the transcript after this poll. Not if the transcript cannot be ready. */
  const mayBeReady = ({ listed, event, isLast, takeTurn, leaveTurn }: WaitStep): boolean => {
    const status = listed.meeting?.status;
    const isNewlyCompleted = status === "completed" && !wasCompleted;
    wasCompleted ||= isNewlyCompleted;
    if (isNewlyCompleted || isLast || status === "failed" || saysTranscriptReady(event)) return true;
    if (!UNFINISHED.includes(status)) return takeTurn();
    leaveTurn();
    return false;
  };

  /** Requests the transcript; `undefined` if it is not ready yet. */
  const getTranscript = async ({ request }: WaitStep): Promise<Transcript | undefined> => {
    try {
      return await polls.reader.getTranscript(meetingId, request);
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  };

  const read = async (step: WaitStep): Promise<PollResult<Transcript>> => {
    const { meeting, isListed, error } = step.listed;
    if (error !== undefined && endsPoll(error)) throw error;
    const result = mayBeReady(step) ? await getTranscript(step) : undefined;
    if (result !== undefined) return { result };
    if (meeting?.status === "failed") throw meetingFailedError(meetingId);
    return { status: meeting?.status, isListed, error: isTemporary(error) ? error : undefined };
  };
  return waitFor(polls, { operation: "meetings.waitForTranscript", meetingId, read }, options);
}
