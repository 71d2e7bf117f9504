/** Which file, and which of its bytes, a response of the storage contains. */
import { contentLength, isUncompressed } from "../bytes.js";

/** The header `Content-Range` (RFC 9110, 14.4). */
export type ContentRange =
  | {
      /** The bytes from `start` up to, and not including, `end`. */
      readonly kind: "part";
      readonly start: number;
      readonly end: number;
      /** The size of the whole file, in bytes; `undefined` if the storage does not know it. */
      readonly size: number | undefined;
    }
  /** No bytes, because the requested range is beyond the end of the file. */
  | { readonly kind: "none"; readonly size: number };

/** Returns `undefined` if the header is absent or invalid. The unit may be in upper case. */
export function parseContentRange(headers: Headers): ContentRange | undefined {
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

export interface FileVersion {
  /** The size of the whole file, in bytes. */
  readonly size: number | undefined;
  /** The `ETag`, else the `Last-Modified` date, of the file. */
  readonly validator: string | undefined;
  readonly contentType: string | undefined;
}

/** The length and the range of a compressed response are of no use, so a download cannot resume with it. */
export function fileVersion({ status, headers }: Response): FileVersion {
  const contentType = headers.get("content-type") ?? undefined;
  if (!isUncompressed(headers)) return { size: undefined, validator: undefined, contentType };
  const size = status === 200 ? contentLength(headers) : parseContentRange(headers)?.size;
  return { size, validator: headers.get("etag") ?? headers.get("last-modified") ?? undefined, contentType };
}

/** Equal validators, and equal sizes, if both are known. Without validators, both sizes must be known. */
export function isSameVersion(begun: FileVersion, later: FileVersion): boolean {
  if (begun.validator !== later.validator) return false;
  if (begun.size !== undefined && later.size !== undefined) return begun.size === later.size;
  return begun.validator !== undefined;
}

/** Pages and error documents, which a storage may send with status 200: a sign-in page, for example. */
const PAGE_TYPE = /^(?:text\/html|(?:text|application)\/(?:[\w.-]+\+)?(?:xml|json)) *(?:[;,]|$)/i;

export const isPage = ({ headers }: Response): boolean => PAGE_TYPE.test(headers.get("content-type") ?? "");
