/** Identifies the version of a recording's file that a response of the storage belongs to. */
import { contentLength, isUncompressed } from "../bytes/content-length.js";
import { parseContentRange } from "./content-range.js";

export interface RecordingVersion {
  /** The size of the whole file, in bytes. */
  readonly size: number | undefined;
  /** The `ETag`, else the `Last-Modified` date, of the file. */
  readonly validator: string | undefined;
  readonly contentType: string | undefined;
}

/**
 * The length and the range of a compressed response are of no use, so a download cannot resume with such a response.
 */
export function recordingVersion({ status, headers }: Response): RecordingVersion {
  const contentType = headers.get("content-type") ?? undefined;
  if (!isUncompressed(headers)) return { size: undefined, validator: undefined, contentType };
  const size = status === 200 ? contentLength(headers) : parseContentRange(headers)?.size;
  return { size, validator: headers.get("etag") ?? headers.get("last-modified") ?? undefined, contentType };
}

/**
 * Whether two responses belong to the same file: their validators are equal, and so are their sizes, if both are known.
 * Without validators, both sizes must be known.
 */
export function isSameVersion(begun: RecordingVersion, later: RecordingVersion): boolean {
  if (begun.validator !== later.validator) return false;
  if (begun.size !== undefined && later.size !== undefined) return begun.size === later.size;
  return begun.validator !== undefined;
}
