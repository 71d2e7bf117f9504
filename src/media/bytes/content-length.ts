/** Whether a body arrives as it was sent. `fetch` decompresses others, and their length is then unknown. */
export const isUncompressed = (headers: Headers) => /^(identity)?$/i.test(headers.get("content-encoding") ?? "");

/** The length of a body in bytes, if the headers announce it. */
export function contentLength(headers: Headers): number | undefined {
  const length = headers.get("content-length") ?? "";
  return /^\d{1,15}$/.test(length) && isUncompressed(headers) ? Number(length) : undefined;
}
