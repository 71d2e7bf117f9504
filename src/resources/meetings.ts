import {
  type DownloadOptions,
  downloadRecording,
  type RecordingDownload,
} from "../media/download/download-recording.js";
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
import { list } from "../transport/list.js";
import type { ListOptions } from "../transport/list-options.js";
import type { PagePromise } from "../transport/page.js";
import type { RequestOptions } from "../transport/request-options.js";
import { transportOf } from "../transport/resource.js";
import type { Transport } from "../transport/transport.js";
import { MeetingWaiters } from "../waiting/meeting-waiters.js";
import { getDocument } from "./documents.js";
import { getById } from "./get-by-id.js";
import { listMeetings } from "./list-meetings.js";

const meetingSchemaFor = /* @__PURE__ */ expandedSchemas<Meeting>(meetingFields, meetingExpansions);

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

/** Meetings: bots that record them, uploaded recordings, and the transcripts, recordings and documents of both. */
export class Meetings extends MeetingWaiters {
  /** @internal Only the client creates its resources. */
  constructor(transport: Transport) {
    super(transport, { listMeetings, getTranscript, getDocument });
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
          const { onProgress } = options;
          return new UploadBody(upload.name, source, { ...params, onProgress, logger: transport.config.logger });
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
    const operation = { ...listMeetings, name: "meetings.get", ids: { meetingId }, params };
    return getById(
      transportOf(this),
      { ...operation, query: meetingGetParamsSchema, response: meetingSchemaFor },
      options,
    );
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
