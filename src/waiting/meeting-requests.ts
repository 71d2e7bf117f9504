/** The requests of waits and watches. They are sent without retries: the next poll is the retry. */
import * as z from "zod/mini";
import type { Document, DocumentGetParams } from "../schemas/document.js";
import type { MeetingListParams } from "../schemas/meeting-list.js";
import type { Transcript } from "../schemas/transcript.js";
import { type ListOperation, list } from "../transport/list.js";
import type { Operation } from "../transport/operation.js";
import type { Page } from "../transport/page.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";

/** The endpoints that waits and watches poll. */
export interface PolledEndpoints {
  readonly listMeetings: Omit<ListOperation<MeetingListParams>, "params">;
  readonly getTranscript: Operation<Transcript>;
  readonly getDocument: Operation<Document>;
}

/** How a request is sent. Without `token`, it is sent with the client's own. */
export interface PollRequest extends Pick<RequestOptions, "headers" | "signal"> {
  readonly token?: string | undefined;
}

export class MeetingRequests {
  readonly transport: Transport;
  readonly #endpoints: PolledEndpoints;

  constructor(transport: Transport, endpoints: PolledEndpoints) {
    this.transport = transport;
    this.#endpoints = endpoints;
  }

  /** The client's token, or what its function returns. `rejected` is the token that the service has just refused. */
  token(options: { signal: AbortSignal; rejected: string | undefined }): Promise<string> {
    return this.transport.tokenFor({ ...this.#endpoints.listMeetings, params: {} }, options);
  }

  getTranscript(meetingId: string, request: PollRequest): PromiseLike<Transcript> {
    return this.#send({ ...this.#endpoints.getTranscript, ids: { meetingId } }, request);
  }

  getDocument(documentId: string, params: DocumentGetParams, request: PollRequest): PromiseLike<Document> {
    return this.#send({ ...this.#endpoints.getDocument, ids: { documentId }, params }, request);
  }

  /** The pages of the meeting list. Their rows are not checked: one invalid row must not end a poll. */
  listPages(params: MeetingListParams, { token, ...options }: PollRequest): AsyncIterable<Page<unknown>> {
    const operation = { ...this.#endpoints.listMeetings, params, token, response: z.unknown(), sentOnce: true };
    // `sentOnce` rules out retries. With `maxRetries: 0`, the transport would not replace a refused token either.
    return list(this.transport, operation, { ...options, maxRetries: 1 }).pages();
  }

  #send<T>(operation: Operation<T>, { token, ...options }: PollRequest): PromiseLike<T> {
    return this.transport.send({ ...operation, token, sentOnce: true }, options);
  }
}
