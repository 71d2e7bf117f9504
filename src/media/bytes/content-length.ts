/** Whether a body is not compressed. `fetch` decompresses a compressed body, whose decompressed length is not known. */
export const isUncompressed = (headers: Headers) => /^(identity)?$/i.test(headers.get("content-encoding") ?? "");

/** The length of a body in bytes, if the headers state it; else `undefined`. */
export function contentLength(headers: Headers): number | undefined {
  const length = headers.get("content-length") ?? "";
  return /^\d{1,15}$/.test(length) && isUncompressed(headers) ? Number(length) : undefined;
}
