import * as z from "zod/mini";
import type { DownloadOptions } from "../media/download/download-options.js";
import { downloadRecording, type RecordingDownload } from "../media/download/download-recording.js";
import { UploadBody } from "../media/upload/upload-body.js";
import {
  type UploadInput,
  type UploadOptions,
  uploadInputSchema,
  uploadOptionsSchema,
} from "../media/upload/upload-options.js";
import type { UploadSource } from "../media/upload/upload-source.js";
import {
  type EventBotResult,
  eventBotResultSchema,
  type SendBotParams,
  type SendBotResult,
  sendBotParamsSchema,
  sendBotParamsSchemaFor,
  sendBotResultSchema,
} from "../schemas/bot.js";
import type {
  Document,
  DocumentFormat,
  DocumentGetParams,
  DocumentGetParamsIn,
  DocumentIn,
  DocumentReference,
} from "../schemas/document.js";
import { expandedSchemas, type NamedExpansions, type WithExpand } from "../schemas/expansion.js";
import {
  type Meeting,
  type MeetingExpansion,
  type MeetingWith,
  meetingExpansions,
  meetingFields,
} from "../schemas/meeting.js";
import {
  type MeetingGetParams,
  type MeetingListParams,
  meetingGetParamsSchema,
  type UpcomingMeeting,
  upcomingMeetingsOf,
  upcomingMeetingsSchema,
} from "../schemas/meeting-list.js";
import { type RecordingLink, recordingLinkSchema } from "../schemas/recording.js";
import { type Transcript, transcriptSchema } from "../schemas/transcript.js";
import { type UploadResult, uploadParamsSchema, uploadResultSchema } from "../schemas/upload.js";
import type { ApiPromise } from "../transport/api-promise.js";
import { endpoint } from "../transport/endpoint.js";
import { hiddenField } from "../transport/hidden-field.js";
import { list } from "../transport/list.js";
import type { ListOptions } from "../transport/list-options.js";
import type { Operation } from "../transport/operation.js";
import type { PagePromise } from "../transport/page.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";
import { MeetingPolls } from "../waiting/meeting-polls.js";
import { waitForCompletion, waitForDocument, waitForDocuments, waitForTranscript } from "../waiting/meeting-waiters.js";
import type { PollRequest } from "../waiting/poll-batcher.js";
import type { WaitOptions } from "../waiting/wait-options.js";
import { type WatchedMeeting, type WatchOptions, watchMeetings } from "../waiting/watch-meetings.js";
import { getDocument } from "./documents.js";
import { type DocumentKind, newestDocument, titleMatcher } from "./find-document.js";
import { getById } from "./get-by-id.js";
import { listMeetings } from "./list-meetings.js";
import { setTransport, transportOf } from "./transport-of.js";

const meetingSchemaWith = /* @__PURE__ */ expandedSchemas<Meeting>(meetingFields, meetingExpansions);

const meetingSchemaFor = ({ expand }: MeetingGetParams) => meetingSchemaWith(expand);

export const sendBot = endpoint({
  name: "meetings.sendBot",
  route: "POST /meetings/bot",
  body: sendBotParamsSchema,
  response: sendBotResultSchema,
  retry: "unrepeatable",
  limit: "sendBot",
  invalid: "error",
  source: "specified",
});

export const cancelBot = endpoint({
  name: "meetings.cancelBot",
  route: "DELETE /meetings/{eventId}/bot",
  response: eventBotResultSchema,
  retry: "repeatable",
  invalid: "validation",
  source: "specified",
});

export const scheduleBot = endpoint({
  name: "meetings.scheduleBot",
  route: "POST /meetings/{eventId}/bot",
  response: eventBotResultSchema,
  retry: "unrepeatable",
  invalid: "error",
  source: "guessed",
});

export const upload = endpoint({
  name: "meetings.upload",
  route: "PUT /meetings/upload",
  query: uploadParamsSchema,
  response: uploadResultSchema,
  retry: "unrepeatable",
  limit: "upload",
  invalid: "validation",
  source: "specified",
});

export const getTranscript = endpoint({
  name: "meetings.getTranscript",
  route: "GET /meetings/{meetingId}/transcript",
  response: transcriptSchema,
  retry: "repeatable",
  invalid: "validation",
  source: "specified",
});

export const getRecording = endpoint({
  name: "meetings.getRecording",
  route: "GET /meetings/{meetingId}/recording",
  response: recordingLinkSchema,
  retry: "repeatable",
  invalid: "validation",
  source: "specified",
});

export const listUpcoming = endpoint({
  name: "meetings.upcoming",
  route: "GET /meetings/upcoming",
  response: upcomingMeetingsSchema,
  retry: "repeatable",
  invalid: "error",
  source: "guessed",
});

const pollsOf = /* @__PURE__ */ hiddenField<MeetingPolls>("polls");

/** Meetings: bots that record them, uploaded recordings, and the transcripts, recordings and documents of both. */
export class Meetings {
  /** @internal Only the client creates its resources. */
  constructor(transport: Transport) {
    setTransport(this, transport);
    // A wait polls again by itself, so each of its requests is sent without retries.
    const send = <T>(operation: Operation<T>, { token, ...options }: PollRequest) =>
      transport.send({ ...operation, token }, { ...options, maxRetries: 0 });
    const polls = new MeetingPolls({
      // The rows are not checked: one invalid row must not end a poll of the list.
      listPages: (params, { token, ...options }) =>
        list(
          transport,
          { ...listMeetings, params, token, response: z.unknown() },
          { ...options, maxRetries: 0 },
        ).pages(),
      getTranscript: (meetingId, request) => send({ ...getTranscript, ids: { meetingId } }, request),
      getDocument: (documentId, params, request) => send({ ...getDocument, ids: { documentId }, params }, request),
      requestToken:
        typeof transport.config.token === "function"
          ? (options) => transport.tokenFor({ ...listMeetings, params: {} }, options)
          : undefined,
      logger: transport.config.logger,
    });
    pollsOf.set(this, polls);
  }

  /**
   * Sends the bot to a Zoom, Google Meet, Microsoft Teams or Webex link, at once. The response means that it is queued,
   * not that it has joined. If a bot is already scheduled or in the call, it stays, and the returned `meeting_id` is
   * never found.
   *
   * Sent again only if the first request had no effect. At most 10 bots a minute and 60 an hour. Guide: docs/bots.md.
   *
   * @throws {BadRequestError} {@link BadRequestError} if the link is not supported, or the account has no calendar
   * @throws {ForbiddenError} {@link ForbiddenError} if the plan's limit is exceeded
   * @example
   * const { meeting_id } = await notetaker.meetings.sendBot({ meeting_url: "https://meet.google.com/abc-defg-hij" });
   */
  sendBot(params: SendBotParams, options?: RequestOptions): ApiPromise<SendBotResult> {
    const transport = transportOf(this);
    const body = sendBotParamsSchemaFor(transport.config.conferenceHosts);
    return transport.send({ ...sendBot, body, params }, options);
  }

  /**
   * Cancels the bot of a calendar event (`evt_…`, see {@link Meetings.upcoming}). The cancellation is queued. Guide:
   * docs/bots.md.
   */
  cancelBot(eventId: string, options?: RequestOptions): ApiPromise<EventBotResult> {
    return transportOf(this).send({ ...cancelBot, ids: { eventId } }, options);
  }

  /**
   * Schedules the bot for a calendar event (`evt_…`).
   *
   * The request is not sent again after a 5xx, a lost connection or a timeout.
   *
   * @beta The API specification refers to this endpoint but does not define it; path and response are guessed.
   */
  scheduleBot(eventId: string, options?: RequestOptions): ApiPromise<EventBotResult> {
    return transportOf(this).send({ ...scheduleBot, ids: { eventId } }, options);
  }

  /**
   * Uploads an audio or video file. The returned `id` is the id of the meeting: wait for its transcript with
   * {@link Meetings.waitForTranscript}. The media type is that of `contentType`, else of the source, else of its name.
   *
   * The source is streamed. `timeoutMs` limits the time without progress; in the browser this needs `xhrFetch` of
   * `notetaker-sdk/browser`. The request is sent again only if the first one had no effect and the source can be read
   * again. At most 10 a minute. Guide: docs/uploads-and-recordings.md.
   *
   * @example
   * const { id } = await notetaker.meetings.upload(file, { title: "Weekly", language: "en" });
   */
  upload(source: UploadSource, params: UploadInput = {}, options: UploadOptions = {}): ApiPromise<UploadResult> {
    const transport = transportOf(this);
    return transport.send(
      {
        ...upload,
        params,
        query: uploadInputSchema,
        streamBody: () => {
          const { contentType, size } = params;
          const { onProgress } = options;
          return new UploadBody(upload.name, source, {
            contentType,
            size,
            onProgress,
            logger: transport.config.logger,
          });
        },
        options: uploadOptionsSchema,
      },
      options,
    );
  }

  /**
   * The transcript of a meeting (`mtg_…`). A 404 can mean that it is not ready yet. Guide: docs/transcripts.md.
   *
   * @throws {NotFoundError} {@link NotFoundError} if there is no such meeting, or its transcript is not ready yet
   */
  getTranscript(meetingId: string, options?: RequestOptions): ApiPromise<Transcript> {
    return transportOf(this).send({ ...getTranscript, ids: { meetingId } }, options);
  }

  /**
   * A temporary link to the recording of a meeting (`mtg_…`). Use the link promptly, and do not send the token to it.
   * `recording_url` is `null` if the meeting has no recording (documented). Guide:
   * docs/uploads-and-recordings.md#recordings.
   */
  getRecording(meetingId: string, options?: RequestOptions): ApiPromise<RecordingLink> {
    return transportOf(this).send({ ...getRecording, ids: { meetingId } }, options);
  }

  /**
   * The recording of a meeting (`mtg_…`) as a stream. The download survives lost connections and expired links: each
   * attempt requests a fresh link, and resumes at the byte that was reached. No byte is delivered twice.
   *
   * `timeoutMs` limits the time without progress, `deadlineMs` the whole download, `maxRetries` the failures in a row.
   * Guide: docs/uploads-and-recordings.md#recordings.
   *
   * @throws {NotFoundError} {@link NotFoundError} if the meeting has no recording
   * @throws {ConnectionError} {@link ConnectionError} if the storage refused the request or broke off too often, or the
   * file changed
   * @example
   * const { stream, size, contentType } = await notetaker.meetings.downloadRecording("mtg_1");
   * return new Response(stream, { headers: { "content-type": contentType ?? "application/octet-stream" } });
   */
  downloadRecording(meetingId: string, options?: DownloadOptions): Promise<RecordingDownload> {
    const transport = transportOf(this);
    const operation = { ...getRecording, ids: { meetingId }, sentOnce: true };
    return downloadRecording(transport, meetingId, (request) => transport.send(operation, request), options);
  }

  /**
   * The user's meetings. With `expand: ["documents"]`, each meeting has its `documents`.
   *
   * @beta The API specification refers to this endpoint but does not define it; parameters and response are documented.
   */
  list<const E extends readonly MeetingExpansion[]>(
    params: WithExpand<MeetingListParams, E>,
    options?: ListOptions,
  ): PagePromise<MeetingWith<NamedExpansions<E>>>;
  list(params?: MeetingListParams, options?: ListOptions): PagePromise<Meeting>;
  list(params: MeetingListParams = {}, options?: ListOptions): PagePromise<Meeting> {
    return list(transportOf(this), { ...listMeetings, params, response: meetingSchemaFor }, options);
  }

  /**
   * One meeting (`mtg_…`). With `expand: ["documents"]`, it has its `documents`.
   *
   * @throws {NotFoundError} {@link NotFoundError} if there is no such meeting, or the user cannot reach it
   * @beta The service has no endpoint for one meeting. The list is requested with a filter for this id; the name of
   * that query parameter is documented.
   * @example
   * const { status, documents } = await notetaker.meetings.get("mtg_1", { expand: ["documents"] });
   */
  get<const E extends readonly MeetingExpansion[]>(
    meetingId: string,
    params: WithExpand<MeetingGetParams, E>,
    options?: RequestOptions,
  ): ApiPromise<MeetingWith<NamedExpansions<E>>>;
  get(meetingId: string, params?: MeetingGetParams, options?: RequestOptions): ApiPromise<Meeting>;
  get(meetingId: string, params: MeetingGetParams = {}, options?: RequestOptions): ApiPromise<Meeting> {
    return getById(
      transportOf(this),
      {
        ...listMeetings,
        name: "meetings.get",
        idKind: "meetingId",
        id: meetingId,
        params,
        query: meetingGetParamsSchema,
        response: meetingSchemaFor,
      },
      options,
    );
  }

  /**
   * Waits for the transcript of a meeting (`mtg_…`): polls, with jitter, until the service has it. Each poll requests
   * the meeting list and the transcript; waits of one client share these requests. A 404 means "not yet". A 429, a 5xx
   * or a lost connection does not end the wait, and a `Retry-After` is honoured.
   *
   * @throws {MeetingFailedError} {@link MeetingFailedError} if the meeting has failed, and will have no transcript
   * @throws {WaitTimeoutError} {@link WaitTimeoutError} if `timeoutMs` has passed, or the meeting list lacked the
   * meeting for `notListedTimeoutMs`
   * @example
   * const { id } = await notetaker.meetings.upload(file);
   * const transcript = await notetaker.meetings.waitForTranscript(id, { timeoutMs: 600_000 });
   */
  waitForTranscript(meetingId: string, options?: WaitOptions): Promise<Transcript> {
    return waitForTranscript(pollsOf.get(this), meetingId, options);
  }

  /**
   * Waits until a meeting (`mtg_…`) is completed. It polls the meeting list like {@link Meetings.waitForTranscript}.
   *
   * @throws {MeetingFailedError} {@link MeetingFailedError} if the meeting has failed
   * @throws {WaitTimeoutError} {@link WaitTimeoutError} if `timeoutMs` has passed, or the meeting list lacked the
   * meeting for `notListedTimeoutMs`
   * @beta It reads the meeting list, which the API specification refers to but does not define.
   */
  waitForCompletion(meetingId: string, options?: WaitOptions): Promise<Meeting> {
    return waitForCompletion(pollsOf.get(this), meetingId, options);
  }

  /**
   * Waits for one document of a meeting (`mtg_…`): its summary, its action items, or a document whose title matches a
   * regular expression. Resolves to the document with its content, as soon as there is one; to the newest of several.
   * It polls the meeting list like {@link Meetings.waitForTranscript}.
   *
   * @throws {MeetingFailedError} {@link MeetingFailedError} if the meeting has failed
   * @throws {WaitTimeoutError} {@link WaitTimeoutError} if `timeoutMs` has passed, or the meeting list lacked the
   * meeting for `notListedTimeoutMs`
   * @beta It reads the meeting list. The texts by which titles are recognised are guessed; the client's option
   * `assumptions.documents.titles` replaces them.
   * @example
   * const { content } = await notetaker.meetings.waitForDocument("mtg_1", "summary", { format: "markdown" });
   */
  waitForDocument<const F extends DocumentFormat>(
    meetingId: string,
    kind: DocumentKind,
    options: WaitOptions & DocumentGetParamsIn<F>,
  ): Promise<DocumentIn<F>>;
  waitForDocument(meetingId: string, kind: DocumentKind, options?: WaitOptions & DocumentGetParams): Promise<Document>;
  async waitForDocument(
    meetingId: string,
    kind: DocumentKind,
    options?: WaitOptions & DocumentGetParams,
  ): Promise<Document> {
    const matches = titleMatcher("meetings.waitForDocument", kind, transportOf(this).config.documentTitles);
    const find = (meeting: unknown) => newestDocument(meeting, matches);
    return waitForDocument(pollsOf.get(this), meetingId, find, options);
  }

  /**
   * Waits for the documents of a meeting (`mtg_…`), of any kind: resolves to the meeting's document references as soon
   * as there is at least one. It polls the meeting list like {@link Meetings.waitForTranscript}. For a certain
   * document, such as the summary, use {@link Meetings.waitForDocument}.
   *
   * @throws {MeetingFailedError} {@link MeetingFailedError} if the meeting has failed
   * @throws {WaitTimeoutError} {@link WaitTimeoutError} if `timeoutMs` has passed, or the meeting list lacked the
   * meeting for `notListedTimeoutMs`
   * @example
   * const documents = await notetaker.meetings.waitForDocuments("mtg_1");
   * @beta It reads the meeting list, which the API specification refers to but does not define.
   */
  waitForDocuments(meetingId: string, options?: WaitOptions): Promise<DocumentReference[]> {
    return waitForDocuments(pollsOf.get(this), meetingId, options);
  }

  /**
   * Returns each completed meeting once, for programs that cannot receive webhooks: first those that ended at or after
   * `since`, oldest first, then each one that completes. It polls the meeting list. A 429, a 5xx or a lost connection
   * does not end it. Leaving the loop does.
   *
   * Store the `cursor` of a meeting when you have processed it, and pass it as `since` to the next run. Guide:
   * docs/waiting.md#every-meeting-without-webhooks.
   *
   * @example
   * for await (const { meeting, cursor } of notetaker.meetings.watch({ since: cursorOfLastRun ?? new Date() })) {
   *   await archive(meeting);
   *   await store(cursor);
   * }
   * @beta It reads the meeting list, which the API specification refers to but does not define.
   */
  watch(options: WatchOptions): AsyncIterableIterator<WatchedMeeting> {
    return watchMeetings(pollsOf.get(this), options);
  }

  /**
   * The upcoming events of the user's calendar, with the `evt_…` ids that {@link Meetings.cancelBot} and
   * {@link Meetings.scheduleBot} take.
   *
   * @beta The API specification refers to this endpoint but does not define it. Guessed: only the id of an event is
   * known. The service may send a bare array or a page.
   */
  upcoming(options?: RequestOptions): ApiPromise<UpcomingMeeting[]> {
    return transportOf(this).send({ ...listUpcoming, selectData: upcomingMeetingsOf }, options);
  }
}
