/** The polls of one client: those that its waits share, and those that its watches share. */

import * as z from "zod/mini";
import type { Document, DocumentGetParams } from "../schemas/document.js";
import type { MeetingListParams } from "../schemas/meeting-list.js";
import type { Transcript } from "../schemas/transcript.js";
import { type ListOperation, list } from "../transport/list.js";
import type { Logger } from "../transport/logger.js";
import type { Operation } from "../transport/operation.js";
import type { Page } from "../transport/page.js";
import type { Transport } from "../transport/transport.js";
import { lookUpMeetings, type WaitAnswer, type WaitQuestion } from "./look-up-meetings.js";
import { type DatedMeeting, readMeetingsSince } from "./meetings-since.js";
import { PollBatcher, type PollRequest } from "./poll-batcher.js";

/** The endpoints that waits and watches poll. */
export interface PolledEndpoints {
  readonly listMeetings: Omit<ListOperation<MeetingListParams>, "params">;
  readonly getTranscript: Operation<Transcript>;
  readonly getDocument: Operation<Document>;
}

/** What a watch asks at each poll. */
export interface WatchQuestion {
  /** From which day on the list is needed: YYYY-MM-DD. The watch may change it before each poll. */
  startDate: string;
}

/** The requests of waits and watches are sent without retries: the next poll is the retry. */
export class MeetingPolls {
  readonly #transport: Transport;
  readonly #endpoints: PolledEndpoints;
  readonly logger: Logger | undefined;
  readonly waits: PollBatcher<WaitQuestion, WaitAnswer>;
  readonly watches: PollBatcher<WatchQuestion, readonly DatedMeeting[]>;

  constructor(transport: Transport, endpoints: PolledEndpoints) {
    const { token, logger } = transport.config;
    this.#transport = transport;
    this.#endpoints = endpoints;
    this.logger = logger;
    const requestToken =
      typeof token === "function"
        ? (options: { signal: AbortSignal; rejected: string | undefined }) =>
            transport.tokenFor({ ...endpoints.listMeetings, params: {} }, options)
        : undefined;
    this.waits = new PollBatcher(
      (questions, request) => lookUpMeetings((params) => this.#listPages(params, request), questions),
      requestToken,
    );
    this.watches = new PollBatcher(async (questions, request) => {
      // The earliest day that one of the watches needs.
      const [startDate = ""] = questions.map((question) => question.startDate).sort();
      const meetings = await readMeetingsSince((params) => this.#listPages(params, request), startDate, request.signal);
      return () => meetings;
    }, requestToken);
  }

  getTranscript(meetingId: string, request: PollRequest): PromiseLike<Transcript> {
    return this.#send({ ...this.#endpoints.getTranscript, ids: { meetingId } }, request);
  }

  getDocument(documentId: string, params: DocumentGetParams, request: PollRequest): PromiseLike<Document> {
    return this.#send({ ...this.#endpoints.getDocument, ids: { documentId }, params }, request);
  }

  #send<T>(operation: Operation<T>, { token, ...options }: PollRequest): PromiseLike<T> {
    return this.#transport.send({ ...operation, token }, { ...options, maxRetries: 0 });
  }

  /** The rows are not checked: one invalid row must not end a poll of the list. */
  #listPages(params: MeetingListParams, { token, ...options }: PollRequest): AsyncIterable<Page<unknown>> {
    const operation = { ...this.#endpoints.listMeetings, params, token, response: z.unknown() };
    return list(this.#transport, operation, { ...options, maxRetries: 0 }).pages();
  }
}
