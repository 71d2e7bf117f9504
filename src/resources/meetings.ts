import * as z from "zod/mini";
import type { DownloadOptions } from "../media/download/download-options.js";
import { downloadRecording, type RecordingDownload } from "../media/download/download-recording.js";
import { UploadBody } from "../media/upload/upload-body.js";
import { type UploadInput, type UploadOptions, uploadOptionsSchema } from "../media/upload/upload-options.js";
import type { UploadSource } from "../media/upload/upload-source.js";
import {
  type EventBotResult,
  eventBotResultSchema,
  type SendBotParams,
  type SendBotResult,
  sendBotParamsSchemaFor,
  sendBotResultSchema,
} from "../schemas/bot.js";
import type { DocumentReference } from "../schemas/document.js";
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
  meetingListParamsSchema,
  type UpcomingMeeting,
  upcomingMeetingsOf,
  upcomingMeetingsSchema,
} from "../schemas/meeting-list.js";
import { type RecordingLink, recordingLinkSchema } from "../schemas/recording.js";
import { type Transcript, transcriptSchema } from "../schemas/transcript.js";
import { type UploadResult, uploadParamsSchema, uploadResultSchema } from "../schemas/upload.js";
import type { ApiPromise } from "../transport/api-promise.js";
import { hiddenField } from "../transport/hidden-field.js";
import { type ListOperation, list } from "../transport/list.js";
import type { ListOptions } from "../transport/list-options.js";
import { omit } from "../transport/omit.js";
import { type Operation, withSchema } from "../transport/operation.js";
import type { PagePromise } from "../transport/page.js";
import { path } from "../transport/path.js";
import type { RequestOptions } from "../transport/request-options.js";
import type { Transport } from "../transport/transport.js";
import { MeetingPolls } from "../waiting/poll/meeting-polls.js";
import { waitForCompletion, waitForDocuments, waitForTranscript } from "../waiting/wait/meeting-waiters.js";
import type { WaitOptions } from "../waiting/wait/wait-options.js";
import { watchMeetings } from "../waiting/watch/watch-meetings.js";
import type { WatchedMeeting, WatchOptions } from "../waiting/watch/watch-options.js";
import { getById } from "./get-by-id.js";
import { setTransport, transportOf } from "./transport-of.js";

const meetingSchemaWith = /* @__PURE__ */ expandedSchemas<Meeting>(meetingFields, meetingExpansions);

const listMeetings = (
  params: MeetingListParams,
  row: ListOperation<MeetingListParams>["row"],
): ListOperation<MeetingListParams> => ({
  operation: "meetings.list",
  path: path`/meetings`,
  params,
  paramsSchema: meetingListParamsSchema,
  names: "meetings",
  row,
});

/** A wait asks for its token before the request of a poll is made. If that fails, the error names this request. */
const firstPage: Operation<unknown> = {
  operation: "meetings.list",
  method: "GET",
  path: path`/meetings`,
  response: undefined,
  retry: "repeatable",
};

const pollsOf = /* @__PURE__ */ hiddenField<MeetingPolls>("polls");

/** A row as received: one odd row must not end a poll of the list. */
const anyRow = () => z.unknown();

const transcriptOf = (meetingId: string): Operation<Transcript> => ({
  operation: "meetings.getTranscript",
  method: "GET",
  path: path`/meetings/${{ meetingId }}/transcript`,
  response: transcriptSchema,
  retry: "repeatable",
});

const recordingOf = (meetingId: string): Operation<RecordingLink> => ({
  operation: "meetings.getRecording",
  method: "GET",
  path: path`/meetings/${{ meetingId }}/recording`,
  response: recordingLinkSchema,
  retry: "repeatable",
});

/** Meetings: bots that record them, uploaded recordings, and the transcripts, recordings and documents of both. */
export class Meetings {
  /** @internal The client makes its resources. */
  constructor(transport: Transport) {
    setTransport(this, transport);
    // The waiter is the retry: each request of a wait is sent once.
    const polls = new MeetingPolls({
      listPages: (params, { headers, signal, token }) => {
        const operation = { ...listMeetings(params, anyRow), token };
        return list(transport, operation, { headers, signal, maxRetries: 0 }).pages();
      },
      getTranscript: (meetingId, { headers, signal, token }) =>
        transport.send({ ...transcriptOf(meetingId), token }, { headers, signal, maxRetries: 0 }),
      requestToken:
        typeof transport.config.token === "function" ? (options) => transport.tokenFor(firstPage, options) : undefined,
    });
    pollsOf.set(this, polls);
  }

  /**
   * Sends the note-taker bot to a Zoom, Google Meet, Microsoft Teams or Webex join link, now. The response says that
   * the bot is queued, not that it has joined; the meeting appears only if the bot can be created. If a bot of the user
   * is already scheduled for, joining or in the same call, the service keeps that one: the returned `meeting_id` is
   * then never found. Find the meeting with {@link Meetings.list}.
   *
   * Interface, "POST /meetings/bot". At most 10 a minute and 60 an hour per user. Not sent again after a 5xx, a lost
   * connection or a timeout.
   *
   * @throws {BadRequestError} the link is not supported, or the account has no connected calendar
   * @throws {ForbiddenError} the plan's usage limit is exceeded
   * @example
   * const { meeting_id } = await notetaker.meetings.sendBot({ meeting_url: "https://meet.google.com/abc-defg-hij" });
   */
  sendBot(params: SendBotParams, options?: RequestOptions): ApiPromise<SendBotResult> {
    return transportOf(this).send(
      {
        operation: "meetings.sendBot",
        method: "POST",
        path: path`/meetings/bot`,
        body: withSchema(sendBotParamsSchemaFor(transportOf(this).config.conferenceHosts), params),
        response: sendBotResultSchema,
        retry: "unrepeatable",
      },
      options,
    );
  }

  /**
   * Cancels the bot of a calendar event (`evt_…`, see {@link Meetings.upcoming}). The cancellation is queued.
   *
   * Interface, "DELETE /meetings/{event_id}/bot".
   */
  cancelBot(eventId: string, options?: RequestOptions): ApiPromise<EventBotResult> {
    return transportOf(this).send(
      {
        operation: "meetings.cancelBot",
        method: "DELETE",
        path: path`/meetings/${{ eventId }}/bot`,
        response: eventBotResultSchema,
        retry: "repeatable",
      },
      options,
    );
  }

  /**
   * Schedules the bot for a calendar event (`evt_…`). Not sent again after a 5xx, a lost connection or a timeout.
   *
   * @beta The interface refers to it and does not define it; path and response are level C.
   */
  scheduleBot(eventId: string, options?: RequestOptions): ApiPromise<EventBotResult> {
    return transportOf(this).send(
      {
        operation: "meetings.scheduleBot",
        method: "POST",
        path: path`/meetings/${{ eventId }}/bot`,
        response: eventBotResultSchema,
        retry: "unrepeatable",
      },
      options,
    );
  }

  /**
   * Uploads an audio or video file for transcription and analysis. The media type is taken from `contentType`, then
   * from the source's own type, then from its name; common aliases are sent under the interface's name. The returned
   * `id` is the meeting's: find its progress in the meeting list.
   *
   * The source is streamed in little memory, whatever its size, and closed at once by an abort. `timeoutMs` limits the
   * time without progress, and the time until the response once everything is sent. A browser sends the body as a whole
   * and reports only its start and its end, so that only `deadlineMs` limits it there, unless the client's `fetch` is
   * `xhrFetch` of `notetaker-sdk/browser`.
   *
   * Interface, "PUT /meetings/upload". At most 10 a minute. A second upload creates a second meeting, so it is sent
   * again only if the first did nothing (a 429, a connection that was never made), and if the source can be read again:
   * a stream, an iterable and a response cannot.
   *
   * @example
   * const { id } = await notetaker.meetings.upload(file, { title: "Weekly", language: "en" });
   */
  upload(source: UploadSource, params: UploadInput = {}, options: UploadOptions = {}): ApiPromise<UploadResult> {
    return transportOf(this).send(
      {
        operation: "meetings.upload",
        method: "PUT",
        path: path`/meetings/upload`,
        query: withSchema(uploadParamsSchema, omit(params, "contentType", "size")),
        streamBody: () => {
          const { contentType, size } = params;
          return new UploadBody("meetings.upload", source, { contentType, size, onProgress: options.onProgress });
        },
        options: uploadOptionsSchema,
        response: uploadResultSchema,
        retry: "unrepeatable",
      },
      options,
    );
  }

  /**
   * The transcript of a meeting (`mtg_…`). `NotFoundError` can mean that it is not ready yet.
   *
   * Interface, "GET /meetings/{meeting_id}/transcript".
   */
  getTranscript(meetingId: string, options?: RequestOptions): ApiPromise<Transcript> {
    return transportOf(this).send(transcriptOf(meetingId), options);
  }

  /**
   * A temporary link to the recording of a meeting (`mtg_…`): use it promptly, and send it no token. It is `null` if
   * the meeting has no recording (level A).
   *
   * Interface, "GET /meetings/{meeting_id}/recording".
   */
  getRecording(meetingId: string, options?: RequestOptions): ApiPromise<RecordingLink> {
    return transportOf(this).send(recordingOf(meetingId), options);
  }

  /**
   * The recording of a meeting (`mtg_…`) as a stream. It survives lost connections and links that expire: each attempt
   * requests a fresh link and resumes at the byte that was reached, if `ETag`, date and length say that the file is
   * still the same; no byte is delivered twice. The storage's host receives neither the token nor the client's headers,
   * and no middleware runs. Redirects are refused. A link to a private host is opened only if that is the host of
   * `baseUrl`, an `http:` link only if `baseUrl` is also `http:` on the same host. If both hosts are loopback, any link
   * is opened.
   *
   * `timeoutMs` limits the time without progress, `deadlineMs` the whole until the stream has ended, `maxRetries` the
   * failures in a row without a byte between them.
   *
   * @throws {NotFoundError} the meeting has no recording
   * @throws {ConnectionError} the storage refused or broke off too often, or the file changed on the way
   * @example
   * const { stream, size, contentType } = await notetaker.meetings.downloadRecording("mtg_1");
   * return new Response(stream, { headers: { "content-type": contentType ?? "application/octet-stream" } });
   */
  downloadRecording(meetingId: string, options?: DownloadOptions): Promise<RecordingDownload> {
    const transport = transportOf(this);
    const operation = { ...recordingOf(meetingId), sentOnce: true };
    return downloadRecording(transport, meetingId, (request) => transport.send(operation, request), options);
  }

  /**
   * The user's meetings. `expand` makes `meeting.documents` present.
   *
   * @beta The interface refers to it and does not define it; parameters and response are level A.
   */
  list<const E extends readonly MeetingExpansion[]>(
    params: WithExpand<MeetingListParams, E>,
    options?: ListOptions,
  ): PagePromise<MeetingWith<NamedExpansions<E>>>;
  list(params?: MeetingListParams, options?: ListOptions): PagePromise<Meeting>;
  list(params: MeetingListParams = {}, options?: ListOptions): PagePromise<Meeting> {
    const row = ({ expand }: MeetingListParams) => meetingSchemaWith(expand);
    return list(transportOf(this), listMeetings(params, row), options);
  }

  /**
   * One meeting (`mtg_…`). `expand` makes its `documents` present.
   *
   * @throws {NotFoundError} there is no such meeting, or the user cannot reach it
   * @beta The service has no endpoint for one meeting: the list is requested for this id, with a query parameter that
   * is level A.
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
        operation: "meetings.get",
        path: "/meetings",
        names: "meetings",
        idKind: "meetingId",
        id: meetingId,
        params,
        paramsSchema: meetingGetParamsSchema,
        row: ({ expand }) => meetingSchemaWith(expand),
      },
      options,
    );
  }

  /**
   * Waits for the transcript of a meeting (`mtg_…`): polls, with jitter, until it is there. Not found means not yet; a
   * 429, a 5xx or a lost connection does not end the wait, and a `Retry-After` is honoured.
   *
   * @throws {MeetingFailedError} the meeting has failed: there will be no transcript
   * @throws {WaitTimeoutError} `timeoutMs` has passed; waiting again with the same id continues
   * @example
   * const { id } = await notetaker.meetings.upload(file);
   * const transcript = await notetaker.meetings.waitForTranscript(id, { timeoutMs: 600_000 });
   */
  waitForTranscript(meetingId: string, options?: WaitOptions): Promise<Transcript> {
    return waitForTranscript(pollsOf.get(this), meetingId, options);
  }

  /**
   * Waits until a meeting (`mtg_…`) is completed, as {@link Meetings.waitForTranscript} does for the transcript.
   *
   * @throws {MeetingFailedError} the meeting has failed
   * @throws {WaitTimeoutError} `timeoutMs` has passed; waiting again with the same id continues
   * @beta It reads the meeting list, which the interface refers to and does not define.
   */
  waitForCompletion(meetingId: string, options?: WaitOptions): Promise<Meeting> {
    return waitForCompletion(pollsOf.get(this), meetingId, options);
  }

  /**
   * Waits for the documents of a meeting (`mtg_…`), as {@link Meetings.waitForTranscript} does for the transcript:
   * resolves to its document references as soon as there is at least one. The initial summary is usually the first.
   *
   * @throws {MeetingFailedError} the meeting has failed
   * @throws {WaitTimeoutError} `timeoutMs` has passed; waiting again with the same id continues
   * @example
   * const [summary] = await notetaker.meetings.waitForDocuments(meetingId);
   * const { content } = await notetaker.documents.get(summary.id, { format: "markdown" });
   * @beta It reads the meeting list, which the interface refers to and does not define.
   */
  waitForDocuments(meetingId: string, options?: WaitOptions): Promise<DocumentReference[]> {
    return waitForDocuments(pollsOf.get(this), meetingId, options);
  }

  /**
   * Each meeting that is completed, once, oldest first: those that ended at or after `since`, then each that completes,
   * even if it began before a meeting that was already returned. For programs that cannot receive webhooks. Polls the
   * meeting list; a 429, a 5xx or a lost connection does not end it, and a `Retry-After` is honoured. Leaving the loop
   * ends the polling.
   *
   * Store the `cursor` of a meeting when it is dealt with: as `since` of the next run it continues after that meeting.
   * Nothing is returned twice, and a meeting that completes up to a day after it ended is not missed.
   *
   * @example
   * for await (const { meeting, cursor } of notetaker.meetings.watch({ since: cursorOfLastRun ?? new Date() })) {
   *   await archive(meeting);
   *   await store(cursor);
   * }
   * @beta It reads the meeting list, which the interface refers to and does not define.
   */
  watch(options: WatchOptions): AsyncIterableIterator<WatchedMeeting> {
    return watchMeetings(pollsOf.get(this), options);
  }

  /**
   * The upcoming events of the user's calendar, with the `evt_…` ids that {@link Meetings.cancelBot} and
   * {@link Meetings.scheduleBot} take.
   *
   * @beta The interface refers to it and does not define it. Level C: only the id of an event is known. The service may
   * send a bare array or a page: both are read.
   */
  upcoming(options?: RequestOptions): ApiPromise<UpcomingMeeting[]> {
    return transportOf(this).send(
      {
        operation: "meetings.upcoming",
        method: "GET",
        path: path`/meetings/upcoming`,
        response: upcomingMeetingsSchema,
        selectData: upcomingMeetingsOf,
        retry: "repeatable",
      },
      options,
    );
  }
}
