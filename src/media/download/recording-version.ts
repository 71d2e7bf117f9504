/** What an answer of a recording's storage says of the file. */
import { contentLength, isPlain } from "../bytes/content-length.js";

export interface RecordingEntity {
  /** Of the whole file, in bytes. */
  readonly size?: number | undefined;
  /** The `ETag`, or the date of the last change. */
  readonly version?: string | null;
  readonly contentType: string | undefined;
  /** Where in the file a part begins. */
  readonly start?: number;
}

/** Of an answer that is compressed it tells nothing: its bytes cannot be put together with others. */
export function recordingEntity({ status, headers }: Response): RecordingEntity {
  const contentType = headers.get("content-type") ?? undefined;
  if (!isPlain(headers)) return { contentType };
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
  return {
    size: status === 200 ? contentLength(headers) : total ? Number(total) : undefined,
    version: headers.get("etag") ?? headers.get("last-modified"),
    contentType,
    start: Number(start),
  };
}

/**
 * Whether a later answer is of the file that was begun, so that its bytes may follow those of the first. It takes a
 * version or a size to tell.
 */
export const isSameEntity = (begun: RecordingEntity, { size, version }: RecordingEntity): boolean =>
  begun.version === version && (size && begun.size ? size === begun.size : Boolean(version));
