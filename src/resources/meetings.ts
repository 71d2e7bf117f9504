import {
  cancelBot,
  getRecording,
  getTranscript,
  listMeetings,
  listUpcoming,
  scheduleBot,
  sendBot,
  upload,
} from "../endpoints/meetings.js";
import { list } from "../lists/list.js";
import type { ListOptions } from "../lists/list-options.js";
import type { PagePromise } from "../lists/page.js";
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
import { type EventBotResult, type SendBotParams, type SendBotResult, sendBotParamsSchemaFor } from "../schemas/bot.js";
import { expandedSchemas } from "../schemas/expansion.js";
import {
  type ExpandedMeeting,
  type Meeting,
  type MeetingExpansion,
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
import type { RecordingLink } from "../schemas/recording.js";
import type { Transcript } from "../schemas/transcript.js";
import type { UploadResult } from "../schemas/upload.js";
import type { ApiPromise } from "../transport/api-promise.js";
import { checkData, type Read } from "../transport/operation.js";
import type { RequestOptions } from "../transport/request-options.js";
import { transportOf } from "../transport/resource.js";
import { MeetingWaiters } from "../waiting/meeting-waiters.js";
import { getById } from "./get-by-id.js";

const meetingSchemaFor = /* @__PURE__ */ expandedSchemas<Meeting>(meetingFields, meetingExpansions);

const readUpcoming: Read = (body, context) => checkData(upcomingMeetingsSchema, upcomingMeetingsOf(body), context);

/** Meetings: bots that record them, uploaded recordings, and the transcripts, recordings and documents of both. */
export class Meetings extends MeetingWaiters {
  /**
   * Sends the bot to a Zoom, Google Meet, Microsoft Teams or Webex link, at once. The response means that it is queued,
   * not that it has joined. If a bot is already scheduled or in the call, it stays, and the returned `meeting_id` is
   * never found.
   *
   * Sent again only if the first request had no effect. At most 10 bots a minute and 60 an hour. Guide: docs/bots.md.
   * @throws {BadRequestError} if the link is not supported, or the account has no calendar
   * @throws {ForbiddenError} if the plan's limit is exceeded
   * @example
   * const { meeting_id } = await notetaker.meetings.sendBot({ meeting_url: "https://meet.google.com/abc-defg-hij" });
   */
  sendBot(params: SendBotParams, options?: RequestOptions): ApiPromise<SendBotResult> {
    const transport = transportOf(this);
    const body = sendBotParamsSchemaFor(transport.config.conferenceHosts);
    return transport.send({ ...sendBot, body, params }, options);
  }

  /** Cancels the bot of a calendar event (`evt_…`, see {@link Meetings.upcoming}); queued. Guide: docs/bots.md. */
  cancelBot(eventId: string, options?: RequestOptions): ApiPromise<EventBotResult> {
    return transportOf(this).send({ ...cancelBot, ids: { eventId } }, options);
  }

  /**
   * Schedules the bot for a calendar event (`evt_…`).
   *
   * The request is not sent again after a 5xx, a lost connection or a timeout.
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
   * again. At most 10 a minute. The source is closed at the end; but after an `InvalidArgumentError` for an argument
   * nothing was read, and the source is still yours. Guide: docs/uploads-and-recordings.md.
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
          return new UploadBody(source, { ...params, onProgress, logger: transport.config.logger });
        },
        options: uploadOptionsSchema,
      },
      options,
    );
  }

  /**
   * The transcript of a meeting (`mtg_…`). A 404 can mean that it is not ready yet. Guide: docs/transcripts.md.
   * @throws {NotFoundError} if there is no such meeting, or its transcript is not ready yet
   */
  getTranscript(meetingId: string, options?: RequestOptions): ApiPromise<Transcript> {
    return transportOf(this).send({ ...getTranscript, ids: { meetingId } }, options);
  }

  /**
   * A temporary link to the recording of a meeting (`mtg_…`). Use it promptly, and do not send the token to it.
   * `recording_url` is `null` without a recording (documented). Guide: docs/uploads-and-recordings.md#recordings.
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
   * @throws {NotFoundError} if the meeting has no recording
   * @throws {ConnectionError} if the storage refused the request or broke off too often, or the file changed
   * @example
   * const { stream, size, contentType } = await notetaker.meetings.downloadRecording("mtg_1");
   * return new Response(stream, { headers: { "content-type": contentType ?? "application/octet-stream" } });
   */
  downloadRecording(meetingId: string, options?: DownloadOptions): Promise<RecordingDownload> {
    return downloadRecording(transportOf(this), meetingId, options);
  }

  /**
   * The user's meetings. With `expand: ["documents"]`, each meeting has its `documents`.
   * @beta The API specification refers to this endpoint but does not define it; parameters and response are documented.
   */
  list<const E extends readonly MeetingExpansion[] = []>(
    params: MeetingListParams<E> = {},
    options?: ListOptions,
  ): PagePromise<ExpandedMeeting<E>> {
    return list(transportOf(this), { ...listMeetings, params, response: meetingSchemaFor }, options);
  }

  /**
   * One meeting (`mtg_…`). With `expand: ["documents"]`, it has its `documents`.
   * @throws {NotFoundError} if there is no such meeting, or the user cannot reach it
   * @beta The service has no endpoint for one meeting. The list is requested with a filter for this id; the name of
   * that query parameter is documented.
   * @example
   * const { status, documents } = await notetaker.meetings.get("mtg_1", { expand: ["documents"] });
   */
  get<const E extends readonly MeetingExpansion[] = []>(
    meetingId: string,
    params: MeetingGetParams<E> = {},
    options?: RequestOptions,
  ): ApiPromise<ExpandedMeeting<E>> {
    const operation = { ...listMeetings, name: "meetings.get", ids: { meetingId }, params };
    return getById(
      transportOf(this),
      { ...operation, query: meetingGetParamsSchema, response: meetingSchemaFor<ExpandedMeeting<E>> },
      options,
    );
  }

  /**
   * The upcoming events of the user's calendar, with the `evt_…` ids that {@link Meetings.cancelBot} and
   * {@link Meetings.scheduleBot} take.
   * @beta The API specification refers to this endpoint but does not define it. Guessed: only the id of an event is
   * known. The service may send a bare array or a page.
   */
  upcoming(options?: RequestOptions): ApiPromise<UpcomingMeeting[]> {
    return transportOf(this).send({ ...listUpcoming, read: readUpcoming }, options);
  }
}
