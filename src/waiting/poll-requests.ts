/** The requests of waits. They are sent without retries: the next poll is the retry. */
import * as z from "zod/mini";
import { getDocument } from "../endpoints/documents.js";
import { getTranscript, listMeetings } from "../endpoints/meetings.js";
import { list } from "../lists/list.js";
import type { Page } from "../lists/page.js";
import {
  type DocumentFormat,
  type DocumentGetParams,
  type DocumentIn,
  documentSchemaFor,
} from "../schemas/document.js";
import type { MeetingListParams } from "../schemas/meeting-list.js";
import type { Transcript } from "../schemas/transcript.js";
import type { Operation } from "../transport/operation.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";

/** How a request is sent. Without `token`, it is sent with the client's own. */
export interface PollRequest extends Pick<RequestOptions, "headers" | "signal"> {
  readonly token?: string | undefined;
  /** Called before each request, also before those of further pages. */
  readonly onRequest?: (() => void) | undefined;
}

function send<T>(
  transport: Transport,
  operation: Operation<T>,
  { token, onRequest, ...options }: PollRequest,
): PromiseLike<T> {
  onRequest?.();
  return transport.send({ ...operation, token, retriedByCaller: true, isFresh: true }, options);
}

export const requestTranscript = (
  transport: Transport,
  meetingId: string,
  request: PollRequest,
): PromiseLike<Transcript> => send(transport, { ...getTranscript, ids: { meetingId } }, request);

export const requestDocument = <F extends DocumentFormat | undefined>(
  transport: Transport,
  documentId: string,
  params: DocumentGetParams<F>,
  request: PollRequest,
): PromiseLike<DocumentIn<F>> =>
  send(transport, { ...getDocument, ids: { documentId }, params, response: documentSchemaFor<F> }, request);

/** The pages of the meeting list. Their rows are not checked: one invalid row must not end a poll. */
export async function* requestPages(
  transport: Transport,
  params: MeetingListParams,
  { token, onRequest, ...options }: PollRequest,
): AsyncGenerator<Page<unknown>, void, undefined> {
  const sending = { token, retriedByCaller: true, isFresh: true, renewsToken: true };
  const operation = { ...listMeetings, params, response: z.unknown(), ...sending };
  onRequest?.();
  for await (const page of list(transport, operation, options).pages()) {
    yield page;
    if (page.hasNextPage()) onRequest?.();
  }
}
