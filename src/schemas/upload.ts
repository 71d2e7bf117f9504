/** Uploads: see "Upload acknowledgement" and "PUT /meetings/upload" in the API specification. */
import * as z from "zod/mini";
import { meetingId } from "./id-schemas.js";
import { type Infer, maxLength, openEnum, requestObject, responseObject } from "./primitives.js";

export const UPLOAD_TITLE_MAX = 500;
export const UPLOAD_LANGUAGE_MAX = 10;
/** The status of an upload that was accepted. */
export const UPLOAD_STATUSES = ["processing"] as const;

export const uploadParamsShape = {
  /** The title of the meeting, of at most 500 characters. Default: the service's own choice. */
  title: z.optional(maxLength(UPLOAD_TITLE_MAX)),
  /** The code of the spoken language, of at most 10 characters, such as `en`. Default: the service detects it. */
  language: z.optional(maxLength(UPLOAD_LANGUAGE_MAX)),
};

/** Parameters of `meetings.upload` that are sent in the query. */
export interface UploadParams extends Infer<typeof uploadParamsShape> {}

export const uploadParamsSchema = requestObject<UploadParams>(uploadParamsShape);

const uploadResultFields = {
  /** The id of the meeting that the service creates from the file, `mtg_…`. */
  id: meetingId,
  /** `processing` */
  status: openEnum<(typeof UPLOAD_STATUSES)[number] | (string & {})>(),
};

/** The response to `meetings.upload`: the file is accepted, and queued for transcription and analysis. */
export interface UploadResult extends Infer<typeof uploadResultFields> {}

export const uploadResultSchema = responseObject<UploadResult>(uploadResultFields);
