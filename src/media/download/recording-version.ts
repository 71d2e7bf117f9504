/** Which version of a recording's file an answer of the storage belongs to. */
import { contentLength, isUncompressed } from "../bytes/content-length.js";
import { parseContentRange } from "./content-range.js";

export interface RecordingVersion {
  /** The size of the whole file, in bytes. */
  readonly size: number | undefined;
  /** The `ETag`, else the `Last-Modified` date. */
  readonly validator: string | undefined;
  readonly contentType: string | undefined;
}

/** A compressed answer has no usable length or range, so its bytes cannot follow those of another. */
export function recordingVersion({ status, headers }: Response): RecordingVersion {
  const contentType = headers.get("content-type") ?? undefined;
  if (!isUncompressed(headers)) return { size: undefined, validator: undefined, contentType };
  const size = status === 200 ? contentLength(headers) : parseContentRange(headers)?.size;
  return { size, validator: headers.get("etag") ?? headers.get("last-modified") ?? undefined, contentType };
}

/** Whether two answers hold the same file. Without a validator only equal sizes show it; without both, nothing does. */
export function isSameVersion(begun: RecordingVersion, later: RecordingVersion): boolean {
  if (begun.validator !== later.validator) return false;
  if (begun.size !== undefined && later.size !== undefined) return begun.size === later.size;
  return begun.validator !== undefined;
}
