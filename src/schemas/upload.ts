/** Interface, "Upload acknowledgement" and "PUT /meetings/upload". */
import * as z from "zod/mini";
import { meetingId } from "./ids.js";
import { maxLength, openEnum, requestObject, responseObject } from "./primitives.js";

export const UPLOAD_TITLE_MAX = 500;
export const UPLOAD_LANGUAGE_MAX = 10;
export const UPLOAD_STATUSES = ["processing"] as const;

/** The query of an upload; the media type goes in the `Content-Type` header. */
export const uploadParamsSchema = requestObject({
  /** At most 500 characters. */
  title: z.optional(maxLength(UPLOAD_TITLE_MAX)),
  /** Transcription language code, for example a two-letter code; at most 10 characters. */
  language: z.optional(maxLength(UPLOAD_LANGUAGE_MAX)),
});
export type UploadParams = z.infer<typeof uploadParamsSchema>;

/** The file is accepted and queued for transcription and analysis. */
export const uploadResultSchema = responseObject({
  /** The id of the meeting, `mtg_…`. */
  id: meetingId,
  /** `processing` */
  status: openEnum<typeof UPLOAD_STATUSES>(),
});
export type UploadResult = z.infer<typeof uploadResultSchema>;
