/** The polls of one client: those that its waits share, and those that its watches share. */

import { UnauthorizedError } from "../errors/api-error.js";
import { isRateLimited } from "../errors/is-temporary.js";
import type { Document, DocumentGetParams } from "../schemas/document.js";
import type { MeetingListParams } from "../schemas/meeting-list.js";
import type { Transcript } from "../schemas/transcript.js";
import type { Logger } from "../transport/logger.js";
import type { RequestToken } from "./caller-token.js";
import { lookUpMeetings, type MeetingAnswer, type MeetingQuestion, type RowPage } from "./look-up-meetings.js";
import { type DatedMeeting, readMeetingsSince } from "./meetings-since.js";
import { PollBatcher, type PollRequest } from "./poll-batcher.js";
import { TranscriptTurns, type TurnCandidate } from "./transcript-turns.js";

/** The requests of the client that waits and watches send, each without retries: the next poll is the retry. */
export interface PollRequests {
  /** The pages of the meeting list, with their rows as received. */
  listPages(params: MeetingListParams, request: PollRequest): AsyncIterable<RowPage>;
  getTranscript(meetingId: string, request: PollRequest): PromiseLike<Transcript>;
  getDocument(documentId: string, params: DocumentGetParams, request: PollRequest): PromiseLike<Document>;
  /** Calls the client's token function, in the async context of the caller; `undefined` if the token is fixed. */
  readonly requestToken: RequestToken | undefined;
  readonly logger: Logger | undefined;
}

/** What a wait asks at each poll. */
export interface WaitQuestion extends MeetingQuestion, TurnCandidate {
  /** Whether it waits for the transcript. */
  readonly transcript: boolean;
  /** Aborted when the wait ends during a poll. */
  readonly signal: AbortSignal;
}

/** The result of a poll for a wait. */
export interface WaitAnswer extends MeetingAnswer {
  /** Whether the wait may now request its transcript. */
  readonly hasTurn: boolean;
}

/** What a watch asks at each poll. */
export interface WatchQuestion {
  /** From which day on the list is needed: YYYY-MM-DD. The watch may change it before each poll. */
  startDate: string;
}

/**
 * Whether an error of the list ends the poll: a 401 or a rate limit, after which any further request would fail, too.
 * After any other error, a transcript is still requested, because the API specification does not define the list.
 */
export const endsPoll = (error: unknown): boolean => error instanceof UnauthorizedError || isRateLimited(error);

export class MeetingPolls {
  readonly requests: PollRequests;
  readonly waits: PollBatcher<WaitQuestion, WaitAnswer>;
  readonly watches: PollBatcher<WatchQuestion, readonly DatedMeeting[]>;

  constructor(requests: PollRequests) {
    this.requests = requests;
    this.waits = new PollBatcher(() => {
      const turns = new TranscriptTurns();
      return async (questions, request) => {
        const answerTo = await lookUpMeetings((params) => requests.listPages(params, request), questions);
        const candidates = questions.filter(
          (wait) => wait.transcript && !wait.signal.aborted && !endsPoll(answerTo(wait).error),
        );
        const next = turns.next(candidates, (wait) => answerTo(wait).meeting?.status);
        return (wait) => ({ ...answerTo(wait), hasTurn: wait === next });
      };
    });
    this.watches = new PollBatcher(() => async (questions, request) => {
      // The earliest day that one of the watches needs.
      const [startDate = ""] = questions.map((question) => question.startDate).sort();
      const listPages = (params: MeetingListParams) => requests.listPages(params, request);
      const meetings = await readMeetingsSince(listPages, startDate, request.signal);
      return () => meetings;
    });
  }
}
