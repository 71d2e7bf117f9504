/** Uploads: see "Upload acknowledgement" and "PUT /meetings/upload" in the API specification. */
import * as z from "zod/mini";
import { type MeetingId, meetingId } from "./ids.js";
import { maxLength, openEnum, requestObject, responseObject, type ShapeOf } from "./primitives.js";

/** The longest title of an upload, in characters. */
export const UPLOAD_TITLE_MAX = 500;
/** The longest language code of an upload, in characters. */
export const UPLOAD_LANGUAGE_MAX = 10;
/** The status of an upload that was accepted. */
export const UPLOAD_STATUSES = ["processing"] as const;

/** Parameters of `meetings.upload` that are sent in the query. */
export interface UploadParams {
  /** The title of the meeting, of at most 500 characters. Default: the service's own choice. */
  title?: string | undefined;
  /**
   * The code of the spoken language, of at most 10 characters, for example `en`. Default: the service detects the
   * language.
   */
  language?: string | undefined;
}

export const uploadParamsShape: ShapeOf<UploadParams> = {
  title: z.optional(maxLength(UPLOAD_TITLE_MAX)),
  language: z.optional(maxLength(UPLOAD_LANGUAGE_MAX)),
};

/** The zod schema of {@link UploadParams}. */
export const uploadParamsSchema = requestObject<UploadParams>(uploadParamsShape);

/** The response to `meetings.upload`: the file is accepted, and queued for transcription and analysis. */
export interface UploadResult {
  /** The id of the meeting that the service creates from the file, `mtg_…`. */
  id: MeetingId;
  /** `processing` */
  status: (typeof UPLOAD_STATUSES)[number] | (string & {});
}

/** The zod schema of {@link UploadResult}. */
export const uploadResultSchema = responseObject<UploadResult>({
  id: meetingId,
  status: openEnum<(typeof UPLOAD_STATUSES)[number]>(),
});
