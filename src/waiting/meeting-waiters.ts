/** The methods that wait: for the transcript, the completion, the documents, or one document of a meeting. */

import { NotFoundError } from "../errors/api-error.js";
import { MeetingFailedError } from "../errors/call-errors.js";
import { isTemporary } from "../errors/is-temporary.js";
import { isRecord } from "../json/is-record.js";
import type { Document, DocumentGetParams, DocumentReference } from "../schemas/document.js";
import type { Meeting } from "../schemas/meeting.js";
import type { Transcript } from "../schemas/transcript.js";
import { copyOf, endsPoll, type WaitAnswer } from "./look-up-meetings.js";
import type { MeetingPolls } from "./meeting-polls.js";
import { waitFor } from "./wait-for.js";
import { type WaitOptions, waitForDocumentOptionsSchema, waitOptionsSchema } from "./wait-options.js";

const meetingFailedError = (meetingId: string) =>
  new MeetingFailedError(`The meeting ${meetingId} has failed`, { meetingId });

/** The meeting's row. Throws if the list could not be read, or if the meeting has failed. */
function readRow({ meeting, error }: WaitAnswer, meetingId: string): Meeting | undefined {
  if (error !== undefined) throw error;
  if (meeting?.status === "failed") throw meetingFailedError(meetingId);
  return meeting;
}

/** Resolves to `undefined` if the service does not have it yet. */
async function unlessNotFound<T>(request: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** See `Meetings.waitForTranscript`. */
export const waitForTranscript = (polls: MeetingPolls, meetingId: string, options?: WaitOptions): Promise<Transcript> =>
  waitFor(polls, options, {
    operation: "meetings.waitForTranscript",
    meetingId,
    options: waitOptionsSchema,
    transcript: true,
    read: async ({ meeting, isListed, error, hasTurn }, request) => {
      if (endsPoll(error)) throw error;
      const result = hasTurn ? await unlessNotFound(polls.requests.getTranscript(meetingId, request)) : undefined;
      if (result !== undefined) return { result };
      if (hasTurn && meeting?.status === "failed") throw meetingFailedError(meetingId);
      return { status: meeting?.status, isListed, error: isTemporary(error) ? error : undefined };
    },
  });

/** See `Meetings.waitForCompletion`. */
export const waitForCompletion = (polls: MeetingPolls, meetingId: string, options?: WaitOptions): Promise<Meeting> =>
  waitFor(polls, options, {
    operation: "meetings.waitForCompletion",
    meetingId,
    options: waitOptionsSchema,
    read: async (answer) => {
      const meeting = readRow(answer, meetingId);
      if (meeting?.status === "completed") return { result: copyOf(meeting) };
      return { status: meeting?.status, isListed: answer.isListed };
    },
  });

const isDocumentReference = (value: unknown): value is DocumentReference =>
  isRecord(value) && typeof value.id === "string";

/** See `Meetings.waitForDocuments`. */
export const waitForDocuments = (
  polls: MeetingPolls,
  meetingId: string,
  options?: WaitOptions,
): Promise<DocumentReference[]> =>
  waitFor(polls, options, {
    operation: "meetings.waitForDocuments",
    meetingId,
    options: waitOptionsSchema,
    documents: true,
    read: async (answer) => {
      const received: unknown = answer.meeting?.documents;
      const documents = Array.isArray(received) ? received.filter(isDocumentReference) : [];
      if (documents.length > 0) return { result: copyOf(documents) };
      return { status: readRow(answer, meetingId)?.status, isListed: answer.isListed };
    },
  });

/** See `Meetings.waitForDocument`. `find` returns the wanted document of a meeting, as soon as it has one. */
export const waitForDocument = (
  polls: MeetingPolls,
  meetingId: string,
  find: (meeting: unknown) => DocumentReference | undefined,
  options?: WaitOptions & DocumentGetParams,
): Promise<Document> =>
  waitFor(polls, options, {
    operation: "meetings.waitForDocument",
    meetingId,
    options: waitForDocumentOptionsSchema,
    documents: true,
    read: async (answer, request) => {
      const found = find(answer.meeting);
      const { getDocument } = polls.requests;
      const result = found && (await unlessNotFound(getDocument(found.id, { format: options?.format }, request)));
      if (result !== undefined) return { result };
      return { status: readRow(answer, meetingId)?.status, isListed: answer.isListed };
    },
  });
