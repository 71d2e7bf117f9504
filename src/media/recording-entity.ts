/** What an answer of a recording's storage says of the file, and of the part of it that it carries. */
import { contentLength, isPlain } from "./content-length.js";

export interface RecordingEntity {
  /** Of the whole file, in bytes. */
  readonly size: number | undefined;
  /** The `ETag`, or the date of the last change. */
  readonly version: string | null;
  readonly contentType: string | undefined;
  /** Whether a position in the file is one in what arrives, so that a part can be asked for. */
  readonly plain: boolean;
  /** Where in the file a part begins, if that can be told. */
  readonly start: number | undefined;
}

export function recordingEntity({ status, headers }: Response): RecordingEntity {
  const plain = isPlain(headers);
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
  const whole = status === 200;
  return {
    size: whole ? contentLength(headers) : total ? Number(total) : undefined,
    version: headers.get("etag") ?? headers.get("last-modified"),
    contentType: headers.get("content-type") ?? undefined,
    plain,
    start: plain && start ? Number(start) : undefined,
  };
}

/**
 * Whether a later answer is of the file that was begun, so that its bytes may follow those of the first. It takes a
 * version or a size to tell.
 */
export const isSameEntity = (begun: RecordingEntity, { size, version }: RecordingEntity): boolean =>
  begun.version === version &&
  (size === undefined || begun.size === undefined ? version !== null : size === begun.size);
