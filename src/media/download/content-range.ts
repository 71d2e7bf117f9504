/** Parses the header `Content-Range` (RFC 9110, 14.4): which bytes of a file a response contains. */

/** The bytes from `start` up to, and not including, `end`. */
export interface ByteRange {
  readonly kind: "part";
  readonly start: number;
  readonly end: number;
  /** The size of the whole file, in bytes; `undefined` if the storage does not know it. */
  readonly size: number | undefined;
}

/** The response contains no bytes, because the requested range is beyond the end of the file. */
export interface UnsatisfiedRange {
  readonly kind: "none";
  readonly size: number;
}

/** Returns `undefined` if the header is absent or invalid. The unit may be in upper case. */
export function parseContentRange(headers: Headers): ByteRange | UnsatisfiedRange | undefined {
  const value = headers.get("content-range") ?? "";
  const unsatisfied = /^bytes \*\/(\d{1,15})$/i.exec(value);
  if (unsatisfied) return { kind: "none", size: Number(unsatisfied[1]) };

  const part = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(value);
  if (!part) return undefined;
  const start = Number(part[1]);
  const end = Number(part[2]) + 1;
  const size = part[3] === "*" ? undefined : Number(part[3]);
  const isValid = start < end && (size === undefined || end <= size);
  return isValid ? { kind: "part", start, end, size } : undefined;
}
