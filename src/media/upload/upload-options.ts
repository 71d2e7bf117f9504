import * as z from "zod/mini";
import type { MediaType } from "../../schemas/media-type.js";
import { functionSchema, optionsSchema } from "../../schemas/primitives.js";
import { type UploadParams, uploadParamsShape } from "../../schemas/upload.js";
import { type RequestOptions, requestOptionsShape } from "../../transport/request-options.js";

/** Parameters of `meetings.upload`: facts about the file. */
export interface UploadInput extends UploadParams {
  /** The media type. Default: the source's own, else the type for the extension of its name. */
  contentType?: MediaType | (string & {}) | undefined;
  /**
   * The number of bytes, for a source that cannot state it. If the source has another number of bytes, the upload
   * fails.
   */
  size?: number | undefined;
}

/** The schema of {@link UploadInput}. Its result has only what is sent in the query. */
export const uploadInputSchema = optionsSchema<UploadInput>()({
  ...uploadParamsShape,
  contentType: z.optional(z.unknown()),
  size: z.optional(z.unknown()),
}).check((payload) => {
  const { contentType, size, ...query } = payload.value;
  payload.value = query;
});

/** The progress of an upload. */
export interface UploadProgress {
  /** How many bytes the connection has accepted. */
  sentBytes: number;
  /** The size of the upload in bytes; `undefined` while it is not known. */
  totalBytes: number | undefined;
}

/** Options of `meetings.upload`. */
export interface UploadOptions extends RequestOptions {
  /** Called during the upload. `sentBytes` never decreases, and the last call has the total. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export const uploadOptionsSchema = optionsSchema<UploadOptions>()({
  ...requestOptionsShape,
  onProgress: z.optional(functionSchema),
});
