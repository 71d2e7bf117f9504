import * as z from "zod/mini";
import type { MediaType } from "../../schemas/media-type.js";
import { functionOf, type Infer, requestObject, unchecked } from "../../schemas/primitives.js";
import { type UploadParams, uploadParamsShape } from "../../schemas/upload.js";
import { type RequestOptions, requestOptionsShape } from "../../transport/request-options.js";

const fileFacts = {
  /** The media type. Default: the source's own, else the type for the extension of its name. */
  contentType: unchecked<MediaType | (string & {})>(),
  /** The number of bytes, for a source that cannot state it. If the source has another number, the upload fails. */
  size: unchecked<number>(),
};

/** Parameters of `meetings.upload`: facts about the file. */
export interface UploadInput extends UploadParams, Infer<typeof fileFacts> {}

/** The schema of {@link UploadInput}. Its result has only what is sent in the query. `UploadBody` checks the rest. */
export const uploadInputSchema = requestObject<UploadInput>({ ...uploadParamsShape, ...fileFacts }).check((payload) => {
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

const uploadOptions = {
  /** Called during the upload. `sentBytes` never decreases, and the last call has the total. */
  onProgress: z.optional(functionOf<(progress: UploadProgress) => void>()),
};

export interface UploadOptions extends RequestOptions, Infer<typeof uploadOptions> {}

export const uploadOptionsSchema = z.strictObject({ ...requestOptionsShape, ...uploadOptions });
