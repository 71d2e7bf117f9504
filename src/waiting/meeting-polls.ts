/** The polls of one client: those that its waits share, and those that its watches share. */

import type { Document, DocumentGetParams } from "../schemas/document.js";
import type { MeetingListParams } from "../schemas/meeting-list.js";
import type { Transcript } from "../schemas/transcript.js";
import type { Logger } from "../transport/logger.js";
import type { Page } from "../transport/page.js";
import type { RequestToken } from "./caller-token.js";
import { lookUpMeetings, type WaitAnswer, type WaitQuestion } from "./look-up-meetings.js";
import { type DatedMeeting, readMeetingsSince } from "./meetings-since.js";
import { PollBatcher, type PollRequest } from "./poll-batcher.js";

/** The requests of the client that waits and watches send, each without retries: the next poll is the retry. */
export interface PollRequests {
  /** The pages of the meeting list, with their rows as received. */
  listPages(params: MeetingListParams, request: PollRequest): AsyncIterable<Page<unknown>>;
  getTranscript(meetingId: string, request: PollRequest): PromiseLike<Transcript>;
  getDocument(documentId: string, params: DocumentGetParams, request: PollRequest): PromiseLike<Document>;
  /** Calls the client's token function, in the async context of the caller; `undefined` if the token is fixed. */
  readonly requestToken: RequestToken | undefined;
  readonly logger: Logger | undefined;
}

/** What a watch asks at each poll. */
export interface WatchQuestion {
  /** From which day on the list is needed: YYYY-MM-DD. The watch may change it before each poll. */
  startDate: string;
}

export class MeetingPolls {
  readonly requests: PollRequests;
  readonly waits: PollBatcher<WaitQuestion, WaitAnswer>;
  readonly watches: PollBatcher<WatchQuestion, readonly DatedMeeting[]>;

  constructor(requests: PollRequests) {
    this.requests = requests;
    this.waits = new PollBatcher((questions, request) =>
      lookUpMeetings((params) => requests.listPages(params, request), questions),
    );
    this.watches = new PollBatcher(async (questions, request) => {
      // The earliest day that one of the watches needs.
      const [startDate = ""] = questions.map((question) => question.startDate).sort();
      const listPages = (params: MeetingListParams) => requests.listPages(params, request);
      const meetings = await readMeetingsSince(listPages, startDate, request.signal);
      return () => meetings;
    });
  }
}
