/** Whether the bytes that arrive are those that the headers speak of: not so when they are compressed on the way. */
export const isPlain = (headers: Headers) => /^(identity)?$/.test(headers.get("content-encoding") ?? "");

/** How many bytes arrive, where the headers tell. */
export function contentLength(headers: Headers): number | undefined {
  const length = headers.get("content-length") ?? "";
  return /^\d+$/.test(length) && isPlain(headers) ? Number(length) : undefined;
}
