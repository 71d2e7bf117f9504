import * as z from "zod/mini";
import type { MediaType } from "../../schemas/media-type.js";
import { functionSchema, optionsSchema } from "../../schemas/primitives.js";
import type { UploadParams } from "../../schemas/upload.js";
import type { RequestOptions } from "../../transport/request-options.js";
import { requestOptionsShape } from "../../transport/request-options.js";
import type { UploadProgress } from "./progress-reporter.js";

/** What `meetings.upload` sends about a file, besides its bytes. */
export interface UploadInput extends UploadParams {
  /** The media type. Default: the source's own, else what the extension of its name stands for. */
  contentType?: MediaType | (string & {}) | undefined;
  /** The number of bytes, for a source that cannot state it. An upload of any other number fails. */
  size?: number | undefined;
}

/** Options of `meetings.upload`. */
export interface UploadOptions extends RequestOptions {
  /** Called as the upload proceeds. It never goes back, and ends at the total. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export const uploadOptionsSchema = optionsSchema<UploadOptions>()({
  ...requestOptionsShape,
  onProgress: z.optional(functionSchema),
});
