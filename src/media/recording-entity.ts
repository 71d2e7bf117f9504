/** What an answer of a recording's storage says of the file, and of the part of it that it carries. */

export interface RecordingEntity {
  /** Of the whole file, in bytes. */
  size: number | undefined;
  /** The `ETag`, or the date of the last change. */
  version: string | undefined;
  contentType: string | undefined;
  /** Where in the file the answer's body begins; `undefined` when it does not say. */
  start: number | undefined;
  /** Whether positions in the file are positions in what arrives: not so in a compressed answer. */
  plain: boolean;
}

const wholeNumber = (text: string | null | undefined) => (/^\d+$/.test(text ?? "") ? Number(text) : undefined);

export function recordingEntity({ status, headers }: Response): RecordingEntity {
  const plain = (headers.get("content-encoding") ?? "identity") === "identity";
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
  return {
    size: wholeNumber(status === 206 ? total : plain ? headers.get("content-length") : undefined),
    version: headers.get("etag") ?? headers.get("last-modified") ?? undefined,
    contentType: headers.get("content-type") ?? undefined,
    start: status === 206 ? wholeNumber(start) : 0,
    plain,
  };
}

/**
 * Whether a later answer is of the file that was begun, so that its bytes may follow those of the first. It takes a
 * version or a size to tell.
 */
export function isSameEntity(begun: RecordingEntity, now: RecordingEntity): boolean {
  const sizes = begun.size !== undefined && now.size !== undefined;
  if (begun.version !== now.version || (sizes && begun.size !== now.size)) return false;
  return begun.version !== undefined || sizes;
}
